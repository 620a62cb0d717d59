// Mass and inertia of bodies: given, or computed from the geoms; checked for what a mass distribution can have; and
// scaled to a total mass. Moments are about the centre of mass, in kg m^2, with descending order where they are
// computed.
#include <algorithm>
#include <cmath>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "math/point_inertia.h"
#include "math/principal_axes.h"
#include "spec/orientation.h"

namespace sinew::inline compile {
namespace {

constexpr double kNoMass = 1e-14;
constexpr double kSmallestMoment = 1e-14;

// Whether the body's own values stand before its geoms: those of <inertial>, and of programs that set the centre of
// mass or say so.
bool HasExplicit(const Body& body) { return body.explicitinertial || !std::isnan(body.ipos[0]); }

// Moments may be given without mass.
bool HasMoments(const Body& body) { return body.inertia[0] > 0 || body.inertia[1] > 0 || body.inertia[2] > 0; }

// ---- from the body's own values

// A full matrix (xx, yy, zz, xy, xz, yz) replaces moments and axes.
void Diagonalize(const double full[6], Inertial& inertial) {
  const Mat3<double> matrix = {{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
  const PrincipalAxes principal = FindPrincipalAxes(matrix, AxesNorm::kAsFound);
  if (principal.values.z < kSmallestMoment) {
    throw Error("fullinertia does not have positive principal moments", "correct its six numbers");
  }
  inertial.moments = principal.values;
  inertial.frame.quat = principal.axes;
}

// The moments as given, neither sorted nor changed; only a full matrix is diagonalized. Without a centre of mass, the
// frame is the pose of the body in its parent, whatever orientation is given: a convention on which programs for MuJoCo
// 3.8.0 rest, which give mass and inertia alone.
Inertial Own(const BodyDraft& draft) {
  const Body& body = *draft.source;
  Inertial inertial;
  inertial.mass = body.mass;
  inertial.moments = LoadVec3(body.inertia);
  inertial.frame = {LoadVec3(body.ipos), Orientation(body.iquat, body.ialt, body.compiler())};
  if (!std::isnan(body.fullinertia[0])) {
    if (inertial.moments.x != 0 || inertial.moments.y != 0 || inertial.moments.z != 0) {
      throw Error("both fullinertia and diaginertia are given", "remove one of them");
    }
    if (HasAlternative(body.ialt)) {
      throw Error("fullinertia has an orientation beside it",
                  "remove the orientation: the matrix is in the body frame");
    }
    Diagonalize(body.fullinertia, inertial);
  }
  if (std::isnan(body.ipos[0])) inertial.frame = draft.pose;
  return inertial;
}

// ---- from geoms

// Adds an inertia about the point `com` to a matrix, in the order of operations of MuJoCo 3.8.0, to the last bit.
void AddShifted(const Inertial& part, const Vec3<double>& com, Mat3<double>& sum) {
  const Mat3<double> R = ToMat3(part.frame.quat);
  const Mat3<double> point = PointInertia(part.mass, part.frame.pos - com);
  const Vec3<double>& m = part.moments;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double turned = R(i, 0) * (m.x * R(j, 0)) + R(i, 1) * (m.y * R(j, 1)) + R(i, 2) * (m.z * R(j, 2));
      sum(j, i) = sum(i, j) = sum(i, j) + turned + point(i, j);
    }
  }
}

// Total mass, mean position, and the principal axes of the summed inertia about it.
Inertial Combine(const std::vector<Inertial>& parts) {
  Inertial total;
  for (const Inertial& part : parts) {
    total.mass += part.mass;
    total.frame.pos += part.frame.pos * part.mass;
  }
  // Moments without mass are the same about any point.
  for (int i = 0; i < 3 && total.mass > 0; ++i) total.frame.pos[i] /= total.mass;
  Mat3<double> matrix = {};
  for (const Inertial& part : parts) AddShifted(part, total.frame.pos, matrix);
  const PrincipalAxes principal = FindPrincipalAxes(matrix, AxesNorm::kAsFound);
  if (principal.values.z < kSmallestMoment) {
    throw Error("the parts of the body do not give it positive principal moments", "enlarge them or add <inertial>");
  }
  total.moments = principal.values;
  total.frame.quat = principal.axes;
  return total;
}

// The inertia of the geoms in the groups that count; none of them: no mass.
Inertial FromGeoms(const BodyDraft& body) {
  const int* groups = body.source->compiler().inertiagrouprange;
  std::vector<Inertial> selected;
  for (const GeomDraft& geom : body.geoms) {
    const int group = geom.source->group;
    if (group >= groups[0] && group <= groups[1] && geom.mass > kNoMass) {
      selected.push_back({geom.mass, geom.moments, geom.pose});
    }
  }
  if (selected.empty()) return {};
  if (selected.size() == 1) return selected[0];
  return Combine(selected);
}

// ---- bounds

// Lower bounds of the compiler settings, then what physics demands of any mass distribution.
void Bound(const mjsCompiler& compiler, Inertial& inertial) {
  inertial.mass = std::max(inertial.mass, compiler.boundmass);
  for (int i = 0; i < 3; ++i) inertial.moments[i] = std::max(inertial.moments[i], compiler.boundinertia);
  const double a = inertial.moments.x, b = inertial.moments.y, c = inertial.moments.z;
  // No distribution of mass violates A + B >= C, but rods and plates lie on the border, where the sums over parts round
  // to either side. Values that are infinite or NaN pass here: those of moving bodies are checked elsewhere, and others
  // are not used.
  constexpr double kRounding = 1e-12;  // of the largest moment; of a sum of 1,000 parts 1e-13
  const auto exceeds = [](double large, double others) { return large * (1 - kRounding) > others; };
  if (!exceeds(c, a + b) && !exceeds(b, a + c) && !exceeds(a, b + c)) return;
  if (!compiler.balanceinertia) {
    throw Error("inertia must satisfy A + B >= C", "correct it, or set balanceinertia=\"true\" of the compiler");
  }
  const double sum = a + b + c;
  inertial.moments = {sum / 3, sum / 3, sum / 3};
}

}  // namespace

// Which source counts is the compiler setting inertiafromgeom: geoms where there are any with mass, never, or where the
// body gives nothing of its own.
bool ResolveInertial(BodyDraft& body) {
  const Body& source = *body.source;
  const mjsCompiler& compiler = source.compiler();
  const bool from_geoms = compiler.inertiafromgeom == mjINERTIAFROMGEOM_TRUE ||
                          (compiler.inertiafromgeom == mjINERTIAFROMGEOM_AUTO && !HasExplicit(source));
  if (from_geoms) body.inertial = FromGeoms(body);
  const bool has_geoms = body.inertial.mass > 0;
  const Inertial own = Own(body);  // its values are checked, whether they count or not
  if (!has_geoms) body.inertial = own;
  Bound(compiler, body.inertial);
  return !has_geoms && (HasExplicit(source) || source.mass > 0 || HasMoments(source));
}

// Whether a part has neither mass nor moments of inertia.
static bool IsNothing(const Inertial& part) {
  return part.mass < kNoMass && std::max({part.moments.x, part.moments.y, part.moments.z}) < kSmallestMoment;
}

// Returns the sum of both. An inertia of zero leaves the other one unchanged.
Inertial CombineInertials(const Inertial& a, const Inertial& b) {
  if (IsNothing(b)) return a;
  if (IsNothing(a)) return b;
  return Combine({a, b});
}

void CheckMovingMass(const Draft& draft) {
  // A body that moves needs mass and inertia, or a descendant that is fixed to it and has them.
  std::vector<bool> heavy(draft.bodies.size());
  for (size_t i = draft.bodies.size(); i-- > 1;) {
    const BodyDraft& body = draft.bodies[i];
    const Vec3<double>& moments = body.inertial.moments;
    const bool own =
        body.inertial.mass >= mjMINVAL && moments.x >= mjMINVAL && moments.y >= mjMINVAL && moments.z >= mjMINVAL;
    heavy[i] = heavy[i] || own;
    if (body.joints.empty()) {
      const auto parent = static_cast<size_t>(body.parent);
      heavy[parent] = heavy[parent] || heavy[i];
    } else if (!heavy[i]) {
      throw Error("a body that moves needs mass and inertia", "give it a geom with mass or <inertial>")
          .At(Place(*body.source));
    }
  }
}

// Inertias scale with the masses.
void SetTotalMass(Draft& draft) {
  const double wanted = static_cast<const mjSpec&>(draft.spec).compiler.settotalmass;
  if (!(wanted > 0)) return;
  double total = 0;
  for (size_t i = 1; i < draft.bodies.size(); ++i) total += draft.bodies[i].inertial.mass;
  const double scale = std::max(mjMINVAL, wanted / std::max(mjMINVAL, total));
  for (size_t i = 1; i < draft.bodies.size(); ++i) {
    draft.bodies[i].inertial.mass *= scale;
    draft.bodies[i].inertial.moments *= scale;
    draft.bodies[i].source->compiled.mass_scale = scale;
  }
}

}  // namespace sinew::inline compile
