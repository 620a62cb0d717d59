// The viewer without its window: sessions, their past, keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "viewer/commands.h"
#include "viewer/link.h"
#include "viewer/mouse.h"
#include "viewer/session/history.h"
#include "viewer/session/session.h"
#include "viewer/view_state.h"
#include "viewer_model.h"

namespace sinew {
namespace {

TEST(Session, KeepsWhatItHasWhenAFileIsWrong) {
  Opened opened;
  Session& session = opened.session;
  session.Step(3);
  EXPECT_FALSE(session.Open("/nowhere/model.xml"));
  EXPECT_NE(session.error().find("/nowhere/model.xml"), std::string::npos) << session.error();
  EXPECT_DOUBLE_EQ(session.d()->time, 0.03);
  EXPECT_EQ(session.path(), opened.file.path());
}

TEST(Session, LoadsAChangedFileAgainAndGoesOn) {
  Opened opened;
  Session& session = opened.session;
  session.Step(5);
  const double angle = session.d()->qpos[0];
  EXPECT_FALSE(session.ReloadIfChanged());
  std::string heavier = kPendulum;
  heavier.replace(heavier.find("size=\".1\""), 9, "size=\".2\"");
  opened.file.Write(heavier);
  EXPECT_TRUE(session.ReloadIfChanged());
  EXPECT_EQ(session.m()->geom_size[0], 0.2);
  EXPECT_EQ(session.d()->qpos[0], angle);
  EXPECT_DOUBLE_EQ(session.d()->time, 0.05);
}

TEST(Session, TellsTheErrorOfAChangedFileOnceAndRecovers) {
  Opened opened;
  Session& session = opened.session;
  opened.file.Write("<mujoco><worldbody><geom type=\"bal\"/></worldbody></mujoco>");
  EXPECT_TRUE(session.ReloadIfChanged());
  EXPECT_NE(session.error().find("model.xml"), std::string::npos) << session.error();
  EXPECT_EQ(session.m()->njnt, 1) << "the old model";
  EXPECT_FALSE(session.ReloadIfChanged());
  opened.file.Write(kPendulum);
  EXPECT_TRUE(session.ReloadIfChanged());
  EXPECT_EQ(session.error(), "");
}

TEST(Session, AnotherSizeOfTheStateStartsAnew) {
  Opened opened;
  opened.session.Step(5);
  opened.file.Write("<mujoco><worldbody><body><freejoint/><geom size=\".1\"/></body></worldbody></mujoco>");
  EXPECT_TRUE(opened.session.ReloadIfChanged());
  EXPECT_EQ(opened.session.d()->time, 0);
  EXPECT_EQ(opened.session.m()->nq, 7);
}

// A program's world and a viewer's, with the link between them.
struct Linked {
  Opened program, viewer;
  Link link;
  bool paused = false;
  Linked() { link.Start(viewer.session.m(), viewer.session.d()); }

  // What the program answers: its state.
  std::vector<double> Reply(bool still = false) {
    std::vector<double> reply(1 + static_cast<size_t>(mj_stateSize(program.session.m(), kLinkState)));
    reply[0] = still;
    mj_getState(program.session.m(), program.session.d(), reply.data() + 1, kLinkState);
    return reply;
  }
  bool Take(const std::vector<double>& reply) {
    return link.Take(reply.data(), reply.size(), viewer.session.m(), viewer.session.d(), paused);
  }
  std::vector<double> Request() {
    return link.Request(viewer.session.m(), viewer.session.d(), viewer.session.perturb, paused);
  }
  // Index and value of the numbers that a request says have changed.
  static std::vector<double> Changes(const std::vector<double>& request) {
    return {request.begin() + 2 + kPullNumbers + 1, request.end()};
  }
};

// Where the control is in the state: behind the time, the position and the velocity.
constexpr int kControl = 3;

TEST(Link, TheViewerShowsTheStateOfTheProgram) {
  Linked linked;
  linked.program.session.d()->ctrl[0] = 1.5;
  linked.program.session.Step(5);
  ASSERT_TRUE(linked.Take(linked.Reply()));
  const mjData* shown = linked.viewer.session.d();
  EXPECT_EQ(shown->time, 0.05);
  EXPECT_EQ(shown->qpos[0], linked.program.session.d()->qpos[0]);
  EXPECT_EQ(shown->ctrl[0], 1.5);
  EXPECT_TRUE(Linked::Changes(linked.Request()).empty()) << "what the program has told is no change of the user";
}

TEST(Link, AStateOfAnotherModelIsNotTaken) {
  Linked linked;
  std::vector<double> reply = linked.Reply();
  reply.push_back(0);
  EXPECT_FALSE(linked.Take(reply));
}

TEST(Link, ChangesAreToldOnceAndStayUntilThen) {
  Linked linked;
  linked.viewer.session.d()->ctrl[0] = 0.5;
  ASSERT_TRUE(linked.Take(linked.Reply()));  // was on its way when the user changed the control
  EXPECT_EQ(linked.viewer.session.d()->ctrl[0], 0.5);
  EXPECT_EQ(Linked::Changes(linked.Request()), (std::vector<double>{kControl, 0.5}));
  EXPECT_TRUE(Linked::Changes(linked.Request()).empty());
}

TEST(Link, AResetIsAChange) {
  Linked linked;
  linked.program.session.Step(5);
  ASSERT_TRUE(linked.Take(linked.Reply()));
  linked.viewer.session.ResetToKeyframe(0);
  const std::vector<double> changes = Linked::Changes(linked.Request());
  const double speed = 0;
  EXPECT_EQ(changes, (std::vector<double>{0, 0, 1, 0.5, 2, speed})) << "time, position and velocity";
}

TEST(Link, APauseIsToldByTheOneWhoHasChangedIt) {
  Linked linked;
  EXPECT_EQ(linked.Request()[0], -1);
  linked.paused = true;
  ASSERT_TRUE(linked.Take(linked.Reply(false)));
  EXPECT_TRUE(linked.paused) << "the program does not know yet";
  linked.link.AskSteps(2);
  const std::vector<double> request = linked.Request();
  EXPECT_EQ(request[0], 1);
  EXPECT_EQ(request[1], 2);
  ASSERT_TRUE(linked.Take(linked.Reply(false)));  // the program lets time go on
  EXPECT_FALSE(linked.paused);
  EXPECT_EQ(linked.Request()[0], -1);
}

TEST(Link, APullHasTheSameForceInTheProgram) {
  Linked linked;
  mjvPerturb& perturb = linked.viewer.session.perturb;
  perturb.select = 1;
  perturb.active = mjPERT_TRANSLATE;
  perturb.localmass = 2;
  mju_copy3(perturb.localpos, std::array<double, 3>{0.1, 0.2, 0.3}.data());
  mju_copy3(perturb.refselpos, std::array<double, 3>{1, 2, 3}.data());
  const std::vector<double> request = linked.Request();
  ApplyPull(linked.viewer.session.m(), linked.viewer.session.d(), perturb);
  ApplyPull(linked.program.session.m(), linked.program.session.d(), PerturbOf(request.data() + 2));
  double size = 0;
  for (int i = 6; i < 12; ++i) {
    EXPECT_EQ(linked.program.session.d()->xfrc_applied[i], linked.viewer.session.d()->xfrc_applied[i]);
    size += std::abs(linked.program.session.d()->xfrc_applied[i]);
  }
  EXPECT_GT(size, 1);
  perturb.active = 0;
  EXPECT_EQ(linked.Request()[2], 0) << "selected, and not pulled";
}

TEST(Session, SimulatesAsLongAsTheClockSays) {
  Opened opened;
  Session& session = opened.session;
  constexpr double kNoLimit = 1e9;
  for (int i = 0; i < 10; ++i) session.Advance(0.025, kNoLimit);
  EXPECT_NEAR(session.d()->time, 0.25, 0.0101) << "to a step";
  session.ChangeSpeed(2);
  EXPECT_DOUBLE_EQ(session.speed(), 2);
  const double before = session.d()->time;
  session.Advance(0.1, kNoLimit);
  EXPECT_NEAR(session.d()->time - before, 0.2, 0.0101);
  session.Advance(100, 0);  // no time to work: what is late is given up
  session.Advance(0.01, kNoLimit);
  EXPECT_LT(session.d()->time - before, 0.3);
  session.paused = true;
  const double stopped = session.d()->time;
  session.Advance(1, kNoLimit);
  EXPECT_EQ(session.d()->time, stopped);
}

// What the clock says counts, also where pictures take so long that most of their time is given up.
TEST(Session, MeasuresItsSpeedByTheClock) {
  Opened opened;
  Session& session = opened.session;
  constexpr double kNoLimit = 1e9;
  EXPECT_EQ(session.measured_speed(), 0);
  for (int i = 0; i < 100; ++i) session.Advance(0.02, kNoLimit);
  EXPECT_NEAR(session.measured_speed(), 1, 0.0101) << "a step of 0.01 s in a second";
  for (int i = 0; i < 4; ++i) session.Advance(0.5, kNoLimit);
  EXPECT_NEAR(session.measured_speed(), Session::kMostSeconds / 0.5, 0.0201);
  for (int i = 0; i < 100; ++i) session.Advance(0.02, 0);
  EXPECT_EQ(session.measured_speed(), 0) << "without time to work, nothing moves";
  session.Advance(0.02, kNoLimit);
  session.paused = true;
  session.Advance(0.02, kNoLimit);
  EXPECT_EQ(session.measured_speed(), 0);
}

TEST(Session, AJointIsPutWhereItIsWantedAlone) {
  Opened opened(kTwoJoints);
  Session& session = opened.session;
  session.d()->qvel[0] = 2, session.d()->qvel[1] = 3;
  session.SetJoint(0, 0.4);
  EXPECT_EQ(session.d()->qpos[0], 0.4);
  EXPECT_EQ(session.d()->qpos[1], 0);
  EXPECT_EQ(session.d()->qvel[0], 0) << "at rest";
  EXPECT_EQ(session.d()->qvel[1], 3);
  EXPECT_NEAR(session.d()->xpos[3 * 2 + 2], -std::sin(0.4), 1e-12) << "what hangs on it is there";
  session.held = true;
  session.Advance(1, 1e9);
  EXPECT_EQ(session.d()->time, 0) << "while it is held, nothing moves";
  session.held = false;
  session.Advance(0.05, 1e9);
  EXPECT_GT(session.d()->time, 0);
}

TEST(Session, SelectsParents) {
  Opened opened(kTwoJoints);
  Session& session = opened.session;
  session.SelectParent();
  EXPECT_EQ(session.perturb.select, 0) << "of nothing there is none";
  session.perturb.select = 2;
  session.perturb.active = mjPERT_ROTATE;
  session.SelectParent();
  EXPECT_EQ(session.perturb.select, 1);
  EXPECT_EQ(session.perturb.active, 0);
  EXPECT_NEAR(session.perturb.localpos[0], session.m()->body_ipos[3], 1e-15);
  session.SelectParent();
  EXPECT_EQ(session.perturb.select, 0);
}

TEST(Session, SavesWhatWasChangedAsXmlAndBinary) {
  Opened opened;
  Session& session = opened.session;
  session.m()->opt.timestep = 0.004;
  session.m()->vis.scale.jointwidth = 0.25f;
  for (const char* ending : {".xml", ".mjb"}) {
    const std::string file = opened.file.path() + ending;
    ASSERT_TRUE(session.Save(file)) << session.error();
    Session again;
    ASSERT_TRUE(again.Open(file)) << again.error();
    EXPECT_EQ(again.m()->opt.timestep, 0.004) << file;
    EXPECT_EQ(again.m()->vis.scale.jointwidth, 0.25f) << file;
  }
}

TEST(Session, SaysWhyAModelCannotBeSaved) {
  Opened opened;
  Session& session = opened.session;
  EXPECT_FALSE(session.Save("model.doc"));
  EXPECT_NE(session.error().find(".xml or .mjb"), std::string::npos) << session.error();
  EXPECT_FALSE(session.Save("/nowhere/model.xml"));
  EXPECT_NE(session.error().find("/nowhere/model.xml"), std::string::npos) << session.error();
  const std::string compiled = opened.file.path() + ".mjb";
  ASSERT_TRUE(session.Save(compiled)) << session.error();
  ASSERT_TRUE(session.Open(compiled)) << session.error();
  EXPECT_FALSE(session.Save(opened.file.path() + ".xml"));
  EXPECT_NE(session.error().find(".mjb"), std::string::npos) << session.error();
}

TEST(Session, ThePastComesBackExactlyAndIsForgottenOnlyByGoingOn) {
  Opened opened;
  Session& session = opened.session;
  session.d()->ctrl[0] = 0.3;
  session.Step(10);
  const double angle = session.d()->qpos[0];
  session.Step(-4);
  EXPECT_DOUBLE_EQ(session.d()->time, 0.06);
  EXPECT_EQ(session.history().size(), 11);
  session.ShowPast(10);
  EXPECT_EQ(session.d()->qpos[0], angle);
  session.ShowPast(-7);
  EXPECT_EQ(session.d()->time, 0) << "the nearest";
  session.Step(1);
  EXPECT_EQ(session.history().size(), 2);
}

TEST(History, KeepsTheLastStates) {
  Opened opened;
  Session& session = opened.session;
  session.Step(static_cast<int>(History::kMostStates) + 10);
  EXPECT_EQ(session.history().size(), static_cast<int>(History::kMostStates));
  EXPECT_NEAR(session.history().TimeOf(0), 0.11, 1e-9);
  EXPECT_FALSE(History().Show(0, session.m(), session.d()));
}

TEST(Session, KeyframesAreLoadedSavedAndWritten) {
  Opened opened;
  Session& session = opened.session;
  session.ResetToKeyframe(0);
  EXPECT_EQ(session.d()->qpos[0], 0.5);
  session.d()->qpos[0] = 0.75;
  session.SaveKeyframe(0);
  session.Reset();
  session.ResetToKeyframe(0);
  EXPECT_EQ(session.d()->qpos[0], 0.75);
  EXPECT_EQ(session.StateAsKeyframe(), "<key time=\"0\" qpos=\"0.75\" qvel=\"0\" ctrl=\"0\"/>");
  session.ResetToKeyframe(9);
  EXPECT_EQ(session.d()->qpos[0], 0.75) << "there is none";
}

TEST(Session, NoiseStaysWithinTheRangeOfControls) {
  Opened opened;
  Session& session = opened.session;
  session.noise_scale = 1;
  session.noise_rate = 0.001;
  double low = 1e9, high = -1e9;
  for (int i = 0; i < 300; ++i) {
    session.Step(1);
    low = std::min(low, session.d()->ctrl[0]);
    high = std::max(high, session.d()->ctrl[0]);
  }
  EXPECT_GE(low, -1);
  EXPECT_LE(high, 2);
  EXPECT_GT(high - low, 1);
}

TEST(Session, ThePullOfTheMouseAccelerates) {
  Opened opened;
  Session& session = opened.session;
  session.perturb.select = 1;
  session.perturb.active = mjPERT_TRANSLATE;
  session.perturb.localmass = 1;
  session.perturb.scale = 1;
  session.perturb.refselpos[2] = 5;
  session.perturb.refquat[0] = 1;
  session.Step(2);
  EXPECT_GT(session.d()->xfrc_applied[6 + 2], 0) << "upwards, to where the mouse is";
}

TEST(Commands, NoKeyHasTwoMeanings) {
  for (const KeyBinding& binding : KeyBindings()) {
    EXPECT_EQ(FindBinding(binding.key, binding.control, binding.shift), &binding) << binding.name;
    if (binding.control || binding.key >= kKeyEscape) continue;
    mjvOption option = {};
    mjvScene scene = {};
    EXPECT_FALSE(ToggleByKey(binding.key, binding.shift, option, scene)) << binding.name;
  }
  EXPECT_EQ(FindBinding('L', false, false), nullptr);
}

TEST(Commands, EveryKeyHasWordsOrStandsForOneThatHas) {
  for (const KeyBinding& binding : KeyBindings()) {
    EXPECT_EQ(binding.name[0] == 0, binding.text[0] == 0);
    const auto has_words = [&](const KeyBinding& other) { return other.command == binding.command && other.name[0]; };
    EXPECT_TRUE(std::ranges::any_of(KeyBindings(), has_words)) << binding.key;
  }
  EXPECT_EQ(ToggledByKey('W'), "Wireframe");
  EXPECT_EQ(ToggledByKey('C'), "Contact Point");
  EXPECT_EQ(ToggledByKey('~'), "");
}

TEST(Commands, DigitsAndLettersToggle) {
  mjvOption option = {};
  mjvScene scene = {};
  EXPECT_TRUE(ToggleByKey('3', false, option, scene));
  EXPECT_EQ(option.geomgroup[3], 1);
  EXPECT_TRUE(ToggleByKey('3', true, option, scene));
  EXPECT_EQ(option.sitegroup[3], 1);
  EXPECT_TRUE(ToggleByKey('C', false, option, scene));
  EXPECT_EQ(option.flags[mjVIS_CONTACTPOINT], 1);
  EXPECT_TRUE(ToggleByKey('W', false, option, scene));
  EXPECT_EQ(scene.flags[mjRND_WIREFRAME], 1);
  EXPECT_FALSE(ToggleByKey('9', false, option, scene));
}

TEST(Commands, CamerasGoRound) {
  mjvCamera camera = {};
  camera.type = mjCAMERA_FREE;
  CycleCamera(1, 2, camera);
  EXPECT_EQ(camera.fixedcamid, 0);
  CycleCamera(-1, 2, camera);
  EXPECT_EQ(camera.type, mjCAMERA_FREE);
  CycleCamera(-1, 2, camera);
  EXPECT_EQ(camera.fixedcamid, 1);
  CycleCamera(1, 0, camera);
  EXPECT_EQ(camera.type, mjCAMERA_FREE) << "a model without cameras";
}

TEST(Watch, FindsNumbersByName) {
  Opened opened;
  Session& session = opened.session;
  session.d()->qpos[0] = 0.25;
  EXPECT_EQ(WatchedNumber(session.m(), session.d(), "qpos", 0), 0.25);
  EXPECT_FALSE(WatchedNumber(session.m(), session.d(), "qpos", 1));
  EXPECT_FALSE(WatchedNumber(session.m(), session.d(), "qpos", -1));
  EXPECT_FALSE(WatchedNumber(session.m(), session.d(), "nothing", 0));
}

TEST(Lines, OfSensorsHaveTheirLastValues) {
  Opened opened(kTwoJoints);
  Session& session = opened.session;
  std::vector<std::vector<Line>> lines;
  for (int i = 0; i < static_cast<int>(kLineLength) + 5; ++i) {
    session.SetJoint(0, 0.001 * i);
    mj_forward(session.m(), session.d());
    RecordSensors(session.m(), session.d(), lines);
  }
  ASSERT_EQ(lines.size(), 2u);
  ASSERT_EQ(lines[0].size(), 1u);
  ASSERT_EQ(lines[1].size(), 3u) << "a place has three numbers";
  ASSERT_EQ(lines[0][0].size(), kLineLength);
  EXPECT_FLOAT_EQ(lines[0][0].front(), 0.005f);
  EXPECT_FLOAT_EQ(lines[0][0].back(), 0.204f);
  Opened other;
  RecordSensors(other.session.m(), other.session.d(), lines);
  EXPECT_TRUE(lines.empty()) << "those of another model are gone";
}

TEST(Cameras, AreWrittenAsElements) {
  mjvScene scene = {};
  for (mjvGLCamera& eye : scene.camera) {
    eye.pos[0] = 1, eye.pos[2] = 2;
    eye.forward[1] = 1, eye.up[2] = 1;
  }
  scene.camera[0].pos[1] = -0.1f, scene.camera[1].pos[1] = 0.1f;
  EXPECT_EQ(CameraAsElement(scene, 45), R"(<camera pos="1 0 2" xyaxes="1 0 0 0 0 1" fovy="45"/>)");
}

// A pendulum with a ball at (1, 0, 0), which the camera looks at.
TEST(Mouse, SelectsPullsAndTurns) {
  Opened opened;
  Session& session = opened.session;
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(session.m(), &scene, 100);
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera;
  mjv_defaultFreeCamera(session.m(), &camera);
  camera.lookat[0] = 1;
  camera.lookat[1] = camera.lookat[2] = 0;
  camera.distance = 2;
  mjv_updateScene(session.m(), session.d(), &option, nullptr, &camera, mjCAT_ALL, &scene);
  const MouseView view = {session.m(), session.d(), &option, &scene, &camera, &session.perturb, 400, 300};
  Mouse mouse;

  mouse.Press(view, MouseButton::kLeft, false, 200, 150, 1.0);
  mouse.Release(view);
  EXPECT_EQ(session.perturb.select, 0) << "one click";
  mouse.Press(view, MouseButton::kLeft, false, 200, 150, 1.1);
  mouse.Release(view);
  EXPECT_EQ(session.perturb.select, 1);
  EXPECT_NEAR(session.perturb.localpos[0], 1, 0.11) << "on the ball";

  mouse.Press(view, MouseButton::kRight, true, 200, 150, 2.0);
  EXPECT_EQ(session.perturb.active, static_cast<int>(mjPERT_TRANSLATE));
  const double height = session.perturb.refselpos[2];
  mouse.Drag(view, 200, 100, false);
  EXPECT_GT(session.perturb.refselpos[2], height);
  mouse.Release(view);
  EXPECT_EQ(session.perturb.active, 0);

  const double azimuth = camera.azimuth;
  mouse.Press(view, MouseButton::kLeft, false, 200, 150, 3.0);
  mouse.Drag(view, 250, 150, false);
  mouse.Release(view);
  EXPECT_NE(camera.azimuth, azimuth);
  mouse.Drag(view, 300, 150, false);
  const double distance = camera.distance;
  Mouse::Zoom(view, 0.1);
  EXPECT_NE(camera.distance, distance);
  mjv_freeScene(&scene);
}

}  // namespace
}  // namespace sinew
