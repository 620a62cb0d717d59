// Surfaces of geoms and pairs: checks, and the number array that holds their velocity and adhesion.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "compile/tree/geom.h"
#include "core/real_text.h"
#include "model/kinds/surface.h"

namespace sinew::inline compile {
namespace {

double Given(double value) { return std::isnan(value) ? 0 : value; }

bool IsGiven(const SurfaceValues& values) {
  for (const double value : values) {
    if (!std::isnan(value)) return true;
  }
  return false;
}

void CheckAdhesion(double adhesion) {
  if (std::isnan(adhesion) || (adhesion >= 0 && std::isfinite(adhesion))) return;
  throw Error("adhesion is " + TextOfReal(adhesion), "give a force of at least 0 N");
}

void CheckVelocity(const SurfaceValues& values) {
  for (int i = kSurfaceVelocity; i < kSurfaceAdhesion; ++i) {
    const double value = values[static_cast<size_t>(i)];
    if (std::isinf(value)) throw Error("surfacevel is " + TextOfReal(value), "give numbers in m/s and rad/s");
  }
}

// Appends the row of a geom.
void AppendGeom(const GeomDraft& draft, std::vector<double>* numbers) {
  for (const double value : SurfaceIn(draft.in_element, draft.source->surface)) numbers->push_back(Given(value));
}

}  // namespace

void DraftSurfaces(Draft& draft) {
  ErrorList errors;
  std::vector<double> numbers;
  bool any = false;
  for (int i = 0; i < static_cast<int>(draft.geoms.size()); ++i) {
    const GeomDraft& geom = FindGeom(draft, i);
    errors.At(*geom.source, [&] {
      CheckVelocity(geom.source->surface);
      CheckAdhesion(geom.source->surface[kSurfaceAdhesion]);
    });
    any |= IsGiven(geom.source->surface);
    AppendGeom(geom, &numbers);
  }
  for (const PairDraft& pair : draft.pairs) {
    errors.At(*pair.source, [&] { CheckAdhesion(pair.source->adhesion); });
    any |= !std::isnan(pair.source->adhesion);
    numbers.push_back(Given(pair.source->adhesion));
  }
  errors.Throw();
  if (any) draft.extensions.push_back({kSurfaceArray, std::move(numbers)});
}

}  // namespace sinew::inline compile
