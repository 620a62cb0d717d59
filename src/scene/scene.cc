// The memory of a scene (mjv_makeScene, mjv_freeScene): sizes follow from the model and from the number
// of geoms that the caller asks for. Updates allocate nothing.
#include "scene/scene.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/memory.h"

namespace sinew::inline scene {
namespace {

// Zeroed memory for `count` elements.
template <class T>
void Allocate(mjtSize count, T** array) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(T);
  *array = static_cast<T*>(AllocateMemory(bytes));
  if (*array) std::memset(static_cast<void*>(*array), 0, bytes);
}

// Triangles that a flex may show: both sides of its elements and of its border, or the four faces of the solid elements
// in one layer.
int FaceRoom(const mjModel* m, int flex) {
  const int elements = m->flex_elemnum[flex];
  if (m->flex_dim[flex] == 2) return 2 * (elements + m->flex_shellnum[flex]);
  const int* layers = m->flex_elemlayer + m->flex_elemadr[flex];
  std::vector<int> count(1);
  for (int i = 0; i < elements; ++i) {
    count.resize(std::max(count.size(), static_cast<size_t>(layers[i]) + 1));
    ++count[static_cast<size_t>(layers[i])];
  }
  return 4 * *std::max_element(count.begin(), count.end());
}

void MakeFlexes(const mjModel* m, mjvScene* scene) {
  const int n = scene->nflex = static_cast<int>(m->nflex);
  for (int** array : {&scene->flexedgeadr, &scene->flexedgenum, &scene->flexvertadr, &scene->flexvertnum,
                      &scene->flexfaceadr, &scene->flexfacenum, &scene->flexfaceused}) {
    Allocate(n, array);
  }
  mjtSize faces = 0;
  for (int i = 0; i < n; ++i) {
    scene->flexedgeadr[i] = m->flex_edgeadr[i];
    scene->flexedgenum[i] = m->flex_edgenum[i];
    scene->flexvertadr[i] = m->flex_vertadr[i];
    scene->flexvertnum[i] = m->flex_vertnum[i];
    scene->flexfaceadr[i] = static_cast<int>(faces);
    scene->flexfacenum[i] = FaceRoom(m, i);
    faces += scene->flexfacenum[i];
  }
  Allocate(2 * m->nflexedge, &scene->flexedge);
  std::copy_n(m->flex_edge, 2 * m->nflexedge, scene->flexedge);
  Allocate(3 * m->nflexvert, &scene->flexvert);
  Allocate(9 * faces, &scene->flexface);
  Allocate(9 * faces, &scene->flexnormal);
  Allocate(6 * faces, &scene->flextexcoord);
}

void MakeSkins(const mjModel* m, mjvScene* scene) {
  const int n = scene->nskin = static_cast<int>(m->nskin);
  for (int** array : {&scene->skinfacenum, &scene->skinvertadr, &scene->skinvertnum}) Allocate(n, array);
  for (int i = 0; i < n; ++i) {
    scene->skinfacenum[i] = m->skin_facenum[i];
    scene->skinvertadr[i] = m->skin_vertadr[i];
    scene->skinvertnum[i] = m->skin_vertnum[i];
  }
  Allocate(3 * m->nskinvert, &scene->skinvert);
  Allocate(3 * m->nskinvert, &scene->skinnormal);
}

}  // namespace

// The memory that the scene may have is forgotten, not freed.
void SetDefaults(mjvScene* scene) { std::memset(scene, 0, sizeof(mjvScene)); }

// Frees what the scene had. A null model gives a scene without flexes and skins.
void MakeScene(const mjModel* m, mjvScene* scene, int maxgeom) {
  if (maxgeom < 0) throw Error("maxgeom is " + std::to_string(maxgeom), "give the room for geoms, 0 or more");
  FreeScene(scene);
  scene->maxgeom = maxgeom;
  Allocate(maxgeom, &scene->geoms);
  Allocate(maxgeom, &scene->geomorder);
  if (m) {
    MakeFlexes(m, scene);
    MakeSkins(m, scene);
  }
  scene->scale = scene->rotate[0] = 1;
  for (int i = 0; i < mjNRNDFLAG; ++i) scene->flags[i] = mjRNDSTRING[i][1][0] == '1';
}

void FreeScene(mjvScene* scene) {
  FreeMemory(scene->geoms);
  for (int* array : {scene->geomorder, scene->flexedgeadr, scene->flexedgenum, scene->flexvertadr, scene->flexvertnum,
                     scene->flexfaceadr, scene->flexfacenum, scene->flexfaceused, scene->flexedge, scene->skinfacenum,
                     scene->skinvertadr, scene->skinvertnum}) {
    FreeMemory(array);
  }
  for (float* array :
       {scene->flexvert, scene->flexface, scene->flexnormal, scene->flextexcoord, scene->skinvert, scene->skinnormal}) {
    FreeMemory(array);
  }
  SetDefaults(scene);
}

void RequireFlexesOf(const mjModel& m, const mjvScene& scene) {
  const bool fits = scene.nflex == m.nflex && std::equal(m.flex_vertnum, m.flex_vertnum + m.nflex, scene.flexvertnum) &&
                    std::equal(m.flex_edgenum, m.flex_edgenum + m.nflex, scene.flexedgenum);
  if (!fits) throw Error("argument 'scn' was made for another model, with other flexes", "make one with mjv_makeScene");
}

void RequireSkinsOf(const mjModel& m, const mjvScene& scene) {
  const bool fits = scene.nskin == m.nskin && std::equal(m.skin_vertnum, m.skin_vertnum + m.nskin, scene.skinvertnum) &&
                    std::equal(m.skin_facenum, m.skin_facenum + m.nskin, scene.skinfacenum);
  if (!fits) throw Error("argument 'scn' was made for another model, with other skins", "make one with mjv_makeScene");
}

}  // namespace sinew::inline scene
