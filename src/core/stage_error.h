// An error in settings that only the stage that uses them notices, whichever function of the interface runs it: the
// message begins with the stage's name in place of that function's.
#ifndef SINEW_CORE_STAGE_ERROR_H_
#define SINEW_CORE_STAGE_ERROR_H_

#include <string>

#include "core/error.h"

namespace sinew::inline core {

class StageError : public Error {
 public:
  // `stage` is a constant.
  StageError(const char* stage, const std::string& problem) : Error(problem), stage_(stage) {}

  const char* stage() const { return stage_; }

 private:
  const char* stage_;
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_STAGE_ERROR_H_
