"""Optimizers for optimizer.py where those of torch compute something else than MXNet's."""

from __future__ import annotations

#: By the name of torch's class. ``{decay}`` is what one step takes from a weight.
CLASSES = {
    "Adam": '''
class Adam(torch.optim.Adam):
    """As torch's, with MXNet's epsilon, which is added before the bias is corrected."""

    def step(self, closure: Any = None) -> Any:
        for group in self.param_groups:
            counts = [int(self.state[p]["step"]) for p in group["params"] if self.state.get(p)]
            correction = 1 - group["betas"][1] ** (max(counts, default=0) + 1)
            group["eps"] = EPSILON / correction**0.5
        return super().step(closure)
''',
    "RMSprop": '''
class RMSprop(torch.optim.RMSprop):
    """As torch's, with MXNet's epsilon, which is inside of the root, and the rate inside of the momentum."""

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        loss = None if closure is None else torch.enable_grad()(closure)()
        for group in self.param_groups:
            alpha, momentum = group["alpha"], group["momentum"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state, grad = self.state[p], p.grad.add(p, alpha=group["weight_decay"])
                for name in ("square_avg", "grad_avg", "momentum_buffer"):
                    state.setdefault(name, torch.zeros_like(p))
                square = state["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
                if group["centered"]:
                    mean = state["grad_avg"].lerp_(grad, 1 - alpha)
                    square = square - mean.square()
                change = grad / (square + group["eps"]).sqrt() * group["lr"]
                if group["centered"]:
                    change = state["momentum_buffer"].mul_(momentum).add_(change)
                p.sub_(change)
        return loss
''',
    **{
        name: f'''
class {name}(torch.optim.{name}):
    """As torch's, with MXNet's weight decay, which does not go through the gradients."""

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.mul_(1 - {decay})
        return super().step(closure)
'''
        for name, decay in (("Adagrad", 'group["lr"] * group["decay"]'), ("Adadelta", 'group["decay"]'))
    },
}
