// Letters as rectangles: the font of stb_easy_font, whose strokes run along the axes.
#ifndef SINEW_RENDER_TEXT_H_
#define SINEW_RENDER_TEXT_H_

#include <mujoco/mujoco.h>

#include <string_view>
#include <vector>

namespace sinew::inline render {

// A rectangle in pixels, from the left end of a line's lower border.
struct TextStroke {
  float left, bottom, width, height;
};

// Size of a stroke of a font [pixel] at a font scale: mjFONT_BIG has twice that of the others.
int StrokeSize(int font, int font_scale);

// Of one line, without line breaks. Characters that are not printable ASCII count as spaces.
std::vector<TextStroke> LineStrokes(std::string_view line, int stroke);
int LineWidth(std::string_view line, int stroke);
int LineHeight(int stroke);

// The sizes of a context's fonts.
void SetCharSizes(mjrContext& con);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_TEXT_H_
