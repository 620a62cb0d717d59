#!/usr/bin/env python3
"""Checks files that are compiled for a larger instruction set: their weak functions belong to it.

The linker keeps one copy of each weak function. If such a file had one that other files have as well, a machine without
that instruction set could be handed the wrong copy. Compiled without optimization, every inline function is there.

    isa_symbols_test.py NAME OBJECT [NAME OBJECT ...]     NAME is that of the set, as in SINEW_ISA
"""

import subprocess
import sys
import unittest

OBJECTS = []


def weak_functions(path):
    """Yields the mangled names of the weak functions that an object file defines; weak data is as good as any other."""
    for line in subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout.splitlines():
        *_, kind, name = line.split()
        if kind in "Wu" and len(line.split()) == 3:
            yield name


class IsaSymbols(unittest.TestCase):
    def test_weak_functions_name_the_instruction_set(self):
        for isa, path in OBJECTS:
            mangled = f"{len(isa)}{isa}"  # as a part of a namespace or of a template's arguments
            with self.subTest(path):
                self.assertEqual([name for name in weak_functions(path) if mangled not in name], [])

    def test_objects_have_weak_functions(self):
        self.assertTrue(OBJECTS)
        for _, path in OBJECTS:
            self.assertTrue(list(weak_functions(path)), path)


if __name__ == "__main__":
    OBJECTS = list(zip(sys.argv[1::2], sys.argv[2::2]))
    unittest.main(argv=sys.argv[:1], verbosity=0)
