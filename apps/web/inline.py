"""Puts a script into the frame of a page: python3 inline.py FRAME SCRIPT PAGE."""

import pathlib
import sys

frame, script, page = map(pathlib.Path, sys.argv[1:])
# The end of a script element is found in its text, even within a string.
text = script.read_text().replace("</script", "<\\/script")
page.write_text(frame.read_text().replace("/*script*/", text))
