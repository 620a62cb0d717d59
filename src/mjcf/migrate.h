// Old model files for the present release: words that are gone (gone.h) are deleted, renamed or replaced by what means
// the same.
#ifndef SINEW_MJCF_MIGRATE_H_
#define SINEW_MJCF_MIGRATE_H_

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

namespace sinew::mjcf {

struct Migration {
  std::string text;                  // of the new file
  std::vector<std::string> changes;  // a line each, with file and line of the old text where they are known
};

// Rewrites a document. Files that it includes stand in place of their <include>. Paths become relative to the folder
// `to`; both files are on disk. Throws Error when a file is no XML.
Migration Migrate(const std::string& file, const std::string& to, const mjVFS* vfs);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_MIGRATE_H_
