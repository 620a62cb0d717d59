"""Damages files: bytes and numbers of binary ones, words and elements of text. The same seed gives the same damage."""

import random
import re
import struct

INTERESTING = (0, 1, 0x7F, 0x80, 0xFF)
WORDS = (0, 1, -1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x10000, 1 << 24)
NUMBERS = ("0", "-1", "1", "nan", "inf", "-inf", "1e300", "1e-300", "1e10", "2147483648", "99999999999999999999", "", "x", "0 0", "1 2 3 4 5 6 7")


def damage_bytes(data: bytes, chance: random.Random) -> bytes:
    """One to four changes anywhere."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if not data:
            break
        place = chance.randrange(len(data))
        kind = chance.randrange(6)
        if kind == 0:
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[place] = chance.choice(INTERESTING)
        elif kind == 2 and len(data) >= 4:
            place = place // 4 * 4
            data[place:place + 4] = struct.pack("<I", chance.choice(WORDS) & 0xFFFFFFFF)
        elif kind == 3:
            del data[place:place + chance.randint(1, 16)]
        elif kind == 4:
            data[place:place] = data[chance.randrange(len(data)):][:chance.randint(1, 64)]
        else:
            del data[place:]
    return bytes(data)


def damage_xml(text: str, chance: random.Random) -> str:
    """One to three changes of values, attributes, elements."""
    for _ in range(chance.randint(1, 3)):
        values = list(re.finditer(r'([\w]+)="([^"]*)"', text))
        elements = list(re.finditer(r"<(\w+)[^<>]*/>", text))
        kind = chance.randrange(6)
        if kind <= 2 and values:
            found = chance.choice(values)
            value = chance.choice((chance.choice(NUMBERS), chance.choice(values).group(2), found.group(2) * 2))
            text = text[:found.start(2)] + value + text[found.end(2):]
        elif kind == 3 and values:
            found, other = chance.choice(values), chance.choice(values)
            text = text[:found.start(1)] + other.group(1) + text[found.end(1):]
        elif kind == 4 and elements:
            found, other = chance.choice(elements), chance.choice(elements)
            text = text[:found.start()] + other.group(0) + text[found.start():]
        elif elements:
            found = chance.choice(elements)
            text = text[:found.start()] + text[found.end():]
    return text
