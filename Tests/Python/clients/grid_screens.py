"""pyte, a terminal, is fed what dex sends for grids; its screen must equal each grid.

Its faults, which are not compared: a mark whose combining class is 0 (a presentation selector) is
lost, a mark behind a wide character lands in its second cell, and dim text is not known.
"""

import json
import struct
import sys
import unicodedata

import pyte
from pyte import graphics
from wcwidth import wcwidth

NAMES = ["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"]


def shade(value):
    kind, *numbers = value
    if kind == "standard":
        return "default"
    if kind == "ansi":
        return NAMES[numbers[0]] if numbers[0] < 8 else "bright" + NAMES[numbers[0] - 8]
    if kind == "palette":
        return graphics.FG_BG_256[numbers[0]]
    return "{:02x}{:02x}{:02x}".format(*numbers)


def expected_text(text):
    kept = (c for c in text if wcwidth(c) > 0 or unicodedata.combining(c))
    return unicodedata.normalize("NFC", "".join(kept))


class Reader:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.place = 0

    def number(self):
        value = struct.unpack_from("<I", self.data, self.place)[0]
        self.place += 4
        return value

    def bytes(self):
        count = self.number()
        self.place += count
        return self.data[self.place - count : self.place]

    def is_at_end(self):
        return self.place == len(self.data)


def compare(screen, columns, rows, cells, inks, pens):
    """The first difference; None without one."""
    index = 0
    for y in range(rows):
        line = screen.buffer[y]
        x = 0
        while x < columns:
            text = cells[index]
            wide = x + 1 < columns and cells[index + 1] == ""
            shown = line[x]
            got = shown.data
            if wide:
                got = (got + line[x + 1].data).rstrip(" ")
            if got != text and got != expected_text(text):
                return f"row {y}, column {x}: {got!r} instead of {text!r}"
            fore, back, bold, reverse = pens[inks[index]]
            if text == " ":
                same = shown.bg == back and shown.reverse == reverse
                same = same and (not reverse or shown.fg == fore)
            else:
                same = (shown.fg, shown.bg, shown.bold, shown.reverse) == (fore, back, bold, reverse)
            if not same:
                return f"row {y}, column {x}: {shown} instead of {pens[inks[index]]}"
            step = 2 if wide else 1
            x += step
            index += step
    return None


def main():
    reader = Reader(sys.argv[1])
    checks = {}
    screen = stream = None
    while not reader.is_at_end():
        name = reader.bytes().decode()
        if name.startswith("{"):
            # A new terminal, with the pens of its inks.
            header = json.loads(name)
            label = header["depth"]
            pens = [
                (shade(p["text"]), shade(p["back"]), p["bold"], p["reversed"])
                for p in header["pens"]
            ]
            screen = stream = None
            continue
        columns, rows = reader.number(), reader.number()
        frame = reader.bytes().decode()
        cells = reader.bytes().decode().split("\x1f")
        inks = reader.bytes()
        if screen is None:
            screen = pyte.Screen(columns, rows)
            # As dex sets the terminal: nothing wraps.
            screen.reset_mode(7, private=True)
            stream = pyte.Stream(screen)
        screen.resize(rows, columns)
        stream.feed(frame)
        check = checks.setdefault(label, {"name": label, "comparisons": 0, "differences": []})
        check["comparisons"] += 1
        difference = compare(screen, columns, rows, cells, inks, pens)
        if difference and len(check["differences"]) < 5:
            check["differences"].append(f"{name} {columns}x{rows}: {difference}")
    print(json.dumps({"checks": list(checks.values())}))


if __name__ == "__main__":
    main()
