// Reasons for which a contact takes no part in constraints: mjContact.exclude.
#ifndef SINEW_MODEL_KINDS_CONTACT_EXCLUDE_H_
#define SINEW_MODEL_KINDS_CONTACT_EXCLUDE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model::contact_exclude {

inline constexpr int kActive = 0;     // it takes part
inline constexpr int kInGap = 1;      // the surfaces are no nearer than margin - gap
inline constexpr int kNoDofs = 3;     // no dof can move it
inline constexpr int kPassive = 4;    // its flex has a passive force instead
inline constexpr int kCompliant = 5;  // a compliant law pushes instead (model/kinds/contact_law.h)

// Whether a contact may push: by constraint rows, or by a law of its own.
inline bool Pushes(const mjContact& contact) { return contact.efc_address >= 0 || contact.exclude == kCompliant; }

}  // namespace sinew::inline model::contact_exclude

#endif  // SINEW_MODEL_KINDS_CONTACT_EXCLUDE_H_
