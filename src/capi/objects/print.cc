// Models, worlds and scenes as text files, for people. A null file name means the standard output.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/warning.h"
#include "core/write_file.h"
#include "model/files/validate.h"
#include "model/text/print.h"
#include "scene/print_scene.h"

using sinew::capi::GuardWithWarning;

namespace {

// A wrong format would read arguments that printf was not given, so it is replaced.
std::string CheckedFormat(const char* format) {
  if (format && sinew::IsNumberFormat(format)) return format;
  sinew::Warn("the format of numbers '%s' is not that of one real number: '%s' is used", format ? format : "",
              sinew::kDefaultNumberFormat);
  return sinew::kDefaultNumberFormat;
}

// The text of a model, or of a world of it, whose arrays a program may have written to: they are checked before.
std::string ModelText(const mjModel& m, const char* format) {
  sinew::Validate(m);
  return sinew::PrintModel(m, CheckedFormat(format));
}
std::string DataText(const mjModel& m, const mjData& d, const char* format) {
  sinew::Validate(m);
  return sinew::PrintData(m, d, CheckedFormat(format));
}

// Writes to a file, or to the standard output without one.
bool Save(const std::string& text, const char* filename) {
  if (!filename) return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  sinew::WriteFile(filename, text);
  return true;
}

}  // namespace

// Prints sizes, options and all arrays of a model; a file that cannot be written is a warning.
void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  SINEW_CHECK(mj_printFormattedModel);
  GuardWithWarning("mj_printFormattedModel", false, [=] { return Save(ModelText(*m, float_format), filename); });
}
void mj_printModel(const mjModel* m, const char* filename) {
  SINEW_CHECK(mj_printModel);
  mj_printFormattedModel(m, filename, sinew::kDefaultNumberFormat);
}

// Prints state, derived quantities and sizes of memory of a world.
void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename, const char* float_format) {
  SINEW_CHECK(mj_printFormattedData);
  GuardWithWarning("mj_printFormattedData", false, [=] { return Save(DataText(*m, *d, float_format), filename); });
}
void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  SINEW_CHECK(mj_printData);
  mj_printFormattedData(m, d, filename, sinew::kDefaultNumberFormat);
}

void mj_printFormattedScene(const mjvScene* s, const char* filename, const char* float_format) {
  SINEW_CHECK(mj_printFormattedScene);
  GuardWithWarning("mj_printFormattedScene", false,
                   [=] { return Save(sinew::PrintScene(*s, CheckedFormat(float_format)), filename); });
}
void mj_printScene(const mjvScene* s, const char* filename) {
  SINEW_CHECK(mj_printScene);
  mj_printFormattedScene(s, filename, sinew::kDefaultNumberFormat);
}
