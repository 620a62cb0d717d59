// Compliant contacts (docs/how/compliant-contact.md): where a model holds the laws of its surfaces.
//
// The compiler adds a number array to models in which any geom or pair has a law: slip speed and mixing, then a row of
// kLawNumbers for each geom, then one for each pair. Numbers of a pair that are not given are negative: its geoms say.
#ifndef SINEW_MODEL_KINDS_CONTACT_LAW_H_
#define SINEW_MODEL_KINDS_CONTACT_LAW_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

namespace sinew::inline model {

// The array of a model, and that of a specification whose option element has attributes of contacts.
inline constexpr char kContactLawArray[] = sinewCONTACTS;
inline constexpr char kContactOptionArray[] = "sinew/contactoption";
enum ContactOption { kOptionSlipSpeed, kOptionMixing, kContactOptions };

// The law of the normal force, with depth x and its rate x':
enum class ContactModel {
  kSolver,  // constraints
  kHertz,   // k x^1.5 (1 + 1.5 c x')
  kLinear,  // k x (1 + d x')
  kDamped,  // k x + c x'
};
enum class FrictionLaw { kHollars, kStep, kViscous };
enum class ContactMixing { kSimbody, kHyfydy };

enum ContactLawNumber {
  kLawModel,
  kLawModulus,      // Pa
  kLawStiffness,    // N/m; Hyfydy's
  kLawDissipation,  // s/m; N s/m of the damped law
  kLawStatic,
  kLawDynamic,
  kLawViscous,  // s/m; N s/m of the viscous law of friction
  kLawFriction,
  kLawCurvature,  // m; not positive: that of the shape
  kLawSlipSpeed,  // m/s; of pairs
  kLawMixing,     // of pairs
  kLawNumbers
};
inline constexpr double kNotGiven = -1, kDefaultSlipSpeed = 0.01;

// The laws of a model; null inside where it has none.
struct ContactLaws {
  const mjtNum* numbers = nullptr;

  explicit operator bool() const { return numbers != nullptr; }
  const mjtNum* Geom(int geom) const { return numbers + kContactOptions + kLawNumbers * geom; }
  const mjtNum* Pair(const mjModel* m, int pair) const { return Geom(static_cast<int>(m->ngeom) + pair); }
};
ContactLaws FindContactLaws(const mjModel* m);

static_assert(static_cast<int>(kContactOptions) == sinewNCONTACTHEAD &&
              static_cast<int>(kLawNumbers) == sinewNCONTACTLAW);

inline int ContactLawSize(int ngeom, int npair) { return kContactOptions + kLawNumbers * (ngeom + npair); }

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_CONTACT_LAW_H_
