"""A network as other programs run it: exported for PyTorch and for onnxruntime."""

import os


def export(mx, workload, folder):
    """Writes the twin for torch and, of predictions, the file for onnxruntime; returns what could not be written."""
    from . import _mxnet

    network, data, _ = _mxnet.prepare(mx, workload)
    failed = {}
    if workload.network.twin and workload.network.torch is None:
        try:
            mx.to_torch_source(network, os.path.join(folder, "twin"), *data)
        except Exception as error:  # which the table then names
            failed["torch"] = _first_line(error)
    if workload.work == "predict":
        try:
            shapes = [array.shape for array in data]
            network.hybridize()
            network(*data)
            mx.onnx.export_model(network, None, shapes, "float32", os.path.join(folder, "network.onnx"))
        except Exception as error:
            failed["onnxruntime"] = _first_line(error)
    return failed


def _first_line(error):
    return "{}: {}".format(type(error).__name__, str(error).split("\n")[0])


def onnxruntime_step(onnxruntime, workload, folder):
    """A prediction by onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    options.log_severity_level = 3
    file = os.path.join(folder, "network.onnx")
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    feed = {spec.name: values for spec, values in zip(session.get_inputs(), workload.inputs())}

    def step():
        return session.run(None, feed)

    return step
