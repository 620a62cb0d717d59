// Reads skins from files, and makes weights of each vertex sum up to one.
#include "assets/skin.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "assets/bytes.h"
#include "core/error.h"
#include "math/quat.h"

namespace sinew::inline assets {
namespace {

constexpr size_t kBodyName = 40;  // characters of a file, the terminator included

// ---- files

size_t TakeCount(ByteReader& reader, const char* what) {
  const int32_t count = reader.Take<int32_t>();
  if (count < 0) {
    throw Error("the SKN file declares " + std::to_string(count) + " " + what, "save it again");
  }
  return static_cast<size_t>(count);
}

SkinBone TakeBone(ByteReader& reader) {
  SkinBone bone;
  const std::vector<char> name = reader.TakeArray<char>(kBodyName);
  bone.body.assign(name.begin(), std::find(name.begin(), name.end() - 1, '\0'));
  for (float& number : bone.bindpos) number = reader.Take<float>();
  for (float& number : bone.bindquat) number = reader.Take<float>();
  const size_t count = TakeCount(reader, "vertices of a bone");
  bone.vertex = reader.TakeArray<int>(count);
  bone.weight = reader.TakeArray<float>(count);
  return bone;
}

// ---- checks

void CheckSizes(const SkinData& skin) {
  if (skin.vertex.empty() || skin.face.empty() || skin.bones.empty()) {
    throw Error("the skin has no vertices, no faces or no bones", "give all three");
  }
  if (skin.vertex.size() % 3 != 0) {
    throw Error("the vertices of the skin have " + std::to_string(skin.vertex.size()) + " numbers", "give 3 for each");
  }
  if (skin.face.size() % 3 != 0) {
    throw Error("the faces of the skin have " + std::to_string(skin.face.size()) + " vertices", "give 3 for each");
  }
  if (!skin.texcoord.empty() && skin.texcoord.size() / 2 != skin.vertex.size() / 3) {
    throw Error("the skin has " + std::to_string(skin.texcoord.size()) + " texture coordinates",
                "give 2 for each of its " + std::to_string(skin.vertex.size() / 3) + " vertices");
  }
}

// `where` is the thing that refers to the vertex.
size_t CheckedVertex(int vertex, size_t count, const std::string& where) {
  if (vertex >= 0 && static_cast<size_t>(vertex) < count) return static_cast<size_t>(vertex);
  throw Error(where + " refers to vertex " + std::to_string(vertex), "vertices are 0 to " + std::to_string(count - 1));
}

// ---- weights and orientations

void NormalizeWeights(SkinData& skin) {
  const size_t count = skin.vertex.size() / 3;
  std::vector<float> total(count);
  for (const SkinBone& bone : skin.bones) {
    const std::string where = "the bone of body '" + bone.body + "'";
    if (bone.vertex.empty() || bone.vertex.size() != bone.weight.size()) {
      throw Error(where + " has " + std::to_string(bone.vertex.size()) + " vertices and " +
                      std::to_string(bone.weight.size()) + " weights",
                  "give as many weights as vertices, and at least one");
    }
    for (size_t i = 0; i < bone.vertex.size(); ++i) {
      total[CheckedVertex(bone.vertex[i], count, where)] += bone.weight[i];
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (!(total[i] > 0) || !std::isfinite(total[i])) {
      throw Error("the weights of vertex " + std::to_string(i) + " add up to " + std::to_string(total[i]),
                  "every vertex must follow a bone with positive weight");
    }
  }
  for (SkinBone& bone : skin.bones) {
    for (size_t i = 0; i < bone.vertex.size(); ++i) bone.weight[i] /= total[static_cast<size_t>(bone.vertex[i])];
  }
}

// Without length, an orientation is the identity.
void NormalizeBindQuat(float quat[4]) {
  const Quat<double> unit = Normalized(Quat<double>{quat[0], quat[1], quat[2], quat[3]});
  for (int i = 0; i < 4; ++i) quat[i] = static_cast<float>(unit[i]);
}

}  // namespace

SkinData LoadSkn(std::span<const std::byte> file) {
  ByteReader reader(file);
  const size_t vertices = TakeCount(reader, "vertices"), texcoords = TakeCount(reader, "texture coordinates");
  const size_t faces = TakeCount(reader, "faces"), bones = TakeCount(reader, "bones");
  SkinData skin;
  skin.vertex = reader.TakeArray<float>(3 * vertices);
  skin.texcoord = reader.TakeArray<float>(2 * texcoords);
  skin.face = reader.TakeArray<int>(3 * faces);
  // The list grows with what the file holds, not with what it declares.
  for (size_t i = 0; i < bones; ++i) skin.bones.push_back(TakeBone(reader));
  if (reader.left() > 0) {
    throw Error("the SKN file has " + std::to_string(reader.left()) + " bytes too many", "save it again");
  }
  return skin;
}

void FinishSkin(SkinData& skin) {
  CheckSizes(skin);
  for (const int vertex : skin.face) CheckedVertex(vertex, skin.vertex.size() / 3, "a face of the skin");
  for (const auto* numbers : {&skin.vertex, &skin.texcoord}) {
    if (!std::all_of(numbers->begin(), numbers->end(), [](float x) { return std::isfinite(x); })) {
      throw Error("the skin has a coordinate that is not a finite number", "correct it");
    }
  }
  NormalizeWeights(skin);
  for (SkinBone& bone : skin.bones) NormalizeBindQuat(bone.bindquat);
}

}  // namespace sinew::inline assets
