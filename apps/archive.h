// ZIP archives: models that come with their assets in one file, and arrays of NumPy (.npz).
#ifndef SINEW_APPS_ARCHIVE_H_
#define SINEW_APPS_ARCHIVE_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sinew {

// Contents by name.
using Archive = std::map<std::string, std::vector<std::byte>>;

// Throw std::runtime_error with the name of the file. An archive that unpacks to more bytes than it may is refused
// before it is unpacked.
Archive ReadZip(const std::string& path, double most_bytes);
void WriteZip(const std::string& path, const Archive& archive);

}  // namespace sinew

#endif  // SINEW_APPS_ARCHIVE_H_
