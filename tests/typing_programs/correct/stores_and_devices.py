"""Key-value stores, several devices, optimizers by hand, random numbers, the profiler."""

import mxnet as mx
from mxnet import autograd, gluon, nd, profiler

kv = mx.kv.create("device")
shape = (2, 3)
kv.init(3, mx.nd.ones(shape) * 2)
a = mx.nd.zeros(shape)
kv.pull(3, out=a)
devices = [mx.cpu(i) for i in range(4)]
values = [mx.nd.ones(shape, ctx) for ctx in devices]
kv.push(3, values)
kv.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.1))
keys = [5, 7, 9]
kv.init(keys, [mx.nd.ones(shape)] * len(keys))
print(kv.rank, kv.num_workers, kv.type)

mx.random.seed(42)
with mx.Context("cpu", 1):
    b = mx.nd.random.uniform(-1, 1, shape=(2, 2))
c = b.as_in_context(mx.cpu(0)).copyto(mx.cpu(1))
opt = mx.optimizer.Adam(learning_rate=0.01, beta1=0.9, wd=1e-4)
updater = mx.optimizer.get_updater(opt)
weight, grad = nd.ones((3,)), nd.ones((3,))
updater(0, grad, weight)
nd.sgd_mom_update(weight, grad, nd.zeros((3,)), out=weight, lr=0.1, momentum=0.9, wd=0.0001)


def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
    for i in range(1, len(data)):
        data[0].copyto(data[i])


allreduce(values)
profiler.set_config(profile_all=True, aggregate_stats=True, filename="profile.json")
profiler.set_state("run")
net = gluon.nn.Dense(1)
net.initialize(ctx=devices)
trainer = gluon.Trainer(net.collect_params(), "nag", {"learning_rate": 0.1}, kvstore=kv, update_on_kvstore=False)
for batch in gluon.utils.split_and_load(nd.ones((8, 4)), devices, even_split=False):
    with autograd.record():
        loss = gluon.loss.L1Loss()(net(batch), nd.ones((batch.shape[0], 1), ctx=batch.context))
    loss.backward()
trainer.allreduce_grads()
trainer.update(8)
nd.waitall()
profiler.set_state("stop")
print(profiler.dumps(), mx.lr_scheduler.CosineScheduler(100, base_lr=0.1, warmup_steps=5)(3))
with mx.AttrScope(ctx_group="dev1"), mx.name.Prefix("first_"):
    s = mx.sym.relu(mx.sym.Variable("x"))
