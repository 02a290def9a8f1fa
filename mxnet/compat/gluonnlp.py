"""GluonNLP 0.8 to 0.10."""

from .mending import Mend

GETARGSPEC = Mend("Python 3.11 removed getargspec", names={"inspect.getargspec": "inspect.getfullargspec"})

MENDS = {"gluonnlp.data.registry": (GETARGSPEC,)}
#: Its tokenizer for BERT is written in Cython, and the C file that it ships does not compile with Python 3.11 or later.
MODULES = {"gluonnlp.data.fast_bert_tokenizer": "bert_tokenizer.py"}
