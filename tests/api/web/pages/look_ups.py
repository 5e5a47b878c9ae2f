"""Pages as their readers have them: what stands where, and what every look-up page has to keep to."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser

_INLINE = re.compile(r"<style|style=|\son\w+=|javascript:|<script(?![^>]* src=)", re.IGNORECASE)


class Reader:
    """A page that was asked for, with its status."""

    def __init__(self, client, address, **headers):
        answer = client.get(address, headers={"Accept": "text/html", **headers})
        assert answer.mimetype == "text/html", answer.text
        assert not _INLINE.search(answer.text), address
        assert "Set-Cookie" not in answer.headers
        self.status, self.html = answer.status_code, answer.text
        self.tree = LexborHTMLParser(answer.text)
        if "HX-Request" not in headers:
            assert len(self.tree.css("h1")) == 1, address

    def texts(self, selector):
        return [" ".join(node.text().split()) for node in self.tree.css(selector)]

    def text(self, selector):
        (found,) = self.texts(selector)
        return found

    def addresses(self, selector):
        """Where links lead within the pages: each path with its query."""
        links = [urlsplit(node.attributes["href"]) for node in self.tree.css(selector)]
        return [(link.path, dict(parse_qsl(link.query))) for link in links if not link.netloc]
