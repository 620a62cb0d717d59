// The shapes of muscle curves, and the tables that hold them (muscle_curve_kernel.h). Five sets are published;
// Millard's and Thelen's may be given other shapes (docs/how/musculotendon.md).
#ifndef SINEW_FORCE_MUSCLE_CURVES_H_
#define SINEW_FORCE_MUSCLE_CURVES_H_

#include <array>

namespace sinew::inline force {

// Numbers of the model's `gainprm` that select a set.
enum class CurveSet { kMillard, kHyfydy, kDeGroote, kThelen, kGeyer };

// By so much the largest velocity of Thelen's muscles at rest is below that at full activation.
inline constexpr double kThelenSlowing = 0.75;

// Shapes of Millard's curves; lengths in optimal fibre lengths, velocities in the largest one, forces in peak forces.
struct CurveShapes {
  // lower end, shallow end of the ascending limb, upper end, slope of the plateau's ascent, lowest value
  std::array<double, 5> active = {0.4441, 0.73, 1.8123, 0.8616, 0};
  // slopes: at -1, near it, at rest, at 1, near it; value at 1; curviness of shortening and of lengthening
  std::array<double, 8> velocity = {0, 0.25, 5, 0, 0.15, 1.4, 0.6, 0.9};
  // strain of no force, of unit force, stiffness at the toe, at unit force (0: 2 / range of strain), curviness
  std::array<double, 5> passive = {0, 0.7, 0.2, 0, 0.75};
  // strain at unit force, stiffness there (0: 1.375 / strain), force at the end of the toe, curviness
  std::array<double, 4> tendon = {0.049, 0, 2.0 / 3, 0.5};

  bool operator==(const CurveShapes&) const = default;
};

// Shapes of Thelen's curves, after his paper of 2003.
struct ThelenShapes {
  std::array<double, 1> active = {0.45};               // width of the Gaussian
  std::array<double, 3> velocity = {0.25, 1.4, 0.95};  // shape of shortening; largest force; share of it from which on
                                                       // the curve is straight
  std::array<double, 2> passive = {0.6, 5};            // strain of unit force, shape of the exponential
  std::array<double, 1> tendon = {0.04};               // strain of unit force

  bool operator==(const ThelenShapes&) const = default;
};

// Returns the shapes for muscles without damping of the fibre: velocities stay finite where nothing else limits them.
CurveShapes UndampedShapes();

// Fills kCurveSetNumbers numbers. Throws when a shape has no curve: limbs in the wrong order, tangents that do not
// meet.
void BuildMillardCurves(const CurveShapes& shapes, double* numbers);
// Throws when a number is not positive, or the largest force not above that at rest.
void BuildThelenCurves(const ThelenShapes& shapes, double* numbers);

// The integral of one curve between two places.
double IntegrateCurve(const double* curve, double from, double to);

// The published curves. They are made at the first call.
const double* PublishedCurves(CurveSet set, bool damped);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_MUSCLE_CURVES_H_
