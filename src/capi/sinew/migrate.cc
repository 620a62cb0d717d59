// The function of <sinew/migrate.h>.
#include <sinew/migrate.h>

#include <cstdio>
#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/write_file.h"
#include "mjcf/migrate.h"

using sinew::capi::Given;
using sinew::capi::GuardWithText;

// The changes are cut to the buffer, which always ends with a zero.
int sinew_migrateXml(const char* filename, const char* output, const mjVFS* vfs, char* changes, int changes_sz,
                     char* error, int error_sz) {
  return GuardWithText<int>("sinew_migrateXml", error, error_sz, -1, [=] {
    const std::string to = Given("output", output);
    const sinew::mjcf::Migration migration = sinew::mjcf::Migrate(Given("filename", filename), to, vfs);
    sinew::WriteFile(to, migration.text);
    std::string lines;
    for (const std::string& change : migration.changes) lines += change + "\n";
    if (changes && changes_sz > 0) std::snprintf(changes, static_cast<size_t>(changes_sz), "%s", lines.c_str());
    return static_cast<int>(migration.changes.size());
  });
}
