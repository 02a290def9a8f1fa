"""Vectors of tokens: mx.contrib.text.embedding. Values as the original gives them."""

import collections
import types
import zipfile

import numpy as np
import pytest

import mxnet as mx

text = mx.contrib.text
E = text.embedding


@pytest.fixture
def write(tmp_path):
    def make(content, name="vectors.txt"):
        path = tmp_path / name
        path.write_text(content, encoding="utf8")
        return str(path)

    return make


@pytest.fixture
def small(write):
    return write("hello 0.1 0.2\nworld 1 2\n")


def rows(embedding):
    return embedding.idx_to_vec.asnumpy().round(6).tolist()


def test_a_file_of_vectors(small):
    e = E.CustomEmbedding(small)
    assert isinstance(e, text.vocab.Vocabulary)
    assert (e.idx_to_token, len(e), e.vec_len) == (["<unk>", "hello", "world"], 3, 2)
    np.testing.assert_allclose(e.idx_to_vec.asnumpy(), [[0, 0], [0.1, 0.2], [1, 2]], rtol=1e-6)
    assert e.get_vecs_by_tokens("world").asnumpy().tolist() == [1, 2]
    assert e.get_vecs_by_tokens(["world", "World", "no"]).asnumpy().tolist() == [[1, 2], [0, 0], [0, 0]]
    assert e.get_vecs_by_tokens(["World", "No"], lower_case_backup=True).asnumpy().tolist() == [[1, 2], [0, 0]]
    assert e.get_vecs_by_tokens("WORLD", True).shape == (2,)


def test_what_is_not_known(write, small):
    e = E.CustomEmbedding(small, init_unknown_vec=mx.nd.ones, unknown_token="UNK")
    assert e.get_vecs_by_tokens("no").asnumpy().tolist() == [1, 1]
    e = E.CustomEmbedding(write("a 1 2\n<unk> 5 6\nb 3 4\n", "unknown.txt"))
    assert (e.idx_to_token, rows(e)) == (["<unk>", "a", "b"], [[5, 6], [1, 2], [3, 4]])
    e = E.CustomEmbedding(small, reserved_tokens=["<pad>", "world"])
    assert e.idx_to_token == ["<unk>", "<pad>", "world", "hello"]
    np.testing.assert_allclose(e.idx_to_vec.asnumpy(), [[0, 0], [0, 0], [1, 2], [0.1, 0.2]], rtol=1e-6)


def test_lines_that_are_skipped(write):
    with pytest.warns(UserWarning, match="line 1 of .* looks like a header"):
        e = E.CustomEmbedding(write("2 2\na 1 2\nb 3 4\n"))
    assert (e.idx_to_token, rows(e)) == (["<unk>", "a", "b"], [[0, 0], [1, 2], [3, 4]])
    with pytest.warns(UserWarning, match="line 2 of .*: a was there before"):
        e = E.CustomEmbedding(write("a 1 2\na 3 4\n"))
    assert rows(e) == [[0, 0], [1, 2]]
    assert rows(E.CustomEmbedding(write("a\t1\t2\n"), "\t")) == [[0, 0], [1, 2]]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("a 1 2\nb 1 2 3\n", AssertionError, "dimension of token b is 3 .* previous tokens is 2"),
        ("\na 1 2\n", AssertionError, "line 1 of .* is not a token and its vector"),
        ("a x 2\n", ValueError, "could not convert string to float"),
        ("", ValueError, "has no vectors"),
    ],
)
def test_bad_files(write, content, error, message):
    with pytest.raises(error, match=message):
        E.CustomEmbedding(write(content))


def test_a_file_that_does_not_exist():
    with pytest.raises(ValueError, match="must be a valid path"):
        E.CustomEmbedding("nosuch.txt")


def test_a_vocabulary_chooses_the_tokens(small, write):
    vocabulary = text.vocab.Vocabulary(collections.Counter(["world", "new", "new"]), reserved_tokens=["<p>"])
    e = E.CustomEmbedding(small, vocabulary=vocabulary)
    assert (e.idx_to_token, e.reserved_tokens) == (["<unk>", "<p>", "new", "world"], ["<p>"])
    assert rows(e) == [[0, 0], [0, 0], [0, 0], [1, 2]]
    other = E.CustomEmbedding(write("world 7 8 9\nnew 1 1 1\n", "other.txt"))
    both = E.CompositeEmbedding(vocabulary, [e, other])
    assert both.vec_len == 5
    assert rows(both) == [[0] * 5, [0] * 5, [0, 0, 1, 1, 1], [1, 2, 7, 8, 9]]
    assert rows(E.CompositeEmbedding(vocabulary, other))[3] == [7, 8, 9]
    for make in (lambda: E.CustomEmbedding(small, vocabulary=3), lambda: E.CompositeEmbedding(3, [e])):
        with pytest.raises(AssertionError, match="must be a Vocabulary"):
            make()
    with pytest.raises(AssertionError, match="must be embeddings"):
        E.CompositeEmbedding(vocabulary, [vocabulary])


def test_vectors_are_updated(small):
    e = E.CustomEmbedding(small)
    e.update_token_vectors("hello", mx.nd.array([3, 4]))
    e.update_token_vectors(["<unk>"], mx.nd.array([[7, 7]]))
    assert rows(e) == [[7, 7], [3, 4], [1, 2]]
    e.update_token_vectors(["world", "hello"], mx.nd.array([[5, 6], [8, 9]]))
    assert rows(e) == [[7, 7], [8, 9], [5, 6]]
    with pytest.raises(ValueError, match="Token zz is unknown"):
        e.update_token_vectors("zz", mx.nd.array([1, 1]))
    for tokens, vectors in (("hello", [1, 2, 3]), (["hello", "world"], [9, 9]), (["hello", "world"], [[1, 2]])):
        with pytest.raises(AssertionError, match="it must be"):
            e.update_token_vectors(tokens, mx.nd.array(vectors))


def test_published_files_are_fetched_once(tmp_path, monkeypatch):
    for folder, archive, file in (
        ("glove", "glove.6B.zip", "glove.6B.50d.txt"),
        ("fasttext", "wiki.simple.zip", "wiki.simple.vec"),
    ):
        place = tmp_path / "repository" / "gluon" / "embeddings" / folder
        place.mkdir(parents=True)
        with zipfile.ZipFile(place / archive, "w") as files:
            files.writestr(file, "a 1 2\nb 3 4\n")
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "repository").as_uri())
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    assert rows(E.create("glove", pretrained_file_name="glove.6B.50d.txt")) == [[0, 0], [1, 2], [3, 4]]
    assert rows(E.FastText(vocabulary=text.vocab.Vocabulary(collections.Counter("b")))) == [[0, 0], [3, 4]]
    assert (tmp_path / "home" / "embeddings" / "fasttext" / "wiki.simple.vec").exists()
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "nowhere").as_uri())
    assert len(E.GloVe("glove.6B.50d.txt")) == 3


def test_names_of_published_files():
    names = E.get_pretrained_file_names()
    assert {k: len(v) for k, v in names.items() if k in ("glove", "fasttext")} == {"glove": 10, "fasttext": 327}
    assert {"crawl-300d-2M.vec", "wiki.zh_min_nan.vec", "wiki.multi.en.vec"} < set(names["fasttext"])
    assert [E.GloVe._get_download_file_name(n) for n in names["glove"][:2]] == ["glove.42B.300d.zip", "glove.6B.zip"]
    assert E.get_pretrained_file_names("glove") == names["glove"]
    for call in (lambda: E.get_pretrained_file_names("no"), lambda: E.GloVe("no.txt")):
        with pytest.raises(KeyError, match="Cannot find"):
            call()


def test_register(small):
    @E.register
    class Mine(E._TokenEmbedding):
        pretrained_file_name_sha1 = types.MappingProxyType({"mine.txt": None})

        def __init__(self, vocabulary=None, **kwargs):
            super().__init__(**kwargs)
            self._load_embedding(small, " ", mx.nd.ones)
            self._build_embedding_for_vocabulary(vocabulary)

    assert E.create("mine").idx_to_token == ["<unk>", "hello", "world"]
    assert E.get_pretrained_file_names("mine") == ["mine.txt"]
