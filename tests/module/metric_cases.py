"""Metrics and batches that are run on the original and on this package; read by record_metric.py and the tests.

Only syntax that the original's Python and NumPy understand.
"""

import zlib

import numpy as np

# name: metric as text, shape of labels, number of classes (None: real numbers), shape of predictions,
# what predictions are ('scores', 'probabilities', 'classes', 'reals'), dtype of predictions, arrays per update
CASES = {
    "acc": ("Accuracy()", (6,), 3, (6, 3), "scores", "float32", 1),
    "acc two arrays": ("Accuracy()", (6,), 3, (6, 3), "scores", "float32", 2),
    "acc half": ("Accuracy()", (6,), 3, (6, 3), "scores", "float16", 1),
    "acc of classes": ("Accuracy()", (6,), 3, (6,), "classes", "float32", 1),
    "acc of a column of labels": ("Accuracy()", (6, 1), 3, (6, 3), "scores", "float32", 1),
    "acc of a column of predictions": ("Accuracy()", (6,), 2, (6, 1), "classes", "float32", 1),
    "acc axis 1 of 3": ("Accuracy()", (2, 5), 3, (2, 3, 5), "scores", "float32", 1),
    "acc axis 2": ("Accuracy(axis=2)", (2, 5), 3, (2, 5, 3), "scores", "float64", 1),
    "acc axis -1": ("Accuracy(axis=-1)", (2, 5), 3, (2, 5, 3), "scores", "float32", 1),
    "acc of reshaped labels": ("Accuracy()", (2, 3), 3, (6, 3), "scores", "float32", 1),
    "top 2": ("TopKAccuracy(top_k=2)", (7,), 5, (7, 5), "scores", "float32", 1),
    "top 3 two arrays": ("TopKAccuracy(3, name='top')", (7,), 6, (7, 6), "scores", "float64", 2),
    "top 2 of a column": ("TopKAccuracy(2)", (7, 1), 4, (7, 4), "scores", "float32", 1),
    "f1": ("F1()", (8,), 2, (8, 2), "scores", "float32", 1),
    "f1 two arrays": ("F1()", (8,), 2, (8, 2), "scores", "float32", 2),
    "f1 micro": ("F1(average='micro')", (8,), 2, (8, 2), "scores", "float32", 2),
    "f1 of three scores": ("F1(average='micro')", (8,), 2, (8, 3), "scores", "float32", 1),
    "f1 of one score": ("F1()", (8,), 2, (8, 1), "scores", "float32", 1),
    "mcc": ("MCC()", (8,), 2, (8, 2), "scores", "float32", 1),
    "mcc two arrays": ("MCC()", (8,), 2, (8, 2), "scores", "float32", 2),
    "mcc micro": ("MCC(average='micro')", (8,), 2, (8, 2), "scores", "float64", 2),
    "mcc of three scores": ("MCC(average='micro')", (8,), 2, (8, 3), "scores", "float32", 1),
    "mcc of one score": ("MCC()", (8,), 2, (8, 1), "scores", "float32", 1),
    "pcc": ("PCC()", (9,), 4, (9, 4), "scores", "float32", 1),
    "pcc two arrays": ("PCC()", (9,), 3, (9, 3), "scores", "float32", 2),
    "pcc of two classes": ("PCC()", (9,), 2, (9, 2), "scores", "float64", 1),
    "pcc of classes": ("PCC()", (9,), 5, (9,), "classes", "float32", 1),
    "pcc of one score": ("PCC()", (9,), 2, (9, 1), "scores", "float32", 1),
    "perplexity": ("Perplexity(None)", (6,), 4, (6, 4), "probabilities", "float32", 1),
    "perplexity ignoring": ("Perplexity(ignore_label=1)", (6,), 4, (6, 4), "probabilities", "float32", 2),
    "perplexity double": ("Perplexity(0)", (6,), 4, (6, 4), "probabilities", "float64", 1),
    "ce": ("CrossEntropy()", (6,), 4, (6, 4), "probabilities", "float32", 1),
    "ce two arrays": ("CrossEntropy(eps=1e-3)", (6, 1), 4, (6, 4), "probabilities", "float64", 2),
    "ce of pixels": ("CrossEntropy()", (6,), 4, (6, 4, 2), "probabilities", "float32", 1),
    "nll": ("NegativeLogLikelihood()", (6,), 4, (6, 4), "probabilities", "float32", 1),
    "nll eps": ("NegativeLogLikelihood(eps=0.1)", (6,), 4, (6, 4), "probabilities", "float32", 2),
    "mae": ("MAE()", (6,), None, (6,), "reals", "float32", 1),
    "mae of a column": ("MAE()", (6,), None, (6, 1), "reals", "float32", 2),
    "mae broadcast": ("MAE()", (6,), None, (6, 3), "reals", "float64", 1),
    "mse": ("MSE()", (6, 2), None, (6, 2), "reals", "float32", 1),
    "mse of a column": ("MSE()", (6, 1), None, (6,), "reals", "float32", 2),
    "mse of integers": ("MSE()", (6,), 9, (6,), "classes", "int32", 1),
    "rmse": ("RMSE()", (6, 2, 2), None, (6, 2, 2), "reals", "float32", 2),
    "rmse double": ("RMSE()", (6,), None, (6,), "reals", "float64", 1),
    "pearson": ("PearsonCorrelation()", (6,), None, (6,), "reals", "float32", 1),
    "pearson 2d": ("PearsonCorrelation()", (3, 2), None, (3, 2), "reals", "float32", 2),
    "pearson micro": ("PearsonCorrelation(average='micro')", (6,), None, (6,), "reals", "float64", 1),
    "pearson micro 2d": ("PearsonCorrelation(average='micro')", (3, 4), None, (3, 4), "reals", "float32", 2),
    "loss": ("Loss()", (6,), None, (6,), "reals", "float32", 1),
    "loss two arrays": ("Loss()", (6,), None, (6, 2), "reals", "float64", 2),
    "torch": ("Torch()", (6,), None, (6,), "reals", "float32", 1),
    "caffe": ("Caffe()", (6,), None, (6,), "reals", "float32", 1),
    "custom": (
        "CustomMetric(lambda label, pred: float(abs(label - pred).max()))",
        (6,),
        None,
        (6,),
        "reals",
        "float32",
        2,
    ),
    "custom with a count": (
        "np(lambda label, pred: (label.sum(), label.size), name='n')",
        (4,),
        None,
        (4,),
        "reals",
        "float32",
        1,
    ),
    "composite": ("create(['acc', 'ce', 'mae'])", (6,), 1, (6, 1), "probabilities", "float32", 1),
}

# What is done in turn; 'update' takes the next batch.
STEPS = ("update", "update", "reset_local", "update", "update", "reset", "update")

# Metrics whose configuration and description are compared.
CONFIGS = (
    "Accuracy()",
    "Accuracy(axis=2, name='a', output_names=['o'], label_names=['l'])",
    "TopKAccuracy(top_k=3)",
    "F1()",
    "MCC()",
    "Perplexity(None)",
    "Perplexity(3)",
    "MAE()",
    "MSE()",
    "RMSE()",
    "CrossEntropy(eps=0.5)",
    "NegativeLogLikelihood()",
    "PearsonCorrelation()",
    "PCC()",
    "Loss()",
    "Torch()",
    "Caffe()",
    "CompositeEvalMetric(['acc', create('top_k_acc', top_k=2)], name='both')",
    "create('acc', axis=3)",
    'create(\'["top_k_accuracy", {"top_k": 4}]\')',
    "create({'metric': 'ce', 'eps': 0.25})",
    "EvalMetric('x', other=3)",
)


def batch(rng, case):
    """Labels and predictions for one update, as lists of NumPy arrays."""
    _, label_shape, classes, pred_shape, kind, dtype, count = case
    labels, preds = [], []
    for _ in range(count):
        label = rng.rand(*label_shape) if classes is None else rng.randint(0, classes, label_shape)
        labels.append(label.astype("int32" if dtype == "int32" else "float32"))
        if kind == "classes":
            pred = rng.randint(0, classes, pred_shape)
        else:
            pred = rng.rand(*pred_shape)
            if kind == "reals":  # not by chance independent of the labels
                pred = (
                    pred + 0.5 * label.reshape(label_shape + (1,) * (len(pred_shape) - len(label_shape)))
                    if len(pred_shape) > len(label_shape)
                    else pred + 0.5 * label.reshape(pred_shape)
                )
            if kind == "probabilities":
                pred = pred / pred.sum(axis=1, keepdims=True)
        preds.append(pred.astype(dtype))
    return labels, preds


def run(mx, name):
    """The state of a metric after each of STEPS: value, global value, count, sum."""
    case = CASES[name]
    rng = np.random.RandomState(zlib.crc32(name.encode()) % 2**31)
    metric = eval(case[0], dict(vars(mx.metric)))
    found = []
    for step in STEPS:
        if step == "update":
            labels, preds = batch(rng, case)
            metric.update(
                [mx.nd.array(x, dtype=x.dtype) for x in labels], [mx.nd.array(x, dtype=x.dtype) for x in preds]
            )
        else:
            getattr(metric, step)()
        state = [metric.get_name_value(), metric.get_global_name_value()]
        if name != "composite":
            state += [metric.num_inst, metric.sum_metric, metric.global_num_inst, metric.global_sum_metric]
        found.append(state)
    return found
