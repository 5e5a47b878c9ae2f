"""Nothing: how people write that a part of their deck has no card, "none", "なし", "kein Sidedeck"."""

from __future__ import annotations

import re

from validator.decklists.sections import listed, section
from validator.tables.headings import words

_LONGEST = 40
_MARKS = re.compile(r"[-–—―/.\s_]*")
_ALONE = listed("""
    none, no, nope, nothing, nil, null, n a, na, not applicable, empty, false, 0, 0 cards, none at all,
    keine, keiner, keines, keins, kein, nein, nichts, entfällt, ohne, leer,
    aucun, aucune, non, rien, néant, vide, sans, sans objet,
    ninguno, ninguna, ningún, nada, vacío, sin, no tengo, no aplica,
    nessuno, nessuna, niente, vuoto, senza,
    nenhum, nenhuma, não, não tenho, vazio, sem, brak, nie,
    なし, 無し, 無, ナシ, 特になし, ありません, いいえ, 无, 沒有, 没有, 無い, 없음, 없습니다, 없어요, 아니요, 무
    """)
_BEFORE = listed(
    "no, without, kein, keinen, keine, ohne, pas de, aucun, sans, sin, ningún, nessun, senza, sem, nenhum, brak"
)
_BEHIND = listed("なし, 無し, ナシ, 无, 無, 沒有, 没有, 없음")


def _key(text: str) -> str:
    return " ".join(words(text))


_KEYS = frozenset(map(_key, _ALONE))
_PARTED = re.compile(rf"(?:{'|'.join(map(_key, _BEFORE))}) (.+)|(.+?) ?(?:{'|'.join(map(_key, _BEHIND))})")


def is_nothing(written: str) -> bool:
    """Tell whether what stands where cards may stand says that there are none."""
    if len(written) > _LONGEST:
        return False
    if _MARKS.fullmatch(written) or _key(written) in _KEYS:
        return True
    parted = _PARTED.fullmatch(_key(written))
    return parted is not None and section(parted[1] or parted[2]) is not None
