// Skins: surfaces whose vertices follow several bodies, their bones.
#ifndef SINEW_ASSETS_SKIN_H_
#define SINEW_ASSETS_SKIN_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sinew::inline assets {

struct SkinBone {
  std::string body;
  float bindpos[3], bindquat[4];  // pose of the body in which the vertices are given
  std::vector<int> vertex;        // ids of the vertices that it moves
  std::vector<float> weight;      // its weight for each of them
};

struct SkinData {
  std::vector<float> vertex;    // three numbers each [m]
  std::vector<float> texcoord;  // two numbers for each vertex, or none
  std::vector<int> face;        // three vertices each
  std::vector<SkinBone> bones;
};

// An SKN file: int32 counts of vertices, texture coordinates, faces and bones; vertices, texture coordinates and faces;
// then for each bone its body (40 characters), bindpos, bindquat, the count of its vertices, these, and their weights.
SkinData LoadSkn(std::span<const std::byte> file);

// Checks indices and sizes, and scales the weights of every vertex to a sum of one and quaternions to unit length.
// Throws Error on skins that cannot be part of a model.
void FinishSkin(SkinData& skin);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_SKIN_H_
