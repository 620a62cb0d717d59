"""src/model/kinds/sensor_kinds_generated.h: what each kind of sensor may be attached to and what it delivers, from
tables/sensors.json. Rows are those of mjtSensor, in its order."""

import json

from generator.tables import TableError, Tables
from generator.text import banner

_STAGES = {"position": "mjSTAGE_POS", "velocity": "mjSTAGE_VEL", "acceleration": "mjSTAGE_ACC"}
_VALUES = {
    "real": "mjDATATYPE_REAL",
    "positive": "mjDATATYPE_POSITIVE",
    "axis": "mjDATATYPE_AXIS",
    "quaternion": "mjDATATYPE_QUATERNION",
}
# Values of Attachment in src/model/kinds/sensor_kinds.h.
_ATTACHMENTS = {
    "nothing": "kNothing",
    "site": "kSite",
    "site or camera": "kSiteOrCamera",
    "scalar joint": "kScalarJoint",
    "ball joint": "kBallJoint",
    "limited joint": "kLimitedJoint",
    "tendon": "kTendon",
    "limited tendon": "kLimitedTendon",
    "actuator": "kActuator",
    "body": "kBody",
    "frame": "kFrame",
    "frame reference": "kFrameReference",
    "inside site": "kInsideSite",
    "camera site": "kCameraSite",
    "geom pair": "kGeomPair",
    "contact": "kContact",
    "mesh on geom": "kMeshOnGeom",
    "any": "kAny",
}


def _word(row: dict, key: str, words: dict[str, str]) -> str:
    if row.get(key) not in words:
        raise TableError(f"sensors.json: {row.get('sensor')}: {key} '{row.get(key)}' is none of {', '.join(words)}")
    return words[row[key]]


def generate(tables: Tables) -> dict[str, str]:
    rows = json.loads((tables.folder / "sensors.json").read_text())
    kinds = [value["name"] for enum in tables.enums if enum["name"] == "mjtSensor" for value in enum["values"]
             if "name" in value]
    listed = [row.get("sensor") for row in rows]
    for name in listed:
        if name not in kinds:
            raise TableError(f"sensors.json: mjtSensor has no value {name}: add it to enums.json")
    if listed != kinds:
        wrong = next(kind for kind, name in zip(kinds, [*listed, None]) if kind != name)
        raise TableError(f"sensors.json: no row of {wrong}, in the order of mjtSensor")
    lines = []
    for row in rows:
        if not isinstance(row.get("size"), int) or row["size"] < 0:
            raise TableError(f"sensors.json: {row['sensor']}: size is a number of at least 0, 0 where parameters decide")
        attachment = _word(row, "attachment", _ATTACHMENTS)
        stage, values = _word(row, "stage", _STAGES), _word(row, "values", _VALUES)
        lines.append(f"    {{{row['sensor']}, Attachment::{attachment}, {stage}, {values}, {row['size']}}},")
    return {
        "src/model/kinds/sensor_kinds_generated.h": "\n".join([
            banner("tables/sensors.json"),
            "// The rows of kSensorKinds (sensor_kinds.h).",
            *lines,
            "",
        ])
    }
