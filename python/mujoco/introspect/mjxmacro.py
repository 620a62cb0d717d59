"""Shapes of the arrays of models and worlds."""

from mujoco.introspect import structs


def _arrays(name):
    arrays = {}
    for field in structs.STRUCTS[name].fields:
        if field.array_extent:
            rows, columns = (*field.array_extent, 1)[:2]
            arrays[field.name] = (str(rows), str(columns))
    return arrays


MJMODEL, MJDATA = _arrays("mjModel"), _arrays("mjData")
