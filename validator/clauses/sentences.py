"""Card text as skills and sentences: markup undone, reminder text dropped, every glyph of one kind.

Two copies of a text run side by side, letter for letter: as printed (what a clause quotes) and plain
(what the grammar reads). All steps take time linear in the length of the text.
Hints are words that show what an unread sentence is about: deck construction, or the game being played.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from validator.bounds import LONGEST_SENTENCE
from validator.clauses.tokens import Token, tokens
from validator.texts import nfkc

_PICTURE = re.compile(r"<img\b[^<>]*>", re.I)
_CAPTION = re.compile(r"""\balt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""", re.I)
_BREAK = re.compile(r"<(?:br|hr|/p|/div|/li|/tr|/h[1-6])\b[^<>]*>", re.I)
_MARKUP = re.compile(
    r"</[^<>]*>|<(?:[abipu]|(?i:em|strong|small|sub|sup|span|div|font|ul|ol|li|table|tbody|tr|td|h[1-6]))"
    r"(?:\s[^<>=]*=[^<>]*)?/?>"
)
_ANGLED = re.compile(r"<[^<>]*>")

# One glyph for each purpose; 《》 hold traits and <> characters, whichever of their kin were printed.
_GLYPHS = {
    **dict.fromkeys(map(ord, "≪«⟪"), "《"),
    **dict.fromkeys(map(ord, "≫»⟫"), "》"),
    **dict.fromkeys(map(ord, "〈⟨‹"), "<"),
    **dict.fromkeys(map(ord, "〉⟩›"), ">"),
    **dict.fromkeys(map(ord, "【〔"), "["),
    **dict.fromkeys(map(ord, "】〕"), "]"),
    **dict.fromkeys(map(ord, "’‘‚′`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″「」『』"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-"),
    **dict.fromkeys(map(ord, "•‣●･▪"), "・"),
    **dict.fromkeys(map(ord, "|\r\v\f\x85\u2028\u2029"), "\n"),
    ord("‼"): "!",
}
_LINES = re.compile(r"・?[^\n・]+")
_PARENTHESIS = re.compile(r"[()]")
_TIMED = "permanent|auto|activate|counter|awaken|wish|unison"
_SKILL = re.compile(rf"\[\s*(?:{_TIMED}|ultimate|super[ -]combo|dragon[ -]ball)\b", re.I)
_TIMED_HEAD = re.compile(rf"\[\s*(?:{_TIMED})\b", re.I)
_HEADS = re.compile(r"(?:^|(?<=[.!?]))\s*((?:\[[^\[\]]*\][\s,/&]*)+)")
_HEAD = re.compile(r"\[([^\[\]]*)\]")
# A head whose bracket was never closed, with nothing but blanks (a dropped reminder) or its skill after it.
_OPEN_HEAD = re.compile(r"\s*\[\s*(permanent|ultimate|super[ -]combo|dragon[ -]ball)(?=\s|$)", re.I)
# What follows a keyword that is spoken of, and not one that the card has.
_SPOKEN_OF = re.compile(
    r"(?:cards?|extras?|battle|unisons?|leaders?|characters?|type|skills?|effects?|in|is|are|on|or|and|from|to|"
    r"with|can|can't|cannot|gains?|gets?|has|have)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: as printed, plain, and in tokens (none if it is too long to be read)."""

    text: str
    plain: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill: the bracketed heads before it, and its text as printed and plain.

    `granted` skills stand in a list or in quotes: some other skill chooses them or gives them away.
    """

    heads: tuple[str, ...]
    text: str
    plain: str
    granted: bool = False

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences; a semicolon or a colon ends one as well as a full stop."""
        begun: list[Token] = []
        for token in tokens(self.plain):
            if token.kind == "mark" and token.text in ".;:!?" and _stops(self.plain, token):
                yield from self._sentence(begun)
                begun = []
            else:
                begun.append(token)
        yield from self._sentence(begun)

    def _sentence(self, found: list[Token]) -> Iterator[Sentence]:
        if not found:
            return
        start, end = found[0].start, found[-1].end
        plain = self.plain[start:end]
        stop = self.text[end : end + 1] in (".", "．")
        yield Sentence(self.text[start : end + stop], plain, () if len(plain) > LONGEST_SENTENCE else tuple(found))


def _stops(plain: str, token: Token) -> bool:
    after = plain[token.end : token.end + 1]
    return token.text in ";:" or not (after.islower() or after.isdigit())


def skills(text: str) -> Iterator[Skill]:
    """Yield the skills of a card text, in any of the spellings that sources use."""
    printed = _unmarked(text)
    plain = _uniform(printed)
    for line in _LINES.finditer(plain):
        yield from _line(printed[line.start() : line.end()], line.group())


def _unmarked(text: str) -> str:
    """Undo HTML and the asterisks of bold type: pictures of keywords become [Keyword]."""
    text = html.unescape(text) if "&" in text else text
    if "<" in text:
        text = _PICTURE.sub(_caption, text)
        text = _MARKUP.sub("", _BREAK.sub("\n", text))
        # <Any Name> that went through an HTML parser comes out as <any name="">.
        text = _ANGLED.sub(lambda tag: tag.group().replace('=""', ""), text)
    return text.replace("**", "").strip()


def _caption(picture: re.Match[str]) -> str:
    found = _CAPTION.search(picture.group())
    words = (found.group(1) or found.group(2) or "").strip() if found else ""
    return f"[{words}]" if words else ""


def _uniform(text: str) -> str:
    """Return the text letter for letter in one form: NFKC where that is one letter, and _GLYPHS."""
    odd = {ord(letter) for letter in set(text) if not letter.isascii()}
    forms = {code: nfkc(chr(code)) for code in odd}
    table = {code: form for code, form in forms.items() if len(form) == 1}
    table |= {code: table[code].translate(_GLYPHS) for code in table}
    return text.translate(_GLYPHS | table).replace(" // ", "\n\n\n\n")


def _line(printed: str, plain: str) -> Iterator[Skill]:
    granted = plain.lstrip()[:1] in ("・", '"')
    plain = _without_reminders(plain)
    heads = list(_HEADS.finditer(plain))
    ends = [head.start() for head in heads] + [len(plain)]
    opened = _OPEN_HEAD.match(plain) if ends[0] else None
    start = opened.end() if opened else 0
    if opened or plain[: ends[0]].strip():
        named: tuple[str, ...] = (f"[{opened.group(1)}]",) if opened else ()
        yield Skill(named, printed[start : ends[0]], plain[start : ends[0]], granted)
    for head, end in zip(heads, ends[1:], strict=True):
        named, start = _heads(plain, head)
        yield Skill(named, printed[start:end], plain[start:end], granted)


def _heads(plain: str, head: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """Return the heads of a skill and where its text begins: with the last of them, if that is but spoken of."""
    named = list(_HEAD.finditer(plain, *head.span(1)))
    start = head.end()
    if named and _SPOKEN_OF.match(plain, start) and not _TIMED_HEAD.match(named[-1].group()):
        start = named.pop().start()
    return tuple(one.group() for one in named), start


def _without_reminders(plain: str) -> str:
    """Blank what stands in parentheses; one never closed reaches to the next skill, or the line's end.

    A reminder ends its skill, so that a skill straight after it begins anew.
    """
    kept: list[str] = []
    at = depth = 0
    for mark in _PARENTHESIS.finditer(plain):
        depth += 1 if mark.group() == "(" else -1
        if depth == 1 and mark.group() == "(":
            kept.append(plain[at : mark.start()])
            at = mark.start()
        elif depth <= 0:
            if depth == 0:
                kept.append(_blank(mark.end() - at, plain, mark.end()))
                at = mark.end()
            depth = 0
    if depth:
        again = _TIMED_HEAD.search(plain, at)
        end = again.start() if again else len(plain)
        kept.append(_blank(end - at, plain, end))
        at = end
    return "".join((*kept, plain[at:]))


def _blank(length: int, plain: str, after: int) -> str:
    while plain[after : after + 1] == " ":
        after += 1
    return " " * (length - 1) + ("." if _SKILL.match(plain, after) else " ")


# Few texts have one of these, and none that speaks of construction has none.
_HINTS = (
    *("includ", "contain", "consist", " rules", "in your deck", "in your z-deck", "main deck"),
    *("per deck", "a deck", "copies", "copy limit"),
    *("deck can", "deck may", "deck must", "deck has", "deck is", "construct", "building"),
    *("areas", "any area", "every area", "each area", " zones", "treated", "treat ", "considered", "counts as"),
    "regarded",
    *(f"this card {verb} {bracket}" for verb in ("gains", "has") for bracket in "《≪<〈{「&"),
)
_BUILDING = re.compile(
    r"\b(?:can|can't|cannot|may|must|mustn't|only|never|be|to|decks?|z-decks?|should|shall)"
    r"(?: (?:only|also|not|ever))* (?:includes?|included|contains?|contained)\b"
    r"|\bcop(?:y|ies) of .* in (?:your|a|the|any|their) (?:main )?(?:z-)?decks?\b"
    r"|\b(?:don|your|a|the|main|any) (?:z-)?decks? (?:can|can't|cannot|may|must|consists?|should|shall|needs?|"
    r"is limited|is made|is composed)\b"
    r"|\b(?:have|put|use|run) (?:any number|as many|up to|no more|more than|only)\b.* in (?:your|a|the) (?:z-)?decks?\b"
    r"|\b(?:can|can't|cannot|may|must|mustn't)(?: (?:only|not|ever))* have\b.* in (?:your|a|the) (?:z-)?deck\b"
    r"|\bthere (?:can|can't|cannot|may|must)(?: (?:only|not|never))* be\b.* in (?:your|a|the) (?:z-)?deck\b"
    r"|\b(?:used|played|included|limited|limit)\b.* (?:in a|to a|in each|in any) (?:z-)?deck\b|\bper (?:z-)?deck\b"
    r"|\bcop(?:y|ies) (?:limit|rule)\b|\blimit(?:ed)? (?:to|of) \w+ cop(?:y|ies)\b"
    r"|\bdeck construction\b|\bdeck ?building\b"
    r"|\b(?:construct|constructing|build|building) (?:your|a|the) (?:z-)?deck\b"
)
_RULES = re.compile(r"\b(?:the|game|deck) rules\b|\brules of\b")
# Where something holds, if that may take in the deck; and the look of something being added there.
_EVERYWHERE = re.compile(
    r"\bin (?:all|every|any|each)\b(?: [\w']+){0,3} (?:areas?|zones?)\b|\bsecret areas\b"
    r"|\b(?:while|when|is|are|gains?|@) (?:it's |it is )?in (?:your|its owner's|the) (?:z-)?deck\b"
)
_ADDED = re.compile(
    r"\b(?:gains?|loses?|treated as|considered|counts? as|regarded as)\b"
    r"(?! (?:[#+\d-]|if\b|as if\b|control\b|the following\b))"
    r"|\b(?:has|have|had|is|are|becomes?|as)"
    r"(?: (?:also|always|both|a|an|the|being|having|special|traits?|character|card|names?|colors?|types?))* [@《<{]"
)
# What can only be known while the game is played.
_PLAY = re.compile(
    r"\b(?:energy|life|hand|drop|warp|play|played|battle|turn|opponent|opponent's|markers?|mode|attacks?|combo|under|"
    r"areas?|field|trash|rest|rested|active|flipped|skills?|placed|tokens?|start of the game|counter|lose|losing|"
    r"win|ko|z-energy|damage|draw|drawn)\b"
)


def hints(keywords: Collection[str]) -> tuple[str, ...]:
    """Return the words of which a text that speaks of construction has one, where these keywords, in lower case, do."""
    return (*_HINTS, *keywords, *(keyword.replace(" ", "-") for keyword in keywords if " " in keyword))


def hinting(text: str, hints: tuple[str, ...]) -> bool:
    """Tell quickly whether a text, in any spelling, may speak of construction at all."""
    lowered = nfkc(text).lower()
    return any(hint in lowered for hint in hints)


def of_building(said: str) -> bool:
    """Tell whether words speak of what a deck may hold. Brackets are "@" if a card may gain them, else "#"."""
    return _BUILDING.search(said) is not None


def of_rules(said: str) -> bool:
    """Tell whether words name the rules of the game."""
    return _RULES.search(said) is not None


def of_gains(said: str) -> bool:
    """Tell whether words add something to cards where the deck may be among the places."""
    return bool(_EVERYWHERE.search(said) and _ADDED.search(said))


def of_play(words: Sequence[Token]) -> bool:
    """Tell whether words speak of the game being played."""
    return _PLAY.search(" ".join(token.text for token in words if token.kind == "word")) is not None
