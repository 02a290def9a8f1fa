"""d2l 0.10 to 0.17, which comes with Dive into Deep Learning: its MXNet edition."""

from .patching import FIGURES, Patch

_RATINGS = "pd.read_csv(os.path.join(data_dir, 'u.data'), {}'\\t', names=names, engine='python')"
PANDAS = Patch("pandas 2 takes the separator by its name only", names={_RATINGS.format(""): _RATINGS.format("sep=")})

PATCHES = {"d2l.d2l": (FIGURES, PANDAS), "d2l.mxnet": (FIGURES, PANDAS)}
