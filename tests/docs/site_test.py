"""The documents' site: links, pages in the menu, equations, pictures, and what a browser says.

    python tests/docs/site_test.py [FOLDER]

FOLDER is the built site (build/site). Pages are read as HTML. Where Chromium is installed, pages are also opened in it: there is no error
on the console, searches find their page first, and every text stands out from its background, on light and on dark pages.
SINEW_SCREENSHOTS names a folder for pictures of the pages: light and dark, on a desktop and on a phone.
"""

import base64
import collections
import functools
import html.parser
import http.server
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "build/site"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECONDS = 120  # for a page on a loaded machine

# Pages that are opened in the browser.
OPENED = (
    "index.html", "start/python.html", "models/contact.html", "models/geoms.html", "models/muscles.html", "models/mjcf/body.html",
    "models/mjcf/attributes.html", "reference/python-api.html", "theory/contact.html", "tutorials/first_steps.html",
)  # fmt: skip

# What a search finds first: the beginning of the address.
SEARCHES = {
    "solref": "models/mjcf/attributes.html#solref",
    "condim": "models/mjcf/attributes.html#condim",
    "musculotendon": "models/mjcf/actuator.html#actuatormusculotendon",
    "make_vec": "reference/python-api.html#sinewgymmake_vec",
    "mj_step": "reference/c.html#mj_step",
    "qfrc_bias": "reference/fields.html#qfrc_bias",
    "gravcomp": "models/mjcf/attributes.html#gravcomp",
}

# The contrast that WCAG 2.1 (level AA) asks for, of texts and of large texts: 24 pixels, or 18.66 where they are bold.
CONTRAST, CONTRAST_OF_LARGE = 4.5, 3.0

# For each text of a page that can be seen: its contrast as WCAG defines it, whether it is large, and the text. Colours that are not opaque,
# of texts and of backgrounds, are laid over what is behind them. Lists of search results and marks that appear under the mouse are not seen.
_CONTRASTS = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const parsed = {};
  const parse = text => {
    if (!(text in parsed)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      parsed[text] = [r, g, b, a / 255];
    }
    return parsed[text];
  };
  const over = (top, below, share) => [0, 1, 2].map(i => top[i] * top[3] * share + below[i] * (1 - top[3] * share));
  const luminance = colour => {
    const [r, g, b] = colour.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgrounds = new Map();
  const background = element => {
    if (!element) return [255, 255, 255];
    if (!backgrounds.has(element)) {
      backgrounds.set(element, over(parse(getComputedStyle(element).backgroundColor), background(element.parentElement), 1));
    }
    return backgrounds.get(element);
  };
  const shares = new Map([[null, 1]]);
  const opacity = element => {
    if (!shares.has(element)) shares.set(element, Number(getComputedStyle(element).opacity) * opacity(element.parentElement));
    return shares.get(element);
  };
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement, text = node.data.trim();
    if (!text || element.closest('script, style, noscript, option, video, .headerlink, .md-search__output, .md-skip, .md-top')) continue;
    const style = getComputedStyle(element);
    if (!element.getClientRects().length || style.visibility != 'visible') continue;
    const share = opacity(element);
    if (share == 0) continue;
    const behind = background(element);
    const [a, b] = [luminance(over(parse(style.color), behind, share)), luminance(behind)];
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const key = `${style.color} ${share} ${behind} ${large}`;
    if (!(key in found)) found[key] = [contrast, large, `${element.tagName}.${element.className}: ${text.slice(0, 40)}`];
  }
  return Object.values(found);
})()"""

_RAW_TEX = re.compile(r"\$\$|\\(?:frac|tfrac|dot|mathrm|begin|sum|partial|hat|quad|lambda|alpha)\b")


class Page(html.parser.HTMLParser):
    """Links, resources, anchors, pictures without text, and the text outside of code and equations of a page."""

    def __init__(self, path: pathlib.Path):
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.menu: list[str] = []
        self.resources: list[str] = []
        self.anchors: set[str] = set()
        self.without_text: list[str] = []
        self.text: list[str] = []
        self.titles = 0
        self.language, self.title = "", ""
        self.metas: set[str] = set()
        self.silent_links: list[str] = []  # those that neither words nor a label name
        self._link: tuple[str, bool] | None = None  # the link that is open, and whether something names it
        self._inside: collections.Counter[str] = collections.Counter()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self._inside[tag] += tag in ("code", "pre", "script", "style", "math", "nav", "annotation", "title")
        for key in ("id", "name"):
            if tag != "meta" and values.get(key):
                self.anchors.add(values[key])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
            if any(word in (values.get("class") or "") for word in ("md-nav__link", "md-tabs__link")):
                self.menu.append(values["href"])
        if tag in ("img", "script", "source", "video", "iframe") and values.get("src"):
            self.resources.append(values["src"])
        if tag == "video" and values.get("poster"):
            self.resources.append(values["poster"])
        if tag == "link" and values.get("href") and values.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.resources.append(values["href"])
        self.titles += tag == "h1"
        if tag == "html":
            self.language = values.get("lang", "")
        if tag == "meta":
            self.metas.add(values.get("name", ""))
        if tag == "a" and values.get("href"):
            self._link = values["href"], bool(values.get("title") or values.get("aria-label"))
        if tag == "img" and values.get("alt"):
            self._name_link()
        if tag == "img" and not values.get("alt"):
            self.without_text.append(values.get("src", ""))

    def _name_link(self):
        if self._link:
            self._link = self._link[0], True

    def handle_endtag(self, tag):
        if self._inside[tag]:
            self._inside[tag] -= 1
        if tag == "a" and self._link:
            if not self._link[1]:
                self.silent_links.append(self._link[0])
            self._link = None

    def handle_data(self, data):
        if data.strip():
            self._name_link()
        if self._inside["title"] and not self.title:
            self.title = data.strip()
        if not any(self._inside[tag] for tag in ("code", "pre", "script", "style", "math")):
            self.text.append(data)


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        # pages to play with scenes of the gallery have no menu; tests/web opens them
        files = [path for path in sorted(SITE.rglob("*.html")) if path.name != "404.html" and path.parent != SITE / "start/play"]
        cls.pages = {str(path.relative_to(SITE)): Page(path) for path in files}

    def target(self, page: str, address: str) -> tuple[str, str] | None:
        """Returns the file and the anchor of an address on a page; None for one elsewhere."""
        parts = urllib.parse.urlsplit(address)
        if parts.scheme or address.startswith("//"):
            return None
        folder = (SITE / page).parent
        path = os.path.normpath(folder / urllib.parse.unquote(parts.path)) if parts.path else str(SITE / page)
        if os.path.isdir(path):
            path = os.path.join(path, "index.html")
        return os.path.relpath(path, SITE), urllib.parse.unquote(parts.fragment)

    def test_links_lead_somewhere(self) -> None:
        dead, followed = [], 0
        for name, page in self.pages.items():
            for address in page.links:
                target = self.target(name, address)
                if target is None:
                    continue
                followed += 1
                path, anchor = target
                if not (SITE / path).is_file():
                    dead.append(f"{name}: {address}")
                elif anchor and path in self.pages and anchor not in self.pages[path].anchors and anchor != "__skip":
                    dead.append(f"{name}: {address}: no such anchor")
        print(f"{len(self.pages)} pages, {followed} links")
        self.assertEqual(dead, [])

    def test_every_page_is_in_the_menu(self) -> None:
        found, queue = {"index.html"}, ["index.html"]
        while queue:
            name = queue.pop()
            for address in self.pages[name].menu:
                target = self.target(name, address)
                if target and target[0] in self.pages and target[0] not in found:
                    found.add(target[0])
                    queue.append(target[0])
        self.assertEqual(sorted(set(self.pages) - found), [])

    def test_everything_is_local(self) -> None:
        far = [f"{name}: {address}" for name, page in self.pages.items() for address in page.resources
               if urllib.parse.urlsplit(address).scheme not in ("", "data")]  # fmt: skip
        self.assertEqual(far, [])
        missing = []
        for name, page in self.pages.items():
            for address in page.resources:
                target = self.target(name, address)
                if target and not (SITE / target[0]).is_file():
                    missing.append(f"{name}: {address}")
        self.assertEqual(missing, [])
        styles = [path for path in SITE.rglob("*.css") if re.search(r"url\(\s*['\"]?https?:|@import", path.read_text())]
        self.assertEqual(styles, [])

    def test_every_page_has_one_title(self) -> None:
        self.assertEqual([name for name, page in self.pages.items() if page.titles != 1], [])

    def test_pages_say_what_they_are(self) -> None:
        """To search engines and to programs that read pages aloud: language, description, a title of its own; every link has words."""
        titles: dict[str, str] = {}
        for name, page in self.pages.items():
            with self.subTest(name):
                self.assertEqual(page.language, "en")
                self.assertLessEqual({"viewport", "description"}, page.metas)
                self.assertEqual(page.silent_links, [])
                self.assertNotIn(page.title, titles, f"also of {titles.get(page.title)}")
                titles[page.title] = name

    def test_pictures_have_texts(self) -> None:
        self.assertEqual([f"{name}: {picture}" for name, page in self.pages.items() for picture in page.without_text], [])

    def test_equations_are_typeset(self) -> None:
        raw = []
        for name, page in self.pages.items():
            found = _RAW_TEX.search("".join(page.text))
            if found:
                raw.append(f"{name}: {found[0]}")
        self.assertEqual(raw, [])


class Browser:
    """Headless Chromium, spoken to by its debugging protocol over pipes."""

    def __init__(self, folder: str):
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        command += ["--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run", "about:blank"]
        # descriptors 3 and 4 may be taken by the pipes themselves: the copies come first
        spare = [os.dup(to_read), os.dup(to_write)]
        os.set_inheritable(spare[0], True)
        os.set_inheritable(spare[1], True)

        def give_copies() -> None:
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self._process = subprocess.Popen(
            command, preexec_fn=give_copies, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for descriptor in (to_read, to_write, *spare):
            os.close(descriptor)
        self._buffer, self._id, self.errors = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)

    def _message(self) -> dict:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], SECONDS)
            if not ready:
                raise TimeoutError("the browser says nothing")
            part = os.read(self._read, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(text)
        event, values = message.get("method"), message.get("params", {})
        if event == "Runtime.exceptionThrown":
            self.errors.append(values["exceptionDetails"].get("text", ""))
        if event == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
        if event == "Runtime.consoleAPICalled" and values["type"] == "error":
            self.errors.append(str(values["args"]))
        if event == "Network.requestWillBeSent" and not values["request"]["url"].startswith(("http://127.0.0.1", "data:", "blob:", "about:")):
            self.errors.append(f"asks for {values['request']['url']}")
        return message

    def call(self, method: str, **values) -> dict:
        self._id += 1
        message = {"id": self._id, "method": method, "params": values}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.wait("document.readyState == 'complete'")

    def run(self, script: str):
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def wait(self, condition: str, seconds: float = SECONDS) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(f"Boolean({condition})"):
                return True
            time.sleep(0.1)
        return False

    def picture(self, path: str, width: int, height: int, mobile: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        time.sleep(0.5)
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))


@unittest.skipUnless(CHROMIUM, "Chromium is not installed")
class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(SITE)))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_address[1]}"
        cls.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.browser = Browser(cls.folder.name)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.browser.close()
        cls.server.shutdown()
        cls.server.server_close()
        cls.folder.cleanup()

    def test_pages_open_without_an_error(self) -> None:
        pictures = os.environ.get("SINEW_SCREENSHOTS")
        for page in OPENED:
            with self.subTest(page):
                self.assertTrue((SITE / page).is_file(), page)
                self.browser.errors.clear()
                self.browser.open(f"{self.address}/{page}")
                time.sleep(0.5)
                name = page.replace("/", "_").removesuffix(".html")
                for scheme in ("dark", "light") if pictures else ():
                    self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                    self.browser.picture(f"{pictures}/{name}_{scheme}.png", 1280, 1400)
                    self.browser.picture(f"{pictures}/{name}_{scheme}_phone.png", 390, 844, mobile=True)
                    self.browser.call("Emulation.clearDeviceMetricsOverride")
                broken = self.browser.run("[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)")
                self.assertEqual(broken, [])
                self.assertEqual(self.browser.errors, [])

    def test_pages_fit_a_phone(self) -> None:
        """Nothing but tables, blocks of code and equations, which scroll by themselves, is wider than the screen."""
        self.browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        try:
            for page in OPENED:
                with self.subTest(page):
                    self.browser.open(f"{self.address}/{page}")
                    self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
        finally:
            self.browser.call("Emulation.clearDeviceMetricsOverride")

    def test_texts_stand_out(self) -> None:
        """From their backgrounds, on light and on dark pages, as the reader's system asks for one or the other."""
        least = {}
        try:
            for scheme, name in (("light", "default"), ("dark", "slate")):
                self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                for page in OPENED:
                    with self.subTest(f"{page}, {scheme}"):
                        self.browser.open(f"{self.address}/{page}")
                        self.assertTrue(self.browser.wait(f"document.body.dataset.mdColorScheme == '{name}'", 10), "the page has the other colours")
                        time.sleep(0.5)  # colours change over a quarter of a second
                        texts = self.browser.run(_CONTRASTS)
                        self.assertGreater(len(texts), 3)
                        least[scheme] = min(least.get(scheme, 21), *(contrast for contrast, _, _ in texts))
                        faint = [f"{contrast:.2f} {text}" for contrast, large, text in texts if contrast < (CONTRAST_OF_LARGE if large else CONTRAST)]
                        self.assertEqual(faint, [])
        finally:
            self.browser.call("Emulation.setEmulatedMedia", features=[])
        print("least contrast:", ", ".join(f"{contrast:.1f} on {scheme} pages" for scheme, contrast in least.items()))

    def test_searches_find_their_page_first(self) -> None:
        for words, first in SEARCHES.items():
            with self.subTest(words):
                self.browser.open(f"{self.address}/index.html?q={words}")
                links = "document.querySelectorAll('.md-search-result__list a.md-search-result__link')"
                self.assertTrue(self.browser.wait(f"{links}.length > 0"), "nothing is found")
                found = self.browser.run(f"[...{links}].map(a => a.getAttribute('href'))")
                address = urllib.parse.urlsplit(found[0])
                self.assertEqual(f"{address.path.lstrip('/')}#{address.fragment}".rstrip("#"), first, found[:5])


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        SITE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
