"""Files that do not say how they are encoded."""

import codecs

import pytest

from validator.decklists.encoding import decode_text

LISTS = {
    "English": "4x OP01-016 Nami\n" * 12,
    "Japanese": "リーダー\nモンキー・D・ルフィ\nロロノア・ゾロ 4枚\n" * 4,
    "Korean": "리더\n몽키 D 루피 4\n롤로노아 조로 4\n" * 4,
    "Chinese": "领袖\n蒙奇・D・路飞 4\n罗罗诺亚・索隆 4\n" * 4,
    "Russian": "Лидер\nМонки Д. Луффи 4\nРороноа Зоро 4\n" * 4,
    "French": "Chef\nHéros des îles 4\nÉpée brisée 4\n" * 4,
}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
@pytest.mark.parametrize("language", LISTS)
def test_unicode_of_any_script_is_read_without_a_mark(language, encoding):
    found = decode_text(LISTS[language].encode(encoding))
    assert (found.text, found.encoding, found.is_damaged) == (LISTS[language], encoding, False)


@pytest.mark.parametrize(("mark", "encoding"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")])
def test_a_mark_decides_and_is_no_part_of_the_text(mark, encoding):
    assert decode_text(mark + LISTS["Japanese"].encode(encoding)).text == LISTS["Japanese"]
    assert decode_text(codecs.BOM_UTF8 + LISTS["Japanese"].encode()).text == LISTS["Japanese"]


@pytest.mark.parametrize(
    ("language", "encoding"),
    [("Japanese", "cp932"), ("Korean", "cp949"), ("Chinese", "gb18030"), ("French", "cp1252")],
)
def test_what_spreadsheet_programs_of_a_country_write_is_read(language, encoding):
    found = decode_text(LISTS[language].encode(encoding))
    assert (found.text, found.encoding, found.is_damaged) == (LISTS[language], encoding, False)


def test_a_character_that_is_lost_is_told():
    assert decode_text("Nami".encode("utf-16-le") + b"\x00\xd8").is_damaged
    assert decode_text(b"Nam\x81\xff").is_damaged
    assert decode_text(b"").text == ""
