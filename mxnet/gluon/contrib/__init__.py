"""More of Gluon: further layers, cells and datasets, the Estimator, and torch modules as blocks."""
