#include "collision/contact.h"

#include <algorithm>

#include "collision/contact_frame.h"
#include "collision/contact_parameters.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/block.h"
#include "math/vec3.h"
#include "model/kinds/contact_exclude.h"
#include "simd/unroll.h"

namespace sinew::inline collision {

bool AddContact(mjData* d, const mjContact& contact) {
  auto* appended = static_cast<mjContact*>(AllocArena(d, sizeof(mjContact), alignof(mjContact)));
  if (!appended) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return false;
  }
  *appended = contact;
  ++d->ncon;
  return true;
}

namespace {

// Clears the Hessian of the friction cone. (What compilers make of std::fill_n, a call, takes longer than all the
// rest.)
void ClearHessian(mjContact& contact) {
  static_assert(sizeof(contact.H) == 9 * sizeof(Four));
  Unroll<0, 9>([&](auto k) { StoreFour(Four(0.0), contact.H + 4 * k); });
}

// The numbers of both items, as in mjContact.
struct ItemNumbers {
  int geom[2], flex[2], elem[2], vert[2];

  explicit ItemNumbers(const ItemPair& pair) {
    const Item items[2] = {pair.first, pair.second};
    for (int i = 0; i < 2; ++i) {
      const bool is_geom = items[i].kind == ItemKind::kGeom;
      geom[i] = is_geom ? items[i].id : -1;
      flex[i] = is_geom ? -1 : items[i].id;
      elem[i] = items[i].kind == ItemKind::kFlexElement ? items[i].part : -1;
      vert[i] = items[i].kind == ItemKind::kFlexVertex ? items[i].part : -1;
    }
  }
};

// Writes all but the geometry of a contact.
void WriteParameters(const ContactParameters& p, double includemargin, const ItemNumbers& numbers, mjContact& contact) {
  const ContactFriction& f = p.friction;
  contact.includemargin = includemargin;
  contact.friction[0] = f.sliding1;
  contact.friction[1] = f.sliding2;
  contact.friction[2] = f.torsional;
  contact.friction[3] = f.rolling1;
  contact.friction[4] = f.rolling2;
  StoreTwo(p.solref, contact.solref);
  StoreTwo(p.solreffriction, contact.solreffriction);
  contact.solimp[0] = p.d0;
  StoreFour(p.rest, contact.solimp + 1);
  contact.mu = 0;
  ClearHessian(contact);
  contact.dim = p.dim;
  contact.geom1 = numbers.geom[0];
  contact.geom2 = numbers.geom[1];
  for (int i = 0; i < 2; ++i) {
    contact.geom[i] = numbers.geom[i];
    contact.flex[i] = numbers.flex[i];
    contact.elem[i] = numbers.elem[i];
    contact.vert[i] = numbers.vert[i];
  }
  contact.exclude = contact.dist >= includemargin ? contact_exclude::kInGap : contact_exclude::kActive;
  contact.efc_address = -1;
}

}  // namespace

double IncludeMargin(const mjModel* m, const ItemPair& pair) {
  if (pair.explicit_pair >= 0) return pair.margin - m->pair_gap[pair.explicit_pair];
  return pair.margin - (ContactSurface::Of(m, pair.first).gap + ContactSurface::Of(m, pair.second).gap);
}

SINEW_DISPATCH void CompleteParameters(const mjModel* m, const ItemPair& pair, mjContact* contact, int count) {
  const ContactSurface first = ContactSurface::Of(m, pair.first), second = ContactSurface::Of(m, pair.second);
  const bool is_explicit = pair.explicit_pair >= 0;
  ContactParameters parameters =
      is_explicit ? ParametersOfPair(m, pair.explicit_pair) : ContactParameters::Mix(first.numbers, second.numbers);
  if (m->opt.enableflags & mjENBL_OVERRIDE) parameters = OverriddenParameters(m->opt, parameters.dim);
  const double includemargin = IncludeMargin(m, pair);
  const ItemNumbers numbers(pair);
  for (int i = 0; i < count; ++i) WriteParameters(parameters, includemargin, numbers, contact[i]);
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

}  // namespace sinew::inline collision
