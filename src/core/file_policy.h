// Which files on disk models may read. By default all, as in MuJoCo 3.8.0; a model from a stranger may be kept below a
// folder, whatever "..", links and absolute paths say. Files that the program itself puts into a virtual file system,
// and content from providers, are not restricted.
#ifndef SINEW_CORE_FILE_POLICY_H_
#define SINEW_CORE_FILE_POLICY_H_

#include <string>

namespace sinew::inline core {

// The folder for all loads of the process that have none of their own. Empty: that of SINEW_FILE_ROOT in the
// environment, else none.
void SetFileRoot(const std::string& folder);

// Whether a file may be read, where `own_root` is the folder of the load (core/vfs.h), empty without one.
bool MayRead(const std::string& path, const std::string& own_root);

// The part of an error's text for a path that may not be read, else empty: "; it is outside of '/models', below which
// files are read".
std::string WhyBlocked(const std::string& path, const std::string& own_root);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_FILE_POLICY_H_
