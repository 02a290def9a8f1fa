"""A handler for multi-model-server, as they have been written for MXNet for years: a Module, from a checkpoint.

The server calls ``handle`` with a list of requests, as many as it batched, and wants as many answers. Before the first
one it calls it with None, to let it load the network from the folder of the model's archive.
"""

import os

import numpy as np

import mxnet as mx


class DigitsService:
    """Tells which digits pictures show."""

    def __init__(self):
        self.initialized = False

    def initialize(self, context):
        """Loads the network that lies beside this file in the archive."""
        properties = context.system_properties
        folder, gpu = properties.get("model_dir"), properties.get("gpu_id")
        self.context = mx.cpu() if gpu is None else mx.gpu(gpu)
        symbol, arguments, states = mx.model.load_checkpoint(os.path.join(folder, "digits"), 0)
        self.module = mx.mod.Module(symbol, data_names=["data"], label_names=None, context=self.context)
        self.module.bind(data_shapes=[("data", (1, 1, 28, 28))], for_training=False)
        self.module.set_params(arguments, states)
        self.initialized = True

    def preprocess(self, requests):
        """Pictures, as bodies of requests or as files of forms, as one array."""
        pictures = []
        for request in requests:
            content = request.get("body") or request.get("data")
            picture = mx.image.imresize(mx.image.imdecode(content, flag=0), 28, 28)
            pictures.append(picture.transpose((2, 0, 1)).astype("float32"))
        return mx.nd.stack(*pictures).as_in_context(self.context)

    def inference(self, batch):
        """Probabilities; the module takes batches of any size."""
        self.module.forward(mx.io.DataBatch([batch]), is_train=False)
        return self.module.get_outputs()[0].asnumpy()

    def postprocess(self, probabilities):
        """An answer for each picture."""
        return [{"class": int(np.argmax(row)), "probability": float(row.max())} for row in probabilities]

    def handle(self, requests, context):
        """Answers for a batch of requests. If one of them is not a picture, it alone gets an error."""
        try:
            return self.postprocess(self.inference(self.preprocess(requests)))
        except mx.MXNetError:
            return [self._alone(request, index, context) for index, request in enumerate(requests)]

    def _alone(self, request, index, context):
        try:
            return self.postprocess(self.inference(self.preprocess([request])))[0]
        except mx.MXNetError as error:
            context.set_response_status(400, "not a picture", index)
            return {"error": str(error)}


_service = DigitsService()


def handle(data, context):
    """What the server calls."""
    if not _service.initialized:
        _service.initialize(context)
    return None if data is None else _service.handle(data, context)
