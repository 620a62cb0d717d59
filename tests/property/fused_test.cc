// Fusing bodies that cannot move changes nothing but their number: random trees, whose bodies are turned and get their
// inertia in all ways there are, have the mass matrix, the forces and the places of the model with all bodies.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "model/storage/data.h"
#include "read/read_xml.h"

namespace sinew {
namespace {

// Writes a tree of bodies below one that moves; about half of them are fixed to their parents.
class RandomTree {
 public:
  RandomTree(unsigned seed, bool in_fluid) : chance_(seed), in_fluid_(in_fluid) {}

  std::string Xml(bool fuse) const {
    return std::string("<mujoco><compiler angle='radian' fusestatic='") + (fuse ? "true" : "false") + "'/><option" +
           (in_fluid_ ? " density='1.2' viscosity='0.3' wind='1 2 3'" : "") +
           "><flag contact='disable'/></option><worldbody>" + tree_ + "</worldbody></mujoco>";
  }

  void Grow() { tree_ = Body(0) + Body(0); }

 private:
  double Real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(chance_); }
  int Int(int count) { return std::uniform_int_distribution<int>(0, count - 1)(chance_); }
  std::string Numbers(int count, double low, double high) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += ' ';
      text += std::to_string(Real(low, high));
    }
    return text;
  }
  std::string Attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "='" + value + "'";
  }

  std::string Turn() {
    if (Int(3) == 0) return Attribute("euler", Numbers(3, -3, 3));
    return Int(2) ? Attribute("quat", Numbers(4, -1, 1)) : Attribute("axisangle", Numbers(4, -1, 1));
  }

  // A full matrix that a mass distribution has: d I + v v^T obeys all inequalities for |v|^2 <= d.
  std::string FullInertia() {
    const double d = Real(.2, .4), x = Real(-.2, .2), y = Real(-.2, .2), z = Real(-.2, .2);
    const double full[6] = {d + x * x, d + y * y, d + z * z, x * y, x * z, y * z};
    std::string text;
    for (const double entry : full) {
      text += ' ';
      text += std::to_string(entry);
    }
    return Attribute("fullinertia", text);
  }

  std::string Inertial() {
    const std::string place = Attribute("pos", Numbers(3, -.3, .3)) + Attribute("mass", Numbers(1, .1, 2));
    if (Int(2)) return "<inertial" + place + FullInertia() + "/>";
    return "<inertial" + place + Turn() + Attribute("diaginertia", Numbers(3, .2, .35)) + "/>";
  }

  std::string Geom() {
    const char* type[] = {"box", "ellipsoid", "capsule"};
    const bool wet = in_fluid_ && Int(3) == 0;
    return std::string("<geom type='") + type[Int(3)] + "'" + Attribute("size", Numbers(3, .05, .3)) +
           Attribute("pos", Numbers(3, -.3, .3)) + Turn() + (wet ? " fluidshape='ellipsoid'" : "") + "/>";
  }

  std::string Body(int depth) {
    const bool moves = depth == 0 || Int(2);
    static const char* const kJoints[] = {"<joint type='hinge' axis='1 2 3' damping='.3'/>", "<joint type='ball'/>",
                                          "<joint type='slide' stiffness='3'/>"};
    std::string text = "<body" + Attribute("pos", Numbers(3, -.5, .5)) + Turn();
    if (Int(4) == 0) text += Attribute("gravcomp", Numbers(1, 0, 1));
    text += ">";
    if (moves) text += kJoints[Int(3)];
    const int kind = Int(4);
    if (kind != 0 || moves) text += kind % 2 ? Inertial() : Geom() + Geom();
    text += "<site" + Attribute("name", std::to_string(sites_++)) + Attribute("pos", Numbers(3, -1, 1)) + Turn() + "/>";
    if (depth < 4) {
      for (int i = Int(3); i >= 0; --i) text += Body(depth + 1);
    }
    return text + "</body>";
  }

  std::mt19937 chance_;
  const bool in_fluid_;
  int sites_ = 0;
  std::string tree_;
};

struct World {
  explicit World(const std::string& xml)
      : spec(ReadXmlText(xml, "", nullptr)), m(Compile(*spec, nullptr)), d(MakeData(*m)) {}

  void Forward(const std::vector<double>& qpos, const std::vector<double>& qvel) {
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    mj_normalizeQuat(m.get(), d->qpos);
    std::copy(qvel.begin(), qvel.end(), d->qvel);
    mj_forward(m.get(), d.get());
  }
  std::vector<double> MassMatrix() const {
    std::vector<double> full(static_cast<std::size_t>(m->nv * m->nv));
    mj_fullM(m.get(), full.data(), d->qM);
    return full;
  }

  std::unique_ptr<Spec> spec;
  ModelPtr m;
  DataPtr d;
};

// Principal axes are looked for until they are within 1.4e-6 rad, a convention of MuJoCo 3.8.0: moments that are
// written in them are off by as much of their differences.
constexpr double kAxes = 2e-6;
// Products of some tens of poses.
constexpr double kRounding = 1e-12;

void ExpectEqual(const double* a, const double* b, std::size_t count, double tolerance, const char* what) {
  double scale = 1;
  for (std::size_t i = 0; i < count; ++i) scale = std::max(scale, std::fabs(a[i]));
  for (std::size_t i = 0; i < count; ++i) ASSERT_NEAR(a[i], b[i], tolerance * scale) << what << " " << i;
}

// Ids of sites change: those of a fused body come behind its parent's.
void ExpectSitesEqual(const World& all, const World& fused) {
  for (int i = 0; i < all.m->nsite; ++i) {
    const int j = mj_name2id(fused.m.get(), mjOBJ_SITE, mj_id2name(all.m.get(), mjOBJ_SITE, i));
    ASSERT_GE(j, 0);
    ExpectEqual(all.d->site_xpos + 3 * i, fused.d->site_xpos + 3 * j, 3, kRounding, "site");
    ExpectEqual(all.d->site_xmat + 9 * i, fused.d->site_xmat + 9 * j, 9, kRounding, "site axes");
  }
}

// How many bodies fusing has saved.
long TryTree(unsigned seed, bool in_fluid) {
  RandomTree tree(seed, in_fluid);
  tree.Grow();
  World all(tree.Xml(false)), fused(tree.Xml(true));
  EXPECT_EQ(all.m->nv, fused.m->nv);
  std::mt19937 chance(seed);
  std::normal_distribution<double> normal;
  std::vector<double> qpos(static_cast<std::size_t>(all.m->nq)), qvel(static_cast<std::size_t>(all.m->nv));
  for (double& x : qpos) x = normal(chance);
  for (double& x : qvel) x = normal(chance);
  all.Forward(qpos, qvel);
  fused.Forward(qpos, qvel);
  const auto nv = static_cast<std::size_t>(all.m->nv);
  ExpectEqual(all.MassMatrix().data(), fused.MassMatrix().data(), nv * nv, kAxes, "mass matrix");
  ExpectEqual(all.d->qfrc_bias, fused.d->qfrc_bias, nv, kAxes, "bias");
  ExpectEqual(all.d->qfrc_passive, fused.d->qfrc_passive, nv, kAxes, "passive");
  ExpectEqual(all.d->qfrc_gravcomp, fused.d->qfrc_gravcomp, nv, kRounding, "compensation of gravity");
  ExpectEqual(all.d->subtree_com, fused.d->subtree_com, 3, kRounding, "centre of mass");
  ExpectSitesEqual(all, fused);
  return static_cast<long>(all.m->nbody - fused.m->nbody);
}

TEST(Fused, ATreeMovesAsWithAllItsBodies) {
  long saved = 0;
  for (unsigned seed = 0; seed < 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    saved += TryTree(seed, false);
  }
  EXPECT_GT(saved, 200) << "what is fused is what is tested";
}

TEST(Fused, AlsoInAFluid) {
  long saved = 0;
  for (unsigned seed = 0; seed < 50 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    saved += TryTree(seed, true);
  }
  EXPECT_GT(saved, 5);
}

}  // namespace
}  // namespace sinew
