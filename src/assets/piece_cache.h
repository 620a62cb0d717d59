// Convex pieces of meshes, kept on disk: decomposition takes from tenths of a second to some seconds, and models are
// loaded again and again.
#ifndef SINEW_ASSETS_PIECE_CACHE_H_
#define SINEW_ASSETS_PIECE_CACHE_H_

#include <vector>

#include "assets/decompose.h"

namespace sinew::inline assets {

// As Decompose, but looks for the result on disk first, and keeps it there. The name of the file is a hash of the mesh,
// the options and the version of the method. The folder is SINEW_CACHE of the environment, or else sinew in
// XDG_CACHE_HOME or in ~/.cache; nothing is kept where SINEW_CACHE is empty, or where there is no folder. Files that
// cannot be read or written, or are damaged, are as if they were not there.
std::vector<std::vector<Vec3<double>>> DecomposeOnce(const MeshData& data, const DecomposeOptions& options);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_PIECE_CACHE_H_
