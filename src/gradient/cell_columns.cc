#include "gradient/cell_columns.h"

#include "gradient/moving_cell.h"

namespace sinew {
namespace {

constexpr int kStrainEquality = 3;  // value of flex_edgeequality: cells are held by constraints

// One cell.
class CellColumns {
 public:
  CellColumns(const mjModel* m, const mjData* d, int flex, int cell, const CellLoad& load, Columns& force)
      : m_(m),
        d_(d),
        cell_(m, d, flex, cell, /*in_slides=*/!load.b),
        K_(CellNumbers(m, flex, cell)),
        load_(load),
        force_(force) {}

  void Add() const {
    Vectors load(Size(cell_.count()));
    for (int i = 0; i < cell_.count(); ++i) {
      load[Size(i)] = cell_.cell().Displacement(m_, i) * load_.spring + Inside(Motion(cell_.node(i)));
    }
    const Vectors pull = Times(load);
    for (int i = 0; i < cell_.count(); ++i) {
      const BodyPoint& node = cell_.node(i);
      for (int j = 0; node.turns && j < node.count(); ++j) {
        double* column = force_[node.dof[Size(j)]];
        for (int k = 0; k < node.count(); ++k) {
          column[node.dof[Size(k)]] -= Dot(cell_.Outside(pull[Size(i)]), node.Turned(k, j));
        }
      }
      for (int j = 0; j < node.count(); ++j) AddDof(i, j, pull);
    }
  }

 private:
  using Vectors = std::vector<Vec3<double>>;
  Vec3<double> Inside(const Vec3<double>& v) const { return cell_.Inside(v); }

  // What acts beside the place, and its change with the position of dof j of the node.
  Vec3<double> Motion(const BodyPoint& node) const {
    const Vec3<double> motion = node.Times(d_->qvel) * load_.damper;
    return load_.b ? motion + node.Times(load_.b) * load_.ahead : motion;
  }
  Vec3<double> TurnedMotion(const BodyPoint& node, int j) const {
    const Vec3<double> motion = node.TurnedTimes(j, d_->qvel) * load_.damper;
    return load_.b ? motion + node.TurnedTimes(j, load_.b) * load_.ahead : motion;
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

  // With dof j of node k.
  void AddDof(int k, int j, const Vectors& pull) const {
    const BodyPoint& moved = cell_.node(k);
    const int q = moved.dof[Size(j)], v = static_cast<int>(m_->nv) + q;
    const Vec3<double> dx = moved.J[Size(j)], turn = cell_.TurnBy(k, dx);
    Vectors by_q(Size(cell_.count())), by_v(Size(cell_.count()), Zero3<double>());
    for (int i = 0; i < cell_.count(); ++i) {
      const BodyPoint& node = cell_.node(i);
      by_q[Size(i)] = -Cross(turn, Inside(node.place * load_.spring + Motion(node)));
    }
    by_q[Size(k)] += Inside(dx * load_.spring + TurnedMotion(moved, j));
    by_v[Size(k)] = Inside(dx) * load_.damper;
    const Vectors d_pull = Times(by_q), d_damping = Times(by_v);
    for (int i = 0; i < cell_.count(); ++i) {
      const Vec3<double> change = Cross(turn, pull[Size(i)]) + d_pull[Size(i)];
      cell_.node(i).Add(cell_.Outside(-change), force_[q]);
      cell_.node(i).Add(cell_.Outside(-d_damping[Size(i)]), force_[v]);
    }
  }

  const mjModel* m_;
  const mjData* d_;
  const MovingCell cell_;
  const double* K_;
  const CellLoad load_;
  Columns& force_;
};

}  // namespace

bool HasElasticCells(const mjModel* m, int flex) {
  if (m->flex_rigid[flex] || m->flex_interp[flex] == 0 || m->flex_dim[flex] < 2) return false;
  if (m->flex_edgeequality[flex] == kStrainEquality) return false;
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

}  // namespace sinew
