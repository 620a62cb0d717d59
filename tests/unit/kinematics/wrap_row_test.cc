// Paths around ellipsoids and around several obstacles: closed forms, continuity, virtual work, bad input.
#include "kinematics/wrap_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kinematics/wrap.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

// Pieces of a geodesic are integrated with an error of 1e-8 of the radius.
constexpr double kTolerance = 2e-8;

Obstacle MakeObstacle(const Vector& half_axes, const Vector& center, const Vector* side) {
  const auto inverse_square = [](double x) { return std::isinf(x) ? 0 : 1 / (x * x); };
  return {{inverse_square(half_axes.x), inverse_square(half_axes.y), inverse_square(half_axes.z)},
          center,
          {{1, 0, 0, 0, 1, 0, 0, 0, 1}},
          side != nullptr,
          side ? *side : Zero3<double>()};
}

double TotalLength(const std::vector<ObstaclePath>& paths, Vector from, const Vector& to) {
  double length = 0;
  for (const ObstaclePath& path : paths) {
    if (!path.touches) continue;
    length += Norm(path.arrive - from) + path.length;
    from = path.leave;
  }
  return length + Norm(to - from);
}

double LengthAround(const std::vector<Obstacle>& obstacles, const Vector& from, const Vector& to) {
  std::vector<ObstaclePath> paths(obstacles.size());
  WrapAroundRow(obstacles.data(), static_cast<int>(obstacles.size()), from, to, paths.data());
  return TotalLength(paths, from, to);
}

TEST(WrapRowTest, SpheresAndCylindersAreThoseOfTheFormula) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  int touched = 0;
  for (int k = 0; k < 2000; ++k) {
    const bool sphere = k % 2 == 0;
    const double r = 0.3, axis = sphere ? r : INFINITY;
    // with a side, lines through the surface whose plane with the centre is near the side; a formula for spheres may
    // else take the longer way around
    const bool sided = k % 3 == 0;
    const double y = sided ? 0.2 * number(random) : number(random), z = sided ? 0.02 : 1;
    const Vector from = {number(random) - 1.4, y, z * number(random)};
    const Vector to = {number(random) + 1.4, sided ? y : number(random), z * number(random)};
    const Vector side = {0, y < 0 ? -1.0 : 1.0, 0};
    const Vector* wanted = sided ? &side : nullptr;
    const WrapPath expected = WrapAround(sphere ? WrapShape::kSphere : WrapShape::kCylinder, r, from, to, wanted);
    const Obstacle obstacle = MakeObstacle({r, r, axis}, Zero3<double>(), wanted);
    ObstaclePath path;
    WrapAroundRow(&obstacle, 1, from, to, &path);
    ASSERT_EQ(path.touches, expected.touches) << k;
    if (!path.touches) continue;
    ++touched;
    // a half turn around a sphere is not unique, and close to it rounding grows: the paths here are shorter
    EXPECT_NEAR(path.length, expected.length, kTolerance) << k;
    EXPECT_NEAR(Norm(path.arrive - expected.arrive), 0, kTolerance) << k;
    EXPECT_NEAR(Norm(path.leave - expected.leave), 0, kTolerance) << k;
  }
  EXPECT_GT(touched, 300);
}

TEST(WrapRowTest, TwoCylindersAreABelt) {
  const double r = 0.2, d = 1, a = 0.7, h = 0.3, D = std::hypot(a, h);
  const Vector side0 = {0, 1, 0}, side1 = {d, 1, 0};
  const std::vector<Obstacle> row = {MakeObstacle({r, r, INFINITY}, {0, 0, 0}, &side0),
                                     MakeObstacle({r, r, INFINITY}, {d, 0, 0}, &side1)};
  const double angle = M_PI / 2 + std::atan2(h, a) - std::acos(r / D);
  EXPECT_NEAR(LengthAround(row, {-a, -h, 0}, {d + a, -h, 0}), 2 * (std::sqrt(D * D - r * r) + r * angle) + d,
              kTolerance);
  // the second one alone, when the first is out of the way
  const std::vector<Obstacle> far = {MakeObstacle({r, r, INFINITY}, {0, -5, 0}, nullptr), row[1]};
  EXPECT_NEAR(LengthAround(far, {-a, -h, 0}, {d + a, -h, 0}), LengthAround({row[1]}, {-a, -h, 0}, {d + a, -h, 0}),
              kTolerance);
}

TEST(WrapRowTest, InAPlaneOfSymmetryThePathIsAnEllipse) {
  const double a = 0.5, b = 0.2;
  const Vector side = {0, 1, 0};
  // tangents from (-+x, 0) touch at cos(phi) = a / x
  for (const double x : {0.6, 1.0, 3.0}) {
    const double phi = std::acos(a / x);
    const int n = 2000;
    double arc = 0;  // Simpson's rule
    for (int k = 0; k <= n; ++k) {
      const double p = phi + (M_PI - 2 * phi) * k / n, speed = std::hypot(a * std::sin(p), b * std::cos(p));
      arc += speed * (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * (M_PI - 2 * phi) / n / 3;
    }
    const double straight = std::hypot(x - a * std::cos(phi), b * std::sin(phi));
    const Obstacle obstacle = MakeObstacle({a, b, 0.3}, Zero3<double>(), &side);
    ObstaclePath path;
    WrapAroundRow(&obstacle, 1, {-x, 0, 0}, {x, 0, 0}, &path);
    ASSERT_TRUE(path.touches);
    // at the tips, where the ellipse is bent most, pieces turn by 0.1 rad
    EXPECT_NEAR(TotalLength({path}, {-x, 0, 0}, {x, 0, 0}), 2 * straight + arc, 1e-7) << x;
  }
}

TEST(WrapRowTest, PathsAroundEllipsoidsAreShortest) {
  // the length is stationary: no other tangent polygon through points of the surface nearby is shorter
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  int touched = 0;
  for (int k = 0; k < 500; ++k) {
    const Vector axes = {0.3 + 0.2 * number(random), 0.3 + 0.2 * number(random), 0.3 + 0.2 * number(random)};
    const Vector from = {number(random) - 1.6, number(random), number(random)};
    const Vector to = {number(random) + 1.6, number(random), number(random)};
    const Obstacle obstacle = MakeObstacle(axes, Zero3<double>(), nullptr);
    ObstaclePath path;
    WrapAroundRow(&obstacle, 1, from, to, &path);
    if (!path.touches) continue;
    ++touched;
    // no corner: the straight pieces lie in the tangent planes
    const auto normal = [&](const Vector& p) {
      return Normalized(Vector{p.x * obstacle.D.x, p.y * obstacle.D.y, p.z * obstacle.D.z});
    };
    EXPECT_NEAR(Dot(Normalized(path.arrive - from), normal(path.arrive)), 0, 1e-10) << k;
    EXPECT_NEAR(Dot(Normalized(to - path.leave), normal(path.leave)), 0, 1e-10) << k;
    EXPECT_GE(path.length, Norm(path.leave - path.arrive) - kTolerance);
    EXPECT_LT(path.length, M_PI * 0.5);
    // virtual work: the length grows along the pieces at its ends, to the curvature of the difference
    const double h = 1e-5, length = TotalLength({path}, from, to);
    const Vector step = {h * number(random), h * number(random), h * number(random)};
    const double expected = -Dot(Normalized(path.arrive - from), step);
    const double forward = LengthAround({obstacle}, from + step, to), back = LengthAround({obstacle}, from - step, to);
    EXPECT_NEAR(forward - back, 2 * expected, 1e-9) << k << " " << length;
  }
  EXPECT_GT(touched, 80);
}

// ---- models

std::string Limb(const std::string& path) {
  return R"(<mujoco><worldbody><site name="a" pos="-.4 0 .05"/>
    <geom name="ball" type="ellipsoid" size=".08 .25 .06" pos="-.2 .01 0" euler="5 20 10"/>
    <geom name="bone" type="ellipsoid" size=".06 .3 .04" pos="0 0 0"/>
    <site name="up" pos="0 0 .3"/><site name="up0" pos="-.2 0 .3"/>
    <body pos=".05 0 0"><joint name="swing" axis="0 1 0" range="-90 120"/><joint axis="1 0 0" range="-20 20"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".02"/><geom name="roll" type="cylinder" size=".03 .05" pos=".15 0 0" euler="90 0 0"/>
      <site name="up1" pos=".15 0 .3"/><site name="b" pos=".4 .02 .02"/><site name="c" pos=".3 .03 .06"/></body></worldbody>
    <tendon><spatial name="t">)" +
         path + "</spatial></tendon></mujoco>";
}

const char* const kPaths[] = {
    R"(<site site="a"/><geom geom="bone" sidesite="up"/><site site="b"/>)",
    R"(<site site="a"/><geom geom="ball" sidesite="up0"/><geom geom="bone" sidesite="up"/><site site="b"/>)",
    R"(<site site="a"/><geom geom="bone" sidesite="up"/><geom geom="roll" sidesite="up1"/><site site="b"/><site site="c"/>)",
    R"(<site site="a"/><geom geom="ball" sidesite="up0"/><geom geom="bone" sidesite="up"/><geom geom="roll" sidesite="up1"/><site site="b"/>)"};

TEST(WrapRowTest, MomentArmsAreDerivativesOfTheLength) {
  for (const char* path : kPaths) {
    World w(ModelFromText(Limb(path)));
    mjData* d = w.d.get();
    const auto length = [&](double q0, double q1) {
      d->qpos[0] = q0;
      d->qpos[1] = q1;
      mj_forward(w.m.get(), d);
      return d->ten_length[0];
    };
    int most = 0, fewest = 100;
    double last = length(-1, 0.1), last_arm = d->ten_J[0];
    for (double q = -1; q < 1.5; q += 0.01) {
      const double here = length(q, 0.1), arm[] = {d->ten_J[0], d->ten_J[1]};
      most = std::max(most, d->ten_wrapnum[0]);
      fewest = std::min(fewest, d->ten_wrapnum[0]);
      // the sweep has no jumps: arms are below 0.5 m, and change by less than 1 m/rad
      EXPECT_LT(std::fabs(here - last), 0.005) << q << path;
      EXPECT_LT(std::fabs(arm[0] - last_arm), 0.01) << q << path;
      last = here;
      last_arm = arm[0];
      // curvature jumps where the path lifts off, so that differences are of first order there
      const double h = 1e-5;
      EXPECT_NEAR((length(q + h, 0.1) - length(q - h, 0.1)) / (2 * h), arm[0], 1e-5) << q << path;
      EXPECT_NEAR((length(q, 0.1 + h) - length(q, 0.1 - h)) / (2 * h), arm[1], 1e-5) << q << path;
    }
    EXPECT_GT(most, fewest) << path;  // it lifted off somewhere
  }
}

std::string LoadError(const std::string& xml) {
  try {
    ModelFromText(xml);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(WrapRowTest, BadPathsAreErrors) {
  const std::string geom = R"(<geom geom="bone"/>)", from = R"(<site site="a"/>)", to = R"(<site site="b"/>)";
  EXPECT_NE(LoadError(Limb(from + geom + geom)).find("between two sites"), std::string::npos);
  EXPECT_NE(LoadError(Limb(from + geom + geom + geom + geom + geom + to)).find("5 geoms follow one another"),
            std::string::npos);
  EXPECT_NE(
      LoadError(Limb(from + R"(<site site="c"/><pulley divisor="2"/>)" + geom + geom + to)).find("between two sites"),
      std::string::npos);
  std::string box = Limb(from + geom + to);
  box.replace(box.find("ellipsoid\" size=\".06"), 9, "box");
  EXPECT_NE(LoadError(box).find("not a sphere, cylinder or ellipsoid"), std::string::npos);
}

TEST(WrapRowTest, SitesInsideAndOnTheSurfaceStayFinite) {
  for (const char* pos : {"0 0 0", ".06 0 0", ".0601 0 0", "-.06 0 0"}) {
    std::string xml = Limb(kPaths[0]);
    xml.replace(xml.find("pos=\"-.4 0 .05\""), 15, std::string("pos=\"") + pos + "\"");
    World w(ModelFromText(xml));
    mj_forward(w.m.get(), w.d.get());
    EXPECT_TRUE(std::isfinite(w.d->ten_length[0])) << pos;
    EXPECT_TRUE(std::isfinite(w.d->ten_J[0])) << pos;
  }
}

TEST(WrapRowTest, FilesKeepThePath) {
  World w(ModelFromText(Limb(kPaths[3])));
  mj_forward(w.m.get(), w.d.get());
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(w.m.get())));
  mj_saveModel(w.m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  // the tag of extensions
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - 8, "SINEWEX1", 8), 0);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "limb.mjb", bytes.data(), static_cast<int>(bytes.size()));
  World again(ModelPtr(mj_loadModel("limb.mjb", &vfs)));
  mj_deleteVFS(&vfs);
  mj_forward(again.m.get(), again.d.get());
  EXPECT_EQ(again.d->ten_length[0], w.d->ten_length[0]);

  char text[20000], error[1000] = "";
  mjSpec* spec = mj_parseXMLString(Limb(kPaths[3]).c_str(), nullptr, error, sizeof(error));
  ASSERT_TRUE(spec) << error;
  mjModel* compiled = mj_compile(spec, nullptr);
  ASSERT_EQ(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0) << error;
  mj_deleteModel(compiled);
  mj_deleteSpec(spec);
  World written(ModelFromText(text));
  mj_forward(written.m.get(), written.d.get());
  EXPECT_NEAR(written.d->ten_length[0], w.d->ten_length[0], 1e-8);  // six digits of angles in the text
}

}  // namespace
}  // namespace sinew
