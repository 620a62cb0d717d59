#include "model/kinds/contact_law.h"

#include "model/kinds/number_array.h"

namespace sinew::inline model {

ContactLaws FindContactLaws(const mjModel* m) {
  const auto size = static_cast<std::size_t>(ContactLawSize(static_cast<int>(m->ngeom), static_cast<int>(m->npair)));
  const std::span<const mjtNum> array = FindNumberArray(m, kContactLawArray);
  return {array.size() == size ? array.data() : nullptr};
}

}  // namespace sinew::inline model
