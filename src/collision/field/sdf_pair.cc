// Contacts of two fields A and B, by descent from points that are spread over the common part of their boxes.
//
// Where both are negative, the least of A + B + |max(A, B)| lies between the two surfaces; from there, a step down
// max(A, B) evens out the two depths.
#include <algorithm>
#include <cmath>

#include "collision/analytic/analytic.h"
#include "collision/field/sdf.h"
#include "collision/field/sdf_contact.h"
#include "collision/field/sdf_points.h"
#include "core/warning.h"
#include "math/scalar.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

// ---- where to begin

struct Region {
  Vec3<double> lower, upper;
};

// Finds the box around a geom's own box in other axes.
Region BoxIn(const mjModel* m, int geom, const Vec3<double>& origin, const Mat3<double>& axes) {
  const double* box = ViewOf(m).geom_aabb(geom);
  const Vec3<double> center = origin + axes * LoadVec3(box);
  Vec3<double> half = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) half[i] += std::fabs(axes(i, j)) * box[3 + j];
  }
  return {center - half, center + half};
}

// The intersection of the boxes of two geoms, along the axes of the first.
Region CommonRegion(const mjModel* m, const PlacedGeom<double>& first, int g1, const PlacedGeom<double>& second,
                    int g2) {
  const Mat3<double> to_first = Transpose(first.mat);
  const Region box1 = BoxIn(m, g1, {0, 0, 0}, Identity3<double>());
  const Region box2 = BoxIn(m, g2, first.ToLocal(second.pos), to_first * second.mat);
  Region common;
  for (int k = 0; k < 3; ++k) {
    common.lower[k] = std::max(box1.lower[k], box2.lower[k]);
    common.upper[k] = std::min(box1.upper[k], box2.upper[k]);
  }
  return common;
}

bool IsEmpty(const Region& region) {
  const Vec3<double> extent = region.upper - region.lower;
  return extent.x < 0 || extent.y < 0 || extent.z < 0;
}

// Start points are those of a Halton sequence.
Vec3<double> StartPoint(const Region& region, int index) {
  constexpr int kBases[3] = {2, 3, 5};
  Vec3<double> point;
  for (int k = 0; k < 3; ++k) {
    point[k] = region.lower[k] + (region.upper[k] - region.lower[k]) * RadicalInverse(index, kBases[k]);
  }
  return point;
}

// ---- descent

struct Sample {
  Vec3<double> x;
  double value;
};

// One step against the gradient, halved until the value falls by a part of what the slope promises (L. Armijo,
// Minimization of functions having Lipschitz continuous first partial derivatives, Pacific J. Math. 16, 1966), or the
// step is short.
Sample StepDown(const FieldPair& fields, mjtSDFType type, const Sample& from) {
  constexpr double kLongest = 2, kShortest = 1e-4, kPart = 0.1;
  const Vec3<double> gradient = fields.Gradient(type, from.x);
  const double slope = Dot(gradient, gradient);
  Sample to;
  double length = kLongest;
  do {
    length *= 0.5;
    to.x = from.x - gradient * length;
    to.value = fields.Distance(type, to.x);
  } while (length > kShortest && to.value - from.value > -kPart * length * slope);
  return to;
}

// A step that leads up is the last one; it counts.
Sample Descend(const FieldPair& fields, const Vec3<double>& start, int iterations) {
  Sample sample = {start, fields.Distance(mjSDFTYPE_COLLISION, start)};
  for (int i = 0; i < iterations; ++i) {
    const double before = sample.value;
    sample = StepDown(fields, mjSDFTYPE_COLLISION, sample);
    if (sample.value > before) break;
  }
  return StepDown(fields, mjSDFTYPE_INTERSECTION, {sample.x, fields.Distance(mjSDFTYPE_INTERSECTION, sample.x)});
}

// ---- plugins may follow the search

// Called before a pair.
void ResetPlugin(const mjModel* m, mjData* d, int geom) {
  const mjpPlugin* plugin = FieldPlugin(m, geom);
  const int instance = m->geom_plugin[geom];
  if (!plugin || !plugin->reset) return;
  plugin->reset(m, d->plugin_state + m->plugin_stateadr[instance], reinterpret_cast<void*>(d->plugin_data[instance]),
                instance);
}

// Called before every start point.
void ComputePlugin(const mjModel* m, mjData* d, int geom) {
  const mjpPlugin* plugin = FieldPlugin(m, geom);
  if (plugin && plugin->compute) plugin->compute(m, d, m->geom_plugin[geom], mjPLUGIN_SDF);
}

}  // namespace

// A program may give a geom a type between steps for which the model has no distances: it touches nothing then.
int FieldField(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum) {
  if (!DistanceField::IsKnown(m, g1) || !DistanceField::IsKnown(m, g2)) return 0;
  const ModelView<double> model(m);
  const DataView<double> data(d);
  const PlacedGeom<double> first = LoadGeom(model, data, g1), second = LoadGeom(model, data, g2);
  const Region region = CommonRegion(m, first, g1, second, g2);
  if (IsEmpty(region)) return 0;
  const FieldPair fields = FieldPair::OfGeoms(m, d, g1, g2);
  ResetPlugin(m, d, g2);

  DistinctPoints found;
  for (int i = 0; i < m->opt.sdf_initpoints && !found.IsFull(); ++i) {
    ComputePlugin(m, d, g2);
    const Sample end = Descend(fields, StartPoint(region, i), m->opt.sdf_iterations);
    if (!(end.value <= 0) || !found.Add(fields.InSecond(end.x))) continue;
    const Vec3<double> normal = first.mat * fields.Gradient(mjSDFTYPE_MIDSURFACE, end.x);
    const Vec3<double> pos = first.ToWorld(end.x) - normal * (0.5 * end.value);
    WriteContactPoint({end.value, pos, normal}, Zero3<double>(), con[found.count() - 1]);
  }
  return found.count();
}

int HeightFieldField(const mjModel*, mjData*, mjContact*, int, int, mjtNum) {
  Warn("height fields and signed distance fields do not collide in this release");
  return 0;
}

}  // namespace sinew::inline collision
