"""What a model is warned of while it is read and compiled is a warning of Python, each text once."""

import threading
import warnings

import pytest

import sinew

# a contact too stiff for Euler's method at this time step
STIFF = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" contactmodel="hertz" modulus="1e11" dissipation="1"/>
    <body pos="0 0 .1"><freejoint/>
      <geom size=".05" mass="1" contactmodel="hertz" modulus="1e11" dissipation="1"/>
    </body>
  </worldbody>
</mujoco>"""
# said by the reader
NOT_A_NUMBER = '<mujoco><statistic extent="nan"/><worldbody><geom size=".1"/></worldbody></mujoco>'
PLAIN = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'


def told_by(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return caught


@pytest.mark.parametrize("xml, word", [(STIFF, "reduce the timestep"), (NOT_A_NUMBER, "NaN")])
def test_models_are_warned_of_once(xml, word):
    (warning,) = told_by(lambda: sinew.Model.from_xml_string(xml))
    assert warning.category is sinew.ModelWarning and word in str(warning.message)
    # the line of the program that has asked for it
    assert warning.filename == __file__


def test_models_without_a_fault_are_not_warned_of():
    assert told_by(lambda: sinew.Model.from_xml_string(PLAIN)) == []


def test_files(tmp_path):
    path = tmp_path / "stiff.xml"
    path.write_text(STIFF)
    (warning,) = told_by(lambda: sinew.Model.from_xml_path(path))
    assert f"{path}:" in str(warning.message)


def test_specifications():
    spec = sinew.Spec.from_xml_string(STIFF)
    (warning,) = told_by(spec.compile)
    assert warning.category is sinew.ModelWarning
    assert told_by(spec.to_xml) == []  # compiling has said it
    (said,) = told_by(lambda: sinew.Spec.from_xml_string(NOT_A_NUMBER))
    assert "NaN" in str(said.message)


def test_warnings_that_are_errors_leave_the_call():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sinew.ModelWarning, match="reduce the timestep"):
            sinew.Model.from_xml_string(STIFF)
        sinew.Model.from_xml_string(PLAIN)  # nothing is left of it


def test_threads_keep_their_warnings_apart():
    counts = [None] * 8

    def load(i):
        model = sinew.Model.from_xml_string(STIFF if i % 2 else PLAIN)
        counts[i] = model.nbody

    caught = told_by(lambda: [t.join() for t in [_started(load, i) for i in range(8)]])
    assert len(caught) == 4 and counts == [2] * 8


def _started(function, *arguments):
    thread = threading.Thread(target=function, args=arguments)
    thread.start()
    return thread


# A name in Latin-1, of a geom and in a model of Hyfydy: what is said of it is text.
@pytest.mark.parametrize("name, content", [
    ("a.xml", b'<mujoco><worldbody><geom name="stra\xdfe" size="x"/></worldbody></mujoco>'),
    ("a.hfd", b"model { body { name = stra\xdfe mass = x } }"),
])
def test_bytes_that_are_no_text_are_told(name, content):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(sinew.ModelError) as error:
            sinew.Model.from_xml_path(name, files={name: content})
    assert str(error.value)
