// The constraint solvers solve their problem for each dof, whatever stands beside it. At the minimum
//
//   M a = qfrc_smooth + J' f(J a - aref),
//
// and what is left of it is compared with the forces of the dof itself: |M| |a| + |qfrc_smooth| + |J'| |f|. So a gram
// counts as much as a tonne, and a row that is pressed against what cannot move hides nothing.
//
// What no double can tell is taken off: f has the rounding of J a - aref, times the stiffness D of its row, which is
// 1e15 where a body cannot move along a normal.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "tests/testing/longer.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// SINEW_KKT_WORLDS asks for more worlds than the few of each run, SINEW_KKT_FIRST for those from that number on.
int WorldsOf(int few) { return std::max(few, CountOr("SINEW_KKT_WORLDS", few)); }
int FirstWorld() { return CountOr("SINEW_KKT_FIRST", 0); }

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int Index(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  bool Chance(double p) { return (*this)(0, 1) < p; }
  std::string Text(double low, double high) { return Number((*this)(low, high)); }
  static std::string Number(double x) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.9g", x);
    return text;
  }
  std::string Vector(double low, double high) {
    return Text(low, high) + " " + Text(low, high) + " " + Text(low, high);
  }
  std::string PowerOfTen(double low, double high) { return Number(std::pow(10, (*this)(low, high))); }

 private:
  std::mt19937 engine_;
};

// ---- worlds

// Of all things together, from a hundredth of a gram to ten tonnes, or from 0.3 to 3 kg.
enum class Masses { kAny, kAlike };

// Spheres alone have contacts that follow their poses without jumps.
enum class Shapes { kAny, kSpheres };

// Things that touch the floor at z = 0, and each other where they are near. Each gets a place of its own, or one beside
// that of another thing.
class WorldMaker {
 public:
  WorldMaker(unsigned seed, Masses masses, Shapes shapes) : masses_(masses), shapes_(shapes), random_(seed) {
    const int count = 1 + random_.Index(random_.Chance(0.2) ? 9 : 4);
    for (int i = 0; i < count; ++i) AddThing(i);
  }

  // `option`: attributes of the options; they may name the cone, which is drawn otherwise.
  std::string Text(const std::string& option) {
    std::string cone = random_.Chance(0.5) ? "cone='elliptic'" : "cone='pyramidal'";
    if (option.find("cone=") != std::string::npos) cone = "";
    return "<mujoco><option timestep='0.002' " + cone + " impratio='" + random_.Text(0.5, 5) + "' jacobian='" +
           (random_.Chance(0.5) ? "dense" : "sparse") + "' " + option +
           "/><worldbody><geom type='plane' size='9 9 .1'/>" + bodies_ + "</worldbody><equality>" + equalities_ +
           "</equality><tendon>" + tendons_ + "</tendon></mujoco>";
  }

 private:
  std::string Mass() { return masses_ == Masses::kAny ? random_.PowerOfTen(-5, 4) : random_.PowerOfTen(-.5, .5); }
  std::string Geom(double size) {
    static constexpr const char* kTypes[] = {"sphere", "capsule", "box"};
    static constexpr int kDimensions[] = {1, 3, 4, 6};
    const int type = random_.Index(3);
    return std::string("<geom type='") + kTypes[shapes_ == Shapes::kAny ? type : 0] + "' size='" +
           random_.Text(0.4 * size, size) + " " + random_.Text(0.4 * size, size) + " " +
           random_.Text(0.4 * size, size) + "' mass='" + Mass() + "' condim='" +
           std::to_string(kDimensions[random_.Index(4)]) + "' friction='" + random_.Text(0.2, 1.5) + " " +
           random_.Text(0.001, 0.05) + " " + random_.Text(0.0001, 0.01) + "'/>";
  }

  std::string Joint(const std::string& name, const std::string& type, const std::string& axis, bool is_limited) {
    std::string text = "<joint name='" + name + "' type='" + type + "' axis='" + axis + "'";
    if (is_limited) text += type == "hinge" ? " range='-20 20'" : " range='-.05 .05'";
    if (random_.Chance(0.4)) text += " frictionloss='" + random_.Number(std::pow(10, random_(-5, 1))) + "'";
    if (random_.Chance(0.3)) text += " armature='" + random_.Number(std::pow(10, random_(-6, -1))) + "'";
    if (random_.Chance(0.3)) text += " damping='" + random_.Number(std::pow(10, random_(-6, 0))) + "'";
    if (axis != "0 0 1" && type == "hinge") joints_.push_back(name);
    return text + "/>";
  }

  std::string Body(const std::string& name, double x, double y, double z, const std::string& inside,
                   const std::string& attributes = "") {
    return "<body name='" + name + "' pos='" + Random::Number(x) + " " + Random::Number(y) + " " + Random::Number(z) +
           "' " + attributes + ">" + inside + "</body>";
  }

  std::string Turned() { return "euler='" + random_.Vector(-180, 180) + "'"; }

  // Links one behind the other, each on a limited hinge.
  std::string Arm(const std::string& name, double x, double y) {
    std::string inside;
    for (int link = 1 + random_.Index(4); link > 0; --link) {
      const std::string id = name + "_" + std::to_string(link);
      const char* axis = random_.Chance(0.7) ? "0 1 0" : "0 0 1";
      inside = "<body pos='.1 0 0'>" + Joint(id, "hinge", axis, random_.Chance(0.7)) + Geom(0.04) + inside + "</body>";
    }
    return Body(name, x, y, random_(0.02, 0.1), Joint(name, "hinge", "0 1 0", true) + Geom(0.04) + inside);
  }

  void AddThing(int i) {
    std::string name = "b";  // built by appending: GCC 12 takes the sum for overlapping texts
    name += std::to_string(i);
    const int kind = random_.Index(8);
    const bool is_pinned = kind == 4 || kind == 5, near = i > 0 && !is_pinned && !was_pinned_ && random_.Chance(0.4);
    was_pinned_ = is_pinned;
    if (!near) x_ += 1;
    const double x = x_ + (near ? random_(-0.15, 0.15) : 0), y = near ? random_(-0.15, 0.15) : 0;
    switch (kind) {
      case 0:  // a free body, deep in the floor or falling
      case 1:
        bodies_ += Body(name, x, y, random_(-0.02, 0.2), "<freejoint/>" + Geom(0.1), Turned());
        break;
      case 2:  // two on top of each other
        bodies_ += Body(name, x, y, 0.07, "<freejoint/>" + Geom(0.1));
        bodies_ += Body(name + "t", x, y, 0.2, "<freejoint/>" + Geom(0.1), Turned());
        break;
      case 3:
        bodies_ += Arm(name, x, y);
        break;
      case 4:  // cannot move along the normal of the floor, in which it is
        bodies_ +=
            Body(name, x, y, random_(0.005, 0.02),
                 Joint(name, "hinge", "0 0 1", false) + "<geom type='cylinder' size='.05 .02' mass='" + Mass() + "'/>");
        break;
      case 5:
        bodies_ += Body(name, x, y, 0.03,
                        Joint(name, "slide", random_.Chance(0.5) ? "1 0 0" : "1 1 0", random_.Chance(0.5)) + Geom(0.06),
                        Turned());
        break;
      case 6:  // moved from outside, into what is near
        bodies_ += Body(name, x, y, 0.1, Geom(0.08), "mocap='true'");
        break;
      default:  // nothing acts on it
        bodies_ += Body(name, x, y, 3, "<joint type='ball'/>" + Geom(0.05));
    }
    AddEquality(name, kind < 4);
  }

  // Bodies that cannot move along some direction are held by none, and touch the floor alone: constraints against that
  // direction have no regularization at all, and what they leave of their island is beyond double precision.
  void AddEquality(const std::string& name, bool may_be_held) {
    if (!may_be_held) return;
    if (held_.empty()) held_ = name;
    if (random_.Chance(0.1)) equalities_ += "<connect body1='" + name + "' anchor='0.02 0 0'/>";
    if (random_.Chance(0.1) && held_ != name) {
      equalities_ += "<weld body1='" + name + "' body2='" + held_ + "'/>";
    }
    if (joints_.size() < 2) return;
    const std::string &last = joints_.back(),
                      &other = joints_[static_cast<size_t>(random_.Index(static_cast<int>(joints_.size()) - 1))];
    if (random_.Chance(0.1)) equalities_ += "<joint joint1='" + last + "' joint2='" + other + "'/>";
    if (random_.Chance(0.15)) {
      tendons_ += "<fixed range='-.01 .01' frictionloss='" + random_.Text(0, 0.1) + "'><joint joint='" + last +
                  "' coef='1'/><joint joint='" + other + "' coef='" + random_.Text(-2, 2) + "'/></fixed>";
    }
  }

  const Masses masses_;
  const Shapes shapes_;
  Random random_;
  double x_ = 0;
  bool was_pinned_ = false;
  std::string bodies_, equalities_, tendons_;
  std::string held_;  // the first body that equalities may hold
  std::vector<std::string> joints_;
};

World RandomWorld(unsigned seed, const std::string& option, Masses masses, Shapes shapes = Shapes::kAny) {
  World world(ModelFromText(WorldMaker(seed, masses, shapes).Text(option)));
  Random random(seed + 1000000);
  for (int i = 0; i < world.m->nv; ++i) world.d->qvel[i] = random(-1, 1);
  for (int i = 0; i < world.m->nv; ++i) {
    const double weight = 9.81 * world.m->body_subtreemass[world.m->dof_bodyid[i]];
    world.d->qfrc_applied[i] = random(-0.1, 0.1) * weight;
  }
  return world;
}

// ---- the residual

// |J'| of all rows, row by row.
std::vector<double> AbsoluteJacobian(const mjModel& m, const mjData& d) {
  std::vector<double> J(static_cast<size_t>(d.nefc) * static_cast<size_t>(m.nv));
  const auto at = [&](int row, int column) -> double& {
    return J[static_cast<size_t>(row) * static_cast<size_t>(m.nv) + static_cast<size_t>(column)];
  };
  for (int r = 0; r < d.nefc; ++r) {
    if (!mj_isSparse(&m)) {
      for (int i = 0; i < m.nv; ++i) at(r, i) = std::fabs(d.efc_J[static_cast<ptrdiff_t>(r) * m.nv + i]);
      continue;
    }
    for (int k = d.efc_J_rowadr[r]; k < d.efc_J_rowadr[r] + d.efc_J_rownnz[r]; ++k) {
      at(r, d.efc_J_colind[k]) = std::fabs(d.efc_J[k]);
    }
  }
  return J;
}

struct Residual {
  double share = 0;  // of the forces of the dof
  int dof = -1;
  double stiffness = 0;  // the largest of a dof in its island, in inertias
  int iterations = 0;
};

// Whether two rows belong to one contact.
bool IsOneContact(const mjData& d, size_t r, size_t s) {
  return d.efc_type[r] >= mjCNSTR_CONTACT_FRICTIONLESS && d.efc_type[s] == d.efc_type[r] && d.efc_id[s] == d.efc_id[r];
}

// The distance of a contact is a difference of positions. In floats it has the rounding of these, which its reference
// -B v - K I dist multiplies: K I times the largest coordinate of its point.
double ReferenceOfPosition(const mjData& d, size_t r) {
  if (d.efc_type[r] < mjCNSTR_CONTACT_FRICTIONLESS) return 0;
  const mjtNum *law = d.efc_KBIP + 4 * r, *position = d.contact[d.efc_id[r]].pos;
  return law[0] * law[2] * std::max({std::fabs(position[0]), std::fabs(position[1]), std::fabs(position[2])});
}

// By how much the force of each row may be off, as the residual J a - aref of the row is rounded in numbers whose last
// place is `epsilon`: D times that. The rows
// of a contact share their residuals. An edge of a pyramid is the sum of a normal and a tangent, which may be larger
// than it is; in an elliptic cone each force depends on all residuals, by a Hessian H with H_ii <= D_i, so that |H_ij|
// <= sqrt(D_i D_j).
std::vector<double> RoundingOfForces(const mjModel& m, const mjData& d, const std::vector<double>& jar,
                                     const std::vector<double>& J, double epsilon) {
  const double rounding = 16 * epsilon;  // the steps that the acceleration is the sum of are rounded, too
  const auto nv = static_cast<size_t>(m.nv), rows = static_cast<size_t>(d.nefc);
  std::vector<double> terms(rows), unsure(rows);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < nv; ++i) terms[r] += J[r * nv + i] * std::fabs(d.qacc[i]);
    terms[r] = rounding * (terms[r] + std::fabs(d.efc_aref[r]));
    if (epsilon > 0x1p-52) terms[r] += epsilon * ReferenceOfPosition(d, r);
  }
  for (size_t r = 0; r < rows; ++r) {
    double size = std::sqrt(d.efc_D[r]) * terms[r];
    bool acts = d.efc_state[r] != mjCNSTRSTATE_SATISFIED || jar[r] < terms[r];
    for (size_t s = 0; s < rows; ++s) {
      if (s == r || !IsOneContact(d, r, s)) continue;
      const double other = std::sqrt(d.efc_D[s]) * terms[s];
      size = d.efc_type[r] == mjCNSTR_CONTACT_ELLIPTIC ? size + other : std::max(size, other);
      acts = acts || jar[s] < terms[s];
    }
    if (acts) unsure[r] = std::sqrt(d.efc_D[r]) * size;
  }
  return unsure;
}

// The largest share of its own forces that is left of a dof's balance at the acceleration qacc, by the law of the rows.
// Islands in which rows are more than `stiffest` times the inertia of a dof are left out. `epsilon`: the last place of
// the numbers that the solver computed with; the forces of a dof are those of its tree if these are floats, in which
// inertia and Jacobians are rounded, too.
Residual WorstResidual(const mjModel& m, mjData& d, double stiffest, double epsilon = 0x1p-52) {
  Residual worst;
  if (d.nefc == 0) return worst;
  const auto nv = static_cast<size_t>(m.nv), rows = static_cast<size_t>(d.nefc);
  std::vector<double> jar(rows), Ma(nv), unit(nv), column(nv), size(nv), diagonal(nv);
  mj_mulJacVec(&m, &d, jar.data(), d.qacc);
  for (size_t r = 0; r < rows; ++r) jar[r] -= d.efc_aref[r];
  mj_constraintUpdate(&m, &d, jar.data(), nullptr, 0);
  mj_mulM(&m, &d, Ma.data(), d.qacc);
  for (size_t i = 0; i < nv; ++i) {
    unit.assign(nv, 0);
    unit[i] = 1;
    mj_mulM(&m, &d, column.data(), unit.data());
    diagonal[i] = column[i];
    for (size_t j = 0; j < nv; ++j) size[j] += std::fabs(column[j] * d.qacc[i]);
    size[i] += std::fabs(d.qfrc_smooth[i]);
  }
  const std::vector<double> J = AbsoluteJacobian(m, d);
  std::vector<double> rounding(nv);
  const std::vector<double> unsure = RoundingOfForces(m, d, jar, J, epsilon);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < nv; ++i) {
      size[i] += J[r * nv + i] * std::fabs(d.efc_force[r]);
      rounding[i] += J[r * nv + i] * unsure[r];
    }
  }
  // Rows against what cannot move are so stiff that the inertia of the dofs that they do move is below the rounding of
  // their Hessian: no double tells what is left there. Other islands are judged, which is what such rows may hide.
  std::vector<double> stiffness_of(static_cast<size_t>(d.nisland) + 1);
  const auto stiffness_at = [&](size_t i) -> double& {
    return stiffness_of[static_cast<size_t>(d.nisland > 0 && d.dof_island[i] >= 0 ? d.dof_island[i] : d.nisland)];
  };
  for (size_t i = 0; i < nv; ++i) {
    double stiffness = 0;
    for (size_t r = 0; r < rows; ++r) stiffness += d.efc_D[r] * J[r * nv + i] * J[r * nv + i];
    if (d.nisland > 0 && d.dof_island[i] >= 0) stiffness_at(i) = std::max(stiffness_at(i), stiffness / diagonal[i]);
  }
  // The largest force of each tree, in units in which M has the diagonal 1: a dof may have nothing but its rounding.
  std::vector<double> largest(static_cast<size_t>(m.ntree));
  const auto of_tree = [&](size_t i) -> double& { return largest[static_cast<size_t>(m.dof_treeid[i])]; };
  for (size_t i = 0; i < nv; ++i) of_tree(i) = std::max(of_tree(i), size[i] / std::sqrt(diagonal[i]));
  for (size_t i = 0; i < nv; ++i) {
    if (stiffness_at(i) > stiffest) continue;
    const double left = std::fabs(Ma[i] - d.qfrc_smooth[i] - d.qfrc_constraint[i]) - rounding[i];
    if (left <= 16 * epsilon * of_tree(i) * std::sqrt(diagonal[i])) continue;
    const double own = epsilon > 0x1p-52 ? of_tree(i) * std::sqrt(diagonal[i]) : size[i];
    if (left <= worst.share * own) continue;
    worst = {left / own, static_cast<int>(i), stiffness_at(i), d.solver_niter[0]};
  }
  return worst;
}

// Steps a world and judges each step; returns the worst.
Residual WorstOfSteps(World& world, int steps, double stiffest) {
  Residual worst;
  for (int step = 0; step < steps; ++step) {
    const double time = world.d->time;
    mj_step(world.m.get(), world.d.get());
    if (world.d->time < time) break;  // it has diverged, and begins anew
    const Residual residual = WorstResidual(*world.m, *world.d, stiffest);
    if (!(residual.share <= worst.share)) worst = residual;
  }
  return worst;
}

// ---- tests

class Balance : public testing::TestWithParam<const char*> {};

void ExpectBalance(const std::string& option, Masses masses, double stiffest, int worlds, double bound = 1e-8) {
  double worst = 0;
  const auto first = static_cast<unsigned>(FirstWorld());
  for (unsigned seed = first; seed < first + static_cast<unsigned>(worlds); ++seed) {
    World world = RandomWorld(seed, option, masses);
    const Residual residual = WorstOfSteps(world, 20, stiffest);
    EXPECT_LT(residual.share, bound) << "world " << seed << ", dof " << residual.dof << ", stiffness "
                                     << residual.stiffness << ", iterations " << residual.iterations;
    worst = std::max(worst, residual.share);
  }
  std::printf("worst residual of a dof, of %d worlds: %.3g\n", worlds, worst);
}

// The tolerance is the default: steps of any world may be the ones that count.
TEST_P(Balance, NewtonLeavesNothingOnAnyDof) { ExpectBalance(GetParam(), Masses::kAny, 1e14, WorldsOf(300)); }

INSTANTIATE_TEST_SUITE_P(Options, Balance, testing::Values("", "tolerance='0'", "tolerance='1e-15'"));

// Of 10,000 worlds the one whose search along a line ends between the same two points in each iteration, if no later
// one may take more than the default 50 evaluations: an arm of tonnes and grams is thrown off a limit, beside rows of
// 1e11 times the inertia of a dof.
TEST(Balance, SearchesOfStiffIslandsGetWhatTheyNeed) {
  World world = RandomWorld(4073, "", Masses::kAny);
  EXPECT_LT(WorstOfSteps(world, 20, 1e14).share, 1e-8);
}

// They converge linearly, by the square root of the ratio of stiffnesses, and by the ratio itself where a contact is
// about to open or to slip at the minimum, so that directions lose their conjugacy in each iteration: of nine dofs some
// take 20,000. No number of iterations is enough for a gram on a tonne, or for rows that are stiffer than 100,000
// inertias. What stands beside is in beside_test.cc.
TEST(Balance, ConjugateGradientsLeaveNothingAmongMassesThatAreAlike) {
  ExpectBalance("solver='CG' iterations='200000'", Masses::kAlike, 1e5, WorldsOf(100));
}

// Each lane has another velocity, and is judged as a world alone is.
Residual WorstInPack(const mjModel& m, Precision precision, unsigned seed, double stiffest, double epsilon) {
  LanePack pack(m, precision);
  std::vector<DataPtr> worlds;
  Random random(seed + 2000000);
  for (int lane = 0; lane < pack.width(); ++lane) {
    worlds.emplace_back(mj_makeData(&m));
    for (int i = 0; i < m.nv; ++i) worlds.back()->qvel[i] = random(-1, 1);
    pack.Load(lane, *worlds.back());
  }
  pack.Forward();
  Residual worst;
  for (int lane = 0; lane < pack.width(); ++lane) {
    mjData& d = *worlds[static_cast<size_t>(lane)];
    mj_forward(&m, &d);  // the rows
    pack.Save(lane, &d);
    const Residual residual = WorstResidual(m, d, stiffest, epsilon);
    if (!(residual.share <= worst.share)) worst = residual;
  }
  return worst;
}

void ExpectBalanceInPacks(Precision precision, Masses masses, Shapes shapes, double stiffest, double epsilon,
                          double bound) {
  const int worlds = WorldsOf(200);
  double worst = 0;
  for (unsigned seed = 0; seed < static_cast<unsigned>(worlds); ++seed) {
    const World world = RandomWorld(seed, "", masses, shapes);
    if (ObstacleToLanes(*world.m)) continue;
    const Residual residual = WorstInPack(*world.m, precision, seed, stiffest, epsilon);
    EXPECT_LT(residual.share, bound) << "world " << seed << ", dof " << residual.dof << ", stiffness "
                                     << residual.stiffness;
    worst = std::max(worst, residual.share);
  }
  std::printf("worst residual of a dof in packs, of %d models: %.3g\n", worlds, worst);
}

TEST(Balance, PacksLeaveNothing) {
  ExpectBalanceInPacks(Precision::kDouble, Masses::kAny, Shapes::kAny, 1e14, 0x1p-52, 1e-8);
}

// Jacobians are rounded to floats, too: a last place of theirs times a stiffness of 1e4 inertias is what a dof may
// miss. A tonne on a gram has an inertia that is singular in floats, so that masses are alike here; unlike ones beside
// each other are in beside_test.cc.
TEST(Balance, PacksOfFloatsLeaveTheirRounding) {
  constexpr double kStiffest = 1e4, kLastPlace = 0x1p-23;
  ExpectBalanceInPacks(Precision::kSingle, Masses::kAlike, Shapes::kSpheres, kStiffest, kLastPlace,
                       kStiffest * kLastPlace);
}

// It converges linearly, too, and ends where the dual cost no longer falls, whose rounding is the square of that of
// forces.
class GaussSeidelBalance : public testing::TestWithParam<const char*> {};

TEST_P(GaussSeidelBalance, LeavesTheRootOfRoundingAmongMassesThatAreAlike) {
  const std::string option = std::string("solver='PGS' iterations='20000' tolerance='0' cone='") + GetParam() + "'";
  ExpectBalance(option, Masses::kAlike, 1e4, WorldsOf(20), 1e-4);
}

// Of 1,000 worlds those whose friction of small forces is off, if its bound is judged by a fixed tolerance, or if
// sweeps may raise the cost by one, which ends them.
TEST(Balance, GaussSeidelKeepsTheFrictionOfSmallForces) {
  for (unsigned seed : {26, 34, 728}) {
    World world = RandomWorld(seed, "solver='PGS' iterations='20000' tolerance='0' cone='elliptic'", Masses::kAlike);
    EXPECT_LT(WorstOfSteps(world, 20, 1e4).share, 1e-5) << "world " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Cones, GaussSeidelBalance, testing::Values("pyramidal", "elliptic"));

}  // namespace
}  // namespace sinew
