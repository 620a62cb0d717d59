// Common part of the functions of <sinew/batch.h>: the handle, selections of worlds, and their results.
#ifndef SINEW_CAPI_SINEW_BATCH_HANDLE_H_
#define SINEW_CAPI_SINEW_BATCH_HANDLE_H_

#include <sinew/batch.h>

#include <string>
#include <utility>
#include <vector>

#include "batch/front/worlds.h"
#include "capi/boundary.h"
#include "core/error.h"

// A batch of the interface owns its worlds.
struct sinewBatch_ {
  sinew::Worlds worlds;
  // the world that was looked at last
  sinew::ModelPtr model = nullptr;
  sinew::DataPtr data = nullptr;
};

namespace sinew::capi {

// Programs select worlds by a mask of bytes, one for each world; null selects all.
class Masked {
 public:
  Masked(const sinewBatch* b, const unsigned char* mask) : all_(!mask) {
    for (int i = 0; mask && i < b->worlds.count(); ++i) {
      if (mask[i]) ids_.push_back(i);
    }
  }
  Selection selection() const { return all_ ? Selection() : Selection(ids_); }

 private:
  bool all_;
  std::vector<int> ids_;
};

// A null pointer is an error with the name of the argument, as the header calls it.
inline void Given(const char* name, const void* pointer) {
  if (!pointer) throw Error(std::string(name) + " is NULL");
}

// A function whose result is 0 or more, and -1 with a text for an error.
template <class Body>
int Count(const char* function, const sinewBatch* b, char* error, int error_sz, Body&& body) {
  return GuardWithText(function, error, error_sz, -1, [&] {
    Given("b", b);
    return body();
  });
}

}  // namespace sinew::capi

#endif  // SINEW_CAPI_SINEW_BATCH_HANDLE_H_
