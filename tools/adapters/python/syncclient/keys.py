"""Keys, paths and the order of texts. A path is a tuple of keys."""

import re
from functools import lru_cache

FORBIDDEN = re.compile(r"[.#$\[\]/\x00-\x1f\x7f]")
INTEGER = re.compile(r"-?0*[0-9]{1,10}\Z")

remembered = lru_cache(maxsize=1 << 16)


class Refusal(Exception):
    """A call that is refused at once because of its arguments."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


@remembered
def text_order(text):
    """Texts are ordered by their UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


@remembered
def key_order(key):
    """Keys that are 32-bit integers come first, by value; then all others as texts."""
    if INTEGER.match(key) and -(2**31) <= int(key) < 2**31:
        return (0, int(key), len(key), key[0] == "-")
    return (1, text_order(key))


@remembered
def parse_path(text):
    return tuple(key for key in text.split("/") if key)


def path_text(path):
    return "/" + "/".join(path)


def starts_with(path, ancestor):
    return path[: len(ancestor)] == ancestor


def relative(path, ancestor):
    """The way from `ancestor` to `path`, or None when it does not lie there."""
    return path[len(ancestor):] if path[: len(ancestor)] == ancestor else None


def are_related(a, b):
    return a[: len(b)] == b or b[: len(a)] == a


def is_bad_key(key):
    return not key or FORBIDDEN.search(key) is not None


def is_bad_path(path):
    for index, key in enumerate(path):
        if is_bad_key(key) and not (index == 0 and key == ".info"):
            return True
    return len(path) > 32 or len("/".join(path).encode()) > 768
