"""Differences from the original that are meant, each with its reason.

``kind`` is "error" (one of the two raises), "value" or "end" (crash or hang). ``program`` is searched for in the step
that differs, or with ``where="program"`` in all steps up to it, NAME in it standing for the variable that differs;
``text`` in what is reported. What follows such a step is not compared.
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
        "kind": "value",
        "program": r"(?s)ex\d+ = ex\.reshape\(.*NAME = ex\d*\.outputs",
        "where": "program",
        "text": "",
        "reason": "executors that share memory: in the original the run of one overwrites the outputs of the other",
    },
    {
        "kind": "value",
        "program": r"(?s)(?=.*data_shapes=\[\('data', \((\d+),.*val\(\((?!\1,))(?=.*NAME = mod\.get_outputs\()",
        "where": "program",
        "text": "",
        "reason": "a batch of another size: in the original its run overwrites a part of the outputs of the last size",
    },
    {
        "kind": "value",
        "program": r"(?s)Convolution\(.*w\d+ = ex\.arg_dict\[.*\](\[|\.reshape|\.to_dlpack)",
        "where": "program",
        "text": r"^ex\d*\.arg_arrays",
        "reason": "a view of a weight sees its numbers; in the original those of oneDNN's order, after a prediction",
    },
    {
        "kind": "value",
        "program": r"(?s)(?=.*'add')(?=.*BatchNorm\([^\n]*name='bn\d'\))",
        "where": "program",
        "text": r"^ex\d*\.grad.*the original: float32\(\d+,\)( 0)+$",
        "reason": "a fixed gamma adds nothing to its gradient; the original writes 0 there",
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
    {
        "kind": "error",
        "program": r"(backward|autograd\.grad)\(",
        "text": r"ours: no error.*the original: MXNetError.*(imperative\.cc|dmlc/\./any\.h|gradient\.cc)",
        "reason": "after a pass has freed a part of a graph, what needs nothing of that part can still be differentiated",
    },
    {
        "kind": "error",
        "program": r"attach_grad\('null'\)|grad_req = 'null'",
        "where": "program",
        "text": r"ours: no error.*the original: ((TypeError|AttributeError): .*NoneType|.*expects 2 inputs, but got 1)",
        "reason": "an array that asks for no gradient keeps the buffer it was given; in the original it goes in a pass",
    },
    {
        "kind": "value",
        "program": r"attach_grad\('null'\)|grad_req = 'null'",
        "where": "program",
        "text": r"the original: (None|bool\(\) 1)$",
        "reason": "an array that asks for no gradient keeps the buffer it was given; in the original it goes in a pass",
    },
    {
        "kind": "value",
        "program": r"(?s)(?=.*'add')(?=.*(Square\(\)|Mix\(\)|clip\())",
        "where": "program",
        "text": "",
        "reason": "gradients of clip and of Functions are added where that is asked for; the original overwrites or drops them",
    },
    {
        "kind": "value",
        "program": r"BucketingModule|shared_module=",
        "where": "program",
        "text": r"^[ko]\d+",
        "reason": "modules that share memory: in the original the run of one overwrites the outputs of the other",
    },
    {
        "kind": "error",
        "program": "",
        "text": r"ours: no error.*the original: MXNetError.*IsMKLDNNData",
        "reason": "views of weights can be written to at any time; the original cannot while they are in oneDNN's order",
    },
    {
        "kind": "error",
        "program": r"grad_arrays|_g\[:\] = 0",
        "text": r"ours: no error.*the original: TypeError: 'NoneType' object is not (subscriptable|iterable)",
        "reason": "grad_arrays of an executor without gradients is a list of None, in the original None",
    },
    {
        "kind": "error",
        "program": r"trainer\d*\.step\(",
        "text": r"ours: no error.*the original: MXNetError.*elemwise_op_common\.h",
        "reason": "after cast() states of optimizers follow the parameters; in the original the next step fails",
    },
    {
        "kind": "error",
        "program": r"\.get(data|label|index|pad)\(\)",
        "text": r"ours: MXNetError: \w+ has no batch yet.*the original: no error",
        "reason": "an iterator that was asked for no batch yet has none to show",
    },
    {
        "kind": "error",
        "program": r"\.getlabel\(\)",
        "text": r"ours: no error.*the original: MXNetError.*concat\.cc",
        "reason": "labels of a batch with what was left of the last epoch; the original needs its data to be taken first",
    },
    {
        "kind": "error",
        "program": r"for _b in it|\.next\(",
        "text": r"ours: no error.*the original: AssertionError: next epoch should have cached data",
        "reason": "what is left of an epoch comes in the next one, also if no batch was taken there",
    },
    {
        "kind": "value",
        "program": r"force_reinit=True",
        "where": "program",
        "text": "",
        "reason": "a store takes parameters that were initialized anew; in the original the next step brings the old ones back",
    },
    {
        "kind": "value",
        "program": r"Adamax|optimizer\.Test\(",
        "where": "program",
        "text": r"the original: .*nan|^c\d+",
        "reason": "a weight that has become nan stays out of states if there is no decay; Test counts its updates",
    },
]
