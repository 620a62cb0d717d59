#include "derivatives/terms/cell_columns.h"

#include "derivatives/terms/moving_cell.h"
#include "model/kinds/flex_equality.h"

namespace sinew::inline derivatives {
namespace {

// Adds the forces of one cell to the columns.
class CellColumns {
 public:
  CellColumns(const mjModel* m, const mjData* d, int flex, int cell, const CellLoad& load, Columns& force)
      : m_(m),
        d_(d),
        cell_(m, d, flex, cell, /*in_slides=*/!load.b),
        K_(CellNumbers(m, flex, cell)),
        load_(load),
        force_(force) {}

  void Add() {
    const int count = cell_.count();
    Vectors load(Size(count)), turned[3] = {load, load, load};
    for (int i = 0; i < count; ++i) {
      const Vec3<double> motion = Inside(Motion(cell_.node(i)));
      load[Size(i)] = cell_.cell().Displacement(m_, i) * load_.spring + motion;
      const Vec3<double> place = Inside(cell_.node(i).place) * load_.spring + motion;
      for (int a = 0; a < 3; ++a) turned[a][Size(i)] = Cross(place, Axis(a));
    }
    pull_ = Times(load);
    for (int a = 0; a < 3; ++a) {
      by_turn_[a] = Times(turned[a]);
      for (int i = 0; i < count; ++i) by_turn_[a][Size(i)] += Cross(Axis(a), pull_[Size(i)]);
    }
    for (int i = 0; i < count; ++i) {
      SubtractRotated(cell_.node(i), cell_.Outside(pull_[Size(i)]));
      for (int j = 0; j < cell_.node(i).count(); ++j) SubtractDof(i, j);
    }
  }

 private:
  using Vectors = std::vector<Vec3<double>>;
  Vec3<double> Inside(const Vec3<double>& v) const { return cell_.Inside(v); }

  // The damping and inertial part of a node's load, and its change with the position of dof j of the node.
  Vec3<double> Motion(const BodyPoint& node) const {
    const Vec3<double> motion = node.Times(d_->qvel) * load_.damper;
    return load_.b ? motion + node.Times(load_.b) * load_.ahead : motion;
  }
  Vec3<double> RotatedMotion(const BodyPoint& node, int j) const {
    const Vec3<double> motion = node.RotatedTimes(j, d_->qvel) * load_.damper;
    return load_.b ? motion + node.RotatedTimes(j, load_.b) * load_.ahead : motion;
  }

  Vectors Times(const Vectors& x) const {
    const int count = cell_.count(), width = 3 * count;
    Vectors y(Size(count), Zero3<double>());
    for (int i = 0; i < count; ++i) {
      for (int a = 0; a < 3; ++a) {
        const double* row = K_ + (3 * i + a) * width;
        for (int j = 0; j < count; ++j) y[Size(i)][a] += Dot(LoadVec3(row + 3 * j), x[Size(j)]);
      }
    }
    return y;
  }

  static Vec3<double> Axis(int a) {
    Vec3<double> axis = Zero3<double>();
    axis[a] = 1;
    return axis;
  }

  // A force at a node that turns with its body.
  void SubtractRotated(const BodyPoint& node, const Vec3<double>& force) {
    for (int j = 0; node.turns && j < node.count(); ++j) {
      double* column = force_[node.dof[Size(j)]];
      for (int k = 0; k < node.count(); ++k) column[node.dof[Size(k)]] -= Dot(force, node.Turned(k, j));
    }
  }

  // The part of K x of node i that node k has.
  Vec3<double> Block(int i, int k, const Vec3<double>& x) const {
    const int width = 3 * cell_.count();
    const double* rows = K_ + 3 * i * width + 3 * k;
    return {Dot(LoadVec3(rows), x), Dot(LoadVec3(rows + width), x), Dot(LoadVec3(rows + 2 * width), x)};
  }

  // With dof j of node k, which turns the axes of the cell as well.
  void SubtractDof(int k, int j) {
    const BodyPoint& moved = cell_.node(k);
    const int q = moved.dof[Size(j)], v = static_cast<int>(m_->nv) + q;
    const Vec3<double> dx = moved.J[Size(j)], turn = cell_.TurnBy(k, dx);
    const Vec3<double> by_q = Inside(dx * load_.spring + RotatedMotion(moved, j)), by_v = Inside(dx) * load_.damper;
    for (int i = 0; i < cell_.count(); ++i) {
      Vec3<double> change = Block(i, k, by_q);
      for (int a = 0; a < 3; ++a) change += by_turn_[a][Size(i)] * turn[a];
      cell_.node(i).Add(cell_.Outside(-change), force_[q]);
      if (load_.damper != 0) cell_.node(i).Add(cell_.Outside(-Block(i, k, by_v)), force_[v]);
    }
  }

  const mjModel* m_;
  const mjData* d_;
  const MovingCell cell_;
  const double* K_;
  const CellLoad load_;
  Columns& force_;
  Vectors pull_, by_turn_[3];  // K of the load, in the axes of the cell, and its change with a turn about each of them
};

}  // namespace

bool HasElasticCells(const mjModel* m, int flex) {
  if (m->flex_rigid[flex] || m->flex_interp[flex] == 0 || m->flex_dim[flex] < 2) return false;
  if (m->flex_edgeequality[flex] == flex_equality::kCells) return false;
  for (int c = 0; c < LatticeOf(m, flex).cell_count(); ++c) {
    if (CellNumbers(m, flex, c)[0] != 0) return true;
  }
  return false;
}

CellLoad PassiveLoad(const mjModel* m, int flex) {
  const int off = m->opt.disableflags;
  return {off & mjDSBL_SPRING ? 0.0 : 1.0, off & mjDSBL_DAMPER ? 0.0 : m->flex_damping[flex], 0, nullptr};
}

void AddCellColumns(const mjModel* m, const mjData* d, int flex, const CellLoad& load, Columns& force) {
  for (int c = 0; c < LatticeOf(m, flex).cell_count(); ++c) {
    if (CellNumbers(m, flex, c)[0] != 0) CellColumns(m, d, flex, c, load, force).Add();
  }
}

}  // namespace sinew::inline derivatives
