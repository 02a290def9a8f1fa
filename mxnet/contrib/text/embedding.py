"""Vectors of tokens, from a user's file or from those of GloVe and fastText."""

from __future__ import annotations

import logging
import os
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..._core.files import copy_at_most, file_error, most_unpacked, writing
from ..._core.literals import fits_its_parts
from ...base import data_dir
from ...error import MXNetAssertionError, MXNetFileError, MXNetValueError
from ...gluon.utils import _get_repo_file_url, download
from ...ndarray import NDArray, array, concat, zeros
from ...registry import get_create_func, get_register_func, get_registry
from .vocab import Vocabulary

__all__ = [
    "CompositeEmbedding",
    "CustomEmbedding",
    "FastText",
    "GloVe",
    "create",
    "get_pretrained_file_names",
    "register",
]

#: The languages of the Wikipedias that fastText was trained on; those of _ALIGNED also in one common space.
_LANGUAGES = """
aa ab ace ady af ak als am ang an arc ar arz ast as av ay azb az bar bat_smg ba bcl be bg bh bi bjn bm bn bo bpy br bs
bug bxr ca cbk_zam cdo ceb ce cho chr ch chy ckb co crh cr csb cs cu cv cy da de diq dsb dv dz ee el eml en eo es et
eu ext fa ff fiu_vro fi fj fo frp frr fr fur fy gag gan ga gd glk gl gn gom got gu gv hak ha haw he hif hi ho hr hsb
ht hu hy hz ia id ie ig ii ik ilo io is it iu jam ja jbo jv kaa kab ka kbd kg ki kj kk kl km kn koi ko krc kr ksh ks
ku kv kw ky lad la lbe lb lez lg lij li lmo ln lo lrc ltg lt lv mai map_bms mdf mg mhr mh min mi mk ml mn mo mrj mr ms
mt mus mwl my myv mzn nah nap na nds_nl nds ne new ng nl nn no nov nrm nso nv ny oc olo om or os pag pam pap pa pcd
pdc pfl pih pi pl pms pnb pnt ps pt qu rm rmy rn roa_rup roa_tara ro rue ru rw sah sa scn sco sc sd se sg sh simple si
sk sl sm sn so sq srn sr ss stq st su sv sw szl ta tcy tet te tg th ti tk tl tn to tpi tr ts tt tum tw ty tyv udm ug
uk ur uz vec vep ve vi vls vo war wa wo wuu xal xh xmf yi yo za zea zh_classical zh_min_nan zh zh_yue zu
"""
_ALIGNED = """
ar bg ca cs da de el en es et fi fr he hr hu id it mk nl no pl pt ro ru sk sl sv tr uk vi
"""


def _lines(path: str, encoding: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file, which may be larger than memory, with their numbers."""
    number = 0
    try:
        with open(path, encoding=encoding) as lines:
            for number, line in enumerate(lines, 1):
                yield number, line
    except UnicodeError as error:
        raise MXNetFileError(f"{path}: after line {number} there is text that is not {encoding}: {error}") from None
    except OSError as error:
        raise file_error("read", path, error) from error


def _vector(text: str, delimiter: str) -> np.ndarray:
    """The numbers in a text, converted some thousands at a time: as texts, they take many times the memory."""
    parts, at = [], 0
    while at <= len(text):
        end = text.find(delimiter, at + 50_000)
        end = len(text) if end < 0 else end
        parts.append(np.array(text[at:end].split(delimiter), dtype="float32"))
        at = end + len(delimiter)
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


class _TokenEmbedding(Vocabulary):
    """The base of embeddings: a vocabulary with a vector for each token. The first is that of what is not known."""

    #: The files that a registered embedding can load, and what is known of their SHA-1.
    pretrained_file_name_sha1: Mapping[str, str | None] = {}
    _vec_len: int = 0
    _idx_to_vec: NDArray | None = None

    @property
    def vec_len(self) -> int:
        """How long a vector is."""
        return self._vec_len

    @property
    def idx_to_vec(self) -> NDArray | None:
        """The vectors, one row for each token."""
        return self._idx_to_vec

    # What follows is used by embeddings that programs derive from this class.

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        """The name of what is published for a file: itself, or an archive that has it."""
        return pretrained_file_name

    @classmethod
    def _get_pretrained_file_url(cls, pretrained_file_name: str) -> str:
        """Where what is published for a file is fetched from."""
        folder = f"gluon/embeddings/{cls.__name__.lower()}"
        return _get_repo_file_url(folder, cls._get_download_file_name(pretrained_file_name))

    @classmethod
    def _check_pretrained_file_names(cls, pretrained_file_name: str) -> None:
        """Raises an error unless the embedding knows a file."""
        if pretrained_file_name not in cls.pretrained_file_name_sha1:
            raise KeyError(
                f"Cannot find pretrained file {pretrained_file_name} for token embedding {cls.__name__.lower()}. "
                f"Valid pretrained files for embedding {cls.__name__.lower()}: "
                f"{', '.join(cls.pretrained_file_name_sha1)}"
            )

    @classmethod
    def _get_pretrained_file(cls, embedding_root: str, pretrained_file_name: str) -> str:
        """The path of a file below ``embedding_root``, fetched if it is not there."""
        cls._check_pretrained_file_names(pretrained_file_name)
        folder = os.path.join(os.path.expanduser(embedding_root), cls.__name__.lower())
        path = os.path.join(folder, pretrained_file_name)
        if not os.path.exists(path):
            os.makedirs(folder, exist_ok=True)
            packed = download(cls._get_pretrained_file_url(pretrained_file_name), folder)
            if packed == path:  # published without an archive
                return path
            try:
                with zipfile.ZipFile(packed) as files:
                    with files.open(pretrained_file_name) as source, writing(path) as target:
                        copy_at_most(source, target, most_unpacked(os.path.getsize(packed)), packed)
            except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, NotImplementedError) as error:
                raise MXNetFileError(f"{packed} does not have {pretrained_file_name}, whole: {error}") from error
        return path

    def _load_embedding(
        self, path: str, elem_delim: str, init_unknown_vec: Callable[..., NDArray], encoding: str = "utf8"
    ) -> None:
        """Takes the tokens and vectors of a file: a token and its numbers in each line."""
        path = os.path.expanduser(path)
        if not os.path.isfile(path):
            raise MXNetValueError(
                f"`pretrained_file_path` must be a valid path to the pre-trained token embedding file, got {path!r}"
            )
        logging.info("Loading pre-trained token embedding vectors from %s", path)
        found: dict[Any, np.ndarray] = {}
        size = os.path.getsize(path)
        width = 0
        for number, line in _lines(path, encoding):
            token, delimiter, rest = line.rstrip().partition(elem_delim)
            if not delimiter:
                raise MXNetAssertionError(f"line {number} of {path} is not a token and its vector")
            try:
                vector = _vector(rest, elem_delim)
            except ValueError as error:
                raise MXNetValueError(f"line {number} of {path} is not a token and its vector: {error}") from None
            if token in found:
                warnings.warn(f"line {number} of {path}: {token} was there before and is skipped", stacklevel=4)
                continue
            if len(vector) == 1 and token != self.unknown_token:
                warnings.warn(f"line {number} of {path} looks like a header and is skipped", stacklevel=4)
                continue
            if width and len(vector) != width:
                raise MXNetAssertionError(
                    f"line {number} of {path}: the dimension of token {token} is {len(vector)} but the dimension "
                    f"of previous tokens is {width}. Dimensions of all the tokens must be the same."
                )
            width = len(vector)
            found[token] = vector
            if not fits_its_parts(400 * len(found), size):
                raise MXNetFileError(f"line {number} of {path}: these are too many tokens for a file of {size} bytes")
        if not width:
            raise MXNetValueError(f"{path} has no vectors of two numbers or more")
        self._vec_len = width
        if self.unknown_token not in found:
            found[self.unknown_token] = init_unknown_vec(shape=(width,)).asnumpy()
        self._idx_to_token += [token for token in found if token not in self._token_to_idx]
        self._token_to_idx = {token: number for number, token in enumerate(self._idx_to_token)}
        # Reserved tokens that the file does not have get the vector of what is not known.
        rows = np.tile(found[self.unknown_token], (len(self), 1))
        for token, vector in found.items():
            rows[self._token_to_idx[token]] = vector
        self._idx_to_vec = array(rows)

    def _build_embedding_for_vocabulary(self, vocabulary: Vocabulary | None) -> None:
        """Keeps the tokens of a vocabulary only; those that have no vector get that of what is not known."""
        if vocabulary is None:
            return
        if not isinstance(vocabulary, Vocabulary):
            raise MXNetAssertionError(f"`vocabulary` must be a Vocabulary, got {type(vocabulary).__name__}")
        self._take(vocabulary, [self])

    def _take(self, vocabulary: Vocabulary, embeddings: Sequence[_TokenEmbedding]) -> None:
        vectors = concat(*[e.get_vecs_by_tokens(list(vocabulary.idx_to_token)) for e in embeddings], dim=1)
        unknown = concat(*[e.get_vecs_by_tokens(e.unknown_token) for e in embeddings], dim=0)
        vectors[0] = unknown
        self._unknown_token = vocabulary.unknown_token
        self._reserved_tokens = vocabulary.reserved_tokens
        self._idx_to_token = list(vocabulary.idx_to_token)
        self._token_to_idx = dict(vocabulary.token_to_idx)
        self._vec_len = vectors.shape[1]
        self._idx_to_vec = vectors

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> NDArray:
        """The vector of a token, or the rows of a list.

        With ``lower_case_backup`` those that are not known are tried in lower case.
        """
        assert self._idx_to_vec is not None
        several = isinstance(tokens, list)
        wanted = tokens if several else [tokens]
        if lower_case_backup:
            wanted = [token if token in self._token_to_idx else token.lower() for token in wanted]
        rows = self._idx_to_vec[array(self.to_indices(wanted), dtype="int64")]
        return rows if several else rows[0]

    def update_token_vectors(self, tokens: object, new_vectors: NDArray) -> None:
        """Sets the vector of a token, or those of a list, that must be known."""
        if self._idx_to_vec is None:
            raise MXNetAssertionError("`idx_to_vec` has not been set")
        names = tokens if isinstance(tokens, list) else [tokens]
        if not isinstance(new_vectors, NDArray):
            raise MXNetAssertionError(f"`new_vectors` must be an NDArray, got {type(new_vectors).__name__}")
        rows = new_vectors.expand_dims(0) if len(names) == 1 and new_vectors.ndim == 1 else new_vectors
        if rows.shape != (len(names), self._vec_len):
            raise MXNetAssertionError(
                f"`new_vectors` has the shape {new_vectors.shape}, for {len(names)} token(s) it must be "
                f"({len(names)}, {self._vec_len})"
            )
        for token in names:
            if token not in self._token_to_idx:
                raise MXNetValueError(
                    f"Token {token} is unknown. To update the embedding vector for an unknown token, please specify it "
                    f"explicitly as the `unknown_token` {self.unknown_token} in `tokens`."
                )
        self._idx_to_vec[array(self.to_indices(names), dtype="int64")] = rows


_register = get_register_func(_TokenEmbedding, "token embedding")
_create = get_create_func(_TokenEmbedding, "token embedding")


def register(embedding_cls: type) -> type:
    """Makes an embedding known to ``create`` by its name in lower case; a decorator."""
    return _register(embedding_cls)


def create(embedding_name: str, **kwargs: Any) -> Any:
    """Makes an embedding by its name, such as ``"glove"``."""
    return _create(embedding_name, **kwargs)


def get_pretrained_file_names(embedding_name: str | None = None) -> Any:
    """The files that an embedding can load, or those of all embeddings by name."""
    known: dict[str, type[_TokenEmbedding]] = get_registry(_TokenEmbedding)
    if embedding_name is None:
        return {name: list(klass.pretrained_file_name_sha1) for name, klass in known.items()}
    if embedding_name not in known:
        raise KeyError(f"Cannot find `embedding_name` {embedding_name}; known: {', '.join(known)}")
    return list(known[embedding_name].pretrained_file_name_sha1)


class _Published(_TokenEmbedding):
    """Vectors from a file that others trained, below ``embedding_root``; it is fetched if it is not there."""

    def __init__(
        self,
        pretrained_file_name: str,
        embedding_root: str | None = None,
        init_unknown_vec: Callable[..., NDArray] = zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ):
        root = os.path.join(data_dir(), "embeddings") if embedding_root is None else embedding_root
        path = self._get_pretrained_file(root, pretrained_file_name)
        super().__init__(**kwargs)
        self._load_embedding(path, " ", init_unknown_vec)
        self._build_embedding_for_vocabulary(vocabulary)


@register
class GloVe(_Published):
    """Vectors of https://nlp.stanford.edu/projects/glove/."""

    pretrained_file_name_sha1 = dict.fromkeys(
        f"glove.{name}d.txt"
        for name in (
            *("42B.300", "6B.50", "6B.100", "6B.200", "6B.300", "840B.300"),
            *("twitter.27B.25", "twitter.27B.50", "twitter.27B.100", "twitter.27B.200"),
        )
    )

    def __init__(self, pretrained_file_name: str = "glove.840B.300d.txt", *args: Any, **kwargs: Any):
        super().__init__(pretrained_file_name, *args, **kwargs)

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        stem = pretrained_file_name.removesuffix(".txt")
        several = stem.startswith(("glove.6B", "glove.twitter"))  # one archive has all lengths
        return f"{stem.rpartition('.')[0] if several else stem}.zip"


@register
class FastText(_Published):
    """Vectors of https://fasttext.cc/."""

    pretrained_file_name_sha1 = dict.fromkeys(
        f"{name}.vec"
        for name in (
            *("crawl-300d-2M", "wiki-news-300d-1M", "wiki-news-300d-1M-subword"),
            *(f"wiki.{language}" for language in _LANGUAGES.split()),
            *(f"wiki.multi.{language}" for language in _ALIGNED.split()),
        )
    )

    def __init__(self, pretrained_file_name: str = "wiki.simple.vec", *args: Any, **kwargs: Any):
        super().__init__(pretrained_file_name, *args, **kwargs)

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        return f"{pretrained_file_name.removesuffix('.vec')}.zip"


class CustomEmbedding(_TokenEmbedding):
    """Vectors from a file: in each line a token and its numbers, with ``elem_delim`` in between.

    ``init_unknown_vec(shape=...)`` makes the vector of what is not known, unless the file has one for
    ``unknown_token``. With a ``vocabulary`` the embedding has its tokens instead of those of the file.
    """

    def __init__(
        self,
        pretrained_file_path: str,
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Callable[..., NDArray] = zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._load_embedding(pretrained_file_path, elem_delim, init_unknown_vec, encoding)
        self._build_embedding_for_vocabulary(vocabulary)


class CompositeEmbedding(_TokenEmbedding):
    """The tokens of a vocabulary with the vectors of several embeddings one after the other."""

    def __init__(self, vocabulary: Vocabulary, token_embeddings: Any):
        if not isinstance(vocabulary, Vocabulary):
            raise MXNetAssertionError(f"`vocabulary` must be a Vocabulary, got {type(vocabulary).__name__}")
        parts = token_embeddings if isinstance(token_embeddings, list) else [token_embeddings]
        for part in parts:
            if not isinstance(part, _TokenEmbedding):
                raise MXNetAssertionError(f"`token_embeddings` must be embeddings, got {type(part).__name__}")
        super().__init__()
        self._take(vocabulary, parts)
