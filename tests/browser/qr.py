"""Reads a QR code as a scanner does: modules from the drawing, mask off, blocks apart, no error may be left, bytes out."""

from __future__ import annotations

import re

from playwright.sync_api import Locator

# For versions 1 to 15 at level M: blocks and bytes of data, once shorter and once longer by one; correction bytes per block.
LAYOUT = {
    1: (1, 16, 0, 10), 2: (1, 28, 0, 16), 3: (1, 44, 0, 26), 4: (2, 32, 0, 18), 5: (2, 43, 0, 24),
    6: (4, 27, 0, 16), 7: (4, 31, 0, 18), 8: (2, 38, 2, 22), 9: (3, 36, 2, 22), 10: (4, 43, 1, 26),
    11: (1, 50, 4, 30), 12: (6, 36, 2, 22), 13: (8, 37, 1, 22), 14: (4, 40, 5, 24), 15: (5, 41, 5, 24),
}  # fmt: skip
ALIGNED = {2: [18], 3: [22], 4: [26], 5: [30], 6: [34], 7: [22, 38], 8: [24, 42], 9: [26, 46], 10: [28, 50]}
ALIGNED |= {11: [30, 54], 12: [32, 58], 13: [34, 62], 14: [26, 46, 66], 15: [26, 48, 70]}
MASKS = [
    lambda r, c: (r + c) % 2,
    lambda r, c: r % 2,
    lambda r, c: c % 3,
    lambda r, c: (r + c) % 3,
    lambda r, c: (r // 2 + c // 3) % 2,
    lambda r, c: r * c % 2 + r * c % 3,
    lambda r, c: (r * c % 2 + r * c % 3) % 2,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2,
]


def modules(drawing: Locator) -> list[list[int]]:
    """The dark modules of our drawing: one path of bars, each a module high."""
    size = int(drawing.get_attribute("data-qr") or 0)
    grid = [[0] * size for _ in range(size)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", drawing.locator("path").get_attribute("d") or ""):
        for column in range(int(x), int(x) + int(width)):
            grid[int(y)][column] = 1
    return grid


def times(one: int, other: int) -> int:
    """The product in the field of 256 elements, digit by digit."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one = one << 1 ^ (0x11D if one & 128 else 0)
        other >>= 1
    return product


def syndromes(block: list[int], count: int) -> list[int]:
    """What is left at the roots of the generator: zeros if every byte is right."""
    found, root = [], 1
    for _ in range(count):
        value = 0
        for byte in block:
            value = times(value, root) ^ byte
        found.append(value)
        root = times(root, 2)
    return found


def read_qr(drawing: Locator) -> str:
    """The text of a code."""
    grid = modules(drawing)
    size = len(grid)
    version = (size - 17) // 4
    head = [grid[8][column] for column in (0, 1, 2, 3, 4)]
    form = int("".join(map(str, head)), 2) ^ 0b10101
    assert form >> 3 == 0, "error correction M"
    mask = MASKS[form & 7]
    centres = [6, *ALIGNED.get(version, [])]

    def is_data(r: int, c: int) -> bool:
        if r == 6 or c == 6 or (r < 9 and (c < 9 or c >= size - 8)) or (r >= size - 8 and c < 9):
            return False
        if version >= 7 and ((r < 6 and c >= size - 11) or (c < 6 and r >= size - 11)):
            return False
        corners = {(6, 6), (6, size - 7), (size - 7, 6)}
        squares = ((y, x) for y in centres for x in centres if version > 1 and (y, x) not in corners)
        return not any(abs(r - y) <= 2 and abs(c - x) <= 2 for y, x in squares)

    bits, up = "", True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for r in range(size - 1, -1, -1) if up else range(size):
            for c in (right, right - 1):
                if is_data(r, c):
                    bits += str(grid[r][c] ^ (mask(r, c) == 0))
        up = not up
    words = [int(bits[n : n + 8], 2) for n in range(0, len(bits) - 7, 8)]

    short, length, long, more = LAYOUT[version]
    sizes = [length] * short + [length + 1] * long
    blocks: list[list[int]] = [[] for _ in sizes]
    stream = iter(words)
    for n in range(length + 1):
        for block, full in zip(blocks, sizes, strict=True):
            if n < full:
                block.append(next(stream))
    data = [byte for block in blocks for byte in block]
    for _ in range(more):
        for block in blocks:
            block.append(next(stream))
    assert all(not any(syndromes(block, more)) for block in blocks), "an error is in the code"

    text = "".join(f"{byte:08b}" for byte in data)
    assert text[:4] == "0100", "bytes"
    wide = 8 if version < 10 else 16
    count = int(text[4 : 4 + wide], 2)
    return bytes(int(text[n : n + 8], 2) for n in range(4 + wide, 4 + wide + 8 * count, 8)).decode()
