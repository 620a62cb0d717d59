"""What a field means, in words that stand alone: in the reference and in stubs there is no line above it that they could refer to."""

from generator.tables import Entry

# What rows are of, by the size that counts them.
_ROWS = {
    "nbody": "body", "njnt": "joint", "nv": "degree of freedom", "ntree": "kinematic tree", "ngeom": "geom", "nsite": "site",
    "ncam": "camera", "nlight": "light", "nflex": "flex", "nflexedge": "edge of a flex", "nflexvert": "vertex of a flex",
    "nflexnode": "control node of a flex", "nmesh": "mesh", "nmeshvert": "vertex of a mesh", "nmeshface": "face of a mesh",
    "nmeshpoly": "facet of a mesh's hull", "nskin": "skin", "nskinbone": "bone of a skin", "nhfield": "height field",
    "ntex": "texture", "nmat": "material", "npair": "contact pair", "nexclude": "pair of bodies that never collide",
    "neq": "equality constraint", "ntendon": "tendon", "nwrap": "step of a tendon's path", "nu": "actuator", "nsensor": "sensor",
    "nplugin": "plugin instance", "nnumeric": "custom number array", "ntext": "custom text", "ntuple": "custom tuple",
    "ntupledata": "object of a tuple", "nkey": "keyframe", "nbvh": "node of a bounding volume hierarchy",
    "nbvhdynamic": "node of a hierarchy of a flex", "noct": "cell of an octree", "nmocap": "mocap body", "nefc": "constraint row",
    "nisland": "island", "ncon": "contact",
}  # fmt: skip


def standing(entry: Entry) -> str:
    """Returns what a field means, with what its rows are of; a size counts something."""
    if "alone" in entry:
        return entry["alone"]
    doc = entry.get("doc", "")
    if entry.get("kind") == "size" and entry["name"].startswith("n") and not doc.startswith(("number", "size", "bytes")):
        return f"number of {doc}"
    row = _ROWS.get(entry.get("rows", ""))
    doc = _counted(entry)
    return f"for each {row}: {doc}" if row and doc else doc


def _counted(entry: Entry) -> str:
    """Returns the meaning of a field; what counts says so."""
    doc = entry.get("doc", "")
    counts = entry.get("name", "").endswith("num") or entry.get("name", "").startswith("island_n")
    return f"number of {doc}" if counts and not doc.startswith("number") else doc


def of_element(entry: Entry) -> str:
    """Returns what a field means as a member of an element: its rows need no word there."""
    return entry["alone"].removeprefix(f"for each {_ROWS.get(entry['rows'])}: ") if "alone" in entry else _counted(entry)
