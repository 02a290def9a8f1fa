"""d2l 0.10 to 0.17, which comes with Dive into Deep Learning: its MXNet edition."""

from .mending import FIGURES, Mend

_RATINGS = "pd.read_csv(os.path.join(data_dir, 'u.data'), {}'\\t', names=names, engine='python')"
PANDAS = Mend("pandas 2 takes the separator by its name only", names={_RATINGS.format(""): _RATINGS.format("sep=")})

MENDS = {"d2l.d2l": (FIGURES, PANDAS), "d2l.mxnet": (FIGURES, PANDAS)}
