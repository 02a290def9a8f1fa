"""ResNets for the workloads: as symbols of either MXNet and as torch modules, with the same layers."""

LAYERS = {18: ((2, 2, 2, 2), (64, 128, 256, 512)), 50: ((3, 4, 6, 3), (256, 512, 1024, 2048))}


def _plan(depth):
    """(filters, stride, is the input added as it is) of each block."""
    for stage, (count, filters) in enumerate(zip(*LAYERS[depth])):
        for number in range(count):
            yield filters, 2 if stage and not number else 1, number > 0 or (depth == 18 and stage == 0)


def symbol(mx, depth, classes=1000, mirror=False):
    """The network; with ``mirror`` the inside of each block is marked to be computed again in backward."""
    sym = mx.sym
    inside = {"force_mirroring": "True"} if mirror else {}

    def conv(x, filters, kernel, stride=1):
        pad = kernel // 2
        options = {"kernel": (kernel, kernel), "stride": (stride, stride), "pad": (pad, pad), "no_bias": True}
        return sym.BatchNorm(sym.Convolution(x, num_filter=filters, **options), fix_gamma=False, eps=1e-5, momentum=0.9)

    def relu(x):
        return sym.Activation(x, act_type="relu")

    def block(x, filters, stride, same):
        with mx.AttrScope(**inside):
            shortcut = x if same else conv(x, filters, 1, stride)
            if depth == 18:
                x = conv(relu(conv(x, filters, 3, stride)), filters, 3)
            else:
                x = conv(relu(conv(relu(conv(x, filters // 4, 1)), filters // 4, 3, stride)), filters, 1)
        return relu(x + shortcut)

    x = relu(conv(sym.var("data"), 64, 7, 2))
    x = sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for filters, stride, same in _plan(depth):
        x = block(x, filters, stride, same)
    x = sym.Pooling(x, global_pool=True, kernel=(7, 7), pool_type="avg")
    return sym.SoftmaxOutput(sym.FullyConnected(sym.Flatten(x), num_hidden=classes), name="softmax")


def initialize(mx, executor):
    """He's initialization, written out: both MXNets then hold the same kind of numbers."""
    for name, array in executor.arg_dict.items():
        if name.endswith("weight"):
            array[:] = mx.nd.random.normal(0, (2.0 * array.shape[0] / array.size) ** 0.5, shape=array.shape)
        elif name.endswith("gamma"):
            array[:] = 1
    for name, array in executor.aux_dict.items():
        array[:] = float(name.endswith("var"))


def module(torch, depth, classes=1000, zoo=False):
    """The same for torch; with ``zoo`` strides and biases are where Gluon's model zoo has them in a bottleneck."""
    nn = torch.nn

    def conv(inputs, filters, kernel, stride=1, bias=False):
        return nn.Sequential(
            nn.Conv2d(inputs, filters, kernel, stride, kernel // 2, bias=bias), nn.BatchNorm2d(filters)
        )

    class Block(nn.Module):
        def __init__(self, inputs, filters, stride, same):
            super().__init__()
            if depth == 18:
                layers = [conv(inputs, filters, 3, stride), nn.ReLU(), conv(filters, filters, 3)]
            else:
                inner = filters // 4
                first, second = (stride, 1) if zoo else (1, stride)
                layers = [conv(inputs, inner, 1, first, zoo), nn.ReLU(), conv(inner, inner, 3, second), nn.ReLU()]
                layers.append(conv(inner, filters, 1, bias=zoo))
            self.body = nn.Sequential(*layers)
            self.shortcut = nn.Identity() if same else conv(inputs, filters, 1, stride)

        def forward(self, x):
            return torch.relu(self.body(x) + self.shortcut(x))

    layers, inputs = [conv(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for filters, stride, same in _plan(depth):
        layers.append(Block(inputs, filters, stride, same))
        inputs = filters
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes)]
    return nn.Sequential(*layers).to(memory_format=torch.channels_last)
