#include "collision/contact.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "collision/contact_frame.h"
#include "collision/contact_parameters.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/block.h"
#include "math/vec3.h"
#include "simd/unroll.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1;

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
  SharedPart(const ContactParameters& p, double includemargin, int geom1, int geom2) {
    const ContactFriction& f = p.friction;
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
  const ContactSurface first = ContactSurface::OfGeom(m, pair.geom1), second = ContactSurface::OfGeom(m, pair.geom2);
  const bool is_explicit = pair.pair >= 0;
  ContactParameters parameters =
      is_explicit ? ContactParameters::OfPair(m, pair.pair) : ContactParameters::Mix(first, second);
  if (m->opt.enableflags & mjENBL_OVERRIDE) parameters = ContactParameters::Overridden(m->opt, parameters.dim);
  const double includemargin = pair.margin - (is_explicit ? m->pair_gap[pair.pair] : first.gap + second.gap);
  const SharedPart shared(parameters, includemargin, pair.geom1, pair.geom2);
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
