#include "model/kinds/contact_law.h"

#include <cstring>

namespace sinew {

ContactLaws FindContactLaws(const mjModel* m) {
  const int size = ContactLawSize(static_cast<int>(m->ngeom), static_cast<int>(m->npair));
  // behind the numbers of the user
  for (int i = static_cast<int>(m->nnumeric) - 1; i >= 0; --i) {
    const bool found = std::strcmp(m->names + m->name_numericadr[i], kContactLawArray) == 0;
    if (found && m->numeric_size[i] == size) return {m->numeric_data + m->numeric_adr[i]};
  }
  return {};
}

}  // namespace sinew
