// The functions of <sinew/batch.h> for contacts of all worlds, in padded arrays.
#include <algorithm>

#include "capi/arguments.h"
#include "capi/sinew/batch_handle.h"

using sinew::capi::Count;
using sinew::capi::Given;
using sinew::capi::Masked;

namespace {

// Copies `size` numbers of a contact to its row; nothing where the array is not wanted.
template <class T>
void Put(T* array, size_t row, const T* from, size_t size) {
  if (array) std::copy_n(from, size, array + row * size);
}

void PutContact(const sinewBatchContacts& to, size_t row, const sinew::KeptContact& contact) {
  Put(to.geom, row, contact.geom, 2);
  Put(to.flex, row, contact.flex, 2);
  Put(to.dim, row, &contact.dim, 1);
  Put(to.dist, row, &contact.dist, 1);
  Put(to.pos, row, contact.pos, 3);
  Put(to.frame, row, contact.frame, 9);
  Put(to.friction, row, contact.friction, 5);
  Put(to.force, row, contact.force, 6);
}

}  // namespace

int sinew_batch_keepContacts(sinewBatch* b, int keep, char* error, int error_sz) {
  return Count("sinew_batch_keepContacts", b, error, error_sz, [=] {
    b->worlds.KeepContacts(keep != 0);
    return 0;
  });
}

// Rows behind the contacts of a world are those of a contact of nothing with nothing.
int sinew_batch_contacts(sinewBatch* b, const unsigned char* mask, int capacity, const sinewBatchContacts* contacts,
                         char* error, int error_sz) {
  return Count("sinew_batch_contacts", b, error, error_sz, [=] {
    if (capacity < 0) throw sinew::Error("capacity is " + std::to_string(capacity));
    if (capacity > 0) Given("contacts", contacts);
    constexpr sinew::KeptContact kNothing = {{-1, -1}, {-1, -1}, 0, 0, {}, {}, {}, {}};
    int most = 0;
    const auto put = [&](int place, std::span<const sinew::KeptContact> found) {
      most = std::max(most, static_cast<int>(found.size()));
      if (!contacts) return;
      if (contacts->count) contacts->count[place] = static_cast<int>(found.size());
      const size_t rows = static_cast<size_t>(capacity), begin = rows * static_cast<size_t>(place);
      for (size_t i = 0; i < rows; ++i) PutContact(*contacts, begin + i, i < found.size() ? found[i] : kNothing);
    };
    b->worlds.ForEachContacts(Masked(b, mask).selection(), put);
    return most;
  });
}
