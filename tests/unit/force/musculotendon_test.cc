#include "force/musculotendon_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.h"
#include "force/fiber_reading_kernel.h"
#include "force/muscle_curves.h"
#include "force/muscle_kernel.h"

namespace sinew {
namespace {

const double* Millard() { return PublishedCurves(CurveSet::kMillard, true); }
const double* Hyfydy() { return PublishedCurves(CurveSet::kHyfydy, true); }
const double* DeGroote() { return PublishedCurves(CurveSet::kDeGroote, true); }

CurvePoint<double> At(const double* set, MuscleCurve curve, double x) {
  return EvaluateCurve(set + curve * kCurveNumbers, x);
}

struct Sample {
  double x, value;
};

// Values are given with eight decimals, or six for polynomials; half a unit of the last one, and the error of the
// table.
void ExpectCurve(const double* set, MuscleCurve curve, std::initializer_list<Sample> samples, double tolerance) {
  for (const Sample& s : samples) EXPECT_NEAR(At(set, curve, s.x).value, s.value, tolerance) << curve << " " << s.x;
}

TEST(MuscleCurvesTest, MillardsValues) {
  ExpectCurve(Millard(), kActiveLength,
              {{0.5, 0.09853249}, {0.75, 0.82603754}, {0.9, 0.95675983}, {1.25, 0.75401887}, {1.5, 0.40334473}}, 6e-9);
  ExpectCurve(Millard(), kForceVelocity,
              {{-0.75, 0.05151940}, {-0.25, 0.38733295}, {0.1, 1.22515384}, {0.25, 1.28321081}, {0.75, 1.36995390}},
              6e-9);
  ExpectCurve(Millard(), kPassiveLength,
              {{1.1, 0.01704484}, {1.2, 0.04969203}, {1.4, 0.26288978}, {1.6, 0.71706953}, {1.8, 1.28571429}}, 6e-9);
  ExpectCurve(Millard(), kTendonForce,
              {{1.01, 0.09967827}, {1.02, 0.26093598}, {1.03, 0.47939871}, {1.04, 0.74744898}, {1.06, 1.30867347}},
              6e-9);
  EXPECT_NEAR(At(Millard(), kActiveLength, 0.75).slope, 0.93944658, 1e-7);
  EXPECT_NEAR(At(Millard(), kForceVelocity, -0.25).slope, 1.20879532, 1e-7);
  EXPECT_NEAR(At(Millard(), kPassiveLength, 1.4).slope, 1.65811677, 1e-7);
  EXPECT_NEAR(At(Millard(), kTendonForce, 1.02).slope, 19.58400832, 1e-6);
}

TEST(MuscleCurvesTest, HyfydysValues) {
  ExpectCurve(Hyfydy(), kActiveLength, {{0.5, 0.125}, {0.75, 0.804688}, {0.9, 0.971}, {1.25, 0.851562}, {1.5, 0.5}},
              6e-7);
  ExpectCurve(Hyfydy(), kForceVelocity,
              {{-0.75, 0.058086}, {-0.25, 0.356918}, {0.1, 1.285714}, {0.25, 1.416667}, {0.75, 1.523256}}, 6e-7);
  ExpectCurve(Hyfydy(), kPassiveLength,
              {{1.1, 0.013817}, {1.2, 0.059589}, {1.4, 0.272926}, {1.6, 0.691863}, {1.8, 1.368253}}, 6e-7);
  ExpectCurve(Hyfydy(), kTendonForce,
              {{1.01, 0.105803}, {1.02, 0.263801}, {1.03, 0.473993}, {1.04, 0.736379}, {1.06, 1.417735}}, 6e-7);
  EXPECT_EQ(At(Hyfydy(), kActiveLength, 0.4).value, 0);
  EXPECT_EQ(At(Hyfydy(), kActiveLength, 1.9).value, 0);
  EXPECT_EQ(At(Hyfydy(), kTendonForce, 0.9).value, 0);
}

TEST(MuscleCurvesTest, DeGrootesValues) {
  EXPECT_NEAR(At(DeGroote(), kActiveLength, 0.75).value, 0.778113, 6e-7);
  EXPECT_NEAR(At(DeGroote(), kForceVelocity, -0.25).value, 0.470826, 6e-7);
  EXPECT_NEAR(At(DeGroote(), kPassiveLength, 1.4).value, 0.263532, 6e-7);
  EXPECT_NEAR(At(DeGroote(), kTendonForce, 1.02).value, 0.215569, 6e-7);
}

// ---- the muscle of Geyer and Herr (2010), after the equations of their appendix

constexpr double kWidth = 0.56, kShape = 5, kMost = 1.5;

double GeyerActive(double n) { return std::exp(std::log(0.05) * std::pow(std::abs((n - 1) / kWidth), 3)); }
double GeyerVelocity(double v) {
  return v < 0 ? (1 + v) / (1 - kShape * v) : kMost + (kMost - 1) * (v - 1) / (7.56 * kShape * v + 1);
}
double GeyerSpring(double n) { return n > 1 ? (n - 1) * (n - 1) / (kWidth * kWidth) : 0; }
double GeyerBuffer(double n) {
  const double strain = (1 - kWidth - n) / (kWidth / 2);
  return strain > 0 ? strain * strain : 0;
}

Musculotendon<double> GeyersMuscle(double damping = 0) {
  Musculotendon<double> muscle = {
      4000, 0.04, 0.26, 0, 6, damping, 1, false, PublishedCurves(CurveSet::kGeyer, false), 1 / 0.26};
  muscle.scales_passive = true;
  return muscle;
}

TEST(MuscleCurvesTest, GeyersValues) {
  const double* set = PublishedCurves(CurveSet::kGeyer, true);
  for (double x = 0.15; x < 2.15; x += 0.0137) {
    EXPECT_NEAR(At(set, kActiveLength, x).value, GeyerActive(x), 4e-9) << x;  // of the table
    EXPECT_NEAR(At(set, kPassiveLength, x).value, GeyerSpring(x) - GeyerBuffer(x), 1e-13) << x;
  }
  for (double v = -1; v < 1.95; v += 0.0137) EXPECT_NEAR(At(set, kForceVelocity, v).value, GeyerVelocity(v), 4e-9) << v;
  for (double t : {1.0, 1.01, 1.04, 1.1})
    EXPECT_NEAR(At(set, kTendonForce, t).value, std::pow((t - 1) / 0.04, 2), 1e-12);
  EXPECT_EQ(At(set, kTendonForce, 0.9).value, 0);
}

// fV(v) = (fSE + fBE) / (a fL + fPE), which has a closed form.
TEST(MusculotendonTest, GeyersMuscleMovesAsItsTendonPulls) {
  const auto muscle = GeyersMuscle();
  for (const double n : {0.2, 0.4, 0.8, 1.0, 1.2, 1.4}) {
    for (const double a : {0.01, 0.3, 1.0}) {
      for (const double strain : {0.0, 0.01, 0.02, 0.03}) {
        const double length = muscle.l0 * n + muscle.ls * (1 + strain), pull = std::pow(strain / 0.04, 2);
        const double y = (pull + GeyerBuffer(n)) / (a * GeyerActive(n) + GeyerSpring(n));
        const double g = (kMost - y) / (kMost - 1);
        const double v = y < 1 ? (y - 1) / (1 + kShape * y) : (1 - g) / (1 + 7.56 * kShape * g);
        if (y > 1.45) continue;  // far beyond the largest velocity, where the table is straight
        const FiberMotion<double> motion = MotionOfFiber(muscle, n, a, length);
        EXPECT_NEAR(motion.v, v, 2e-8 * (1 + std::abs(v))) << n << " " << a << " " << strain;  // of the table
        EXPECT_NEAR(motion.force, 4000 * pull, 1e-9 * 4000);
      }
    }
  }
}

TEST(MusculotendonTest, GeyersMuscleRests) {
  const auto muscle = GeyersMuscle();
  for (const double a : {0.05, 0.5, 1.0}) {
    for (const double length : {0.295, 0.31, 0.33}) {
      const double n = RestingFiber(muscle, a, length);
      const double strain = (length - muscle.l0 * n) / muscle.ls - 1,
                   pull = strain > 0 ? std::pow(strain / 0.04, 2) : 0;
      EXPECT_NEAR(pull + GeyerBuffer(n), a * GeyerActive(n) + GeyerSpring(n), 2e-8) << a << " " << length;
    }
  }
}

// Searches end at a root wherever they begin, although the curve of velocities has a corner at rest and is nearly flat
// behind it, so that steps of Newton's method may go to and fro.
TEST(MusculotendonTest, StepsOfGeyersMuscleEndInBalance) {
  std::mt19937 random(3);
  const auto pick = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  for (int i = 0; i < 20000; ++i) {
    const auto muscle = GeyersMuscle(i % 2 == 0 ? 0 : 0.05);
    const double n = pick(0.4, 1.5), a = pick(0.01, 1), h = pick(1e-4, 5e-3);
    const double length = muscle.l0 * n + muscle.ls * (1 + pick(-0.01, 0.05)), start = pick(-2, 6);
    const double v = SteppedVelocity(muscle, n, a, length, h, start);
    const FiberEnd<double> end = EndOfStep(muscle, n, ShortestFiber(muscle), a, length, h, v);
    // the last step is below 1e-6, after which the error is its square
    ASSERT_NEAR(end.residual / end.residual_slope, 0, 2e-6) << i << " n " << n << " a " << a << " v " << v;
  }
}

// A short step of the implicit method has the rate of the equation; sensors show the parts of the force.
TEST(MusculotendonTest, GeyersMuscleIsSteppedAndRead) {
  const auto muscle = GeyersMuscle();
  const double n = 1.1, a = 0.4, length = 0.31, h = 1e-6;
  const double v = SteppedVelocity(muscle, n, a, length, h, StepGuess(muscle, n, a, length, h));
  // of second order in h times the rate of the fibre, thousands per second
  EXPECT_NEAR(v, MotionOfFiber(muscle, n, a, length).v, 1e-3);
  const auto reading = ReadingAt<double>(muscle, {n, v, n, a, length});
  EXPECT_NEAR(reading.active, 4000 * a * GeyerActive(n) * GeyerVelocity(v), 1e-4);
  EXPECT_NEAR(reading.passive, 4000 * GeyerSpring(n) * GeyerVelocity(v), 1e-4);
  EXPECT_NEAR(reading.force, reading.active + reading.passive, 1e-9);
}

// The muscle of Thelen (2003) with the numbers that OpenSim's class begins with: 1000 N, fibre 0.1 m, tendon 0.2 m,
// pennation 0.2 rad.
Musculotendon<double> ThelensMuscle() {
  Musculotendon<double> muscle = {
      1000, 0.1, 0.2, std::sin(0.2), 10, 0, 1, false, PublishedCurves(CurveSet::kThelen, false), 1 / 0.2};
  muscle.slowing = kThelenSlowing;
  return muscle;
}

// Tendon force [N] and fibre length [m] at rest, at an activation of 0.5, of OpenSim 4.6, which solves for forces to
// 1e-8 of the peak; where the tendon is soft a fibre length follows from them to 1e-8 m.
TEST(MusculotendonTest, ThelensMuscleRests) {
  struct Rest {
    double length, force, fiber;
  };
  for (const Rest& rest : {Rest{0.27, 380.08965997743996, 0.0678698379461204},
                           {0.29, 468.2096892936176, 0.08678964201036055},
                           {0.31, 491.49061881451684, 0.10625029806879634},
                           {0.33, 476.65365087162417, 0.1260215615601667}}) {
    const auto muscle = AtActivation(ThelensMuscle(), 0.5);
    const double n = RestingFiber(muscle, 0.5, rest.length);
    EXPECT_NEAR(0.1 * n, rest.fiber, 2e-8) << rest.length;
    EXPECT_NEAR(TendonForce(muscle, n, rest.length), rest.force, 2e-4) << rest.length;
  }
}

// Velocity of the fibre [m/s] of OpenSim 4.6, shortening, near rest, on the curve of lengthening and beyond it; tables
// hold curves to 4e-9, which velocities multiply by up to 1 / slope, 40.
TEST(MusculotendonTest, ThelensMuscleMovesAsItsActivationSays) {
  struct Motion {
    double n, a, length, velocity, force;
  };
  for (const Motion& motion : {Motion{1.0, 0.3, 0.303, 0.021624872862309602, 356.62343861636924},
                               {0.8, 1.0, 0.285, 0.0009267106442725517, 894.3127209293893},
                               {1.2, 0.1, 0.325, 6.690569254933326, 712.4031664101627},
                               {1.0, 0.6, 0.309, 3.4687377999375872, 1640.527243261128},
                               {0.9, 0.5, 0.2905, -0.3230571957269838, 75.11422081262414}}) {
    const auto muscle = AtActivation(ThelensMuscle(), motion.a);
    const FiberMotion<double> found = MotionOfFiber(muscle, motion.n, motion.a, motion.length);
    EXPECT_NEAR(found.v * muscle.vmax * muscle.l0, motion.velocity, 2e-7 * (1 + std::fabs(motion.velocity)));
    EXPECT_NEAR(found.force, motion.force, 1e-5);
  }
}

TEST(MuscleCurvesTest, ThelensShapesThatHaveNoCurveAreErrors) {
  std::vector<double> numbers(kCurveSetNumbers);
  ThelenShapes shapes;
  shapes.velocity[1] = 0.9;
  EXPECT_THROW(BuildThelenCurves(shapes, numbers.data()), Error);
  shapes = {};
  shapes.tendon[0] = 0;
  EXPECT_THROW(BuildThelenCurves(shapes, numbers.data()), Error);
}

TEST(MuscleCurvesTest, SlopesAreDerivativesAndCurvesAreSmooth) {
  const double h = 1e-6;
  for (const double* set : {Millard(), Hyfydy(), DeGroote()}) {
    for (int curve = 0; curve < kMuscleCurves; ++curve) {
      const auto c = static_cast<MuscleCurve>(curve);
      for (double x = curve == kForceVelocity ? -0.991 : 0.503; x < 1.2; x += 0.0173) {
        const double difference = (At(set, c, x + h).value - At(set, c, x - h).value) / (2 * h);
        // second derivatives reach 1e3, third ones 1e5: the error of the difference is below 1e5 h^2
        EXPECT_NEAR(At(set, c, x).slope, difference, 1e-5 * (1 + std::fabs(difference))) << curve << " " << x;
      }
    }
  }
}

TEST(MuscleCurvesTest, AnyPlaceIsSafe) {
  for (double x : {-1e300, 1e300, double(INFINITY), double(-INFINITY), double(NAN)}) At(Millard(), kActiveLength, x);
  // on the heap, where sanitizers watch its end
  std::vector<double> garbage(kCurveNumbers);
  for (double content : {double(NAN), double(INFINITY), -1e300, 1e300, -3.0, 1e9}) {
    std::fill(garbage.begin(), garbage.end(), content);
    for (double x : {-1.0, 0.5, 1e300, double(NAN)}) {
      EvaluateCurve(garbage.data(), x);
      EvaluateCurve(garbage.data(), Pack<double, 4>(x));
    }
  }
}

TEST(MuscleCurvesTest, ShapesWithoutACurveAreErrors) {
  std::vector<double> numbers(kCurveSetNumbers);
  CurveShapes shapes;
  shapes.active[1] = 0.4;  // the ascending limb would run backwards
  EXPECT_THROW(BuildMillardCurves(shapes, numbers.data()), Error);
  shapes = {};
  shapes.tendon[3] = 2;
  EXPECT_THROW(BuildMillardCurves(shapes, numbers.data()), Error);
}

// ---- muscles

// A step from a search that begins at rest.
struct FiberStep {
  double n, v, force, slope;
};
FiberStep StepFiber(const Musculotendon<double>& muscle, double n, double a, double length, double h, double start) {
  const double v = SteppedVelocity(muscle, n, a, length, h, start);
  const auto stepped = ForceOfStep(muscle, n, a, length, h, v);
  return {SteppedFiber(muscle, n, h, v), v, stepped.force, stepped.slope};
}

Musculotendon<double> Soleus(const double* curves) {
  return {5137,   0.050288844245806,   0.25144422122903, std::sin(0.43633231), 10, 0.1, 1, false,
          curves, 1 / 0.25144422122903};
}
Musculotendon<double> Hamstrings(const double* curves) {
  return {2594, 0.109, 0.31, 0, 10, 0.1, 1, false, curves, 1 / 0.31};
}

struct Equilibrium {
  double a, n, degrees, strain, force, hyfydy_force;
};

void ExpectEquilibrium(const Musculotendon<double>& millard, const Musculotendon<double>& hyfydy, double length,
                       const Equilibrium& e) {
  const double n = RestingFiber(millard, e.a, length), p = GeometryOf(millard, n).p;
  EXPECT_NEAR(n, e.n, 6e-7);
  EXPECT_NEAR(std::asin(millard.w / n) * 180 / kPi, e.degrees, 6e-6);
  EXPECT_NEAR(TendonStretch(millard, p, length) - 1, e.strain, 6e-7);
  EXPECT_NEAR(TendonForce(millard, n, length), e.force, 6e-4);
  EXPECT_NEAR(TendonForce(hyfydy, RestingFiber(hyfydy, e.a, length), length), e.hyfydy_force, 6e-4);
  EXPECT_NEAR(MotionOfFiber(millard, n, e.a, length).v, 0, 1e-10);
}

TEST(MusculotendonTest, IsometricEquilibria) {
  for (const Equilibrium& e : {Equilibrium{0.01, 1.041582, 23.93792, 0.002709, 69.484, 60.763},
                               {0.5, 0.926869, 27.12692, 0.028125, 2238.359, 2248.731},
                               {1, 0.864931, 29.24959, 0.042177, 4153.486, 4223.920}}) {
    ExpectEquilibrium(Soleus(Millard()), Soleus(Hyfydy()), 0.300, e);
  }
  for (const Equilibrium& e : {Equilibrium{0.01, 1.002572, 0, 0.002321, 25.942, 26.047},
                               {0.5, 0.922833, 0, 0.030359, 1265.746, 1274.255},
                               {1, 0.876258, 0, 0.046735, 2429.124, 2475.386}}) {
    ExpectEquilibrium(Hamstrings(Millard()), Hamstrings(Hyfydy()), 0.420, e);
  }
}

TEST(MusculotendonTest, FiberVelocities) {
  EXPECT_NEAR(MotionOfFiber(Soleus(Millard()), 1.0, 0.5, 0.300).v, -0.29336082, 1e-8);
  EXPECT_NEAR(MotionOfFiber(Soleus(Hyfydy()), 1.0, 0.5, 0.300).v, -0.26274306, 1e-8);
  EXPECT_NEAR(MotionOfFiber(Soleus(Millard()), 1.1, 0.0, 0.300).v, -0.17044835, 1e-8);
  EXPECT_NEAR(MotionOfFiber(Soleus(Hyfydy()), 1.1, 0.0, 0.300).v, -0.13817070, 1e-8);
}

// The isometric step of the soleus: excitation from rest to 1, integrated with ever smaller steps.
std::vector<double> IsometricStep(double h, const std::vector<double>& times) {
  const auto muscle = Soleus(Millard());
  const double prm[] = {0.01, 0.04, 0}, length = 0.300;
  double a = 0.01, n = RestingFiber(muscle, a, length), t = 0;
  std::vector<double> forces;
  for (double time : times) {
    while (t < time - h / 2) {
      // activation by the classic Runge-Kutta method, the fibre by its implicit step
      const auto rate = [&](double x) { return MuscleActivationRate(1.0, x, prm); };
      const double k1 = rate(a), k2 = rate(a + h / 2 * k1), k3 = rate(a + h / 2 * k2), k4 = rate(a + h * k3);
      a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      n = StepFiber(muscle, n, a, length, h, 0.0).n;
      t += h;
    }
    forces.push_back(TendonForce(muscle, n, length));
  }
  return forces;
}

TEST(MusculotendonTest, IsometricStepConvergesToTheReference) {
  const std::vector<double> times = {0.02, 0.05, 0.1, 0.2}, expected = {1158.69, 2499.71, 3497.28, 4044.60};
  // the implicit step has order one, and extrapolation to h = 0 order two; the reference is given to two decimals
  const auto coarse = IsometricStep(2e-5, times), fine = IsometricStep(1e-5, times);
  for (size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(2 * fine[i] - coarse[i], expected[i], 0.006) << times[i];
    EXPECT_NEAR(coarse[i] - expected[i], 2 * (fine[i] - expected[i]), 0.5) << times[i];
  }
  // five milliseconds, where an explicit step is limited to less than one, are off by a few percent and stable
  const auto large = IsometricStep(5e-3, times);
  for (size_t i = 1; i < times.size(); ++i) EXPECT_NEAR(large[i], expected[i], 0.05 * expected[i]);
}

// When the isometric step reaches a force.
double TimeOfForce(double h, double force) {
  const auto muscle = Soleus(Millard());
  const double prm[] = {0.01, 0.04, 0}, length = 0.300;
  double a = 0.01, n = RestingFiber(muscle, a, length), t = 0, before = 0;
  while (true) {
    const double now = TendonForce(muscle, n, length);
    if (now >= force) return t - h * (now - force) / (now - before);
    before = now;
    const auto rate = [&](double x) { return MuscleActivationRate(1.0, x, prm); };
    const double k1 = rate(a), k2 = rate(a + h / 2 * k1), k3 = rate(a + h / 2 * k2), k4 = rate(a + h * k3);
    a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    n = StepFiber(muscle, n, a, length, h, 0.0).n;
    t += h;
  }
}

TEST(MusculotendonTest, IsometricStepRisesAsPublished) {
  const double last = 4153.486;
  // extrapolated to h = 0 from a method of order one; times are given with two decimals of a millisecond
  EXPECT_NEAR(1e3 * (2 * TimeOfForce(1e-5, 0.5 * last) - TimeOfForce(2e-5, 0.5 * last)), 38.06, 0.006);
  EXPECT_NEAR(1e3 * (2 * TimeOfForce(1e-5, 0.9 * last) - TimeOfForce(2e-5, 0.9 * last)), 125.43, 0.006);
}

TEST(MusculotendonTest, ActivationRisesAsPublished) {
  const double prm[] = {0.01, 0.04, 0}, h = 1e-5;
  double a = 0.01;
  for (int k = 0; k < 2000; ++k) {
    const auto rate = [&](double x) { return MuscleActivationRate(1.0, x, prm); };
    const double k1 = rate(a), k2 = rate(a + h / 2 * k1), k3 = rate(a + h / 2 * k2), k4 = rate(a + h * k3);
    a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_NEAR(a, 0.798372, 6e-7);
}

// The rate of the fibre falls with its length by 2806 l0 / ls where nothing but its damping holds it: an explicit step
// of Euler's method must be shorter than 0.71 ms.
TEST(MusculotendonTest, StiffnessOfTheFiber) {
  Musculotendon<double> muscle = {1000, 0.1, 0.1, 0, 10, 0.1, 1, false, Millard(), 10};
  const double n = 0.9, dn = 1e-6, length = 0.1 * n + 0.1 * 1.06;  // on the straight end of the tendon's curve
  const auto rate = [&](double x) { return muscle.vmax * MotionOfFiber(muscle, x, 0.0, length).v; };
  const double stiffness = -(rate(n + dn) - rate(n - dn)) / (2 * dn);
  EXPECT_NEAR(stiffness, 2806, 0.5);
  EXPECT_NEAR(2 / stiffness, 0.71e-3, 0.005e-3);
}

// Without damping the force-velocity curve is inverted.
TEST(MusculotendonTest, UndampedFibersInvertTheCurve) {
  auto muscle = Soleus(PublishedCurves(CurveSet::kMillard, false));
  muscle.damping = 0;
  for (const double n : {0.9, 1.0, 1.1}) {
    const FiberLoad<double> load = LoadOf(muscle, n, 0.5, 0.300);
    const double v = MotionOfFiber(muscle, n, 0.5, 0.300).v;
    // the residual of the root is 1e-12
    EXPECT_NEAR(Evaluate(muscle, kForceVelocity, v).value, load.pull / load.active, 1e-10) << n;
  }
  EXPECT_NEAR(At(muscle.curves, kActiveLength, 0.3).value, 0.1, 1e-9);  // the lowest value of this variant
}

// The lower end of the active curve, or the angle of arccos 0.1.
TEST(MusculotendonTest, FibersHaveAShortestLength) {
  EXPECT_EQ(ShortestFiber(Hamstrings(Millard())), 0.4441);
  EXPECT_EQ(ShortestFiber(Hamstrings(Hyfydy())), 0.46899);
  EXPECT_EQ(ShortestFiber(Hamstrings(DeGroote())), 0.2);
  EXPECT_NEAR(ShortestFiber(Soleus(Millard())), 0.4441, 1e-15);  // sin 25 degrees / sin 84 degrees is 0.4248
  auto steep = Soleus(Millard());
  steep.w = 0.6;
  EXPECT_NEAR(ShortestFiber(steep), 0.6 / std::sqrt(0.99), 1e-14);
  // a slack tendon leaves it there, and it does not shorten further
  for (const double* curves : {Millard(), Hyfydy(), DeGroote()}) {
    const auto muscle = Hamstrings(curves);
    const double shortest = ShortestFiber(muscle);
    EXPECT_EQ(RestingFiber(muscle, 0.5, 0.1), shortest);
    EXPECT_GE(MotionOfFiber(muscle, shortest, 1.0, 0.1).v, 0);
    EXPECT_GE(StepFiber(muscle, shortest + 1e-4, 1.0, 0.1, 5e-3, 0.0).n, shortest);
  }
}

TEST(MusculotendonTest, StepsHoldFromAnyState) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double* curves : {Millard(), Hyfydy(), DeGroote(), PublishedCurves(CurveSet::kMillard, false)}) {
    for (int trial = 0; trial < 500; ++trial) {
      auto muscle = Soleus(curves);
      muscle.ls = 0.02 + 0.3 * uniform(random);
      muscle.inverse_ls = 1 / muscle.ls;
      if (curves == PublishedCurves(CurveSet::kMillard, false)) muscle.damping = 0;
      const double length = 0.45 * uniform(random), a = 0.01 + 0.99 * uniform(random), h = 5e-3 * uniform(random);
      const double n = 2 * uniform(random);
      const auto step = StepFiber(muscle, n, a, length, h, 0.0);
      ASSERT_TRUE(std::isfinite(step.n) && std::isfinite(step.force) && std::isfinite(step.slope)) << trial;
      EXPECT_GE(step.n, ShortestFiber(muscle) * (1 - 1e-15));
      EXPECT_GE(step.force, 0);
      // what the step solved holds: balance at its end with the mean velocity
      const double v = (step.n - std::max(n, ShortestFiber(muscle))) / (h * muscle.vmax);
      if (step.n > ShortestFiber(muscle) * (1 + 1e-9) && h > 1e-4) {
        const auto load = LoadOf(muscle, step.n, a, length);
        const double active = load.active * Evaluate(muscle, kForceVelocity, v).value;
        // v is a difference of lengths: rounding over h
        EXPECT_NEAR(active + muscle.damping * v, load.pull, 1e-8 * (1 + std::fabs(load.pull))) << trial;
      }
    }
  }
}

TEST(MusculotendonTest, SlopeOfAStepIsItsDerivative) {
  for (const double* curves : {Millard(), Hyfydy(), DeGroote()}) {
    const auto muscle = Soleus(curves);
    for (double length : {0.295, 0.300, 0.308}) {
      const double dx = 1e-7, h = 2e-3;
      const auto force = [&](double x) { return StepFiber(muscle, 0.95, 0.4, x, h, 0.0).force; };
      const double difference = (force(length + dx) - force(length - dx)) / (2 * dx);
      // forces of 5e3 N have rounding of 1e-8 (tolerance of the root) over dx
      EXPECT_NEAR(StepFiber(muscle, 0.95, 0.4, length, h, 0.0).slope, difference, 2e-4 * difference) << length;
    }
  }
}

TEST(MusculotendonTest, RigidTendon) {
  auto muscle = Soleus(Millard());
  muscle.rigid = true;
  const double length = 0.300, velocity = -0.1, p = (length - muscle.ls) / muscle.l0;
  const auto fiber = FiberOnRigidTendon(muscle, 0.5, length, velocity);
  EXPECT_NEAR(fiber.n, std::hypot(p, muscle.w), 1e-15);
  EXPECT_NEAR(fiber.v, velocity * p / fiber.n / (10 * muscle.l0), 1e-15);
  const double dv = 1e-6;
  const double difference = (FiberOnRigidTendon(muscle, 0.5, length, velocity + dv).force -
                             FiberOnRigidTendon(muscle, 0.5, length, velocity - dv).force) /
                            (2 * dv);
  EXPECT_NEAR(fiber.slope, difference, 1e-5 * difference);
  // slack: nothing pulls, nothing moves
  const auto slack = FiberOnRigidTendon(muscle, 0.5, 0.2, -1.0);
  EXPECT_EQ(slack.v, 0);
  EXPECT_NEAR(slack.force, 0, 1e-9);
}

TEST(MusculotendonTest, HyfydysActivation) {
  const double prm[] = {0.01, 0.04};
  EXPECT_NEAR(HyfydyActivationRate(1.0, 0.25, prm), 75, 1e-12);
  EXPECT_NEAR(HyfydyActivationRate(0.0, 0.4, prm), -10, 1e-12);
}

TEST(MusculotendonTest, ALaneEqualsTheScalar) {
  using P = Pack<double, 4>;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double* curves : {Millard(), Hyfydy(), DeGroote()}) {
    const auto one = Soleus(curves);
    const Musculotendon<P> many = {P(one.F0),      P(one.l0),        P(one.ls), P(one.w), P(one.vmax),
                                   P(one.damping), P(one.stiffness), false,     curves,   P(one.inverse_ls)};
    for (int trial = 0; trial < 100; ++trial) {
      P n, a, length, velocity;
      for (int lane = 0; lane < 4; ++lane) {
        n.Set(lane, 0.3 + 1.2 * uniform(random));
        a.Set(lane, uniform(random));
        length.Set(lane, 0.28 + 0.06 * uniform(random));
        velocity.Set(lane, uniform(random) - 0.5);
      }
      const P v = MotionOfFiber(many, n, a, length).v, rest = RestingFiber(many, a, length);
      const P h(2e-3), stepped = SteppedVelocity(many, n, a, length, h, StepGuess(many, n, a, length, h));
      const auto force = ForceOfStep(many, n, a, length, h, stepped);
      const P end = SteppedFiber(many, n, h, stepped);
      const auto rigid = FiberOnRigidTendon(many, a, length, velocity);
      for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(v[lane], MotionOfFiber(one, n[lane], a[lane], length[lane]).v);
        EXPECT_EQ(rest[lane], RestingFiber(one, a[lane], length[lane]));
        const double start = StepGuess(one, n[lane], a[lane], length[lane], 2e-3);
        const auto alone = StepFiber(one, n[lane], a[lane], length[lane], 2e-3, start);
        EXPECT_EQ(end[lane], alone.n);
        EXPECT_EQ(force.force[lane], alone.force);
        EXPECT_EQ(force.slope[lane], alone.slope);
        EXPECT_EQ(rigid.force[lane], FiberOnRigidTendon(one, a[lane], length[lane], velocity[lane]).force);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
