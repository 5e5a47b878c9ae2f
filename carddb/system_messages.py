"""System messages: the English messages of SQLite, the operating system, archives and JSON, made translatable."""

from __future__ import annotations

from validator.language import Phrase, join_phrases, parse_message

# The messages with their values, for the catalogs too. A `{problem}` is another of these messages.
SENTENCES = (
    "attempt to write a readonly database",
    "database disk image is malformed",
    "database is locked",
    "database or disk is full",
    "disk I/O error",
    "file is not a database",
    "unable to open database file",
    "Address already in use",
    "Connection refused",
    "Disk quota exceeded",
    "File exists",
    "File name too long",
    "File too large",
    "Input/output error",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Too many open files",
    # The integrity check of SQLite.
    "*** in database {name} ***",
    "Extends off end of page",
    "Fragmentation of {found} bytes reported as {reported} on page {page}",
    "Multiple uses for byte {byte} of page {page}",
    "NULL value in {column}",
    "Offset {offset} out of range {range}",
    "Rowid {row} out of order",
    "btreeInitPage() returns error code {code}",
    "invalid page number {page}",
    "non-unique entry in index {index}",
    "row {row} missing from index {index}",
    "wrong # of entries in index {index}",
    "Page {page} is never used",
    "Page {page}: {problem}",
    "Tree {tree} page {page} cell {cell}: {problem}",
    "Tree {tree} page {page}: {problem}",
    "On tree page {page} cell {cell}: {problem}",
    # zlib and tarfile.
    "Error {code} while decompressing data: {value}",
    "bad checksum",
    "empty header",
    "invalid header",
    "missing subsequent header",
    "truncated header",
    "unexpected end of data",
    # zipfile and expat.
    "Bad CRC-32 for file {value}",
    "Bad magic number for central directory",
    "Bad magic number for file header",
    "File is not a zip file",
    "Truncated central directory",
    "Truncated file header",
    "{problem}: line {line}, column {column}",
    "junk after document element",
    "mismatched tag",
    "no element found",
    "not well-formed (invalid token)",
    "unclosed token",
    # orjson.
    "{problem}: line {line} column {column} (char {character})",
    "Input is a zero-length, empty document",
    "invalid UTF-8 encoding in string",
    "invalid escape in string",
    "invalid escaped sequence in string",
    "invalid high surrogate in string",
    "invalid literal, expected {value}",
    "invalid low surrogate in string",
    "no digit after decimal point",
    "no digit after exponent sign",
    "no digit after sign",
    "no low surrogate in string",
    "number is infinity when parsed as double",
    "number with leading zero is not allowed",
    "str is not valid UTF-8: surrogates not allowed",
    "trailing comma is not allowed",
    "unexpected character, expected ',' or ']'",
    "unexpected character, expected ',' or '}}'",
    "unexpected character, expected ':' after key",
    "unexpected character, expected a JSON value",
    "unexpected character, expected a string key",
    "unexpected content after document",
    "unexpected control character in string",
)


def system_reason(message: str) -> Phrase:
    """Return a message of another program in SENTENCES, to be translated later. Each line is a message.

    Lines that are not in SENTENCES, such as those of PostgreSQL, stay English.
    """
    return join_phrases((parse_message(line, SENTENCES) for line in message.split("\n")), "\n")
