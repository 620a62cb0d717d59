// Sensors of the position stage that look at rays, distances, rows of limits, volumes or energies.
#include "kinematics/object_frame_kernel.h"
#include "model/view/view_of.h"
#include "sensor/energy.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

// Negative when the limit is violated; zero when it is not active.
double LimitPosition(const mjData* d, int type, int id) {
  const int row = LimitRow(d, type, id);
  return row < 0 ? 0 : d->efc_pos[row] - d->efc_margin[row];
}

}  // namespace

// Sensors of this stage write their numbers to `out`; the cutoff is applied by the caller.
void EvaluatePosition(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  switch (s.type) {
    case mjSENS_RANGEFINDER:
      return EvaluateRangefinder(m, d, s, out);
    case mjSENS_JOINTLIMITPOS:
      out[0] = LimitPosition(d, mjCNSTR_LIMIT_JOINT, s.objid);
      return;
    case mjSENS_TENDONLIMITPOS:
      out[0] = LimitPosition(d, mjCNSTR_LIMIT_TENDON, s.objid);
      return;
    case mjSENS_INSIDESITE:
      out[0] = IsInsideSite(m, d, s.refid, FrameOf(ViewOf(m), ViewOf(d), s.objtype, s.objid).position) ? 1 : 0;
      return;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      return EvaluateDistance(m, d, s, out);
    case mjSENS_E_POTENTIAL:
      if (!d->flg_energypos) EnergyPos(m, d);
      out[0] = d->energy[0];
      return;
    case mjSENS_E_KINETIC:
      if (!d->flg_energyvel) EnergyVel(m, d);
      out[0] = d->energy[1];
      return;
    default:
      return;
  }
}

}  // namespace sinew::inline sensor
