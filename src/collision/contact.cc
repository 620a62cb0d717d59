#include "collision/contact.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/stack.h"
#include "core/warning.h"
#include "math/block.h"
#include "math/vec3.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1;

// ---- parameters

void SetFriction(mjContact& contact, const double friction[5]) {
  for (int i = 0; i < 5; ++i) contact.friction[i] = std::max(mjMINMU, friction[i]);
}

// Sliding, torsional and rolling coefficients of geoms become the five of a contact.
void ExpandFriction(double sliding, double torsional, double rolling, mjContact& contact) {
  contact.friction[0] = contact.friction[1] = std::max(mjMINMU, sliding);
  contact.friction[2] = std::max(mjMINMU, torsional);
  contact.friction[3] = contact.friction[4] = std::max(mjMINMU, rolling);
}

void CopyParametersOf(const mjModel* m, int geom, mjContact& contact) {
  const double* friction = m->geom_friction + 3 * geom;
  ExpandFriction(friction[0], friction[1], friction[2], contact);
  contact.dim = m->geom_condim[geom];
  std::copy_n(m->geom_solref + mjNREF * geom, mjNREF, contact.solref);
  std::copy_n(m->geom_solimp + mjNIMP * geom, mjNIMP, contact.solimp);
}

// Share of the first geom in the mean.
double MixWeight(double solmix1, double solmix2) {
  if (solmix1 == solmix2) return 0.5;  // of most pairs; there is nothing to divide
  if (solmix1 >= mjMINVAL && solmix2 >= mjMINVAL) return solmix1 / (solmix1 + solmix2);
  if (solmix1 < mjMINVAL && solmix2 < mjMINVAL) return 0.5;
  return solmix1 < mjMINVAL ? 0 : 1;
}

void MixParameters(const mjModel* m, int g1, int g2, mjContact& contact) {
  contact.dim = std::max(m->geom_condim[g1], m->geom_condim[g2]);

  const double *friction1 = m->geom_friction + 3 * g1, *friction2 = m->geom_friction + 3 * g2;
  ExpandFriction(std::max(friction1[0], friction2[0]), std::max(friction1[1], friction2[1]),
                 std::max(friction1[2], friction2[2]), contact);

  // negative solref is stiffness and damping themselves: they do not average with time constants
  const double weight = MixWeight(m->geom_solmix[g1], m->geom_solmix[g2]), rest = 1 - weight;
  const double *ref1 = m->geom_solref + mjNREF * g1, *ref2 = m->geom_solref + mjNREF * g2;
  if (ref1[0] > 0 && ref2[0] > 0) {
    StoreTwo(LoadTwo(ref1) * weight + LoadTwo(ref2) * rest, contact.solref);
  } else {
    for (int i = 0; i < mjNREF; ++i) contact.solref[i] = std::min(ref1[i], ref2[i]);
  }
  const double *imp1 = m->geom_solimp + mjNIMP * g1, *imp2 = m->geom_solimp + mjNIMP * g2;
  StoreFour(LoadFour(imp1) * InAllLanes(weight) + LoadFour(imp2) * InAllLanes(rest), contact.solimp);
  contact.solimp[4] = weight * imp1[4] + rest * imp2[4];
}
static_assert(mjNREF == 2 && mjNIMP == 5);

void CopyParametersOfPair(const mjModel* m, int pair, mjContact& contact) {
  contact.dim = m->pair_dim[pair];
  SetFriction(contact, m->pair_friction + 5 * pair);
  std::copy_n(m->pair_solref + mjNREF * pair, mjNREF, contact.solref);
  std::copy_n(m->pair_solreffriction + mjNREF * pair, mjNREF, contact.solreffriction);
  std::copy_n(m->pair_solimp + mjNIMP * pair, mjNIMP, contact.solimp);
}

// One set of parameters for all contacts (mjENBL_OVERRIDE).
void OverrideParameters(const mjOption& opt, mjContact& contact) {
  SetFriction(contact, opt.o_friction);
  std::copy_n(opt.o_solref, mjNREF, contact.solref);
  std::copy_n(opt.o_solref, mjNREF, contact.solreffriction);
  std::copy_n(opt.o_solimp, mjNIMP, contact.solimp);
}

// ---- frames

template <class S>
struct ContactFrame {
  Vec3<S> normal, first, second;
};

// The normal is a unit vector up to rounding, which another normalization removes. A suggested first tangent is made
// orthogonal to it; one shorter than a half, or parallel to the normal, is replaced.
template <class S>
ContactFrame<S> Completed(const Vec3<S>& direction, const Vec3<S>& suggested) {
  const Vec3<S> normal = Normalized(direction);
  const auto reject = [&normal](const Vec3<S>& v) { return v - normal * Dot(normal, v); };
  const S y = Select(Abs(normal.y) < S(0.5), S(1), S(0));
  const Vec3<S> free = {S(0), y, S(1) - y};
  Vec3<S> tangent = reject(Select<S>(Dot(suggested, suggested) >= S(0.25), suggested, free));
  const MaskOf<S> parallel = Normalize(tangent) < S(kMinVal);
  if (Any(parallel)) {
    const S x = Select(Abs(normal.x) < S(0.5), S(1), S(0));
    tangent = Select<S>(parallel, Normalized(reject({x, S(1) - x, S(0)})), tangent);
  }
  return {normal, tangent, Cross(normal, tangent)};
}

}  // namespace

bool AddContact(mjData* d, const mjContact& contact) {
  auto* place = static_cast<mjContact*>(AllocArena(d, sizeof(mjContact), alignof(mjContact)));
  if (!place) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return false;
  }
  *place = contact;
  ++d->ncon;
  return true;
}

namespace {

// Without a loop, which the compiler would turn into a call of memset.
template <size_t... kFour>
void ClearFours(double* numbers, std::index_sequence<kFour...>) {
  (StoreFour(Four(0.0), numbers + 4 * kFour), ...);
}

// Writes all that CopyParameters copies.
void SetParameters(const mjModel* m, const GeomPair& pair, mjContact& contact) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  double gap;
  StoreTwo(0.0, contact.solreffriction);
  if (pair.pair >= 0) {
    gap = m->pair_gap[pair.pair];
    CopyParametersOfPair(m, pair.pair, contact);
  } else {
    gap = m->geom_gap[g1] + m->geom_gap[g2];
    const int priority1 = m->geom_priority[g1], priority2 = m->geom_priority[g2];
    if (priority1 == priority2) {
      MixParameters(m, g1, g2, contact);
    } else {
      CopyParametersOf(m, priority1 > priority2 ? g1 : g2, contact);
    }
  }
  if (m->opt.enableflags & mjENBL_OVERRIDE) OverrideParameters(m->opt, contact);
  contact.includemargin = pair.margin - gap;
  contact.mu = 0;
  ClearFours(contact.H, std::make_index_sequence<sizeof(contact.H) / sizeof(double) / 4>());

  contact.geom1 = contact.geom[0] = g1;
  contact.geom2 = contact.geom[1] = g2;
  for (int i = 0; i < 2; ++i) contact.flex[i] = contact.elem[i] = contact.vert[i] = -1;
  contact.efc_address = -1;
}

// What is behind the geometry.
void CopyParameters(const mjContact& from, mjContact& to) {
  constexpr size_t kBegin = offsetof(mjContact, includemargin) / sizeof(double);
  constexpr size_t kEnd = sizeof(mjContact) / sizeof(double), kBlocks = (kEnd - kBegin) / 4;
  const double* source = reinterpret_cast<const double*>(&from);
  double* target = reinterpret_cast<double*>(&to);
  for (size_t i = 0; i < kBlocks; ++i) StoreFour(LoadFour(source + kBegin + 4 * i), target + kBegin + 4 * i);
  StoreFour(LoadFour(source + kEnd - 4), target + kEnd - 4);  // the rest, and a part of the last block again
}

}  // namespace

SINEW_DISPATCH void CompleteParameters(const mjModel* m, const GeomPair& pair, mjContact* contact, int count) {
  SetParameters(m, pair, contact[0]);
  for (int i = 1; i < count; ++i) CopyParameters(contact[0], contact[i]);
  for (int i = 0; i < count; ++i) contact[i].exclude = contact[i].dist >= contact[i].includemargin ? kInGap : 0;
}

void CompleteFrame(double frame[9]) {
  const ContactFrame<double> completed = Completed(LoadVec3(frame), LoadVec3(frame + 3));
  StoreVec3(completed.normal, frame);
  StoreVec3(completed.first, frame + 3);
  StoreVec3(completed.second, frame + 6);
}

namespace {

void CompleteFour(double* const (&frames)[4]) {
  Block<double> column[9];
  block::LoadRows<6>(frames, column, std::make_index_sequence<3>());
  const auto load = [&column](int k) { return Vec3<Block<double>>{column[k], column[k + 1], column[k + 2]}; };
  const auto completed = Completed(load(0), load(3));
  for (int k = 0; k < 3; ++k) {
    column[k] = completed.normal[k];
    column[3 + k] = completed.first[k];
    column[6 + k] = completed.second[k];
  }
  block::StoreRows<9>(frames, column, std::make_index_sequence<2>());
}

}  // namespace

SINEW_DISPATCH void CompleteFrames(double* const* frames, int count) {
  for (int i = 0; i < count; i += 4) {
    const auto frame = [&](int k) { return frames[std::min(i + k, count - 1)]; };
    CompleteFour({frame(0), frame(1), frame(2), frame(3)});
  }
}

}  // namespace sinew
