// Letters are those of stb_easy_font, a font in the public domain whose letters are horizontal and vertical bars. It
// measures downwards from the top of a line; pictures measure upwards from the bottom, hence the turn in LineStrokes.
#include "render/text.h"

#include <algorithm>
#include <cmath>
#include <string>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_easy_font.h>
#pragma GCC diagnostic pop

namespace sinew::inline render {
namespace {

constexpr int kLineHeight = 12, kBaseline = 9;  // of the font, in strokes, downwards from the top of a line

// Corner is a corner of a bar as stb_easy_font writes it; four of them are a bar, of which the first and third are
// opposite.
struct Corner {
  float x, y, z;
  unsigned char color[4];
};
static_assert(sizeof(Corner) == 16, "as stb_easy_font writes them");

// The font has the printable letters of ASCII alone; others become spaces and keep their width.
std::string Printable(std::string_view line) {
  std::string text(line);
  const auto is_unprintable = [](char c) { return c < ' ' || c > '~'; };
  std::replace_if(text.begin(), text.end(), is_unprintable, ' ');
  return text;
}

}  // namespace

// Tells how many pixels a stroke is wide: font_scale is in percent, and big letters are twice as wide.
int StrokeSize(int font, int font_scale) {
  const int normal = std::max(1, (font_scale + 50) / 100);
  return font == mjFONT_BIG ? 2 * normal : normal;
}

std::vector<TextStroke> LineStrokes(std::string_view line, int stroke) {
  // The font's documentation counts on about 270 bytes a letter, 17 corners; it stops writing where the room ends.
  constexpr size_t kMostPerLetter = 64;  // corners
  std::string text = Printable(line);
  std::vector<Corner> corners(kMostPerLetter * text.size());
  const int bytes = static_cast<int>(corners.size() * sizeof(Corner));
  const int count = text.empty() ? 0 : stb_easy_font_print(0, 0, text.data(), nullptr, corners.data(), bytes);
  std::vector<TextStroke> strokes;
  const auto size = static_cast<float>(stroke);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const Corner &low = corners[4 * i], &high = corners[4 * i + 2];
    const float top = static_cast<float>(kLineHeight - (kLineHeight - kBaseline) / 2);
    strokes.push_back({low.x * size, (top - high.y) * size, (high.x - low.x) * size, (high.y - low.y) * size});
  }
  return strokes;
}

int LineWidth(std::string_view line, int stroke) {
  std::string text = Printable(line);
  return stb_easy_font_width(text.data()) * stroke;
}

int LineHeight(int stroke) { return kLineHeight * stroke; }

void SetCharSizes(mjrContext& con) {
  const int normal = StrokeSize(mjFONT_NORMAL, con.fontScale), big = StrokeSize(mjFONT_BIG, con.fontScale);
  con.charHeight = LineHeight(normal);
  con.charHeightBig = LineHeight(big);
  for (int c = 32; c < 127; ++c) {
    const char letter = static_cast<char>(c);
    con.charWidth[c] = LineWidth({&letter, 1}, normal);
    con.charWidthBig[c] = LineWidth({&letter, 1}, big);
  }
}

}  // namespace sinew::inline render
