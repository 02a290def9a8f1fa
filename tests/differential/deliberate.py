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
]
