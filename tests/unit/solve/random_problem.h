// A random constrained system with everything kept dense beside it: a tree of dofs, an inertia matrix on its pattern,
// and rows of every kind.
#ifndef SINEW_TESTS_UNIT_SOLVE_RANDOM_PROBLEM_H_
#define SINEW_TESTS_UNIT_SOLVE_RANDOM_PROBLEM_H_

#include <random>
#include <vector>

#include "inertia/ldl.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"

namespace sinew {

class RandomProblem {
 public:
  // `branches`: whether constraints couple dofs on different branches. `elliptic`: contacts have elliptic cones.
  RandomProblem(StackFrame& frame, int nv, bool branches, bool elliptic, unsigned seed) : nv_(nv), random_(seed) {
    MakeTree();
    MakeInertia();
    MakeRows(branches, elliptic);
    MakeForces();
    problem_.nv = nv;
    problem_.parent = parent_.data();
    problem_.J = BlocksOfDense(frame, nv, nefc(), type_.data(), id_.data(), J_.data());
    problem_.rows = {nefc(), 3, 2, type_.data(), id_.data(), D_.data(), R_.data(), loss_.data(), contacts_.data()};
    problem_.aref = aref_.data();
    problem_.M_rownnz = rownnz_.data();
    problem_.M_rowadr = rowadr_.data();
    problem_.M_colind = colind_.data();
    problem_.M = M_.data();
    problem_.LD = LD_.data();
    problem_.LDiagInv = diaginv_.data();
    problem_.qfrc_smooth = qfrc_.data();
    problem_.qacc_smooth = smooth_.data();
    problem_.qacc = qacc_.data();
    problem_.qfrc_constraint = constraint_.data();
    problem_.force = force_.data();
    problem_.state = state_.data();
    problem_.scale = 1;
    problem_.island = -1;
    problem_.Ma = frame.Doubles(nv);
    problem_.jar = frame.Doubles(nefc());
    EvaluateStart(problem_);
  }

  const Problem& problem() const { return problem_; }

  // Newton works on slots from now on.
  void UseSlots(StackFrame& frame) {
    problem_.slots = MakeSlots(problem_, frame);
    SlotSmoothResidual(*problem_.slots);
    SlotStartSmooth(*problem_.slots);
  }
  int nefc() const { return static_cast<int>(type_.size()); }
  double M(int i, int j) const { return dense_M_[static_cast<size_t>(i * nv_ + j)]; }
  double J(int r, int c) const { return J_[static_cast<size_t>(r * nv_ + c)]; }

  // H = M + J' diag(D where quadratic) J + cones, as a dense matrix
  std::vector<double> DenseHessian() const {
    std::vector<double> H = dense_M_;
    const auto add = [&](int r, int s, double w) {
      for (int i = 0; i < nv_; ++i) {
        for (int j = 0; j < nv_; ++j) H[static_cast<size_t>(i * nv_ + j)] += w * J(r, i) * J(s, j);
      }
    };
    for (int r = 0; r < nefc(); ++r) {
      const auto row = static_cast<size_t>(r);
      if (state_[row] == mjCNSTRSTATE_QUADRATIC) add(r, r, D_[row]);
      if (state_[row] != mjCNSTRSTATE_CONE) continue;
      const mjContact& contact = contacts_[static_cast<size_t>(id_[row])];
      for (int i = 0; i < contact.dim; ++i) {
        for (int j = 0; j < contact.dim; ++j) add(r + i, r + j, contact.H[i * contact.dim + j]);
      }
      r += contact.dim - 1;
    }
    return H;
  }

 private:
  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int Index(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  void MakeTree() {
    for (int i = 0; i < nv_; ++i) {
      parent_.push_back(i == 0 || Index(8) == 0 ? -1 : Index(3) == 0 ? Index(i) : i - 1);
      rowadr_.push_back(static_cast<int>(colind_.size()));
      std::vector<int> path;
      for (int k = i; k >= 0; k = parent_[static_cast<size_t>(k)]) path.insert(path.begin(), k);
      colind_.insert(colind_.end(), path.begin(), path.end());
      rownnz_.push_back(static_cast<int>(path.size()));
    }
  }

  // M = sum over dofs of a positive multiple of p p', p with random entries on the path of the dof
  void MakeInertia() {
    dense_M_.assign(static_cast<size_t>(nv_ * nv_), 0);
    for (int i = 0; i < nv_; ++i) {
      std::vector<double> p(static_cast<size_t>(nv_), 0);
      for (int k = i; k >= 0; k = parent_[static_cast<size_t>(k)]) p[static_cast<size_t>(k)] = Uniform(-1, 1);
      p[static_cast<size_t>(i)] += 1.5;
      for (int a = 0; a < nv_; ++a) {
        for (int b = 0; b < nv_; ++b)
          dense_M_[static_cast<size_t>(a * nv_ + b)] += p[static_cast<size_t>(a)] * p[static_cast<size_t>(b)];
      }
    }
    for (int i = 0; i < nv_; ++i) {
      for (int k = 0; k < rownnz_[static_cast<size_t>(i)]; ++k)
        M_.push_back(M(i, colind_[static_cast<size_t>(rowadr_[static_cast<size_t>(i)] + k)]));
    }
    LD_ = M_;
    diaginv_.resize(static_cast<size_t>(nv_));
    FactorLDL(LD_.data(), nv_, diaginv_.data(), rownnz_.data(), rowadr_.data(), colind_.data());
  }

  // Entries of rows [first, first + count): on the path of a random dof, or of two.
  void FillRows(int count, bool branches) {
    const int ends[2] = {Index(nv_), Index(nv_)};
    for (int r = 0; r < count; ++r) {
      std::vector<double> row(static_cast<size_t>(nv_), 0);
      for (int e = 0; e < (branches ? 2 : 1); ++e) {
        for (int k = ends[e]; k >= 0; k = parent_[static_cast<size_t>(k)]) row[static_cast<size_t>(k)] = Uniform(-1, 1);
      }
      J_.insert(J_.end(), row.begin(), row.end());
    }
  }

  void AddRows(int type, int id, int count, bool branches) {
    FillRows(count, branches);
    for (int r = 0; r < count; ++r) {
      type_.push_back(type);
      id_.push_back(id);
      R_.push_back(Uniform(0.01, 0.1));
      D_.push_back(1 / R_.back());
      loss_.push_back(type == mjCNSTR_FRICTION_DOF ? Uniform(0.1, 2) : 0);
      aref_.push_back(Uniform(-3, 3));
    }
  }

  void MakeRows(bool branches, bool elliptic) {
    AddRows(mjCNSTR_EQUALITY, 0, 3, branches);
    for (int i = 0; i < 2; ++i) AddRows(mjCNSTR_FRICTION_DOF, i, 1, false);
    for (int i = 0; i < 3; ++i) AddRows(mjCNSTR_LIMIT_JOINT, i, 1, false);
    for (int i = 0; i < 4; ++i) {
      mjContact contact{};
      contact.dim = 3;
      contact.friction[0] = contact.friction[1] = contact.mu = Uniform(0.3, 1.2);
      contacts_.push_back(contact);
      AddRows(elliptic ? mjCNSTR_CONTACT_ELLIPTIC : mjCNSTR_CONTACT_PYRAMIDAL, i, elliptic ? 3 : 4, branches);
      if (!elliptic) {
        MakePyramid();
        continue;
      }
      for (int r = 1; r < 3; ++r) D_[D_.size() - static_cast<size_t>(r)] = D_[D_.size() - 3];
      for (int r = 1; r < 3; ++r) R_[R_.size() - static_cast<size_t>(r)] = R_[R_.size() - 3];
    }
  }

  // The last four rows become the edges n +- u_k of a pyramid, with one D for all.
  void MakePyramid() {
    const size_t first = type_.size() - 4, n = static_cast<size_t>(nv_);
    const auto mix = [](double& a, double& b, double& c, double& d) {
      const double normal = a, tangents[2] = {b, c};
      a = normal + tangents[0];
      b = normal - tangents[0];
      c = normal + tangents[1];
      d = normal - tangents[1];
    };
    for (size_t i = 0; i < n; ++i) {
      double* column = &J_[first * n + i];
      mix(column[0], column[n], column[2 * n], column[3 * n]);
    }
    mix(aref_[first], aref_[first + 1], aref_[first + 2], aref_[first + 3]);
    for (size_t r = 1; r < 4; ++r) {
      D_[first + r] = D_[first];
      R_[first + r] = R_[first];
    }
  }

  void MakeForces() {
    const auto n = static_cast<size_t>(nv_), rows = static_cast<size_t>(nefc());
    for (int i = 0; i < nv_; ++i) qfrc_.push_back(Uniform(-5, 5));
    smooth_ = qfrc_;
    SolveLDL(smooth_.data(), LD_.data(), diaginv_.data(), 1, nv_, rownnz_.data(), rowadr_.data(), colind_.data());
    qacc_ = smooth_;
    constraint_.assign(n, 0);
    force_.assign(rows, 0);
    state_.assign(rows, 0);
  }

  int nv_;
  std::mt19937 random_;
  std::vector<int> parent_, rownnz_, rowadr_, colind_, type_, id_, state_;
  std::vector<double> dense_M_, M_, LD_, diaginv_, J_, D_, R_, loss_, aref_, qfrc_, smooth_, qacc_, constraint_, force_;
  std::vector<mjContact> contacts_;
  Problem problem_{};
};

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_SOLVE_RANDOM_PROBLEM_H_
