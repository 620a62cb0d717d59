"""tests/support: every function of the C interface under its name, for tests that call them all."""

from generator.tables import Tables, parameter_name
from generator.text import banner

_HEAD = """\
// Every function of the C interface that has a fixed number of parameters: SINEW_CALLS(CALL) is CALL(mj_step, "m, d")
// for each, with the names of its parameters.
#ifndef SINEW_TESTS_SUPPORT_CALLS_GENERATED_H_
#define SINEW_TESTS_SUPPORT_CALLS_GENERATED_H_

// clang-format off
"""


def generate(tables: Tables) -> dict[str, str]:
    called = [entry for entry in tables.functions if "..." not in entry["params"]]
    lines = [f'  CALL({entry["name"]}, "{", ".join(map(parameter_name, entry["params"]))}")' for entry in called]
    text = banner("tables/functions.json") + _HEAD + "#define SINEW_CALLS(CALL) \\\n" + " \\\n".join(lines)
    text += "\n// clang-format on\n\n#endif  // SINEW_TESTS_SUPPORT_CALLS_GENERATED_H_\n"
    return {"tests/support/calls_generated.h": text}
