# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

from ...ops.numpy import random_functions as _shared
from .dispatch import arrays as _arrays
FUNCTIONS: dict[Any, Any]
from mxnet.numpy.random import beta as beta, chisquare as chisquare, choice as choice, exponential as exponential, gamma as gamma, gumbel as gumbel, logistic as logistic, lognormal as lognormal, multinomial as multinomial, multivariate_normal as multivariate_normal, normal as normal, pareto as pareto, power as power, rand as rand, randint as randint, randn as randn, rayleigh as rayleigh, shuffle as shuffle, uniform as uniform, weibull as weibull
__all__ = ['beta', 'chisquare', 'choice', 'exponential', 'gamma', 'gumbel', 'logistic', 'lognormal', 'multinomial', 'multivariate_normal', 'normal', 'pareto', 'power', 'rand', 'randint', 'randn', 'rayleigh', 'shuffle', 'uniform', 'weibull']
