// Single shapes of a scene are made here, for our own parts and for programs (mjv_initGeom, mjv_connector).
#include "scene/geom.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "math/mat3.h"
#include "math/orientation.h"
#include "math/vec3.h"

namespace sinew::inline scene {
namespace {

void Copy(const mjtNum* from, int n, float* to) {
  std::transform(from, from + n, to, [](mjtNum x) { return static_cast<float>(x); });
}

// Whether a shape has its half length along z, about its middle.
bool IsLong(int type) { return type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER; }
// Whether a shape starts at its position and has its whole length along z.
bool IsPointed(int type) {
  return type == mjGEOM_ARROW || type == mjGEOM_ARROW1 || type == mjGEOM_ARROW2 || type == mjGEOM_LINE;
}

}  // namespace

// Null pointers take defaults. Type of object, number and category stay as the caller has set them.
void InitGeom(mjvGeom* geom, int type, const mjtNum* size, const mjtNum* pos, const mjtNum* mat, const float* rgba) {
  static constexpr mjtNum kSize[3] = {0.1, 0.1, 0.1}, kOrigin[3] = {0, 0, 0};
  static constexpr mjtNum kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static constexpr float kGray[4] = {0.5f, 0.5f, 0.5f, 1};
  geom->type = type;
  geom->dataid = geom->matid = -1;
  geom->texcoord = 0;

  // A radius alone makes a sphere, a radius and a half length the round shapes.
  Copy(size ? size : kSize, 3, geom->size);
  if (size && type == mjGEOM_SPHERE) geom->size[1] = geom->size[2] = geom->size[0];
  if (size && IsLong(type)) {
    geom->size[2] = geom->size[1];
    geom->size[1] = geom->size[0];
  }
  Copy(pos ? pos : kOrigin, 3, geom->pos);
  Copy(mat ? mat : kIdentity, 9, geom->mat);
  std::copy_n(rgba ? rgba : kGray, 4, geom->rgba);

  geom->emission = 0;
  geom->specular = geom->shininess = 0.5f;
  geom->reflectance = 0;
  geom->label[0] = '\0';
  geom->camdist = geom->modelrbound = 0;
  geom->transparent = 0;
}

// Throws Error for shapes that have no length. Points that coincide give a shape of no length along z.
void ConnectPoints(mjvGeom* geom, int type, mjtNum width, const mjtNum* from, const mjtNum* to) {
  if (!IsLong(type) && !IsPointed(type)) {
    throw Error("shapes of type " + std::to_string(type) + " do not connect points",
                "use a capsule, cylinder, arrow or line");
  }
  const Vec3<double> begin = LoadVec3(from), end = LoadVec3(to), axis = end - begin;
  const double length = Norm(axis);
  const Vec3<double> pos = IsLong(type) ? (begin + end) * 0.5 : begin;
  const Mat3<double> mat = ToMat3(FromDirection(axis));
  geom->type = type;
  geom->size[0] = geom->size[1] = static_cast<float>(width);
  geom->size[2] = static_cast<float>(IsLong(type) ? length / 2 : length);
  for (int i = 0; i < 3; ++i) {
    geom->pos[i] = static_cast<float>(pos[i]);
    for (int j = 0; j < 3; ++j) geom->mat[3 * i + j] = static_cast<float>(mat(i, j));
  }
}

}  // namespace sinew::inline scene
