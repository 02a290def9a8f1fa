"""More of Gluon: further layers, cells and data sets, the Estimator, and torch modules as blocks."""
