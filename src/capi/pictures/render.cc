// Drawing: contexts (render/context.h), and what their renderers do (render/backends.h). Rectangles are in pixels from
// the lower left corner of a buffer; rows of pictures go from the bottom up. Colours are in [0, 1].
#include <mujoco/mujoco.h>

#include <algorithm>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "render/backends.h"
#include "render/context.h"
#include "render/overlay.h"
#include "render/text.h"

using sinew::RenderBackend;
using sinew::Rgba;
using sinew::capi::Guard;

namespace {

// Runs body(backend) on the renderer of a context.
template <class Body>
void WithBackend(const char* function, const mjrContext* con, Body body) {
  Guard(function, [&] {
    RenderBackend& backend = sinew::RequireBackend(*con);
    body(backend);
    backend.Flush();
  });
}

// Changed assets go to a renderer; a context that was never made keeps none.
template <class Upload>
void UploadAsset(const char* function, const mjrContext* con, Upload upload) {
  Guard(function, [&] {
    if (RenderBackend* backend = sinew::BackendOf(*con)) upload(*backend);
  });
}

// A place, or a size, in pixels. Nothing is seen beyond 2^29, where it is cut so that sums of them are numbers:
// programs may ask for any rectangle.
int Bounded(int pixels) {
  constexpr int kFar = 1 << 29;
  return std::clamp(pixels, -kFar, kFar);
}
mjrRect Bounded(mjrRect r) { return {Bounded(r.left), Bounded(r.bottom), Bounded(r.width), Bounded(r.height)}; }

}  // namespace

void mjr_defaultContext(mjrContext* con) {
  SINEW_CHECK(mjr_defaultContext);
  *con = {};
}

// Also works on a context that was never made, and leaves one that can be made again.
void mjr_freeContext(mjrContext* con) {
  SINEW_CHECK(mjr_freeContext);
  Guard("mjr_freeContext", [&] { sinew::CloseBackend(*con); });
  mjr_defaultContext(con);
}

// A context that is made again gives back what it had. Without a model there are buffers of the default size and no
// assets.
void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale) {
  SINEW_CHECK(mjr_makeContext);
  Guard("mjr_makeContext", [&] {
    sinew::CloseBackend(*con);
    sinew::MakeContext(m, fontscale, *con);
    sinew::SetCharSizes(*con);
    sinew::OpenBackend(m, *con);
  });
}

// Texts are drawn in the new size from now on; widths of letters in the context follow, as programs lay texts out by
// them.
void mjr_changeFont(int fontscale, mjrContext* con) {
  SINEW_CHECK(mjr_changeFont);
  con->fontScale = sinew::NearestFontScale(fontscale);
  Guard("mjr_changeFont", [&] { sinew::SetCharSizes(*con); });
}

// ---- changed assets

void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid) {
  SINEW_CHECK(mjr_uploadTexture);
  UploadAsset("mjr_uploadTexture", con, [&](RenderBackend& to) { to.UploadTexture(*m, texid); });
}

void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid) {
  SINEW_CHECK(mjr_uploadMesh);
  UploadAsset("mjr_uploadMesh", con, [&](RenderBackend& to) { to.UploadMesh(*m, meshid); });
}

void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid) {
  SINEW_CHECK(mjr_uploadHField);
  UploadAsset("mjr_uploadHField", con, [&](RenderBackend& to) { to.UploadField(*m, hfieldid); });
}

// ---- buffers

// Contents are lost. A size that the renderer cannot make is an error, and names the largest one.
void mjr_resizeOffscreen(int width, int height, mjrContext* con) {
  SINEW_CHECK(mjr_resizeOffscreen);
  WithBackend("mjr_resizeOffscreen", con, [&](RenderBackend& to) { to.ResizeOffscreen(width, height, *con); });
}

// Auxiliary buffers are numbered from 0 to mjNAUX - 1.
void mjr_addAux(int index, int width, int height, int samples, mjrContext* con) {
  SINEW_CHECK(mjr_addAux);
  WithBackend("mjr_addAux", con, [&](RenderBackend& to) { to.AddAux(index, width, height, samples, *con); });
}

// Pictures and pixels go to and from this buffer until another one is set; one that was never made is an error.
void mjr_setAux(int index, const mjrContext* con) {
  SINEW_CHECK(mjr_setAux);
  WithBackend("mjr_setAux", con, [&](RenderBackend& to) { to.SetAux(index, *con); });
}

// Copies colours of a rectangle of the buffer to the same size in the current one.
void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con) {
  SINEW_CHECK(mjr_blitAux);
  WithBackend("mjr_blitAux", con,
              [&](RenderBackend& to) { to.BlitAux(index, Bounded(src), Bounded(left), Bounded(bottom), *con); });
}

// Copies colour, depth or both from one rectangle to another, which may have another size.
void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth, const mjrContext* con) {
  SINEW_CHECK(mjr_blitBuffer);
  WithBackend("mjr_blitBuffer", con, [&](RenderBackend& to) {
    to.BlitBuffer(Bounded(src), Bounded(dst), flg_color != 0, flg_depth != 0, *con);
  });
}

// A buffer that does not exist is replaced by the one that does.
void mjr_setBuffer(int framebuffer, mjrContext* con) {
  SINEW_CHECK(mjr_setBuffer);
  con->currentBuffer = sinew::AvailableBuffer(*con, framebuffer);
  if (RenderBackend* backend = sinew::BackendOf(*con)) backend->SetBuffer(*con);
}

// Makes the buffer current that the context names, after an auxiliary one or after drawing by the program itself.
void mjr_restoreBuffer(const mjrContext* con) {
  SINEW_CHECK(mjr_restoreBuffer);
  if (RenderBackend* backend = sinew::BackendOf(*con)) backend->SetBuffer(*con);
}

// Returns the whole of the current buffer.
mjrRect mjr_maxViewport(const mjrContext* con) {
  SINEW_CHECK(mjr_maxViewport);
  const RenderBackend* backend = sinew::BackendOf(*con);
  return backend ? backend->MaxViewport(*con) : sinew::WholeBuffer(*con);
}

// ---- pixels

// Colours are bytes red, green, blue; depth is that of the projection in [0, 1] or reversed, as the context says.
void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext* con) {
  SINEW_CHECK(mjr_readPixels);
  WithBackend("mjr_readPixels", con,
              [&](RenderBackend& from) { from.ReadPixels(rgb, depth, Bounded(viewport), *con); });
}

// Writes pixels into the current buffer, without a scene; depth is as mjr_readPixels gives it.
void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport, const mjrContext* con) {
  SINEW_CHECK(mjr_drawPixels);
  WithBackend("mjr_drawPixels", con, [&](RenderBackend& to) { to.DrawPixels(rgb, depth, Bounded(viewport), *con); });
}

// ---- drawing

// Draws a scene into a rectangle of the current buffer. Fields of the scene's geoms that the renderer computes
// (transparency, distance, reflectance) are written, so the scene is not constant.
void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con) {
  SINEW_CHECK(mjr_render);
  WithBackend("mjr_render", con, [&](RenderBackend& to) { to.Render(Bounded(viewport), *scn, *con); });
}

// There is no context among the arguments: the one that this thread has made or used last counts. Without one,
// nothing is drawn.
void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a) {
  Guard("mjr_rectangle", [&] {
    RenderBackend* backend = sinew::CurrentBackend();
    if (!backend) return;
    backend->FillRectangle(static_cast<float>(viewport.left), static_cast<float>(viewport.bottom),
                           static_cast<float>(viewport.width), static_cast<float>(viewport.height), {r, g, b, a});
    backend->Flush();
  });
}

// The position is a fraction of the current viewport.
void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r, float g, float b) {
  SINEW_CHECK(mjr_text);
  WithBackend("mjr_text", con, [&](RenderBackend& to) {
    const mjrRect viewport = to.CurrentViewport(*con);
    const float left = static_cast<float>(viewport.left) + x * static_cast<float>(viewport.width);
    const float bottom = static_cast<float>(viewport.bottom) + y * static_cast<float>(viewport.height);
    sinew::WriteText(to, font, txt, left, bottom, {r, g, b, 1}, *con);
  });
}

// Writes two columns of text, the second of which may be null, in a corner or at a border of the viewport.
void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay, const char* overlay2,
                 const mjrContext* con) {
  SINEW_CHECK(mjr_overlay);
  WithBackend("mjr_overlay", con, [&](RenderBackend& to) {
    sinew::WriteOverlay(to, font, gridpos, Bounded(viewport), overlay, overlay2 ? overlay2 : "", *con);
  });
}

// Writes one line of text (rt, gt, bt) in the middle of a rectangle (r, g, b, a).
void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b, float a, float rt, float gt,
               float bt, const mjrContext* con) {
  SINEW_CHECK(mjr_label);
  WithBackend("mjr_label", con, [&](RenderBackend& to) {
    sinew::WriteLabel(to, Bounded(viewport), font, txt ? txt : "", Rgba{r, g, b, a}, Rgba{rt, gt, bt, 1}, *con);
  });
}

// The figure gets where its axes are drawn, in pixels and in data, so that programs can follow the mouse.
void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con) {
  SINEW_CHECK(mjr_figure);
  WithBackend("mjr_figure", con, [&](RenderBackend& to) { sinew::WriteFigure(to, Bounded(viewport), *fig, *con); });
}

// ----

// Returns the first rectangle in which the pixel lies, -1 for none.
int mjr_findRect(int x, int y, int nrect, const mjrRect* rect) {
  SINEW_CHECK(mjr_findRect);
  return sinew::FindRectangle(x, y, nrect, rect);
}

// Waits until the graphics processor is done; by rays, pictures are done when mjr_render returns.
void mjr_finish(void) {
  if (RenderBackend* backend = sinew::CurrentBackend()) backend->Finish();
}

// Returns the error code of OpenGL; 0 for none, and by rays always.
int mjr_getError(void) {
  RenderBackend* backend = sinew::CurrentBackend();
  return backend ? backend->GetError() : 0;
}
