// The table of all kinds of sensors: attachment, the stage of a step at which they can be computed, type of data, and
// number of values. Zero values mean that the number follows from parameters.
#include "compile/relations/sensor_kinds.h"

namespace sinew {
namespace {

constexpr mjtStage kPos = mjSTAGE_POS, kVel = mjSTAGE_VEL, kAcc = mjSTAGE_ACC;
constexpr mjtDataType kReal = mjDATATYPE_REAL, kPositive = mjDATATYPE_POSITIVE, kAxis = mjDATATYPE_AXIS,
                      kQuaternion = mjDATATYPE_QUATERNION;

constexpr SensorKind kKinds[] = {
    {mjSENS_TOUCH, Attachment::kSite, kAcc, kPositive, 1},
    {mjSENS_ACCELEROMETER, Attachment::kSite, kAcc, kReal, 3},
    {mjSENS_VELOCIMETER, Attachment::kSite, kVel, kReal, 3},
    {mjSENS_GYRO, Attachment::kSite, kVel, kReal, 3},
    {mjSENS_FORCE, Attachment::kSite, kAcc, kReal, 3},
    {mjSENS_TORQUE, Attachment::kSite, kAcc, kReal, 3},
    {mjSENS_MAGNETOMETER, Attachment::kSite, kPos, kReal, 3},
    {mjSENS_RANGEFINDER, Attachment::kSiteOrCamera, kPos, kReal, 0},
    {mjSENS_CAMPROJECTION, Attachment::kCameraSite, kPos, kReal, 2},
    {mjSENS_JOINTPOS, Attachment::kScalarJoint, kPos, kReal, 1},
    {mjSENS_JOINTVEL, Attachment::kScalarJoint, kVel, kReal, 1},
    {mjSENS_TENDONPOS, Attachment::kTendon, kPos, kReal, 1},
    {mjSENS_TENDONVEL, Attachment::kTendon, kVel, kReal, 1},
    {mjSENS_ACTUATORPOS, Attachment::kActuator, kPos, kReal, 1},
    {mjSENS_ACTUATORVEL, Attachment::kActuator, kVel, kReal, 1},
    {mjSENS_ACTUATORFRC, Attachment::kActuator, kAcc, kReal, 1},
    {mjSENS_JOINTACTFRC, Attachment::kScalarJoint, kAcc, kReal, 1},
    {mjSENS_TENDONACTFRC, Attachment::kTendon, kAcc, kReal, 1},
    {mjSENS_BALLQUAT, Attachment::kBallJoint, kPos, kQuaternion, 4},
    {mjSENS_BALLANGVEL, Attachment::kBallJoint, kVel, kReal, 3},
    {mjSENS_JOINTLIMITPOS, Attachment::kLimitedJoint, kPos, kReal, 1},
    {mjSENS_JOINTLIMITVEL, Attachment::kLimitedJoint, kVel, kReal, 1},
    {mjSENS_JOINTLIMITFRC, Attachment::kLimitedJoint, kAcc, kReal, 1},
    {mjSENS_TENDONLIMITPOS, Attachment::kLimitedTendon, kPos, kReal, 1},
    {mjSENS_TENDONLIMITVEL, Attachment::kLimitedTendon, kVel, kReal, 1},
    {mjSENS_TENDONLIMITFRC, Attachment::kLimitedTendon, kAcc, kReal, 1},
    {mjSENS_FRAMEPOS, Attachment::kFrameReference, kPos, kReal, 3},
    {mjSENS_FRAMEQUAT, Attachment::kFrameReference, kPos, kQuaternion, 4},
    {mjSENS_FRAMEXAXIS, Attachment::kFrameReference, kPos, kAxis, 3},
    {mjSENS_FRAMEYAXIS, Attachment::kFrameReference, kPos, kAxis, 3},
    {mjSENS_FRAMEZAXIS, Attachment::kFrameReference, kPos, kAxis, 3},
    {mjSENS_FRAMELINVEL, Attachment::kFrameReference, kVel, kReal, 3},
    {mjSENS_FRAMEANGVEL, Attachment::kFrameReference, kVel, kReal, 3},
    {mjSENS_FRAMELINACC, Attachment::kFrame, kAcc, kReal, 3},
    {mjSENS_FRAMEANGACC, Attachment::kFrame, kAcc, kReal, 3},
    {mjSENS_SUBTREECOM, Attachment::kBody, kPos, kReal, 3},
    {mjSENS_SUBTREELINVEL, Attachment::kBody, kVel, kReal, 3},
    {mjSENS_SUBTREEANGMOM, Attachment::kBody, kVel, kReal, 3},
    {mjSENS_INSIDESITE, Attachment::kInsideSite, kPos, kPositive, 1},
    {mjSENS_GEOMDIST, Attachment::kGeomPair, kPos, kReal, 1},
    {mjSENS_GEOMNORMAL, Attachment::kGeomPair, kPos, kAxis, 3},
    {mjSENS_GEOMFROMTO, Attachment::kGeomPair, kPos, kReal, 6},
    {mjSENS_CONTACT, Attachment::kContact, kAcc, kReal, 0},
    {mjSENS_E_POTENTIAL, Attachment::kNothing, kPos, kReal, 1},
    {mjSENS_E_KINETIC, Attachment::kNothing, kPos, kReal, 1},
    {mjSENS_CLOCK, Attachment::kNothing, kPos, kReal, 1},
    {mjSENS_TACTILE, Attachment::kMeshOnGeom, kAcc, kReal, 0},
    {mjSENS_PLUGIN, Attachment::kAny, kAcc, kReal, 0},
    {mjSENS_USER, Attachment::kAny, kAcc, kReal, 0},
};

// Adds the sizes of those fields whose bits are set.
int SumOf(const int* sizes, int count, int mask) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (mask & (1 << i)) sum += sizes[i];
  }
  return sum;
}

}  // namespace

const SensorKind* FindSensorKind(mjtSensor type) {
  for (const SensorKind& kind : kKinds) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

int ContactDataSize(int mask) {
  constexpr int kSizes[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};  // found, force, torque, dist, pos, normal, tangent
  return SumOf(kSizes, mjNCONDATA, mask);
}

int RayDataSize(int mask) {
  constexpr int kSizes[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};  // dist, dir, origin, point, normal, depth
  return SumOf(kSizes, mjNRAYDATA, mask);
}

}  // namespace sinew
