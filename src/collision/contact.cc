#include "collision/contact.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "collision/contact_frame.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/block.h"
#include "math/vec3.h"
#include "simd/unroll.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1;

// ---- parameters

using Two = Pack<double, 2>;

// Those of a contact that come from the model. Without arrays, which the compiler would keep in memory.
struct Friction {
  double sliding1, sliding2, torsional, rolling1, rolling2;
};
struct Impedance {
  double d0;
  Four rest;
};
struct Parameters {
  int dim;
  Friction friction;
  Two solref, solreffriction;
  Impedance solimp;
};

Friction LoadFriction(const double* five) {
  const auto at = [five](int i) { return std::max(mjMINMU, five[i]); };
  return {at(0), at(1), at(2), at(3), at(4)};
}
Impedance LoadImpedance(const double* solimp) { return {solimp[0], LoadFour(solimp + 1)}; }
static_assert(mjNREF == 2 && mjNIMP == 5);

// Coefficients of geoms become the five of a contact.
Friction ExpandFriction(double sliding, double torsional, double rolling) {
  sliding = std::max(mjMINMU, sliding);
  rolling = std::max(mjMINMU, rolling);
  return {sliding, sliding, std::max(mjMINMU, torsional), rolling, rolling};
}

Parameters OfGeom(const mjModel* m, int geom) {
  const double* friction = m->geom_friction + 3 * geom;
  return {m->geom_condim[geom], ExpandFriction(friction[0], friction[1], friction[2]),
          LoadTwo(m->geom_solref + mjNREF * geom), Two(0.0), LoadImpedance(m->geom_solimp + mjNIMP * geom)};
}

// Share of the first geom in the mean.
double MixWeight(double solmix1, double solmix2) {
  if (solmix1 == solmix2) return 0.5;  // of most pairs; there is nothing to divide
  if (solmix1 >= mjMINVAL && solmix2 >= mjMINVAL) return solmix1 / (solmix1 + solmix2);
  if (solmix1 < mjMINVAL && solmix2 < mjMINVAL) return 0.5;
  return solmix1 < mjMINVAL ? 0 : 1;
}

Parameters Mixed(const mjModel* m, int g1, int g2) {
  const double *friction1 = m->geom_friction + 3 * g1, *friction2 = m->geom_friction + 3 * g2;
  const auto larger = [=](int i) { return std::max(friction1[i], friction2[i]); };

  // negative solref is stiffness and damping themselves: they do not average with time constants
  const double weight = MixWeight(m->geom_solmix[g1], m->geom_solmix[g2]), rest = 1 - weight;
  const double *ref1 = m->geom_solref + mjNREF * g1, *ref2 = m->geom_solref + mjNREF * g2;
  const Two solref1 = LoadTwo(ref1), solref2 = LoadTwo(ref2);
  const Two solref = ref1[0] > 0 && ref2[0] > 0 ? solref1 * weight + solref2 * rest : Min(solref1, solref2);

  const Impedance imp1 = LoadImpedance(m->geom_solimp + mjNIMP * g1),
                  imp2 = LoadImpedance(m->geom_solimp + mjNIMP * g2);
  return {std::max(m->geom_condim[g1], m->geom_condim[g2]),
          ExpandFriction(larger(0), larger(1), larger(2)),
          solref,
          Two(0.0),
          {weight * imp1.d0 + rest * imp2.d0, imp1.rest * InAllLanes(weight) + imp2.rest * InAllLanes(rest)}};
}

Parameters OfPair(const mjModel* m, int pair) {
  return {m->pair_dim[pair], LoadFriction(m->pair_friction + 5 * pair), LoadTwo(m->pair_solref + mjNREF * pair),
          LoadTwo(m->pair_solreffriction + mjNREF * pair), LoadImpedance(m->pair_solimp + mjNIMP * pair)};
}

// One set of parameters for all contacts (mjENBL_OVERRIDE).
Parameters Overridden(const mjOption& opt, int dim) {
  return {dim, LoadFriction(opt.o_friction), LoadTwo(opt.o_solref), LoadTwo(opt.o_solref), LoadImpedance(opt.o_solimp)};
}

Parameters ParametersOf(const mjModel* m, const GeomPair& pair) {
  if (pair.pair >= 0) return OfPair(m, pair.pair);
  const int g1 = pair.geom1, g2 = pair.geom2, priority1 = m->geom_priority[g1], priority2 = m->geom_priority[g2];
  if (priority1 == priority2) return Mixed(m, g1, g2);
  return OfGeom(m, priority1 > priority2 ? g1 : g2);
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

typedef int FourInts __attribute__((vector_size(16)));

// Contacts of a pair have the same numbers behind their geometry: includemargin, parameters, zeros, ids. They are kept
// in registers. (From the first contact, the vectors of the others would wait for the numbers they were stored as.)
class SharedPart {
 public:
  SharedPart(const Parameters& p, double includemargin, int geom1, int geom2) {
    const Friction& f = p.friction;
    begin_ = block::Join(includemargin, f.sliding1, f.sliding2, 0);
    parameters_[0] = block::Join(block::Two{f.torsional, f.rolling1}, block::Two{f.rolling2, p.solref[0]});
    parameters_[1] =
        block::Join(block::Two{p.solref[1], p.solreffriction[0]}, block::Two{p.solreffriction[1], p.solimp.d0});
    parameters_[2] = p.solimp.rest;
    constexpr int kNone = -1;
    ids_[0] = FourInts{0, 0, p.dim, geom1};
    ids_[1] = FourInts{geom2, geom1, geom2, kNone};
    ids_[2] = FourInts{kNone, kNone, kNone, kNone};
    ids_[3] = FourInts{kNone, 0, kNone, 0};
  }

  // What is stored as four stays within the lines of the cache, of which a contact has nine.
  void Store(mjContact& contact) const {
    double* out = reinterpret_cast<double*>(&contact);
    StoreFour(begin_, out + kBegin);
    Unroll<0, 3>([&](auto k) { StoreFour(parameters_[k], out + kParameters + 4 * k); });
    Unroll<0, (kIds - kZeros) / 4>([&](auto k) { StoreFour(Four(0.0), out + kZeros + 4 * k); });
    Unroll<0, 4>([&](auto k) { std::memcpy(out + kIds + 2 * k, &ids_[k], sizeof(ids_[k])); });
  }

 private:
  // in numbers of eight bytes
  static constexpr size_t kBegin = 13, kParameters = 16, kZeros = 28, kIds = 64;
  static_assert(offsetof(mjContact, includemargin) == 8 * kBegin &&
                offsetof(mjContact, friction[2]) == 8 * kParameters && offsetof(mjContact, mu) == 8 * kZeros &&
                offsetof(mjContact, H[35]) == 8 * kIds && offsetof(mjContact, exclude) == 8 * kIds + 32 + 4 * 5 &&
                sizeof(mjContact) == 8 * kIds + 64);

  Four begin_;
  Four parameters_[3];
  FourInts ids_[4];
};

}  // namespace

SINEW_DISPATCH void CompleteParameters(const mjModel* m, const GeomPair& pair, mjContact* contact, int count) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  const double gap = pair.pair >= 0 ? m->pair_gap[pair.pair] : m->geom_gap[g1] + m->geom_gap[g2];
  const double includemargin = pair.margin - gap;
  Parameters parameters = ParametersOf(m, pair);
  if (m->opt.enableflags & mjENBL_OVERRIDE) parameters = Overridden(m->opt, parameters.dim);
  const SharedPart shared(parameters, includemargin, g1, g2);
  for (int i = 0; i < count; ++i) {
    shared.Store(contact[i]);
    contact[i].exclude = contact[i].dist >= includemargin ? kInGap : 0;
  }
}

void CompleteFrame(double frame[9]) {
  const ContactFrame<double> completed = CompletedFrame(LoadVec3(frame), LoadVec3(frame + 3));
  StoreVec3(completed.normal, frame);
  StoreVec3(completed.first, frame + 3);
  StoreVec3(completed.second, frame + 6);
}

namespace {

void CompleteFour(double* const (&frames)[4]) {
  Block<double> column[9];
  block::LoadRows<6>(frames, column, std::make_index_sequence<3>());
  const auto load = [&column](int k) { return Vec3<Block<double>>{column[k], column[k + 1], column[k + 2]}; };
  const auto completed = CompletedFrame(load(0), load(3));
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
