#include "lints.h"

#include <sinew/extensions.h>
#include <sinew/sinew.h>
#include <sinew/text.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

using Texts = std::vector<std::string>;

std::string Number(double x) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.3g", x);
  return text;
}

// ---- what nothing uses

using Ids = std::pair<const int*, mjtSize>;
Ids IdsIn(const std::vector<int>& list) { return {list.data(), static_cast<mjtSize>(list.size())}; }

// Assets to which no id of an array points.
void AddUnused(const mjModel* m, mjtObj type, mjtSize count, const std::vector<Ids>& users, const char* what,
               Texts* texts) {
  for (int id = 0; id < count; ++id) {
    const bool used = std::any_of(users.begin(), users.end(), [id](const auto& ids) {
      return std::find(ids.first, ids.first + ids.second, id) != ids.first + ids.second;
    });
    if (!used) texts->push_back(std::string(what) + " " + QuotedName(m, type, id) + " is not used");
  }
}

void AddUnusedAssets(const mjModel* m, Texts* texts) {
  std::vector<int> meshes, fields, skies;  // the same ids of geoms are of meshes or of height fields
  for (int i = 0; i < m->ngeom; ++i) {
    (m->geom_type[i] == mjGEOM_HFIELD ? fields : meshes).push_back(m->geom_dataid[i]);
  }
  for (int i = 0; i < m->ntex; ++i) {
    if (m->tex_type[i] == mjTEXTURE_SKYBOX) skies.push_back(i);  // they need no material
  }
  AddUnused(m, mjOBJ_MESH, m->nmesh, {IdsIn(meshes)}, "mesh", texts);
  AddUnused(m, mjOBJ_HFIELD, m->nhfield, {IdsIn(fields)}, "height field", texts);
  AddUnused(m, mjOBJ_TEXTURE, m->ntex,
            {{m->mat_texid, m->nmat * mjNTEXROLE}, {m->light_texid, m->nlight}, IdsIn(skies)}, "texture", texts);
  AddUnused(m, mjOBJ_MATERIAL, m->nmat,
            {{m->geom_matid, m->ngeom},
             {m->site_matid, m->nsite},
             {m->tendon_matid, m->ntendon},
             {m->skin_matid, m->nskin},
             {m->flex_matid, m->nflex}},
            "material", texts);
}

// ---- overlaps

// What overlaps in the reference configuration is pushed apart by large forces in the first steps. A pair counts once,
// by its deepest contact.
void AddOverlaps(const mjModel* m, const mjData* d, Texts* texts) {
  std::map<std::pair<int, int>, double> depths;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (contact.dist >= 0 || contact.geom[0] < 0 || contact.geom[1] < 0) continue;
    double& depth = depths[std::minmax(contact.geom[0], contact.geom[1])];
    depth = std::max(depth, -contact.dist);
  }
  for (const auto& [pair, depth] : depths) {
    texts->push_back("geoms " + QuotedName(m, mjOBJ_GEOM, pair.first) + " and " +
                     QuotedName(m, mjOBJ_GEOM, pair.second) + " overlap at the start by " + Number(depth) + " m");
  }
}

// ---- units

// A hinge of more than two turns each way, or one that was read in degrees and moves less than these: somebody thought
// in the other unit.
constexpr double kManyTurns = 4 * std::numbers::pi;  // rad
constexpr double kLeastDegrees = 0.2, kMostDegrees = 3.2;

void AddUnits(const mjSpec* spec, const mjModel* m, Texts* texts) {
  constexpr double kDegree = std::numbers::pi / 180;
  for (int i = 0; i < m->njnt; ++i) {
    if (m->jnt_type[i] != mjJNT_HINGE || !m->jnt_limited[i]) continue;
    const double low = m->jnt_range[2 * i], high = m->jnt_range[2 * i + 1];
    const double most = std::max(std::fabs(low), std::fabs(high));
    const std::string joint = "joint " + QuotedName(m, mjOBJ_JOINT, i);
    if (most > kManyTurns) {
      texts->push_back(joint + " may turn from " + Number(low) + " to " + Number(high) +
                       " rad; if these are degrees, set compiler angle=\"degree\"");
    } else if (spec && spec->compiler.degree && most > kLeastDegrees * kDegree && most < kMostDegrees * kDegree) {
      texts->push_back(joint + " may turn from " + Number(low / kDegree) + " to " + Number(high / kDegree) +
                       " degrees; if these are radians, set compiler angle=\"radian\"");
    }
  }
}

// ---- time steps

// The semi-implicit step of an undamped spring k on an inertia I grows without bound from h = 2 / sqrt(k / I) on.
void AddTooStiff(const mjModel* m, const std::string& what, double stiffness, double inertia, Texts* texts) {
  if (!(stiffness > 0) || !(inertia > 0)) return;
  const double longest = 2 / std::sqrt(stiffness / inertia);
  if (m->opt.timestep < longest) return;
  texts->push_back(what + ": stiffness " + Number(stiffness) + " on an inertia of " + Number(inertia) +
                   " needs a time step below " + Number(longest) + " s, and it is " + Number(m->opt.timestep) + " s");
}

// Springs of joints, and position gains of actuators that drive one joint.
void AddStiffness(const mjModel* m, Texts* texts) {
  for (int i = 0; i < m->njnt; ++i) {
    AddTooStiff(m, "joint " + QuotedName(m, mjOBJ_JOINT, i), m->jnt_stiffness[i], m->dof_M0[m->jnt_dofadr[i]], texts);
  }
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_biastype[i] != mjBIAS_AFFINE) continue;
    const double gear = m->actuator_gear[6 * i], gain = -m->actuator_biasprm[mjNBIAS * i + 1];
    const int dof = m->jnt_dofadr[m->actuator_trnid[2 * i]];
    AddTooStiff(m, "actuator " + QuotedName(m, mjOBJ_ACTUATOR, i), gain * gear * gear, m->dof_M0[dof], texts);
  }
}

// ---- deformables

// Spring forces of the world moved from qpos by `distance` along the velocity `direction`.
std::vector<double> SpringForces(const mjModel* m, mjData* d, const std::vector<double>& qpos,
                                 const std::vector<double>& direction, double distance) {
  std::copy(qpos.begin(), qpos.end(), d->qpos);
  mj_integratePos(m, d->qpos, direction.data(), distance);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  mj_tendon(m, d);
  mj_transmission(m, d);
  mj_fwdVelocity(m, d);
  return {d->qfrc_spring, d->qfrc_spring + m->nv};
}

// The largest eigenvalue of M^-1 K, by power iteration; K v is the central difference of spring forces. Leaves the
// world as it was but for what mj_forward computes.
double StiffestSquaredFrequency(const mjModel* m, mjData* d) {
  constexpr int kIterations = 40;
  constexpr double kDistance = 1e-6;
  const auto nv = static_cast<size_t>(m->nv);
  const std::vector<double> qpos(d->qpos, d->qpos + m->nq);
  std::vector<double> v(nv), next(nv);
  for (size_t i = 0; i < nv; ++i) v[i] = std::sin(12.9898 * static_cast<double>(i + 1));  // touches every mode
  double eigenvalue = 0;
  for (int k = 0; k < kIterations; ++k) {
    double norm = 0;
    for (const double x : v) norm += x * x;
    norm = std::sqrt(norm);
    if (!(norm > 0)) return 0;
    for (double& x : v) x /= norm;
    const std::vector<double> ahead = SpringForces(m, d, qpos, v, kDistance),
                              back = SpringForces(m, d, qpos, v, -kDistance);
    for (size_t i = 0; i < nv; ++i) next[i] = (back[i] - ahead[i]) / (2 * kDistance);
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    mj_fwdPosition(m, d);
    mj_solveM(m, d, v.data(), next.data(), 1);
    eigenvalue = 0;
    for (const double x : v) eigenvalue += x * x;
    eigenvalue = std::sqrt(eigenvalue);
  }
  return eigenvalue;
}

// Elasticity is explicit but for cells under implicit integrators.
bool IsExplicit(const mjModel* m, int flex) {
  const bool implicit = m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
  return !m->flex_rigid[flex] && !(implicit && m->flex_interp[flex] != 0);
}

void AddDeformables(const mjModel* m, mjData* d, Texts* texts) {
  bool any_explicit = false;
  for (int flex = 0; flex < m->nflex; ++flex) any_explicit |= IsExplicit(m, flex);
  if (!any_explicit) return;
  mj_resetData(m, d);
  mj_fwdPosition(m, d);
  const double squared = StiffestSquaredFrequency(m, d);
  mj_resetData(m, d);
  const double longest = 2 / std::sqrt(squared);
  if (!(squared > 0) || m->opt.timestep < longest) return;
  texts->push_back("the fastest oscillation of what is soft needs a time step below " + Number(longest) +
                   " s, and it is " + Number(m->opt.timestep) +
                   " s; reduce the time step or young, or move the flex by nodes (dof) with an "
                   "implicit integrator");
}

// ---- points

// A ball of this radius [m] is a point beside anything that robots and bodies consist of.
constexpr double kPoint = 1e-4;

// A sphere of mass m and radius r has the inertia 2/5 m r^2.
void AddPoints(const mjModel* m, Texts* texts) {
  for (int i = 1; i < m->nbody; ++i) {
    const double* inertia = m->body_inertia + 3 * i;
    const double largest = *std::max_element(inertia, inertia + 3);
    const bool is_point = largest < 0.4 * m->body_mass[i] * kPoint * kPoint;
    const bool turns = m->body_dofnum[i] > 0 && m->jnt_type[m->body_jntadr[i]] != mjJNT_SLIDE;
    if (!turns || !is_point) continue;
    texts->push_back("body " + QuotedName(m, mjOBJ_BODY, i) + " weighs " + Number(m->body_mass[i]) +
                     " kg and has the inertia of a point, " + Number(largest) +
                     " kg m^2; give its joints an armature, or it a size");
  }
}

// ---- ranges

// Beyond a range by more than rounding.
bool IsOutside(double x, const mjtNum* range) {
  const double slack = 1e-9 * (1 + std::fabs(range[1] - range[0]));
  return x < range[0] - slack || x > range[1] + slack;
}

// The angle of a ball joint: its range bounds it from above.
double BallAngle(const mjtNum* quat) {
  const double length = std::sqrt(quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
  return 2 * std::atan2(length, std::fabs(quat[0]));
}

// Limits push such positions back with large forces in the first steps. `where` says whose positions they are.
void AddPositions(const mjModel* m, const mjtNum* qpos, const std::string& where, Texts* texts) {
  for (int i = 0; i < m->njnt; ++i) {
    if (!m->jnt_limited[i] || m->jnt_type[i] == mjJNT_FREE) continue;
    const mjtNum* q = qpos + m->jnt_qposadr[i];
    const mjtNum* range = m->jnt_range + 2 * i;
    const double value = m->jnt_type[i] == mjJNT_BALL ? BallAngle(q) : *q;
    if (!IsOutside(value, range)) continue;
    texts->push_back(where + " has joint " + QuotedName(m, mjOBJ_JOINT, i) + " at " + Number(value) +
                     ", outside of its range " + Number(range[0]) + " to " + Number(range[1]));
  }
}

void AddControls(const mjModel* m, const mjtNum* ctrl, const std::string& where, Texts* texts) {
  for (int i = 0; i < m->nu; ++i) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * i;
    if (!m->actuator_ctrllimited[i] || !IsOutside(ctrl[i], range)) continue;
    texts->push_back(where + " has the control of actuator " + QuotedName(m, mjOBJ_ACTUATOR, i) + " at " +
                     Number(ctrl[i]) + ", outside of its range " + Number(range[0]) + " to " + Number(range[1]));
  }
}

void AddActivations(const mjModel* m, const mjtNum* act, const std::string& where, Texts* texts) {
  for (int i = 0; i < m->nu; ++i) {
    const mjtNum* range = m->actuator_actrange + 2 * i;
    if (!m->actuator_actlimited[i] || m->actuator_actadr[i] < 0) continue;
    const double value = act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];  // the last one is limited
    if (!IsOutside(value, range)) continue;
    texts->push_back(where + " has the activation of actuator " + QuotedName(m, mjOBJ_ACTUATOR, i) + " at " +
                     Number(value) + ", outside of its range " + Number(range[0]) + " to " + Number(range[1]));
  }
}

// A range that does not hold 0 does not mean that controls begin in it: they are 0 until somebody sets them.
void AddRanges(const mjModel* m, Texts* texts) {
  AddPositions(m, m->qpos0, "the reference configuration (qpos0)", texts);
  for (int key = 0; key < m->nkey; ++key) {
    const std::string where = "key " + QuotedName(m, mjOBJ_KEY, key);
    AddPositions(m, m->key_qpos + key * m->nq, where, texts);
    AddControls(m, m->key_ctrl + key * m->nu, where, texts);
    AddActivations(m, m->key_act + key * m->na, where, texts);
  }
}

// ---- muscles

// The length of a muscle's fibre, as a share of its optimal length, at a length of the actuator (Muscles, in the
// documents of MJCF): the operating range maps the length range linearly.
void AddMuscles(const mjModel* m, mjData* d, Texts* texts) {
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_gaintype[i] != mjGAIN_MUSCLE) continue;
    const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_lengthrange + 2 * i;
    const double shortest = gain[4], longest = gain[5];  // where its curve of forces begins and ends
    if (!(range[1] > range[0])) continue;
    const double scale = (range[1] - range[0]) / std::max(gain[1] - gain[0], mjMINVAL);
    const double tendon = range[0] - gain[0] * scale;
    const std::string muscle = "muscle " + QuotedName(m, mjOBJ_ACTUATOR, i);
    if (tendon < 0) {
      texts->push_back(muscle + " has a tendon of negative length, " + Number(tendon) +
                       " m: its length range does not fit its range of operation");
    }
    const double fibre = (d->actuator_length[i] - tendon) / std::max(scale, mjMINVAL);
    if (fibre >= shortest && fibre <= longest) continue;
    texts->push_back(muscle + " begins at " + Number(fibre) + " of its optimal length, where it has no active force");
  }
}

// A musculotendon whose fibre is much shorter or longer than its optimal length at the start, or slack: l0 and ls do
// not fit the way from origin to insertion.
void AddMusculotendons(const mjModel* m, mjData* d, Texts* texts) {
  constexpr double kShortest = 0.4, kLongest = 1.7;  // fibres outside have next to no active force
  constexpr int kFiberLength = 1, kSlackLength = 2;  // columns of gainprm
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_gaintype[i] < sinewFIRST_EXTENSION) continue;
    const mjtNum* gain = m->actuator_gainprm + mjNGAIN * i;
    const double fiber = gain[kFiberLength], slack = gain[kSlackLength];
    const double stretched = d->actuator_length[i] - slack, share = stretched / std::max(fiber, mjMINVAL);
    if (share >= kShortest && share <= kLongest) continue;
    texts->push_back("muscle " + QuotedName(m, mjOBJ_ACTUATOR, i) + " is " + Number(d->actuator_length[i]) +
                     " m long at the start, and its tendon is slack at " + Number(slack) + " m: the fibre would have " +
                     Number(share) + " of its optimal length of " + Number(fiber) +
                     " m; see fiberlength and slacklength");
  }
}

// ---- what is left out

// Parts of the specification that the model does not have: shapes and assets that are only seen, bodies that are fused
// with their parents. A few are named.
void AddDropped(const mjSpec* spec, const mjModel* m, Texts* texts) {
  if (!spec) return;
  constexpr int kNamed = 5;
  for (const mjtObj type :
       {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_MESH, mjOBJ_MATERIAL, mjOBJ_TEXTURE, mjOBJ_HFIELD}) {
    int missing = -CountOf(m, type), named = 0;
    std::string names;
    for (mjsElement* e = mjs_firstElement(const_cast<mjSpec*>(spec), type); e;
         e = mjs_nextElement(const_cast<mjSpec*>(spec), e)) {
      ++missing;
      const std::string name = mjs_getString(mjs_getName(e));
      if (name.empty() || mj_name2id(m, type, name.c_str()) >= 0 || ++named > kNamed) continue;
      names += (names.empty() ? ": '" : ", '") + Printable(name, Lines::kEscaped) + "'";
    }
    if (missing <= 0) continue;
    const char* why =
        type == mjOBJ_BODY ? " (fused with their parents, by fusestatic)" : " (only seen, by discardvisual)";
    texts->push_back("compilation left out " + std::to_string(missing) + " of kind " + mju_type2Str(type) + why +
                     names + (named > kNamed ? ", ..." : ""));
  }
}

}  // namespace

std::string QuotedName(const mjModel* m, mjtObj type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? std::string("'") + Printable(name, Lines::kEscaped) + "'" : std::to_string(id);
}

std::vector<std::string> FindLints(const mjSpec* spec, const mjModel* m, mjData* d) {
  Texts texts;
  AddUnusedAssets(m, &texts);
  AddDropped(spec, m, &texts);
  AddUnits(spec, m, &texts);
  AddStiffness(m, &texts);
  AddPoints(m, &texts);
  AddDeformables(m, d, &texts);
  AddRanges(m, &texts);
  mj_forward(m, d);
  AddOverlaps(m, d, &texts);
  AddMuscles(m, d, &texts);
  AddMusculotendons(m, d, &texts);
  return texts;
}

}  // namespace sinew
