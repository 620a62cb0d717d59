#include "derivatives/terms/flex_rows.h"

#include <algorithm>

#include "constraint/jacobian_product.h"
#include "derivatives/terms/moving_cell.h"
#include "kinematics/flex_strain.h"
#include "model/kinds/flex_equality.h"

namespace sinew::inline derivatives {
namespace {

// Rows without columns are not made, and dense ones of zeros are dropped.
bool IsMade(const mjModel* m, const double* J, int count) {
  return count > 0 && (IsSparse(m) || std::any_of(J, J + count, [](double x) { return x != 0; }));
}

// Each edge that can change keeps its length.
void ForEdges(const mjModel* m, const mjData* d, int flex, const std::function<void(const OwnRow&)>& visit) {
  const std::vector<BodyPoint> points = PointsOfFlex(m, d, flex);
  for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; ++e) {
    if (m->flexedge_rigid[e] || !IsMade(m, d->flexedge_J + m->flexedge_J_rowadr[e], m->flexedge_J_rownnz[e])) continue;
    visit(RowOfDistance(points[Size(m->flex_edge[2 * e])], points[Size(m->flex_edge[2 * e + 1])]));
  }
}

// With F = sum_e x_e (w y)_e' over the edges of a vertex, the slopes of tr C = F : F and of det C by F, and their
// change.
StarGradient SlopeOfStrain(const StarGradient& F, bool of_area) {
  if (!of_area) return F;
  const double ff = Dot(F.f, F.f), fg = Dot(F.f, F.g), gg = Dot(F.g, F.g);
  return {F.f * gg - F.g * fg, F.g * ff - F.f * fg};
}
StarGradient TurnOfStrain(const StarGradient& F, const StarGradient& dF, bool of_area) {
  if (!of_area) return dF;
  const double ff = Dot(F.f, F.f), fg = Dot(F.f, F.g), gg = Dot(F.g, F.g);
  const double dff = 2 * Dot(F.f, dF.f), dfg = Dot(F.f, dF.g) + Dot(dF.f, F.g), dgg = 2 * Dot(F.g, dF.g);
  return {dF.f * gg + F.f * dgg - dF.g * fg - F.g * dfg, dF.g * ff + F.g * dff - dF.f * fg - F.f * dfg};
}

OwnRow RowOfStrain(const mjModel* m, const mjData* d, const std::vector<BodyPoint>& points, int flex, int vertex,
                   bool of_area) {
  const int first = m->flex_vertadr[flex];
  const Star star(m, d, flex, vertex);
  const StarGradient F = star.Deformation(), slope = SlopeOfStrain(F, of_area);
  const double scale = 2 * star.Scale();
  // F changes by dx (w y)' with a spoke, and by minus the sum of these with the centre
  std::vector<PlanarVector> weight = {{0, 0}};
  std::vector<PointSlope> ends = {{&points[Size(vertex - first)], {}}};
  for (int k = 0; k < star.count(); ++k) {
    const Spoke spoke = star.At(k);
    weight.push_back(star.WeightOf(spoke));
    weight[0].x -= weight.back().x;
    weight[0].y -= weight.back().y;
    ends.push_back({&points[Size(spoke.vertex - first)], {}});
  }
  for (size_t a = 0; a < ends.size(); ++a) ends[a].slope = slope.Times(weight[a]) * scale;
  return RowOfPoints(ends, [&](size_t a, size_t b, const Vec3<double>& dx) {
    const StarGradient dF = {dx * weight[b].x, dx * weight[b].y};
    return TurnOfStrain(F, dF, of_area).Times(weight[a]) * scale;
  });
}

void ForStrains(const mjModel* m, const mjData* d, int flex, const std::function<void(const OwnRow&)>& visit) {
  const std::vector<BodyPoint> points = PointsOfFlex(m, d, flex);
  for (int v = m->flex_vertadr[flex]; v < m->flex_vertadr[flex] + m->flex_vertnum[flex]; ++v) {
    for (int k = 0; k < 2; ++k) {
      const int r = 2 * v + k;
      if (!IsMade(m, d->flexvert_J + m->flexvert_J_rowadr[r], m->flexvert_J_rownnz[r])) continue;
      visit(RowOfStrain(m, d, points, flex, v, k == 1));
    }
  }
}

// r = sum_i w_i . (R'x_i - X_i) with the row J = sum_i (R w_i)' J_i, of which R turns with the nodes.
OwnRow RowOfMode(const MovingCell& cell, const double* mode) {
  std::vector<PointSlope> nodes;
  Vec3<double> lever = Zero3<double>();  // sum_i w_i x R'x_i: dr = J dq + lever . turn
  for (int i = 0; i < cell.count(); ++i) {
    const Vec3<double> w = LoadVec3(mode + 3 * i);
    nodes.push_back({&cell.node(i), cell.Outside(w)});
    lever += Cross(w, cell.Inside(cell.node(i).place));
  }
  OwnRow row = RowOfPoints(nodes, [&](size_t a, size_t b, const Vec3<double>& dx) {
    return cell.Outside(Cross(cell.TurnBy(static_cast<int>(b), dx), LoadVec3(mode + 3 * a)));
  });
  row.length = row.J;
  for (int k = 0; k < cell.count(); ++k) {
    for (int j = 0; j < cell.node(k).count(); ++j) {
      const Vec3<double> turn = cell.TurnBy(k, cell.node(k).J[Size(j)]);
      row.length[Size(PlaceOf(row, cell.node(k).dof[Size(j)]))] += Dot(lever, turn);
    }
  }
  return row;
}

void ForModes(const mjModel* m, const mjData* d, int id, const std::function<void(const OwnRow&)>& visit) {
  const int flex = m->eq_obj1id[id], place = CellOfEquality(m, id);
  if (place < 0) return;
  const double* numbers = CellNumbers(m, flex, place);
  if (!(numbers[0] > 0)) return;
  const MovingCell cell(m, d, flex, place);
  const int modes = static_cast<int>(std::min(numbers[0], 3.0 * cell.count() - 1));
  for (int k = 0; k < modes; ++k) {
    const OwnRow row = RowOfMode(cell, numbers + 1 + k * 3 * cell.count());
    if (IsMade(m, row.J.data(), static_cast<int>(row.J.size()))) visit(row);
  }
}

}  // namespace

std::vector<BodyPoint> PointsOfFlex(const mjModel* m, const mjData* d, int flex) {
  std::vector<BodyPoint> points;
  for (int v = m->flex_vertadr[flex]; v < m->flex_vertadr[flex] + m->flex_vertnum[flex]; ++v) {
    points.emplace_back(m, d, m->flex_vertbodyid[v], LoadVec3(d->flexvert_xpos + 3 * v));
  }
  return points;
}

void ForRowsOfFlex(const mjModel* m, const mjData* d, int id, const std::function<void(const OwnRow&)>& visit) {
  const int flex = m->eq_obj1id[id];
  switch (m->eq_type[id]) {
    case mjEQ_FLEX:
      return ForEdges(m, d, flex, visit);
    case mjEQ_FLEXVERT:
      return HasVertexStrains(m, flex) ? ForStrains(m, d, flex, visit) : void();
    default:
      return ForModes(m, d, id, visit);
  }
}

}  // namespace sinew::inline derivatives
