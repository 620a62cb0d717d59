// Sections and items of a user interface (mjUI), from lists of definitions.
#ifndef SINEW_RENDER_UI_DEFINITIONS_H_
#define SINEW_RENDER_UI_DEFINITIONS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline render {

// Appends what a list defines, up to its end; items go to the last section. Throws Error, which names the definition,
// for lists that cannot be shown; what came before it stays.
void AddDefinitions(const mjuiDef* definitions, mjUI& ui);
// The same for items of one section.
void AddDefinitionsTo(int section, const mjuiDef* definitions, mjUI& ui);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_UI_DEFINITIONS_H_
