"""The built documentation in a real browser: every page, link and picture, the search, and a phone's width."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading

import pytest
from paths import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# As root, without a GPU, and without a word to hosts that nobody asked for.
FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --allow-file-access-from-files""".split()
WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: make browser"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True, capture_output=True)
    return target


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make browser")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without telling of it."""

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def address(site):
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def listened(page):
    """The complaints of a page, as they come."""
    found = []
    page.on("console", lambda message: message.type in ("error", "warning") and found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("requestfailed", lambda r: r.failure != "net::ERR_ABORTED" and found.append(f"{r.url}: {r.failure}"))
    page.on("response", lambda answer: answer.status >= 400 and found.append(f"{answer.url}: {answer.status}"))
    return found


LINKS = "[...document.querySelectorAll('a[href]')].map(a => a.href)"
BROKEN = "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
ANCHORS = "[...document.querySelectorAll('[id]')].map(e => e.id)"


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page(site, address, browser, width):
    page = browser.new_page(viewport=dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    complaints = listened(page)
    anchors, wanted, wide = {}, {}, []
    pages = sorted(p.relative_to(site).as_posix() for p in site.rglob("*.html"))
    assert len(pages) > 80
    for name in pages:
        page.goto(f"{address}/{name}", wait_until="load")
        assert page.title(), name
        assert page.evaluate(BROKEN) == [], name
        if page.evaluate("document.documentElement.scrollWidth") > WIDTHS[width][0]:
            wide.append(name)  # code and tables scroll by themselves, the page does not
        anchors[name] = {"", *page.evaluate(ANCHORS)}
        wanted[name] = set(page.evaluate(LINKS))
    page.close()
    assert complaints == []
    assert wide == []
    lost = []
    for name, targets in wanted.items():
        for target in targets:
            if target.startswith(address):
                path, _, anchor = target[len(address) + 1 :].partition("#")
                known = anchors.get(path or "index.html", {""} if (site / path).is_file() else set())
                if anchor not in known and not anchor.startswith("__"):
                    lost.append((name, target))
    assert lost == []


@pytest.mark.parametrize(
    ("start", "words", "found"),
    [
        ("index.html", "FullyConnected", "num_hidden"),
        ("concepts/gluon.html", "scheduler", "learning rate"),
        ("zh/index.html", "学习率", "学习率"),
        ("index.html", "mx.nd.concat", "#mx.nd.concat"),
        ("index.html", "nd.sum", "#mx.nd.sum"),
        ("index.html", "Dense", "#mx.gluon.nn.Dense"),
        ("index.html", "save_parameters", "#mx.gluon.Block.save_parameters"),
        ("zh/index.html", "DataLoader", "reference/gluon_data.html#mx.gluon.data.DataLoader"),
        ("zh/index.html", "gluon.data.DataLoader", "#mx.gluon.data.DataLoader"),
    ],
)
def test_search_works_from_a_folder(site, browser, start, words, found):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints = listened(page)
    page.goto((site / start).as_uri())
    page.click(".md-search__input")
    page.keyboard.type(words)
    page.keyboard.press("End")  # Chinese arrives without the keys that the search listens for
    page.wait_for_selector(".md-search-result__item", timeout=60_000)
    first = page.locator(".md-search-result__item").first
    if "#" in found:  # a name: the first place is that of its definition
        places = first.locator("a").evaluate_all("links => links.map(link => link.href.replace(/[?]h=[^#]*/, ''))")
        assert "undefined" not in places[0]
        assert places[1].lower().endswith(found.lower()), places
    else:
        assert found.lower() in first.inner_text().replace("\u200b", "").lower()  # which stands between words
    page.close()
    assert complaints == []


def test_languages_lead_to_the_same_page(address, browser):
    page = browser.new_page()
    page.goto(f"{address}/concepts/ndarray.html")
    links = page.evaluate("[...document.querySelectorAll('.md-select__link')].map(a => a.href)")
    assert f"{address}/zh/concepts/ndarray.html" in links
    page.close()
