// mjui_*: user interfaces, drawn by the renderers of contexts (render/ui).
#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "render/backends.h"
#include "render/ui/definitions.h"
#include "render/ui/drawing.h"
#include "render/ui/events.h"
#include "render/ui/layout.h"

using sinew::RenderBackend;
using sinew::capi::Guard;

namespace {

// Programs set the number of the auxiliary buffer themselves.
void CheckBuffer(const mjUI& ui) {
  if (ui.auxid >= 0 && ui.auxid < mjNAUX) return;
  throw sinew::Error("the user interface has auxiliary buffer " + std::to_string(ui.auxid),
                     "set auxid from 0 to " + std::to_string(mjNAUX - 1));
}

// Draws all of it into its buffer.
void Redraw(const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  CheckBuffer(*ui);
  RenderBackend& backend = sinew::RequireBackend(*con);
  backend.SetAux(ui->auxid, *con);
  sinew::DrawUi(backend, *ui, state, *con);
  backend.Flush();
  backend.SetBuffer(*con);
}

}  // namespace

// Numbers out of range give the last theme.
mjuiThemeSpacing mjui_themeSpacing(int ind) { return sinew::ThemeSpacing(ind); }
mjuiThemeColor mjui_themeColor(int ind) { return sinew::ThemeColor(ind); }

// Definitions end with mjITEM_END. A mistake in one is an error that names it; those before it stay.
void mjui_add(mjUI* ui, const mjuiDef* def) {
  SINEW_CHECK(mjui_add);
  Guard("mjui_add", [&] { sinew::AddDefinitions(def, *ui); });
}

void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def) {
  SINEW_CHECK(mjui_addToSection);
  Guard("mjui_addToSection", [&] { sinew::AddDefinitionsTo(sect, def, *ui); });
}

// Places all items, and makes the auxiliary buffer as large as the interface with every section open.
void mjui_resize(mjUI* ui, const mjrContext* con) {
  SINEW_CHECK(mjui_resize);
  Guard("mjui_resize", [&] {
    sinew::LayOut(*ui, *con);
    CheckBuffer(*ui);
    if (con->auxWidth[ui->auxid] == ui->width && con->auxHeight[ui->auxid] == ui->maxheight) return;
    // the sizes of its buffers are all that changes in the context
    sinew::RequireBackend(*con).AddAux(ui->auxid, ui->width, ui->maxheight, ui->spacing.samples,
                                       *const_cast<mjrContext*>(con));
  });
}

// The whole interface is drawn, whichever section and item are named.
void mjui_update(int, int, const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  SINEW_CHECK(mjui_update);
  Guard("mjui_update", [&] { Redraw(ui, state, con); });
}

// Returns the item that the event has changed, or null, and draws the interface again where it has a buffer.
mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con) {
  SINEW_CHECK(mjui_event);
  return Guard("mjui_event", [&]() -> mjuiItem* {
    CheckBuffer(*ui);
    mjuiItem* changed = sinew::HandleEvent(*ui, *state, *con);
    if (con->auxWidth[ui->auxid] > 0) Redraw(ui, state, con);
    return changed;
  });
}

// Copies the interface from its buffer to its rectangle in the current one.
void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  SINEW_CHECK(mjui_render);
  Guard("mjui_render", [&] {
    CheckBuffer(*ui);
    RenderBackend& backend = sinew::RequireBackend(*con);
    sinew::ShowUi(backend, *ui, *state, *con);
    backend.Flush();
  });
}
