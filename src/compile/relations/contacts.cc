// Geom pairs with contact parameters of their own, and pairs of bodies that do not collide.
#include <algorithm>
#include <cmath>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/relations/reference.h"
#include "compile/rows.h"
#include "compile/topology/relations.h"

namespace sinew::inline compile {
namespace {

// Two bodies in one number: that of the smaller id first.
int Signature(int body1, int body2) { return (body1 << 16) + body2; }

// Values that a pair does not give (NaN) come from its geoms: the larger margin and gap; all else from the geom of
// higher priority, or mixed when their priorities are equal.
void FillFromGeoms(const Geom& a, const Geom& b, PairDraft& pair) {
  if (std::isnan(pair.margin)) pair.margin = std::max(a.margin, b.margin);
  if (std::isnan(pair.gap)) pair.gap = std::max(a.gap, b.gap);
  const Geom* winner = a.priority > b.priority ? &a : a.priority < b.priority ? &b : nullptr;
  if (std::isnan(pair.friction[0])) {
    const auto mixed = [&](size_t i) { return winner ? winner->friction[i] : std::max(a.friction[i], b.friction[i]); };
    pair.friction = {mixed(0), mixed(0), mixed(1), mixed(2), mixed(2)};
  }
  const double total = a.solmix + b.solmix;
  const double weight = total < mjMINVAL ? 0.5 : a.solmix / total;
  if (std::isnan(pair.solref[0])) {
    for (size_t i = 0; i < mjNREF; ++i) {
      pair.solref[i] = winner ? winner->solref[i] : std::min(a.solref[i], b.solref[i]);
    }
  }
  if (std::isnan(pair.solimp[0])) {
    for (size_t i = 0; i < mjNIMP; ++i) {
      pair.solimp[i] = winner ? winner->solimp[i] : weight * a.solimp[i] + (1 - weight) * b.solimp[i];
    }
  }
}

// The collision detector looks pairs up by their bodies, so geoms stand in the order of their bodies.
PairDraft DraftPair(Pair& source, const Draft& draft) {
  PairDraft pair = {};
  pair.source = &source;
  pair.condim = source.condim;
  if (pair.condim != 1 && pair.condim != 3 && pair.condim != 4 && pair.condim != 6) {
    throw Error("condim is " + std::to_string(pair.condim), "use 1, 3, 4 or 6");
  }
  pair.geom1 = RequireId("geom1", draft.spec, mjOBJ_GEOM, *source.geomname1);
  pair.geom2 = RequireId("geom2", draft.spec, mjOBJ_GEOM, *source.geomname2);
  if (GeomBody(draft, pair.geom1) > GeomBody(draft, pair.geom2)) std::swap(pair.geom1, pair.geom2);
  pair.signature = Signature(GeomBody(draft, pair.geom1), GeomBody(draft, pair.geom2));
  pair.margin = source.margin;
  pair.gap = source.gap;
  std::copy_n(source.friction, 5, pair.friction.begin());
  std::copy_n(source.solref, mjNREF, pair.solref.begin());
  std::copy_n(source.solimp, mjNIMP, pair.solimp.begin());
  FillFromGeoms(*FindGeom(draft, pair.geom1).source, *FindGeom(draft, pair.geom2).source, pair);
  return pair;
}

// Sorts by signature, for binary search; equal signatures keep the order of declaration.
template <class T>
void SortAndNumber(std::vector<T>& items) {
  std::stable_sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.signature < b.signature; });
  for (size_t i = 0; i < items.size(); ++i) items[i].source->id = static_cast<int>(i);
}

}  // namespace

// Both lists are sorted before they get ids, so that ids are not the order of the specification.
void DraftContacts(Draft& draft) {
  ErrorList errors;
  for (auto& pair : draft.spec.List<Pair>()) {
    errors.At(*pair, [&] { draft.pairs.push_back(DraftPair(*pair, draft)); });
  }
  for (auto& exclude : draft.spec.List<Exclude>()) {
    errors.At(*exclude, [&] {
      const int body1 = RequireId("body1", draft.spec, mjOBJ_BODY, *exclude->bodyname1);
      const int body2 = RequireId("body2", draft.spec, mjOBJ_BODY, *exclude->bodyname2);
      draft.excludes.push_back({exclude.get(), Signature(std::min(body1, body2), std::max(body1, body2))});
    });
  }
  errors.Throw();
  SortAndNumber(draft.pairs);
  SortAndNumber(draft.excludes);
}

void WriteContacts(const Draft& draft, mjModel* m) {
  for (int i = 0; i < m->npair; ++i) {
    const PairDraft& pair = draft.pairs[static_cast<size_t>(i)];
    m->pair_dim[i] = pair.condim;
    m->pair_geom1[i] = pair.geom1;
    m->pair_geom2[i] = pair.geom2;
    m->pair_signature[i] = pair.signature;
    PutRow(m->pair_solref, i, pair.solref);
    PutRow(m->pair_solreffriction, i, pair.source->solreffriction);
    PutRow(m->pair_solimp, i, pair.solimp);
    m->pair_margin[i] = ListedBelow(pair.margin, pair.gap, pair.source->home->level);
    m->pair_gap[i] = pair.gap;
    PutRow(m->pair_friction, i, pair.friction);
  }
  for (int i = 0; i < m->nexclude; ++i) m->exclude_signature[i] = draft.excludes[static_cast<size_t>(i)].signature;
}

}  // namespace sinew::inline compile
