"""Card text as skills and sentences, and the words that show whether a sentence is about deck construction or play.

The text is without markup and reminder text, and with one glyph for each purpose.

The printed text (for quotes) and the plain text (for the grammar) have the same length, letter by letter. All
steps take time linear in the length of the text.
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

# One glyph for each purpose. 《》 contain traits and <> characters, in place of all similar brackets.
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
# A head without a closing bracket, before blanks (a dropped reminder) or its skill.
_OPEN_HEAD = re.compile(r"\s*\[\s*(permanent|ultimate|super[ -]combo|dragon[ -]ball)(?=\s|$)", re.I)
# Words after a keyword that the text only mentions and that the card does not have.
_MENTION = re.compile(
    r"(?:cards?|extras?|battle|unisons?|leaders?|characters?|type|skills?|effects?|in|is|are|on|or|and|from|to|"
    r"with|can|can't|cannot|gains?|gets?|has|have)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: as printed with its full stop in `text`, normalised without it in `plain`, and as tokens.

    `Skill.sentences` makes it, and leaves `tokens` empty if `plain` has more than `LONGEST_SENTENCE` characters.
    """

    text: str
    plain: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill: the bracketed heads before it, and its text as printed and normalised. Both texts are equally long.

    `heads` are such as "[Auto]", with their brackets, () if it has none. Reminders in parentheses are blanks in
    `plain`. `granted` is True in lists and quotes: another skill chooses these skills or gives them to cards.
    """

    heads: tuple[str, ...]
    text: str
    plain: str
    granted: bool = False

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences. A full stop, "!", "?", a semicolon or a colon ends a sentence.

        Directly before a small letter or a digit, only a semicolon and a colon do.
        """
        begun: list[Token] = []
        for token in tokens(self.plain):
            if token.kind == "mark" and token.text in ".;:!?" and _ends_sentence(self.plain, token):
                yield from self._make_sentence(begun)
                begun = []
            else:
                begun.append(token)
        yield from self._make_sentence(begun)

    def _make_sentence(self, tokens: list[Token]) -> Iterator[Sentence]:
        """Yield the sentence of these tokens, or nothing if there are none.

        A printed full stop after them belongs to it.
        """
        if not tokens:
            return
        start, end = tokens[0].start, tokens[-1].end
        plain = self.plain[start:end]
        stop = self.text[end : end + 1] in (".", "．")
        yield Sentence(self.text[start : end + stop], plain, () if len(plain) > LONGEST_SENTENCE else tuple(tokens))


def _ends_sentence(plain: str, token: Token) -> bool:
    """Return True if a mark ends a sentence. `token` is a full stop, "!", "?", a semicolon or a colon.

    Directly before a small letter or a digit, only a semicolon and a colon do.
    """
    after = plain[token.end : token.end + 1]
    return token.text in ";:" or not (after.islower() or after.isdigit())


def split_skills(text: str) -> Iterator[Skill]:
    """Yield the skills of a card text, line by line. A bullet begins a new line.

    The text may have HTML and any of the brackets and dashes of the sources.
    """
    printed = _remove_markup(text)
    plain = _normalise_glyphs(printed)
    for line in _LINES.finditer(plain):
        yield from _split_line(printed[line.start() : line.end()], line.group())


def _remove_markup(text: str) -> str:
    """Return a text without HTML tags and "**". Line breaks are kept, entities are decoded.

    A picture becomes its alternative text in square brackets. Angle brackets around names are kept.
    """
    text = html.unescape(text) if "&" in text else text
    if "<" in text:
        text = _PICTURE.sub(_picture_keyword, text)
        text = _MARKUP.sub("", _BREAK.sub("\n", text))
        # <Any Name> that went through an HTML parser comes out as <any name="">.
        text = _ANGLED.sub(lambda tag: tag.group().replace('=""', ""), text)
    return text.replace("**", "").strip()


def _picture_keyword(picture: re.Match[str]) -> str:
    """Return the alternative text of an HTML picture in square brackets. "" if it has none."""
    found = _CAPTION.search(picture.group())
    words = (found.group(1) or found.group(2) or "").strip() if found else ""
    return f"[{words}]" if words else ""


def _normalise_glyphs(text: str) -> str:
    """Return the text with one glyph for each kind of bracket, quote and dash, and NFKC. The length stays the same.

    NFKC is applied only to letters that stay one letter. " // " becomes four line breaks.
    """
    odd = {ord(letter) for letter in set(text) if not letter.isascii()}
    forms = {code: nfkc(chr(code)) for code in odd}
    table = {code: form for code, form in forms.items() if len(form) == 1}
    table |= {code: table[code].translate(_GLYPHS) for code in table}
    return text.translate(_GLYPHS | table).replace(" // ", "\n\n\n\n")


def _split_line(printed: str, plain: str) -> Iterator[Skill]:
    """Yield the skills of one line. `plain` is the normalised text of `printed`, with the same length.

    Reminder texts in parentheses are blank in `plain`. A line that begins with "・" or a quote has granted skills.
    """
    granted = plain.lstrip()[:1] in ("・", '"')
    plain = _blank_reminders(plain)
    heads = list(_HEADS.finditer(plain))
    ends = [head.start() for head in heads] + [len(plain)]
    opened = _OPEN_HEAD.match(plain) if ends[0] else None
    start = opened.end() if opened else 0
    if opened or plain[: ends[0]].strip():
        named: tuple[str, ...] = (f"[{opened.group(1)}]",) if opened else ()
        yield Skill(named, printed[start : ends[0]], plain[start : ends[0]], granted)
    for head, end in zip(heads, ends[1:], strict=True):
        named, start = _parse_heads(plain, head)
        yield Skill(named, printed[start:end], plain[start:end], granted)


def _parse_heads(plain: str, head: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """Return `(heads, start)`: the bracketed heads that `head` matches, and the position of the text in `plain`.

    The last head belongs to the text if the text only mentions that keyword, as in "[Blocker] cards". A head such as
    [Auto] or [Permanent] never does.
    """
    named = list(_HEAD.finditer(plain, *head.span(1)))
    start = head.end()
    if named and _MENTION.match(plain, start) and not _TIMED_HEAD.match(named[-1].group()):
        start = named.pop().start()
    return tuple(head_match.group() for head_match in named), start


def _blank_reminders(plain: str) -> str:
    """Return the text with blanks in place of parentheses and their content. The length stays the same.

    An open parenthesis ends before the next head such as [Auto], or at the line's end. Before a skill, the last blank
    is a full stop, so that the skill is a new sentence.
    """
    kept: list[str] = []
    start = depth = 0
    for mark in _PARENTHESIS.finditer(plain):
        depth += 1 if mark.group() == "(" else -1
        if depth == 1 and mark.group() == "(":
            kept.append(plain[start : mark.start()])
            start = mark.start()
        elif depth <= 0:
            if depth == 0:
                kept.append(_make_blank(mark.end() - start, plain, mark.end()))
                start = mark.end()
            depth = 0
    if depth:
        next_skill = _TIMED_HEAD.search(plain, start)
        end = next_skill.start() if next_skill else len(plain)
        kept.append(_make_blank(end - start, plain, end))
        start = end
    return "".join((*kept, plain[start:]))


def _make_blank(length: int, plain: str, after: int) -> str:
    """Return blanks of this length.

    The last one is a full stop if a skill begins in `plain` at `after`, or after blanks there.
    """
    while plain[after : after + 1] == " ":
        after += 1
    return " " * (length - 1) + ("." if _SKILL.match(plain, after) else " ")


# Few texts contain one of these, but every text about construction does.
_HINTS = (
    *("includ", "contain", "consist", " rules", "in your deck", "in your z-deck", "main deck"),
    *("per deck", "a deck", "copies", "copy limit"),
    *("deck can", "deck may", "deck must", "deck has", "deck is", "construct", "building"),
    *("areas", "any area", "every area", "each area", " zones", "treated", "treat ", "considered", "counts as"),
    *("regarded", "specified event"),
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
# Places that may include the deck, and words that add something there.
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
# Words about facts that exist only during play.
_PLAY = re.compile(
    r"\b(?:energy|life|hand|drop|warp|play|played|battle|turn|opponent|opponent's|markers?|mode|attacks?|combo|under|"
    r"areas?|field|trash|rest|rested|active|flipped|skills?|placed|tokens?|start of the game|counter|lose|losing|"
    r"win|ko|z-energy|damage|draw|drawn)\b"
)


def list_hints(keywords: Collection[str]) -> tuple[str, ...]:
    """Return the hints of a game: words in lower case, of which every text about construction contains at least one.

    `keywords` are the game's construction keywords in lower case. They are hints too, with blanks and with hyphens.
    """
    return (*_HINTS, *keywords, *(keyword.replace(" ", "-") for keyword in keywords if " " in keyword))


def has_hint(text: str, hints: tuple[str, ...]) -> bool:
    """Return True if a text contains a hint. The case and the width of its letters are ignored."""
    lowered = nfkc(text).lower()
    return any(hint in lowered for hint in hints)


def is_about_building(signs: str) -> bool:
    """Return True if the words are about the contents of a deck: "can't include", "in your deck", "copies of".

    `signs` is a text in lower case, with "@" for a colour or a bracket that a card may gain, and "#" for other
    brackets.
    """
    return _BUILDING.search(signs) is not None


def is_about_rules(signs: str) -> bool:
    """Return True if the words name the rules of the game. `signs` is as for `is_about_building`."""
    return _RULES.search(signs) is not None


def is_about_gains(signs: str) -> bool:
    """Return True if the words add something to cards, such as a trait, in places that may include the deck.

    `signs` is as for `is_about_building`.
    """
    return bool(_EVERYWHERE.search(signs) and _ADDED.search(signs))


def is_about_play(words: Sequence[Token]) -> bool:
    """Return True if a word is about the game being played, such as "turn", "hand" or "attack".

    Only tokens of words are read.
    """
    return _PLAY.search(" ".join(token.text for token in words if token.kind == "word")) is not None
