#include "assets/builtin_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "core/error.h"
#include "simd/functions.h"

namespace sinew {
namespace {

constexpr double kHalfPi = kPi / 2;

using Color = std::array<mjtByte, 3>;

enum Face { kRight, kLeft, kUp, kDown, kFront, kBack };

mjtByte ToByte(double x) { return static_cast<mjtByte>(std::clamp(std::floor(255 * x), 0.0, 255.0)); }

Color ToColor(const double rgb[3]) { return {ToByte(rgb[0]), ToByte(rgb[1]), ToByte(rgb[2])}; }

// weight * a + (1 - weight) * b
Color Mix(const double a[3], const double b[3], double weight) {
  Color color;
  for (size_t i = 0; i < 3; ++i) color[i] = ToByte(weight * a[i] + (1 - weight) * b[i]);
  return color;
}

// A rectangle of an image: a face of a cube, or all of a flat texture.
class Canvas {
 public:
  Canvas(Image& image, int face, int faces)
      : width(image.width),
        height(image.height / faces),
        pixels_(image.pixels.data() +
                size_t{3} * static_cast<size_t>(face) * static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  const int width, height;

  void Set(int row, int col, const Color& color) const {
    std::copy(color.begin(), color.end(), pixels_ + 3 * (row * width + col));
  }

  // Calls color(row, col) for every pixel.
  template <class ColorOf>
  void Fill(ColorOf&& color) const {
    for (int row = 0; row < height; ++row) {
      for (int col = 0; col < width; ++col) Set(row, col, color(row, col));
    }
  }

 private:
  mjtByte* pixels_;
};

// ---- patterns

// A smooth step from 0 to 1 as pos goes from below -1 to above 1.
double Smooth(double pos) { return std::clamp(0.5 * (1 + std::sqrt(2.0) * pos / std::sqrt(1 + pos * pos)), 0.0, 1.0); }

// Coordinate in [-1, 1] of a pixel, with the outermost pixels at the ends.
double Coordinate(int i, int count) { return count > 1 ? 2.0 * i / (count - 1) - 1 : -1; }

void FlatGradient(const mjsTexture& t, Canvas canvas) {
  canvas.Fill([&](int row, int col) {
    const double x = Coordinate(col, canvas.width), y = Coordinate(row, canvas.height);
    return Mix(t.rgb2, t.rgb1, Smooth(2 * std::sqrt(x * x + y * y) - 1));
  });
}

// The gradient of a cube follows the elevation of the direction in which a pixel is seen: the first colour is above.
void CubeGradient(const mjsTexture& t, Canvas canvas, int face) {
  canvas.Fill([&](int row, int col) {
    const double x = Coordinate(col, canvas.width), y = Coordinate(row, canvas.height);
    const double distance = std::sqrt(1 + x * x + y * y);
    const double off_pole = 1 - Acos(1 / distance) / kHalfPi;
    const double elevation = face == kUp ? off_pole : face == kDown ? -off_pole : -Asin(y / distance) / kHalfPi;
    return Mix(t.rgb1, t.rgb2, Smooth(elevation));
  });
}

// Quadrants; the front and back faces exchange the colours, so that squares meet at the edges of the cube.
void Checker(const mjsTexture& t, Canvas canvas, int face) {
  const bool exchanged = face == kFront || face == kBack;
  const Color first = ToColor(exchanged ? t.rgb2 : t.rgb1), second = ToColor(exchanged ? t.rgb1 : t.rgb2);
  canvas.Fill([&](int row, int col) { return (row < canvas.height / 2) == (col < canvas.width / 2) ? first : second; });
}

void Flat(const mjsTexture& t, Canvas canvas, int face) {
  const Color color = ToColor(face == kDown ? t.rgb2 : t.rgb1);
  canvas.Fill([&](int, int) { return color; });
}

void DrawPattern(const mjsTexture& t, Canvas canvas, int face, bool cube) {
  switch (t.builtin) {
    case mjBUILTIN_GRADIENT:
      return cube ? CubeGradient(t, canvas, face) : FlatGradient(t, canvas);
    case mjBUILTIN_CHECKER:
      return Checker(t, canvas, cube ? face : kRight);
    default:
      return Flat(t, canvas, cube ? face : kRight);
  }
}

// ---- marks

void DrawMark(const mjsTexture& t, Canvas canvas, std::mt19937_64& random) {
  const Color color = ToColor(t.markrgb);
  const auto draw_where = [&](auto&& is_marked) {
    for (int row = 0; row < canvas.height; ++row) {
      for (int col = 0; col < canvas.width; ++col) {
        if (is_marked(row, col)) canvas.Set(row, col, color);
      }
    }
  };
  const int last_row = canvas.height - 1, last_col = canvas.width - 1;
  switch (t.mark) {
    case mjMARK_EDGE:
      return draw_where([&](int row, int col) { return row == 0 || col == 0 || row == last_row || col == last_col; });
    case mjMARK_CROSS:
      return draw_where([&](int row, int col) { return row == canvas.height / 2 || col == canvas.width / 2; });
    case mjMARK_RANDOM:
      // Uniform numbers in [0, 1): 64 random bits as a fraction.
      return draw_where([&](int, int) { return static_cast<double>(random()) * 0x1p-64 < t.random; });
    default:
      return;
  }
}

}  // namespace

Image RenderBuiltin(const mjsTexture& texture) {
  const bool cube = texture.type != mjTEXTURE_2D;
  const int width = texture.width, height = cube ? width : texture.height;
  if (width <= 0) throw Error("width of a builtin texture must be positive", "set it");
  if (height <= 0) throw Error("height of a builtin texture must be positive", "set it");
  const int faces = cube ? 6 : 1;
  Image image = MakeImage(width, int64_t{faces} * height, 3, mjCOLORSPACE_AUTO);
  std::mt19937_64 random(42);  // the same marks in every compilation
  for (int face = 0; face < faces; ++face) {
    const Canvas canvas(image, face, faces);
    DrawPattern(texture, canvas, face, cube);
    DrawMark(texture, canvas, random);
  }
  return image;
}

}  // namespace sinew
