"""Sockeye 1.18 and 2."""

from .patching import NUMPY, Patch

ONE_NUMBER = Patch(
    "NumPy 2.4 makes numbers only of arrays without axes",
    names={
        f"{kind}({name})": f"{kind}(np.asarray({name}).item())"
        for kind, name in (("int", "length"), ("float", "seq_score"), ("float", "estimated_reference_length"))
    },
)
RAGGED = Patch(
    "NumPy 1.24 makes no array of arrays of several lengths without being told so",
    names={
        f"np.save(fp, [a.asnumpy() for a in {name}]{more})": f"np.save(fp, np.fromiter((a.asnumpy() for a in {name}), "
        "dtype=object), allow_pickle=True)"
        for name in ("self.inverse_data_permutations", "self.data_permutations")
        for more in ("", ", allow_pickle=True")
    },
)
PICKLES = Patch(
    "NumPy 1.16.3 reads arrays of objects only with allow_pickle=True, which runs whatever a file asks for",
    names={"np.load(fp)": "__import__('mxnet._core.plain_pickle')._core.plain_pickle.load_npy(fp)"},
)

PATCHES = {"sockeye.*": (NUMPY,), "sockeye.inference": (ONE_NUMBER,), "sockeye.data_io": (RAGGED, PICKLES)}
