"""Whether a line enters a box: contacts of capsules and segments depart there on purpose (docs/from-mujoco/departures.md)."""

NEAR = 1e-4  # m: around the side both formulas are near zero


def line_is_in_box(model, data, start, end, box: int) -> bool:
    """Returns whether a point between two points of the world is inside of a box geom, or nearly."""
    rotation = data.geom_xmat[box].reshape(3, 3)
    first, way = (start - data.geom_xpos[box]) @ rotation, (end - start) @ rotation
    low, high = 0.0, 1.0  # the part of the line that is between the two sides of each direction
    for x, v, half in zip(first, way, model.geom_size[box] + NEAR):
        if v == 0:
            if abs(x) > half:
                return False
            continue
        ends = sorted(((-half - x) / v, (half - x) / v))
        low, high = max(low, ends[0]), min(high, ends[1])
    return bool(low <= high)
