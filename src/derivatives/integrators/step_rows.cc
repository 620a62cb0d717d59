#include "derivatives/integrators/step_rows.h"

#include "derivatives/base/rotation.h"
#include "integrate/position_kernel.h"

namespace sinew::inline derivatives {

void AddOwnVelocities(const StateSizes& sizes, const StepMatrix& matrix) {
  for (int i = 0; matrix.OfState() && i < sizes.nv; ++i) matrix.Row(sizes.nv + i)[sizes.velocity() + i] += 1;
}

void WriteActivationRows(const StateSizes& sizes, const std::vector<ActivationRow>& activations,
                         const StepMatrix& matrix) {
  for (int k = 0; k < sizes.na; ++k) {
    double* row = matrix.Row(sizes.activation() + k);
    for (const auto& [column, slope] : activations[Size(k)].slopes) {
      if (column >= matrix.first && column < matrix.first + matrix.columns) row[column - matrix.first] += slope;
    }
    for (const auto& [dof, slope] : activations[Size(k)].by_end) {
      const double* velocity = matrix.Row(sizes.nv + dof);
      for (int c = 0; c < matrix.columns; ++c) row[c] += slope * velocity[c];
    }
  }
}

void WritePositionRows(const mjModel* m, const double* next_qvel, const StepMatrix& matrix) {
  const int nv = static_cast<int>(m->nv), columns = matrix.columns;
  const double h = m->opt.timestep;
  const ModelView<double> model(m);
  ForEachCoordinate(
      model,
      [&](int, int dof) {
        for (int c = 0; c < columns; ++c) matrix.Row(dof)[c] = h * matrix.Row(nv + dof)[c];
        if (matrix.OfState()) matrix.Row(dof)[dof] += 1;
      },
      [&](int, int dof) {
        const QuatIntegrateDerivatives turn = DifferentiateQuatIntegrate(LoadVec3(next_qvel + dof), h);
        for (int k = 0; k < 3; ++k) {
          for (int c = 0; c < columns; ++c) {
            double sum = 0;
            for (int l = 0; l < 3; ++l) sum += turn.velocity(k, l) * matrix.Row(nv + dof + l)[c];
            matrix.Row(dof + k)[c] = h * sum;
          }
          for (int l = 0; matrix.OfState() && l < 3; ++l) matrix.Row(dof + k)[dof + l] += turn.quat(k, l);
        }
      });
}

}  // namespace sinew::inline derivatives
