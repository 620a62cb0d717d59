"""Files of biomechanics, and filters and splines of what they hold."""

import numpy as np
import pytest
from sinew import biomech
from sinew.biomech import signals


def test_tables_come_back_with_all_bits(tmp_path):
    rng = np.random.default_rng(1)
    table = biomech.Table(np.cumsum(rng.random(7)), ["hip", "knee"], rng.normal(size=(7, 2)) * 1e-7, "gait", True)
    biomech.write_table(table, tmp_path / "a.mot")
    again = biomech.read_table(tmp_path / "a.mot")
    assert again.labels == table.labels and again.in_degrees and again.name == "gait"
    assert (again.data == table.data).all() and (again.time == table.time).all()
    assert (again["knee"] == table.data[:, 1]).all()
    with pytest.raises(KeyError, match="hip, knee"):
        again["ankle"]


TABLE = "gait\nversion=1\nnRows=2\nnColumns=2\ninDegrees=no\nendheader\ntime\thip\n0.0\t1.0\n0.1\t2.0\n"


def test_files_that_are_no_text(tmp_path):
    (tmp_path / "a.mot").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(biomech.FileError, match="no text"):
        biomech.read_table(tmp_path / "a.mot")
    with pytest.raises(FileNotFoundError):
        biomech.read_trc(tmp_path / "none.trc")


def test_markers_come_back_with_gaps(tmp_path):
    data = np.random.default_rng(2).normal(size=(5, 3, 3))
    data[1, 2] = np.nan
    data[4, 0] = np.nan
    markers = biomech.Markers(np.arange(5) / 60, ["a", "b", "c"], data)
    biomech.write_trc(markers, tmp_path / "a.trc")
    again = biomech.read_trc(tmp_path / "a.trc")
    assert again.labels == markers.labels
    assert np.array_equal(again.data, data, equal_nan=True) and (again.time == markers.time).all()


TRC = (
    "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n60\t2\t1\tmm\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n"
    "1\t0.0\t1000\t2000\t3000\t\n2\t0.1\t1\t2\t3\n"
)


def test_millimetres_become_metres(tmp_path):
    (tmp_path / "a.trc").write_text(TRC)
    assert (biomech.read_trc(tmp_path / "a.trc")["A"][0] == (1, 2, 3)).all()


@pytest.mark.parametrize(
    "name, old, new, line, words",
    [
        ("bad.sto", "endheader", "end", 9, "endheader"),
        ("bad.sto", "time\thip", "t\thip", 7, "must be 'time'"),
        ("bad.sto", "time\thip", "time\thip\thip", 7, "twice"),
        ("bad.sto", "0.1\t2.0", "0.1\t2.0\t3", 9, "3 numbers"),
        ("bad.sto", "0.1\t2.0", "0.1\tx", 9, "'x' in column 2"),
        ("bad.sto", "0.1\t2.0", "0.0\t2.0", 9, "does not come after"),
        ("bad.sto", "0.1\t2.0", "nan\t2.0", 9, "time is nan"),
        ("bad.sto", "nRows=2", "nRows=3", 3, "2 rows"),
        ("bad.sto", "nColumns=2", "nColumns=x", 4, "2 columns"),
        ("bad.sto", "0.0\t1.0\n", "0.0\t1.0\n\n", 9, "empty line"),
        ("bad.trc", "PathFileType", "Path", 1, "PathFileType"),
        ("bad.trc", "\tmm", "\tinch", 3, "Units are 'inch'"),
        ("bad.trc", "Units", "Unit", 2, "no Units"),
        ("bad.trc", "60\t2\t1", "60\t3\t1", 3, "2 frames"),
        ("bad.trc", "60\t2\t1", "60\t2\t2", 4, "1 markers"),
        ("bad.trc", "60\t2\t1", "60\t2\tx", 3, "no count"),
        ("bad.trc", "2\t0.1\t1\t2\t3", "2\t0.1\t1\t2\t3\t4", 8, "6 cells"),
        ("bad.trc", "2\t0.1\t1", "2\t0.1\tq", 8, "'q' in column 3"),
        ("bad.trc", "2\t0.1\t1", "2\t\t1", 8, "time is nan"),
    ],
)
def test_damaged_files_are_errors_with_a_line(tmp_path, name, old, new, line, words):
    text, read = {"bad.sto": (TABLE, biomech.read_table), "bad.trc": (TRC, biomech.read_trc)}[name]
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new))
    with pytest.raises(biomech.FileError, match=words) as error:
        read(tmp_path / name)
    assert error.value.line == line and f"{name}:{line}: " in str(error.value)


def test_c3d_says_what_it_needs(tmp_path):
    try:
        import ezc3d
    except ImportError:
        with pytest.raises(ImportError, match="pip install ezc3d"):
            biomech.read_c3d(tmp_path / "a.c3d")
        return
    with pytest.raises(FileNotFoundError):
        biomech.read_c3d(tmp_path / "a.c3d")
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [50]
    file["parameters"]["POINT"]["LABELS"]["value"] = ["a", "b"]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    data = np.ones((4, 2, 3))
    data[:3] = 100.0 * np.arange(18).reshape(3, 2, 3)
    data[:3, 1, 2] = np.nan
    file["data"]["points"] = data
    file.write(str(tmp_path / "a.c3d"))
    markers = biomech.read_c3d(tmp_path / "a.c3d", axes=("x", "z", "-y"))
    assert markers.labels == ["a", "b"] and np.allclose(np.diff(markers.time), 0.02)
    assert np.allclose(markers["a"], 0.1 * np.stack([data[0, 0], data[2, 0], -data[1, 0]], axis=1) / 100)
    assert np.isnan(markers["b"][2]).all()


SETUP = """<OpenSimDocument><InverseKinematicsTool><IKTaskSet><objects>
  <IKMarkerTask name="front"><apply>true</apply><weight>3</weight></IKMarkerTask>
  <IKMarkerTask name="back"><apply>false</apply><weight>3</weight></IKMarkerTask>
  <IKCoordinateTask name="knee"><apply>true</apply><weight>0.5</weight><value>0.1</value></IKCoordinateTask>
</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>"""


def test_weights_of_tasks(tmp_path):
    (tmp_path / "a.xml").write_text(SETUP)
    assert biomech.read_weights(tmp_path / "a.xml") == ({"front": 3.0}, {"knee": (0.1, 0.5)})
    (tmp_path / "b.xml").write_text(SETUP.replace("</objects>", ""))
    with pytest.raises(biomech.FileError, match="b.xml:5: .*no XML"):
        biomech.read_weights(tmp_path / "b.xml")


LOADS = """<OpenSimDocument><ExternalLoads><objects><ExternalForce name="right">
  <applied_to_body>/bodyset/tibia</applied_to_body> <force_identifier>f_v</force_identifier> <point_identifier>f_p</point_identifier>
  <torque_identifier>f_t</torque_identifier> </ExternalForce></objects> <datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def test_external_loads_from_files(tmp_path):
    labels = [f"f_{part}{axis}" for part in "vpt" for axis in "xyz"]
    table = biomech.Table(np.array([0.0, 1.0]), labels, np.arange(18.0).reshape(2, 9))
    biomech.write_table(table, tmp_path / "grf.mot")
    (tmp_path / "loads.xml").write_text(LOADS)
    (load,) = biomech.read_external_loads(tmp_path / "loads.xml")
    assert load.body == "tibia" and load.name == "right" and (load.point[1] == (12, 13, 14)).all()
    assert np.allclose(load.at("force", np.array([0.5, 1.5])), [[4.5, 5.5, 6.5], [0, 0, 0]])
    (tmp_path / "bad.xml").write_text(LOADS.replace("f_v<", "g_v<"))
    with pytest.raises(biomech.FileError, match="no columns g_vx"):
        biomech.read_external_loads(tmp_path / "bad.xml")


# ---- signals


@pytest.mark.parametrize("n", range(1, 10))
def test_block_tridiagonal_systems(n):
    rng = np.random.default_rng(n)
    low, mid, up = rng.normal(size=(3, n, 2, 2))
    mid = mid + 5 * np.eye(2)
    right = rng.normal(size=(n, 2, 3))
    dense = np.zeros((n, 2, n, 2))
    for i in range(n):
        dense[i, :, i] = mid[i]
        if i > 0:
            dense[i, :, i - 1] = low[i]
        if i + 1 < n:
            dense[i, :, i + 1] = up[i]
    expected = np.linalg.solve(dense.reshape(2 * n, 2 * n), right.reshape(2 * n, 3))
    x = signals.solve_block_tridiagonal(low, mid, up, right)
    assert np.allclose(x.reshape(2 * n, 3), expected, rtol=0, atol=1e-12)


def test_a_natural_spline():
    times = np.sort(np.random.default_rng(3).random(40))
    parabola = np.stack([1 + 2 * times - 3 * times**2, times], axis=1)
    spline = biomech.Spline(times, parabola)  # no third derivative, so the spline is the parabola
    between = np.linspace(times[0], times[-1], 101)
    assert np.allclose(spline(between)[:, 0], 1 + 2 * between - 3 * between**2, rtol=0, atol=1e-9)
    assert np.allclose(spline(between, 1)[:, 0], 2 - 6 * between, rtol=0, atol=1e-7)
    assert np.allclose(spline(between, 2)[:, 0], -6, rtol=0, atol=1e-4)


def test_derivatives_of_a_spline():
    times = np.linspace(0, 1, 101)
    spline = biomech.Spline(times, np.sin(6 * times))
    inside = slice(20, -20)  # away from the ends, where sixth order is left: (6 h)^4 6^2 = 5e-4 of h^4 terms, and less
    assert np.abs(spline.slopes - 6 * np.cos(6 * times))[inside].max() < 1e-7
    assert np.abs(spline.curvatures + 36 * np.sin(6 * times))[inside].max() < 1e-5
    assert np.allclose(spline(times), np.sin(6 * times), rtol=0, atol=1e-14)
    third = np.polyfit(times[0] + np.linspace(0, 1e-3, 7), spline(np.linspace(0, 1e-3, 7), 2), 1)[0]
    assert abs(third) < 2  # zero at the end, where sin(6 t) has -216; a tenth of a step further, a hundredth of that


def test_the_filter_halves_its_cutoff_and_keeps_lines():
    times = np.arange(600) / 100
    assert np.allclose(biomech.low_pass(times, 2 - 3 * times, 6), 2 - 3 * times, rtol=0, atol=1e-9)
    for frequency, gain, tolerance in ((6, 0.5, 0.005), (1, 1.0, 1e-3), (25, 0.0, 1e-3)):
        wave = np.sin(2 * np.pi * frequency * times)
        middle = slice(200, 400)
        filtered = biomech.low_pass(times, wave, 6)[middle]
        assert abs(filtered @ wave[middle] / (wave[middle] @ wave[middle]) - gain) < tolerance
    with pytest.raises(ValueError, match="half of the rate"):
        biomech.low_pass(times, times, 50)
    with pytest.raises(ValueError, match="equally spaced"):
        biomech.low_pass(times**2, times, 6)
    with pytest.raises(ValueError, match="too few"):
        biomech.low_pass(times[:5], times[:5], 6)
