"""mx.np and mx.npx: regression and a small network."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()

true_w = np.array([2, -3.4])
X = np.random.normal(0, 1, (1000, len(true_w)))
y = np.dot(X, true_w) + 4.2
y += np.random.normal(0, 0.01, y.shape)

w = np.random.normal(0, 0.01, (2, 1))
b = np.zeros(1)
w.attach_grad()
b.attach_grad()
for epoch in range(3):
    with autograd.record():
        loss = ((np.matmul(X, w) + b - y.reshape(-1, 1)) ** 2 / 2).mean()
    loss.backward()
    for param in [w, b]:
        param[:] = param - 0.03 * param.grad
    print(f"epoch {epoch}, loss {float(loss)}")

x = np.arange(12.0).reshape(3, 4)
print(x.sum(axis=1, keepdims=True), x.mean(), x @ x.T, np.exp(x), np.concatenate([x, x], axis=0), x > 5, x[x > 5])
print(np.linalg.norm(x), np.ones((2, 3), dtype=np.float32), np.expand_dims(x, axis=0), np.where(x > 1, x, 0), np.pi)
print(
    npx.relu(x), npx.softmax(x, axis=-1), npx.one_hot(np.array([0, 1]), 3), npx.topk(x, k=2), npx.cpu(), npx.num_gpus()
)
print(x.astype("int32").max(), -x, 1 - x, x.T, x.item(0, 0), np.sqrt(2.0) + 1, np.add(x, 1), np.maximum(x, 0).std())
print(x.asnumpy(), x.copy().tolist(), np.stack([x, x]).shape, np.split(x, 2, axis=1)[0], np.random.uniform(size=(2, 2)))


class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.out = nn.Dense(1)

    def hybrid_forward(self, F, x):
        return self.out(F.npx.relu(self.hidden(x)))


net = Net()
net.initialize(init.Normal(sigma=0.01))
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
data = gluon.data.DataLoader(gluon.data.ArrayDataset(X, y), batch_size=10, shuffle=True)
l2 = gluon.loss.L2Loss()
for features, label in data:
    with autograd.record():
        error = l2(net(features), label)
    error.backward()
    trainer.step(10)
npx.save("w.npy", {"w": w, "b": b})
with npx.num_gpus() and npx.gpu() or npx.cpu():
    print(np.eye(3))
npx.waitall()
