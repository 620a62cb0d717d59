// The convex hull of a mesh, as collision uses it: vertices, and for each the vertices that share an edge with it.
//
// Vertices are named by their index in the hull. A mesh without a hull graph counts as its own hull, in which every
// vertex is a neighbour of every other.
#ifndef SINEW_COLLISION_CONVEX_HULL_H_
#define SINEW_COLLISION_CONVEX_HULL_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "math/vec3.h"
#include "simd/argmax.h"

namespace sinew::inline collision {

class Hull {
 public:
  Hull() = default;
  Hull(const mjModel* m, int mesh);

  bool HasGraph() const { return edge_start_ != nullptr; }
  // Whether the mesh has less than ten vertices. Then among equal ones the first in the mesh counts.
  bool IsOfSmallMesh() const { return small_mesh_; }
  int Count() const { return count_; }
  int MeshVertex(int i) const { return mesh_vertex_ ? mesh_vertex_[i] : i; }
  Vec3<double> Vertex(int i) const {
    const float* p = vertices_ + 3 * MeshVertex(i);
    return {p[0], p[1], p[2]};
  }

  // The vertex with the largest projection on `direction`, in the mesh frame: by hill climbing from `start`, or by
  // trying all when there is no graph or they are few. Without a start (-1), some vertices are tried for one. Among
  // equals, the first one met.
  int FindSupport(const Vec3<double>& direction, int start) const;

 private:
  friend class HullNeighbours;
  friend class HullColumns;
  int FindStart(const Vec3<double>& direction) const;
  int Climb(const Vec3<double>& direction, int start) const;
  int Scan(const Vec3<double>& direction) const;

  const float* vertices_ = nullptr;
  int count_ = 0;
  bool small_mesh_ = false;
  const int* mesh_vertex_ = nullptr;  // hull vertex -> mesh vertex
  const int* edge_start_ = nullptr;   // hull vertex -> first of its neighbours in edges_
  const int* edges_ = nullptr;        // neighbours, each list closed by -1
};

// A vertex of a hull, in the mesh frame, and its name.
struct HullVertex {
  Vec3<double> point;
  int id;
};

// The vertices of a small hull, column by column: a support is then one pass over all of them, several at a time,
// without a walk's branches.
class HullColumns {
 public:
  static constexpr int kCapacity = kArgMaxCapacity;

  static bool Fits(const Hull& hull) { return hull.Count() > 0 && hull.Count() <= kCapacity; }
  void Load(const Hull& hull);
  bool AreLoaded() const { return padded_ > 0; }

  // The first vertex with the largest projection on `u`, in the mesh frame.
  HullVertex FindSupport(const Vec3<double>& u) const {
    const int i = FarthestPoint(x_, y_, z_, padded_, u.x, u.y, u.z);
    return {{x_[i], y_[i], z_[i]}, in_mesh_order_ ? id_[i] : i};
  }

 private:
  void SortByMesh(const Hull& hull);

  bool in_mesh_order_ = false;  // else in that of the hull
  int id_[kCapacity];
  int padded_ = 0;  // count, up to a multiple of the vertices that are looked at together
  double x_[kCapacity], y_[kCapacity], z_[kCapacity];
};

// The hull of a mesh, ready for supports.
struct LoadedHull {
  Hull hull;
  HullColumns columns;  // of a small one

  LoadedHull(const mjModel* m, int mesh) : hull(m, mesh) {
    if (HullColumns::Fits(hull)) columns.Load(hull);
  }
};

// Hulls of a model's meshes, each loaded when it is first asked for and kept while there is room: geoms share meshes,
// and pairs share geoms.
class HullCache {
 public:
  explicit HullCache(const mjModel* m) : m_(m) { std::fill_n(mesh_, kSlots + 1, -1); }
  HullCache(const HullCache&) = delete;
  HullCache& operator=(const HullCache&) = delete;

  // Valid until another is asked for, unless that one is to be used `beside` it.
  const LoadedHull& Get(int mesh, const LoadedHull* beside = nullptr);

 private:
  // Meshes stand in slots by the last bits of their numbers. One more slot is for a hull that would displace the one
  // beside it.
  static constexpr int kSlots = 32;
  union Slot {
    Slot() {}  // nothing
    LoadedHull loaded;
  };

  const mjModel* m_;
  int mesh_[kSlots + 1];  // -1: none is loaded there
  Slot slot_[kSlots + 1];
};

// Walks over the neighbours of a hull vertex.
class HullNeighbours {
 public:
  HullNeighbours(const Hull& hull, int vertex)
      : edges_(hull.HasGraph() ? hull.edges_ + hull.edge_start_[vertex] : nullptr),
        count_(hull.Count()),
        centre_(vertex) {
    SkipCentre();
  }
  bool AtEnd() const { return edges_ ? *edges_ < 0 : index_ >= count_; }
  int Get() const { return edges_ ? *edges_ : index_; }
  void Advance() {
    if (edges_) {
      ++edges_;
    } else {
      ++index_;
      SkipCentre();
    }
  }

 private:
  void SkipCentre() {
    if (!edges_ && index_ == centre_) ++index_;
  }

  const int* edges_;
  int count_, centre_;
  int index_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_H_
