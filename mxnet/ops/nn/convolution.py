"""Convolution and Deconvolution, in one to three dimensions and every layout."""
