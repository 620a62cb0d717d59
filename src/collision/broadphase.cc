// Sweep and prune (D. Baraff, Dynamic simulation of non-penetrating rigid bodies, thesis, Cornell 1992): intervals
// along one axis are sorted by their lower ends; a body meets only those that begin before it ends. The axis is the
// world axis along which bodies spread most, the other two prune. O(n log n + overlaps).
//
// The world's own geoms and planes have no useful bounds: those bodies meet everything that moves.
#include "collision/broadphase.h"

#include <algorithm>
#include <cmath>

#include "collision/filter.h"
#include "math/eigen.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew {
namespace {

// ---- bodies that meet everything

bool IsStatic(const mjModel* m, int body) { return m->body_weldid[body] == 0; }

bool MeetsEverything(const mjModel* m, int body) {
  if (body == 0) return m->body_geomnum[0] > 0;
  if (!IsStatic(m, body)) return false;
  const int first = m->body_geomadr[body], count = m->body_geomnum[body];
  return std::any_of(m->geom_type + first, m->geom_type + first + count, [](int type) { return type == mjGEOM_PLANE; });
}

void AddPairsWithAll(const mjModel* m, const mjData* d, int body, StackList<uint32_t>& pairs) {
  for (int other = 1; other < m->nbody; ++other) {
    if (IsStatic(m, other) || !IsCollidable(m, other)) continue;
    if (BodiesMayCollide(m, d, body, other)) pairs.Add(PairSignature(body, other));
  }
}

// ---- sweep and prune

// Bounds of the bodies that take part, along the axes of the sweep frame: a row per bound, a column per body.
struct Bounds {
  int count = 0;
  int* body;
  double* low[3];
  double* high[3];

  Bounds(StackFrame& frame, int capacity) : body(frame.Ints(capacity)) {
    for (int k = 0; k < 3; ++k) {
      low[k] = frame.Doubles(capacity);
      high[k] = frame.Doubles(capacity);
    }
  }
};

// Widens [low, high] by a geom: the part that its bounding sphere and its bounding box have in common, and its margin.
void Include(const mjModel* m, const mjData* d, const Mat3<double>& axes, int geom, double margin, double low[3],
             double high[3]) {
  const Vec3<double> pos = axes * LoadVec3(d->geom_xpos + 3 * geom);
  const Mat3<double> mat = axes * LoadMat3(d->geom_xmat + 9 * geom);
  const double* box = m->geom_aabb + 6 * geom;
  const double radius = m->geom_rbound[geom];
  const Vec3<double> centre = pos + mat * LoadVec3(box);
  for (int k = 0; k < 3; ++k) {
    const double half = std::fabs(mat(k, 0)) * box[3] + std::fabs(mat(k, 1)) * box[4] + std::fabs(mat(k, 2)) * box[5];
    low[k] = std::min(low[k], std::max(pos[k] - radius, centre[k] - half) - margin);
    high[k] = std::max(high[k], std::min(pos[k] + radius, centre[k] + half) + margin);
  }
}

// All geoms count, colliding or not: which body trees are compared, and their nodes marked, depends on it.
void AddBody(const mjModel* m, const mjData* d, const Mat3<double>& axes, int body, Bounds& bounds) {
  double low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
  const bool override_margin = m->opt.enableflags & mjENBL_OVERRIDE;
  const int end = m->body_geomadr[body] + m->body_geomnum[body];
  for (int geom = m->body_geomadr[body]; geom < end; ++geom) {
    Include(m, d, axes, geom, override_margin ? 0.5 * m->opt.o_margin : m->geom_margin[geom], low, high);
  }
  const int i = bounds.count++;
  bounds.body[i] = body;
  for (int k = 0; k < 3; ++k) {
    bounds.low[k][i] = low[k];
    bounds.high[k][i] = high[k];
  }
}

// Axes of the sweep, as rows: the matrix of eigenvectors of the covariance of the centres of all geoms but those of the
// world. Any frame finds the same contacts. The documented behaviour takes rows of this matrix for axes, not its
// columns, and which nodes of the body trees are marked for visualization depends on it.
Mat3<double> SweepFrame(const mjModel* m, const mjData* d) {
  const int first = m->body_geomnum[0], count = static_cast<int>(m->ngeom) - first;
  Vec3<double> mean = Zero3<double>();
  for (int geom = first; geom < m->ngeom; ++geom) mean += LoadVec3(d->geom_xpos + 3 * geom);
  mean *= 1.0 / count;

  Mat3<double> covariance = {};
  for (int geom = first; geom < m->ngeom; ++geom) {
    const Vec3<double> offset = LoadVec3(d->geom_xpos + 3 * geom) - mean;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) covariance(i, j) += offset[i] * offset[j];
    }
  }
  return SymmetricEigen(covariance).vectors;
}

// The bounds in the order of their lower ends along the first axis.
Bounds Sorted(const Bounds& bounds, StackFrame& frame) {
  int* order = frame.Ints(bounds.count);
  for (int i = 0; i < bounds.count; ++i) order[i] = i;
  const double* key = bounds.low[0];
  std::sort(order, order + bounds.count,
            [key](int i, int j) { return key[i] < key[j] || (key[i] == key[j] && i < j); });

  Bounds sorted(frame, bounds.count);
  sorted.count = bounds.count;
  for (int i = 0; i < bounds.count; ++i) {
    sorted.body[i] = bounds.body[order[i]];
    for (int k = 0; k < 3; ++k) {
      sorted.low[k][i] = bounds.low[k][order[i]];
      sorted.high[k][i] = bounds.high[k][order[i]];
    }
  }
  return sorted;
}

void Sweep(const mjModel* m, const mjData* d, const Bounds& bounds, StackList<uint32_t>& pairs) {
  const auto apart = [&bounds](int k, int i, int j) {
    return bounds.low[k][i] > bounds.high[k][j] || bounds.low[k][j] > bounds.high[k][i];
  };
  for (int i = 0; i < bounds.count; ++i) {
    for (int j = i + 1; j < bounds.count && bounds.low[0][j] <= bounds.high[0][i]; ++j) {
      if (apart(1, i, j) || apart(2, i, j)) continue;
      if (!BodiesMayCollide(m, d, bounds.body[i], bounds.body[j])) continue;
      pairs.Add(PairSignature(bounds.body[i], bounds.body[j]));
    }
  }
}

}  // namespace

void BroadPhase(const mjModel* m, const mjData* d, StackFrame& frame, StackList<uint32_t>& pairs) {
  const int nbody = static_cast<int>(m->nbody);
  int* swept = frame.Ints(nbody);
  int nswept = 0;
  for (int body = 0; body < nbody; ++body) {
    if (!IsCollidable(m, body)) continue;
    if (MeetsEverything(m, body)) {
      AddPairsWithAll(m, d, body, pairs);
    } else if (body > 0) {
      swept[nswept++] = body;
    }
  }
  if (nswept > 1) {
    const Mat3<double> axes = SweepFrame(m, d);
    Bounds bounds(frame, nswept);
    for (int i = 0; i < nswept; ++i) AddBody(m, d, axes, swept[i], bounds);
    Sweep(m, d, Sorted(bounds, frame), pairs);
  }

  std::sort(pairs.begin(), pairs.end());
  pairs.Truncate(static_cast<int>(std::unique(pairs.begin(), pairs.end()) - pairs.begin()));
}

}  // namespace sinew
