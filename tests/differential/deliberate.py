"""Differences from the original that are meant, each with its reason.

``kind`` is "error" (one of the two raises), "value" or "end" (crash or hang). ``program`` is searched for in the step
that differs, or with ``where="program"`` in all steps up to it; ``text`` in what is reported. What follows such a step
is not compared.
"""

DELIBERATE: list[dict[str, str]] = [
    {
        "kind": "end",
        "program": "",
        "where": "program",
        "text": "ours: finished, the original: (crash|hang)",
        "reason": "the original crashes or hangs",
    },
    {
        "kind": "error",
        "program": "",
        "text": r"ours: no error\n.*the original: MXNetError.*inferring shapes failed.*shapes:.*[\[,](-1|0)[\],]",
        "reason": "arrays without elements are allowed everywhere; the original takes a 0 in a shape for unknown",
    },
    {
        "kind": "error",
        "program": r"nd\.transpose\(.*out=",
        "text": r"ours: no error\n.*Transpose only supports kNullOp, kWriteTo and kAddTo",
        "reason": "transposing into the array itself works",
    },
    {
        "kind": "value",
        "program": r"ex\d+ = (ex\.reshape\(|\w+\.simple_bind\(mx\.cpu\(\), shared_exec=)",
        "where": "program",
        "text": r"^ex\d*\.outputs",
        "reason": "executors that share memory: in the original the run of one overwrites the outputs of the other",
    },
    {
        "kind": "error",
        "program": r"nd\.from_numpy\(",
        "text": r"ours: no error\n.*int8 is not supported",
        "reason": "arrays of int8 can be shared with NumPy",
    },
    {
        "kind": "error",
        "program": r"nd\.multi_sgd_update\((?!.*out=)",
        "text": r"ours: no error\n.*shape must have a valid ndim",
        "reason": "without out= the updated weights are returned, as by sgd_update",
    },
    {
        "kind": "error",
        "program": r"autograd\.mark_variables\(",
        "text": r"ours: MXNetValueError: a gradient of shape .* the original: no error",
        "reason": "a gradient of another shape than its array is refused at the call, not in the pass",
    },
    {
        "kind": "error",
        "program": r"\] ([-+*]?)= ",
        "text": r"ours: MXNetIndexError: index -?\d+ is out of bounds.*the original: no error",
        "reason": "an index array with a number out of range is refused; the original writes outside of the array",
    },
    {
        "kind": "error",
        "program": r"\] ([-+*]?)= ",
        "text": r"ours: no error.*the original: MXNetError.*inferred shape=\[(\d+,)*0[,\]]",
        "reason": "writing to a selection without elements does nothing, as in NumPy",
    },
]
