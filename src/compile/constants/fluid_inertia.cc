// Added mass of an ellipsoid in an ideal fluid (Lamb, Hydrodynamics, 1932, sections 114 and 115).
#include <cmath>

#include "compile/tree/shape.h"
#include "force/fluid_kernel.h"
#include "simd/functions.h"

namespace sinew::inline compile {
namespace {

constexpr double kSmallest = 1e-14;  // of denominators, relative to their terms

struct Node {
  double x, weight;
};

// Gauss-Kronrod rule of 15 points on [0, 1], rounded to eight decimals: the accuracy that a model file needs, and the
// digits on which the numbers of existing models rest.
constexpr Node kRule[] = {
    {0.00427231, 0.01146766}, {0.02544604, 0.03154605}, {0.06756779, 0.05239501}, {0.12923441, 0.07032663},
    {0.20695638, 0.08450236}, {0.29707742, 0.09517529}, {0.39610752, 0.10221647}, {0.50000000, 0.10474107},
    {0.60389248, 0.10221647}, {0.70292258, 0.09517529}, {0.79304362, 0.08450236}, {0.87076559, 0.07032663},
    {0.93243221, 0.05239501}, {0.97455396, 0.03154605}, {0.99572769, 0.01146766},
};

// kappa = abc int_0^inf dl / sqrt((a^2 + l)^3 (b^2 + l) (c^2 + l))
// The substitution l = s x^3 / (1 - x)^2 with s = (a^3 b c)^(2/5) maps [0, 1] onto the half line.
double Kappa(double a, double b, double c) {
  const double scale = Pow(a * a * a * b * c, 0.4);
  double sum = 0;
  for (const Node& node : kRule) {
    const double x = node.x, rest = 1 - x;
    const double l = scale * x * x * x / (rest * rest);
    const double dl = scale * x * x * (3 - x) / (rest * rest * rest);
    const double first = a * a + l;
    sum += node.weight * dl / std::sqrt(first * first * first * (b * b + l) * (c * c + l));
  }
  return a * b * c * sum;
}

}  // namespace

// Axes are those of the geom. The density of the fluid is one here; the fluid forces multiply by that of the model.
VirtualInertia FluidInertia(const Shape& shape) {
  const Vec3<double> d = FluidSemiaxes(shape.type, shape.size);
  const double volume = 4 * kPi * d.x * d.y * d.z / 3;
  const Vec3<double> kappa = {Kappa(d.x, d.y, d.z), Kappa(d.y, d.z, d.x), Kappa(d.z, d.x, d.y)};
  VirtualInertia result;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    result.mass[i] = volume * kappa[i] / std::fmax(kSmallest, 2 - kappa[i]);
    const double difference = d[j] * d[j] - d[k] * d[k], sum = d[j] * d[j] + d[k] * d[k];
    const double coupling = kappa[j] - kappa[k];
    result.inertia[i] = volume * difference * difference * std::fabs(coupling) /
                        std::fmax(kSmallest * sum, std::fabs(2 * difference + sum * coupling)) / 5;
  }
  return result;
}

}  // namespace sinew::inline compile
