# Tells which digits pictures show: Rscript classify.R <folder of make_model.py> <picture.pgm>...
# MXNET_PYTHON names the Python that has the package, if reticulate does not find it by itself.
python <- Sys.getenv("MXNET_PYTHON")
if (nzchar(python)) Sys.setenv(RETICULATE_PYTHON = python)
library(reticulate)

header <- charToRaw("P5\n28 28\n255\n")

# The grey values of a picture, row after row, as bytes.
read_picture <- function(path) {
  bytes <- readBin(path, "raw", file.size(path))
  if (length(bytes) != length(header) + 28^2 || !all(bytes[seq_along(header)] == header))
    stop(path, " is not a PGM picture of 28 x 28 grey values", call. = FALSE)
  bytes[-seq_along(header)]
}

given <- commandArgs(trailingOnly = TRUE)
if (length(given) < 2) stop("usage: Rscript classify.R <folder> <picture.pgm>...", call. = FALSE)
folder <- given[1]
pictures <- given[-1]

# Results stay objects of Python until py_to_r() is asked for: reticulate knows NumPy 2 only from its version 1.35 on.
mx <- import("mxnet", convert = FALSE)
numpy <- import("numpy", convert = FALSE)
net <- mx$gluon$SymbolBlock$imports(
  file.path(folder, "digits-symbol.json"), list("data"), file.path(folder, "digits-0000.params"))

# One batch of shape (pictures, 1, 28, 28), probabilities for each picture back.
bytes <- numpy$frombuffer(unlist(lapply(pictures, read_picture)), "uint8")
batch <- mx$nd$array(bytes$reshape(tuple(length(pictures), 1L, 28L, 28L)), dtype = "float32")
probabilities <- do.call(rbind, py_to_r(py_call(net, batch)$asnumpy()$tolist()))
best <- max.col(probabilities, ties.method = "first")
cat(sprintf("%s: %d (%f)\n", basename(pictures), best - 1L, probabilities[cbind(seq_along(best), best)]), sep = "")
