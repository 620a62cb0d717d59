#include "derivatives/small_systems/slot_linearization.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "constraint/contact_rows.h"
#include "core/error.h"
#include "derivatives/base/names.h"
#include "derivatives/base/residual_derivative.h"
#include "derivatives/base/row_forces.h"
#include "derivatives/contact_geometry/contact_geometry.h"
#include "derivatives/integrators/step_rows.h"
#include "derivatives/small_systems/slot_linearization_kernel.h"
#include "derivatives/terms/actuator_columns.h"
#include "derivatives/terms/contact_columns.h"
#include "derivatives/terms/forward_at_solution.h"
#include "force/compliant_contact.h"
#include "integrate/integrate.h"
#include "integrate/midpoint_kernel.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "model/kinds/stick.h"
#include "model/storage/extension.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// ---- which models

// Gravity compensation by actuators is a tree of its own.
bool AreJointsSimple(const mjModel* m) {
  const auto* const flags = m->jnt_actgravcomp;
  return std::none_of(flags, flags + m->njnt, [](auto flag) { return flag != 0; });
}

bool AreTendonsSimple(const mjModel* m) {
  for (int t = 0; t < m->ntendon; ++t) {
    if (!IsFixedTendon(Model(m), t)) return false;
  }
  return true;
}

// The states of motors move with the rows of their actuators, which worlds of lanes have not.
bool AreActuatorsSimple(const mjModel* m) {
  for (int i = 0; i < m->nu; ++i) {
    const bool has_states = m->actuator_gaintype[i] == mjGAIN_DCMOTOR && m->actuator_actnum[i] > 0;
    if (!HasFixedMomentPattern(Model(m), i) || has_states) return false;
  }
  return true;
}

// Free bodies under implicit integrators follow the midpoint rule.
bool IsIntegratorSimple(const mjModel* m) {
  if (m->opt.integrator == mjINT_EULER || m->opt.integrator == mjINT_RK4) return true;
  if (m->opt.integrator != mjINT_IMPLICITFAST) return false;
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (IsFreeAssembly(Model(m), joint)) return false;
  }
  return true;
}

// ---- one world

// Provides a world's numbers for the columns; all are computed before the kernel runs.
class WorldSource {
 public:
  WorldSource(const mjModel* m, mjData* d) : m_(m), d_(d), surfaces_(FindSurfaces(m)), slopes_(Size(m->nu)) {
    const std::vector<ForceShare> shares = SharesOfSlopes(Model(m), Data(d));
    for (int i = 0; i < m->nu; ++i) {
      if (ActuatorDisabled(Model(m), i)) continue;
      slopes_[Size(i)] = SlopesOfForce(Model(m), Data(d), i, shares[Size(i)].along);
    }
  }

  // Rows and contacts of slots whose forces are known.
  void FindSlots(const SlotProblem<double>& p) {
    PairGeometry geometry(m_, d_);
    const std::vector<PullingAnchor> anchors = FindPullingAnchors(m_, d_);
    for (int s = 0; s < p.count; ++s) {
      const int row = p.slot[s].row;
      if (!IsContact(row)) {
        rows_.push_back({s, LawOfRow(d_, row), BallOf(row)});
      } else {
        const mjContact& contact = d_->contact[d_->efc_id[row]];
        if (!Acts(p, s) && AdhesionOf(m_, surfaces_, contact) == 0) continue;
        contacts_.push_back(ContactOf(contact, s));
        contacts_.back().held = LawOfAnchor(anchors, d_->efc_id[row]);
        contacts_.back().sides = geometry.DifferentiateSides(contact);
      }
    }
  }

  ActuatorSlopes<double> Actuator(int i) const {
    const ForceSlopes& slopes = slopes_[Size(i)];
    const ScalarForce& along = slopes.along;
    return {{along.f, along.f_length, along.f_velocity},
            slopes.f_control,
            slopes.f_act,
            {along.g, along.g_length, along.g_velocity},
            slopes.g_control + slopes.g_plain,
            slopes.g_act};
  }
  template <class Visit>
  void ForRows(const Visit& visit) const {
    for (const auto& [slot, law, ball] : rows_) visit(slot, law, ball);
  }
  int contacts() const { return static_cast<int>(contacts_.size()); }
  const SlotContact<double>* Contact(int k) const { return &contacts_[Size(k)]; }

 private:
  struct RowOfSlot {
    int slot;
    RowLaw<double> law;
    int ball;
  };

  bool IsContact(int row) const { return d_->efc_type[row] >= mjCNSTR_CONTACT_FRICTIONLESS; }

  int BallOf(int row) const {
    const int id = d_->efc_id[row];
    return d_->efc_type[row] == mjCNSTR_LIMIT_JOINT && m_->jnt_type[id] == mjJNT_BALL ? id : -1;
  }

  SlotContact<double> ContactOf(const mjContact& contact, int slot) const {
    SlotContact<double> out;
    out.slot = slot;
    for (int b = 0; b < 2; ++b) out.body[b] = m_->geom_bodyid[contact.geom[b]];
    out.point = LoadVec3(contact.pos);
    out.axes = ContactAxes<double>::Load(contact.frame);
    std::copy_n(contact.friction, 5, out.friction);
    out.distance = contact.dist - contact.includemargin;
    const bool is_elliptic = contact.dim > 1 && !IsPyramidal(m_, contact);
    out.terms = SharedTerms<double>(m_, contact.solref, is_elliptic ? contact.solreffriction : nullptr, contact.solimp,
                                    contact.dist, contact.includemargin);
    out.surface = SurfaceTwistsOf(surfaces_, DataView<double>(d_), contact.geom, out.point);
    out.adhesion = AdhesionOf(m_, surfaces_, contact);
    return out;
  }

  const mjModel* m_;
  mjData* d_;
  Surfaces surfaces_;
  std::vector<ForceSlopes> slopes_;
  std::vector<RowOfSlot> rows_;
  std::vector<SlotContact<double>> contacts_;
};

// A kernel's stages, compiled for several instruction sets.
SINEW_DISPATCH bool FactorWorld(const Model& m, const SlotProblem<double>& p) { return FactorAtSolution(m, p); }

SINEW_DISPATCH void AddColumnsOfWorld(SlotResidual<double, const WorldSource>& residual) {
  residual.AddSmooth();
  residual.AddActuators();
  residual.AddConstraints();
}

SINEW_DISPATCH BlockedColumns<double> SolveWorld(const Model& m, const Data& d, const SlotProblem<double>& p,
                                                 const SlotWorkspace<double>& w, bool has_step) {
  return SolveColumns(m, d, p, w, has_step);
}

// Both matrices, of those that are wanted.
template <class Use>
void ForMatrices(const mjModel* m, const TransitionMatrices& result, const Use& use) {
  const StateSizes sizes(m);
  if (result.A) use(StepMatrix{result.A, 0, sizes.state()});
  if (result.B) use(StepMatrix{result.B, sizes.control(), sizes.nu});
}

// WorkBlock is the block of memory that a workspace lies in.
class WorkBlock {
 public:
  explicit WorkBlock(const mjModel* m) {
    WorkMemory count(nullptr);
    static_cast<void>(SlotWorkspace<double>(m, count));
    memory_.reset(static_cast<char*>(std::aligned_alloc(WorkMemory::kAlignment, count.used())));
    if (!memory_) throw std::bad_alloc();
  }
  SlotWorkspace<double> Workspace(const mjModel* m) const {
    WorkMemory memory(memory_.get());
    return SlotWorkspace<double>(m, memory);
  }

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> memory_;
};

// Copies columns from one layout to the other.
void CopyColumns(const BlockedColumns<double>& from, int columns, int nv, Columns& to) {
  for (int c = 0; c < columns; ++c) {
    const auto column = from[c];
    for (int i = 0; i < nv; ++i) to[c][i] = column[i];
  }
}

}  // namespace

bool IsResidualInSlots(const mjModel* given) {
  const mjModel primal = WithPrimalSolver(*given);
  const mjModel* m = &primal;
  return m->nv > 0 && IsIntegratorSimple(m) && IsSolvedWhole(m) && m->nflex == 0 && m->neq == 0 &&
         m->nhistory == StickStates(m) && !HasMedium(Model(m)) && !HasFibers(m) && AreJointsSimple(m) &&
         AreTendonsSimple(m) && AreActuatorsSimple(m);
}

bool AreTransitionsInLanes(const mjModel* m) { return m->opt.integrator != mjINT_RK4 && IsResidualInSlots(m); }

struct SlotDerivative::Parts {
  Model model;
  Data data;
  Problem problem;
  const SlotProblem<double>& p;
  bool has_step;
  WorkBlock block;
  SlotWorkspace<double> w;
  std::vector<double> a;
  BlockedColumns<double> solution;

  Parts(const mjModel* m, mjData* d, StackFrame& frame)
      : model(m),
        data(d),
        problem(WholeProblem(m, d, frame)),
        p(*MakeSlots(problem, frame)),
        has_step(HasStepMatrix(m)),
        block(m),
        w(block.Workspace(m)),
        a(d->qacc, d->qacc + m->nv) {}
};

SlotDerivative::SlotDerivative(const mjModel* m, mjData* d, StackFrame& frame)
    : m_(m), d_(d), parts_(std::make_unique<Parts>(m, d, frame)) {
  const Parts& at = *parts_;
  if (!FactorWorld(at.model, at.p)) ThrowNotConverged();
  FindStep(at.model, at.data, at.p, at.w, at.has_step);
  WorldSource source(m, d);
  source.FindSlots(at.p);
  SlotResidual<double, const WorldSource> residual(at.model, at.data, at.p, at.w, at.has_step, source);
  AddColumnsOfWorld(residual);
}

SlotDerivative::~SlotDerivative() = default;

ResidualPoint SlotDerivative::point() const {
  const double* a = parts_->a.data();
  return {a, parts_->has_step ? parts_->w.b : a};
}

void SlotDerivative::CopyTo(ResidualColumns& out) const {
  const SlotWorkspace<double>& w = parts_->w;
  CopyColumns(BlockedColumns<double>(w.force, w.nv), w.columns, w.nv, out.force);
  if (parts_->has_step) CopyColumns(BlockedColumns<double>(w.step, w.nv), w.columns, w.nv, out.step);
}

void SlotDerivative::Solve() {
  Parts& at = *parts_;
  at.solution = SolveWorld(at.model, at.data, at.p, at.w, at.has_step);
  for (int c = 0; c < at.w.columns; ++c) {
    const auto column = at.solution[c];
    for (int i = 0; i < at.w.nv; ++i) at.w.scratch[i] = column[i];
    RequireRegular(m_, at.w.scratch);
  }
}

void SlotDerivative::CopySolutionTo(ResidualColumns& out) const {
  const SlotWorkspace<double>& w = parts_->w;
  CopyColumns(BlockedColumns<double>(w.force, w.nv), w.columns, w.nv, out.force);
  CopyColumns(parts_->solution, w.columns, w.nv, out.step);
}

void SlotDerivative::StoreVelocityRows(const TransitionMatrices& result) const {
  const int nv = parts_->w.nv;
  ForMatrices(m_, result, [&](const StepMatrix& matrix) {
    for (int c = 0; c < matrix.columns; ++c) {
      const auto column = parts_->solution[matrix.first + c];
      for (int i = 0; i < nv; ++i) matrix.Row(nv + i)[c] = m_->opt.timestep * column[i];
    }
  });
}

void SlotDerivative::SolveTransposed(const double* change, double* force, double* step) const {
  if (!parts_->has_step) return SolveTransposedSolution(change, force);
  std::copy_n(change, m_->nv, step);
  SolveLDL<double>(step, d_->qH, d_->qHDiagInv, InertiaPattern(m_));
  std::vector<double> momentum(Size(m_->nv));
  MulSymmetric<double>(momentum.data(), d_->M, step, InertiaPattern(m_));
  SolveTransposedSolution(momentum.data(), force);
}

void SlotDerivative::SolveTransposedSolution(const double* change, double* force) const {
  std::copy_n(change, m_->nv, force);
  SolveHessian(parts_->p, force);
  for (int i = 0; i < m_->nv; ++i) force[i] = -force[i];
}

void CompleteTransition(const mjModel* m, mjData* d, const double* b, const TransitionMatrices& result) {
  const StateSizes sizes(m);
  std::vector<double> next(Size(sizes.nv));
  for (int i = 0; i < sizes.nv; ++i) next[Size(i)] = d->qvel[i] + m->opt.timestep * b[i];
  std::vector<ActivationRow> activations;
  if (sizes.na > 0) activations = RowsOfActivations(m, d, TendonRows(m, d), {d->qacc, b});
  ForMatrices(m, result, [&](const StepMatrix& matrix) {
    for (int k = 0; k < sizes.na; ++k) std::fill_n(matrix.Row(sizes.activation() + k), matrix.columns, 0.0);
    AddOwnVelocities(sizes, matrix);
    WriteActivationRows(sizes, activations, matrix);
    WritePositionRows(m, next.data(), matrix);
  });
}

bool LinearizeInSlots(const mjModel* m, mjData* d, const TransitionMatrices& result) {
  ForwardAtSolution(m, d, {});
  if (HasCompliantContact(d)) return false;
  StackFrame frame(d);
  SlotDerivative at(m, d, frame);
  at.Solve();
  // Matrices are written when nothing can fail any more.
  at.StoreVelocityRows(result);
  CompleteTransition(m, d, at.point().b, result);
  return true;
}

}  // namespace sinew::inline derivatives
