// Calls qhull and brings its facets into the adjacency that models store.
#include "assets/mesh_hull.h"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "core/load_limits.h"

namespace sinew::inline assets {
namespace {

// The messages that qhull prints, kept in memory.
class Messages {
 public:
  Messages() : stream_(open_memstream(&text_, &size_)) {}
  ~Messages() {
    if (stream_) fclose(stream_);
    free(text_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  FILE* stream() { return stream_; }

  // The first line: it names the trouble, the others give advice on qhull's options.
  std::string Summary() {
    fflush(stream_);
    const std::string text(text_, size_);
    return text.substr(0, text.find('\n'));
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  FILE* stream_;
};

// A run of qhull; its memory goes with it.
class Qhull {
 public:
  Qhull(std::span<const Vec3<double>> points, const std::string& options) {
    QHULL_LIB_CHECK
    qh_zero(&state_, messages_.stream());
    // qhull does not change points that it does not own.
    auto* coordinates = const_cast<double*>(&points.front().x);
    const int status = qh_new_qhull(&state_, 3, static_cast<int>(points.size()), coordinates, False,
                                    const_cast<char*>(options.c_str()), nullptr, messages_.stream());
    if (status) {
      const std::string text = messages_.Summary();
      Free();
      throw Error(
          "qhull error: " + text,
          "the convex hull needs points that are not all in one plane: correct the mesh, or set inertia=\"shell\" "
          "and turn its collisions off");
    }
    qh_triangulate(&state_);
    qh_vertexneighbors(&state_);
  }
  ~Qhull() { Free(); }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  qhT* state() { return &state_; }

 private:
  void Free() {
    int left = 0, total = 0;
    qh_freeqhull(&state_, !qh_ALL);
    qh_memfreeshort(&state_, &left, &total);
  }

  Messages messages_;
  qhT state_;
};

// Numbers hull vertices in qhull's order; `local` maps points to them.
void CollectVertices(qhT* qh, MeshHull& hull, std::vector<int>& local) {
  vertexT* vertex;
  FORALLvertices {
    const int point = qh_pointid(qh, vertex->point);
    local[static_cast<size_t>(point)] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(point);
  }
}

// The vertices that share a facet with each vertex, each once, in the order in which its facets list them.
void CollectEdges(qhT* qh, const std::vector<int>& local, MeshHull& hull) {
  vertexT* vertex;
  FORALLvertices {
    const size_t start = hull.edges.size();
    hull.edge_start.push_back(static_cast<int>(start));
    facetT *neighbor, **neighborp;
    FOREACHneighbor_(vertex) {
      vertexT *other, **otherp;
      FOREACHsetelement_(vertexT, neighbor->vertices, other) {
        if (other == vertex) continue;
        const int id = local[static_cast<size_t>(qh_pointid(qh, other->point))];
        if (std::find(hull.edges.begin() + static_cast<ptrdiff_t>(start), hull.edges.end(), id) == hull.edges.end()) {
          hull.edges.push_back(id);
        }
      }
    }
    hull.edges.push_back(-1);
  }
}

void CollectFaces(qhT* qh, MeshHull& hull) {
  facetT* facet;
  FORALLfacets {
    int ids[3], count = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      if (count < 3) ids[count++] = qh_pointid(qh, vertex->point);
    }
    if (facet->toporient) std::swap(ids[0], ids[1]);
    hull.faces.insert(hull.faces.end(), ids, ids + 3);
  }
}

// The cost of qhull when all points are on the hull, as those of a ball: 300,000 take 230 MB and 5 s on one processor.
// It cannot be interrupted, so that the cost is estimated before.
void CheckCosts(size_t points) {
  constexpr double kBytes = 800, kOperations = 20'000;
  const double count = static_cast<double>(points);
  const std::string what = "the convex hull of " + std::to_string(points) + " points";
  CheckLoadMemory(kBytes * count, what);
  CheckLoadOperations(kOperations * count, what);
}

}  // namespace

std::vector<int> MeshHull::Graph() const {
  std::vector<int> graph = {static_cast<int>(vertex_count()), static_cast<int>(face_count())};
  for (const std::vector<int>* part : {&edge_start, &vertices, &edges, &faces}) {
    graph.insert(graph.end(), part->begin(), part->end());
  }
  return graph;
}

MeshHull ConvexHull(std::span<const Vec3<double>> points, int max_vertices) {
  CheckCosts(points.size());
  std::string options = "qhull Qt";  // Qt: facets are cut into triangles
  if (max_vertices >= 0) options += " TA" + std::to_string(max_vertices - 4);
  Qhull qhull(points, options);
  MeshHull hull;
  std::vector<int> local(points.size(), -1);
  CollectVertices(qhull.state(), hull, local);
  CollectEdges(qhull.state(), local, hull);
  CollectFaces(qhull.state(), hull);
  return hull;
}

}  // namespace sinew::inline assets
