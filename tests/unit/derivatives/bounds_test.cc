// Parameters at the ends of their ranges, where most models have them: no damping, no friction loss, no armature, no
// stiffness, no gain, no mass, no friction. What a step leaves out there has a slope all the same, to the side on which
// parameters may be.
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "tests/unit/derivatives/rollout_scalar.h"

namespace sinew {
namespace {

// A random tree of joints without any of these, some of its bodies massless, on a ball that slides over a plane.
std::string BareTree(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto number = [&] { return std::to_string(uniform(random)) + " "; };
  const char* const joints[] = {"hinge", "slide", "ball"};
  std::string bodies, ends, actuators;
  for (int i = 0; i < 4; ++i) {
    std::string name = "j";  // built by appending: GCC 12 takes the sum for overlapping texts
    name += std::to_string(i);
    const std::string type = joints[random() % 3];
    bodies += "<body pos='.1 " + number() + " .5'><joint name='" + name + "' type='" + type + "' axis='1 " + number() +
              number() + "'/><geom type='box' size='.1 .05 .08' mass='.5' contype='0' conaffinity='0'/>";
    if (i % 2) bodies += "<body name='bare" + std::to_string(i) + "' pos='.2 .1 0'/>";
    ends += "</body>";
    if (type == "ball") continue;
    actuators += "<general joint='" + name + "' gainprm='0 0 0' biasprm='0 0 0' gaintype='affine' biastype='affine'/>";
    actuators += "<motor joint='" + name + "'/>";
  }
  return "<mujoco><option timestep='.005' tolerance='1e-15' iterations='200' cone='elliptic'/>"
         "<worldbody><geom name='floor' type='plane' size='5 5 .1' friction='0 0 0'/>"
         "<body pos='0 0 .099'><freejoint/><geom name='foot' size='.1' mass='1' friction='0 0 0'/>" +
         bodies + ends + "</body></worldbody><actuator>" + actuators + "</actuator></mujoco>";
}

struct Setting {
  const char* name;
  int integrator, disabled;
};
constexpr Setting kSettings[] = {{"Euler", mjINT_EULER, 0},
                                 {"Euler, explicit damping", mjINT_EULER, mjDSBL_EULERDAMP},
                                 {"Euler without dampers", mjINT_EULER, mjDSBL_DAMPER},
                                 {"Euler without friction loss", mjINT_EULER, mjDSBL_FRICTIONLOSS},
                                 {"Runge-Kutta", mjINT_RK4, 0},
                                 {"implicit", mjINT_IMPLICIT, 0},
                                 {"implicitfast", mjINT_IMPLICITFAST, 0}};

// A small part of the inertia about a joint, some 1e-3 kg m^2.
constexpr double kOfInertia = 1e-7;

// Of the value at x and to its right, from a parabola through three points.
double SlopeToTheRight(Scalar& scalar, double& x, double eps) {
  const double kept = x;
  const auto value = [&](double by) {
    scalar.change = [&] { x = kept + by; };
    return scalar.Value();
  };
  const double here = value(0), near = value(eps), far = value(2 * eps);
  x = kept;
  return (4 * near - 3 * here - far) / (2 * eps);
}

class Bounds : public testing::TestWithParam<int> {
 protected:
  World Make(const Setting& setting) {
    World w(ModelFromText(BareTree(GetParam())));
    w.m->opt.integrator = setting.integrator;
    w.m->opt.disableflags |= setting.disabled;
    for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = std::sin(1 + 2 * i + GetParam());
    return w;
  }
  // `eps`: rounding of the rollout / eps, and its third derivatives times eps^2, are below 1e-5 of the slopes.
  void Expect(Scalar& scalar, double& x, double gradient, const std::string& what, double eps = 1e-5) {
    const double slope = SlopeToTheRight(scalar, x, eps);
    ExpectRelative(slope, gradient, std::max(1.0, std::abs(slope)), what);
  }
};

TEST_P(Bounds, SlopesAreThoseToTheRight) {
  for (const Setting& setting : kSettings) {
    SCOPED_TRACE(setting.name);
    World w = Make(setting);
    mjModel* m = w.m.get();
    Scalar scalar(w, 4);
    const auto numbers = [](mjtSize n) { return Numbers(static_cast<size_t>(n)); };
    Numbers mass = numbers(m->nbody), inertia = numbers(3 * m->nbody), damping = numbers(m->nv),
            armature = numbers(m->nv), loss = numbers(m->nv), stiffness = numbers(m->njnt), gain = numbers(3 * m->nu),
            bias = numbers(3 * m->nu), friction = numbers(m->ngeom);
    GradientsOf(w, scalar,
                {mass.data(), inertia.data(), damping.data(), armature.data(), loss.data(), stiffness.data(),
                 gain.data(), bias.data(), friction.data(), nullptr});
    for (int i = 0; i < m->nv; ++i) {
      const auto at = static_cast<size_t>(i);
      const std::string dof = " of dof " + std::to_string(i);
      ASSERT_EQ(m->dof_damping[i] + m->dof_frictionloss[i] + m->dof_armature[i], 0);
      Expect(scalar, m->dof_damping[i], damping[at], "damping" + dof);
      Expect(scalar, m->dof_frictionloss[i], loss[at], "friction loss" + dof);
      Expect(scalar, m->dof_armature[i], armature[at], "armature" + dof, kOfInertia);
    }
    for (int i = 0; i < m->njnt; ++i) {
      Expect(scalar, m->jnt_stiffness[i], stiffness[static_cast<size_t>(i)], "stiffness " + std::to_string(i));
    }
    for (int i = 0; i < 3 * m->nu; ++i) {
      Expect(scalar, m->actuator_gainprm[i / 3 * mjNGAIN + i % 3], gain[static_cast<size_t>(i)],
             "gain " + std::to_string(i));
      Expect(scalar, m->actuator_biasprm[i / 3 * mjNBIAS + i % 3], bias[static_cast<size_t>(i)],
             "bias " + std::to_string(i));
    }
    for (int b = 1; b < m->nbody; ++b) {
      if (m->body_mass[b] > 0) continue;
      Expect(scalar, m->body_mass[b], mass[static_cast<size_t>(b)], "mass " + std::to_string(b));
      Expect(scalar, m->body_inertia[3 * b], inertia[static_cast<size_t>(3 * b)], "inertia " + std::to_string(b),
             kOfInertia);
    }
    // contacts have a least friction, below which that of geoms changes nothing
    for (int g = 0; g < 2; ++g) {
      Expect(scalar, m->geom_friction[3 * g], friction[static_cast<size_t>(g)], "friction " + std::to_string(g), 1e-7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, Bounds, testing::Range(0, 6));

// The gradient of `steps` steps, of which one slope is `value`; the text of its error.
std::string ErrorOf(World& w, int steps, size_t place, double value) {
  Scalar scalar(w, steps);
  scalar.weights[place] = value;
  Numbers start(static_cast<size_t>(w.m->nq + w.m->nv + w.m->na)), controls(scalar.controls.size());
  try {
    DifferentiateRollout(w.m.get(), w.d.get(), scalar.rollout(), start.data(), controls.data(), {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SlopesThatAreNoNumbers, AreNamed) {
  World w(ModelFromText(BareTree(0)));
  const auto size = static_cast<size_t>(w.m->nq + w.m->nv + w.m->na);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const std::string of_position = ErrorOf(w, 5, 2 * size + 3, nan);
  EXPECT_NE(of_position.find("nan for qpos[3] after step 2"), std::string::npos) << of_position;
  const std::string of_velocity = ErrorOf(w, 5, 4 * size + static_cast<size_t>(w.m->nq) + 1, -infinity);
  EXPECT_NE(of_velocity.find("-inf for qvel[1] after step 4"), std::string::npos) << of_velocity;
  // a slope that is a number, and none any more on its way back
  const std::string too_large = ErrorOf(w, 20, 19 * size + static_cast<size_t>(w.m->nq) + 7, 1e308);
  EXPECT_EQ(too_large.find("armature"), std::string::npos) << too_large;
  EXPECT_EQ(ErrorOf(w, 5, 0, 1), "");
}

}  // namespace
}  // namespace sinew
