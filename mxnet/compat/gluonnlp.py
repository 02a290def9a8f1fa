"""GluonNLP 0.6 to 0.10."""

from .patching import PYTHON

PATCHES = {"gluonnlp.*": (PYTHON,)}
#: Its tokenizer for BERT is written in Cython, and the C file that it ships does not compile with Python 3.11 or later.
MODULES = {"gluonnlp.data.fast_bert_tokenizer": "bert_tokenizer.py"}
