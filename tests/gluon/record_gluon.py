"""Records networks, files and training of the original: ``python tests/gluon/record_gluon.py`` with mxnet 1.9.1."""

import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import gluon_cases  # noqa: E402


def files(directory):
    """Writes every kind of file; returns the outputs of the network that is in them."""
    net, x = gluon_cases.lenet(mx)
    net.save_parameters(os.path.join(directory, "places.params"))
    net.collect_params().save(os.path.join(directory, "names.params"))
    net.collect_params().save(os.path.join(directory, "stripped.params"), strip_prefix=net.prefix)
    net.hybridize()
    out = net(x)
    net.export(os.path.join(directory, "exported"), 3)
    net.save(os.path.join(directory, "saved"))
    for contexts in (1, 2):
        _, trainer = gluon_cases.train(mx, "adam", {"learning_rate": 0.05}, contexts)
        trainer.save_states(os.path.join(directory, "trainer%d.states" % contexts))
    return [float("%.7g" % v) for v in out.asnumpy().ravel()]


if __name__ == "__main__":
    directory = os.path.join(GOLDEN, "gluon")
    if not os.path.isdir(directory):
        os.makedirs(directory)
    found = {
        "texts": {name: gluon_cases.texts(mx, name) for name in gluon_cases.networks(mx)},
        "trained": {name: gluon_cases.trained(mx, name) for name in gluon_cases.TRAINED},
        "lenet": files(directory),
    }
    with open(os.path.join(directory, "expected.json"), "w") as stream:
        json.dump(found, stream, indent=1, sort_keys=True)
    print({key: len(value) for key, value in found.items()})
