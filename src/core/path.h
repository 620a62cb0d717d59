// Paths of model files as text. Both slashes separate, because models travel between systems.
#ifndef SINEW_CORE_PATH_H_
#define SINEW_CORE_PATH_H_

#include <string>
#include <string_view>

namespace sinew::inline core {

// The part after the last separator; the part up to and including it, at least a scheme and its colon.
std::string_view BaseName(std::string_view path);
std::string_view DirName(std::string_view path);

// The part from the last dot of the name on, dot included; empty when there is none.
std::string_view Extension(std::string_view path);

// The name without folders and extension: the name of an asset that has none of its own.
std::string_view Stem(std::string_view path);

std::string ToLower(std::string_view text);

// Without ".", ".." and doubled separators where that needs no knowledge of the disk; a scheme stays.
std::string NormalizePath(std::string_view path);

// Begins at a root, a drive, or with a scheme.
bool IsAbsolutePath(std::string_view path);

// `name` itself when it is absolute, else below `dir`.
std::string JoinPath(std::string_view dir, std::string_view name);

// The same, normalized: "link/../x" is "x" wherever the link leads.
std::string ResolvePath(std::string_view dir, std::string_view name);

// The scheme of "scheme:rest": a letter, then letters, digits, '+', '.' or '-'. Empty when there is none. One letter is
// a drive.
std::string_view Scheme(std::string_view name);
bool IsValidScheme(std::string_view scheme);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_PATH_H_
