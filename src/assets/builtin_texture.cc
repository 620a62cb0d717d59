// Draws gradients, checkers, flat colours and marks pixel by pixel; random marks come from a generator with a fixed
// seed.
#include "assets/builtin_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assets/mersenne_twister.h"
#include "assets/texture.h"
#include "core/error.h"
#include "simd/functions.h"
#include "simd/isa.h"

namespace sinew::inline assets {
namespace {

constexpr int kChannels = 3;
constexpr double kHalfPi = kPi / 2;

using Color = std::array<mjtByte, kChannels>;

enum Face { kRight, kLeft, kUp, kDown, kFront, kBack };

// 255 x, down to an integer, in [0, 255]; 0 for a NaN.
inline uint32_t ToByte(double x) {
  const double level = 255 * x, positive = level > 0 ? level : 0;
  return static_cast<uint32_t>(static_cast<int32_t>(positive < 255 ? positive : 255));
}

Color ToColor(const double rgb[3]) {
  return {static_cast<mjtByte>(ToByte(rgb[0])), static_cast<mjtByte>(ToByte(rgb[1])),
          static_cast<mjtByte>(ToByte(rgb[2]))};
}

// A rectangle of an image: a face of a cube, or all of a flat texture.
struct Canvas {
  int width, height;
  mjtByte* pixels;

  mjtByte* Pixel(int row, int col) const { return pixels + kChannels * (static_cast<ptrdiff_t>(row) * width + col); }
  mjtByte* Row(int row) const { return Pixel(row, 0); }
  size_t row_bytes() const { return static_cast<size_t>(kChannels) * static_cast<size_t>(width); }
  size_t bytes() const { return row_bytes() * static_cast<size_t>(height); }

  void Set(int row, int col, const Color& color) const { std::copy(color.begin(), color.end(), Pixel(row, col)); }
};

// The faces of a cube, or the one of a flat texture.
std::vector<Canvas> Faces(const mjsTexture& t, mjtByte* pixels) {
  if (t.type == mjTEXTURE_2D) return {{t.width, t.height, pixels}};
  std::vector<Canvas> faces(kCubeFaces, {t.width, t.width, pixels});
  for (size_t i = 1; i < faces.size(); ++i) faces[i].pixels += i * faces[0].bytes();
  return faces;
}

// Paints pixels that follow each other: the first one, then copies of what there is.
void Fill(mjtByte* to, size_t bytes, const Color& color) {
  if (bytes == 0) return;
  std::copy(color.begin(), color.end(), to);
  for (size_t done = kChannels; done < bytes;) {
    const size_t step = std::min(done, bytes - done);
    std::copy_n(to, step, to + done);
    done += step;
  }
}

// Copies row `first` to all rows up to `last`.
void RepeatRow(const Canvas& canvas, int first, int last) {
  for (int row = first + 1; row < last; ++row) std::copy_n(canvas.Row(first), canvas.row_bytes(), canvas.Row(row));
}

void CopyFace(const Canvas& from, const Canvas& to) { std::copy_n(from.pixels, from.bytes(), to.pixels); }

// ---- flat and checker

void DrawFlat(const mjsTexture& t, const std::vector<Canvas>& faces) {
  for (size_t i = 0; i < faces.size(); ++i) {
    const Canvas& face = faces[i];
    Fill(face.pixels, face.bytes(), ToColor(i == kDown ? t.rgb2 : t.rgb1));
  }
}

// Quadrants, split at half the height and width.
void DrawQuadrants(const Canvas& canvas, const Color& first, const Color& second) {
  const int middle_row = canvas.height / 2;
  const size_t left = kChannels * static_cast<size_t>(canvas.width / 2), right = canvas.row_bytes() - left;
  const auto draw_rows = [&](int begin, int end, const Color& left_color, const Color& right_color) {
    if (begin == end) return;
    Fill(canvas.Row(begin), left, left_color);
    Fill(canvas.Row(begin) + left, right, right_color);
    RepeatRow(canvas, begin, end);
  };
  draw_rows(0, middle_row, first, second);
  draw_rows(middle_row, canvas.height, second, first);
}

// The front and back faces exchange the colours, so that squares meet at the edges of the cube.
void DrawChecker(const mjsTexture& t, const std::vector<Canvas>& faces) {
  const Color first = ToColor(t.rgb1), second = ToColor(t.rgb2);
  for (size_t i = 0; i < faces.size(); ++i) {
    const bool exchanged = i == kFront || i == kBack;
    DrawQuadrants(faces[i], exchanged ? second : first, exchanged ? first : second);
  }
}

// ---- gradients
//
// A gradient follows a position p that goes from -1 to 1, by a smooth step from 0 to 1, the weight of a colour:
//
//   w = (1 + s(p)) / 2,   s(p) = p / sqrt(1 + p^2) / s_1,   s_1 = 1 / sqrt(2)
//
// Positions repeat: left and right halves of a picture are mirror images, and so are upper and lower ones, up to a
// sign.

// Coordinate in [-1, 1] of a pixel, with the outermost pixels at the ends; a single pixel is nowhere, and drawn black.
double Coordinate(int i, int count) {
  return count > 1 ? 2.0 * i / (count - 1) - 1 : std::numeric_limits<double>::quiet_NaN();
}

// Whether the last bits of a position show. They do where w a + (1 - w) b of two equal colours a = b is a whole number
// of 255ths, give or take a bit, and is rounded down. Mirrored coordinates differ in that bit; 0 and 1 are always
// exact.
bool LastBitsShow(const mjsTexture& t) {
  constexpr double kNear = 1e-6;  // far above rounding, far below what another byte would need
  for (size_t i = 0; i < kChannels; ++i) {
    const double a = t.rgb1[i], b = t.rgb2[i], level = 255 * a;
    const bool exact = a == b && (a == 0 || a == 1);
    if (!exact && std::abs(a - b) < kNear && std::abs(level - std::round(level)) < kNear) return true;
  }
  return false;
}

// s(p) of positions, in their place.
SINEW_DISPATCH void SmoothSteps(double* positions, int count) {
  const double s_1 = 1 / std::sqrt(2.0);
  for (int i = 0; i < count; ++i) {
    const double p = positions[i];
    positions[i] = p / std::sqrt(1 + p * p) / s_1;
  }
}

// Colours w a + (1 - w) b for w = (1 + sign s) / 2, as 0xbbggrr.
SINEW_DISPATCH void MixColors(const double* s, double sign, int count, const double* a, const double* b,
                              uint32_t* colors) {
  for (int i = 0; i < count; ++i) {
    const double step = 0.5 * (1 + sign * s[i]), positive = step < 0 ? 0 : step, w = positive > 1 ? 1 : positive;
    const uint32_t red = ToByte(w * a[0] + (1 - w) * b[0]);
    const uint32_t green = ToByte(w * a[1] + (1 - w) * b[1]);
    const uint32_t blue = ToByte(w * a[2] + (1 - w) * b[2]);
    colors[i] = red | green << 8 | blue << 16;
  }
}

// numerator / sqrt(1 + x^2 + y^2): the cosine between the direction in which a pixel of a cube is seen and an axis
SINEW_DISPATCH void Cosines(const double* x, double y, double numerator, int count, double* cosine) {
  for (int i = 0; i < count; ++i) cosine[i] = numerator / std::sqrt(1 + x[i] * x[i] + y * y);
}

// 2 sqrt(x^2 + y^2) - 1: from the centre of a picture outwards
SINEW_DISPATCH void Distances(const double* x, double y, int count, double* distance) {
  for (int i = 0; i < count; ++i) distance[i] = 2 * std::sqrt(x[i] * x[i] + y * y) - 1;
}

// Draws rows of gradients. With `mirrored`, it computes the left half of a row; the right half is its mirror image.
class GradientRows {
 public:
  GradientRows(const double* first, const double* second, int width, bool mirrored)
      : count(mirrored ? (width + 1) / 2 : width),
        x_(static_cast<size_t>(count)),
        s_(static_cast<size_t>(count)),
        colors_(static_cast<size_t>(width)),
        first_(first),
        second_(second) {
    for (int col = 0; col < count; ++col) x_[static_cast<size_t>(col)] = Coordinate(col, width);
  }

  const int count;  // of pixels that are computed
  const double* x() const { return x_.data(); }
  double* positions() { return s_.data(); }

  // After positions were set.
  void Smooth() { SmoothSteps(s_.data(), count); }

  // Draws a row of the positions, or, with sign -1, of their opposites.
  void Draw(double sign, mjtByte* row) {
    MixColors(s_.data(), sign, count, first_, second_, colors_.data());
    const int width = static_cast<int>(colors_.size());
    std::reverse_copy(colors_.data(), colors_.data() + (width - count), colors_.data() + count);
    for (const uint32_t color : colors_) {
      *row++ = static_cast<mjtByte>(color);
      *row++ = static_cast<mjtByte>(color >> 8);
      *row++ = static_cast<mjtByte>(color >> 16);
    }
  }

 private:
  std::vector<double> x_, s_;
  std::vector<uint32_t> colors_;
  const double *first_, *second_;
};

// From the first colour in the centre to the second outside.
void DrawFlatGradient(const mjsTexture& t, const Canvas& canvas) {
  const bool mirrored = !LastBitsShow(t);
  GradientRows rows(t.rgb2, t.rgb1, canvas.width, mirrored);
  for (int row = 0; row < (mirrored ? (canvas.height + 1) / 2 : canvas.height); ++row) {
    Distances(rows.x(), Coordinate(row, canvas.height), rows.count, rows.positions());
    rows.Smooth();
    rows.Draw(1, canvas.Row(row));
    if (mirrored) std::copy_n(canvas.Row(row), canvas.row_bytes(), canvas.Row(canvas.height - 1 - row));
  }
}

// The gradient of a cube follows the elevation e of the direction in which a pixel is seen, from the first colour above
// to the second below. A pixel (x, y) of a side face, y downwards, has  p = -e / (pi/2) = -asin(y / d) / (pi/2)  with
// d = sqrt(1 + x^2 + y^2).
void DrawSide(const mjsTexture& t, const Canvas& canvas) {
  const bool mirrored = !LastBitsShow(t);
  const int size = canvas.width;
  GradientRows rows(t.rgb1, t.rgb2, size, mirrored);
  for (int row = 0; row < (mirrored ? (size + 1) / 2 : size); ++row) {
    const double y = Coordinate(row, size);
    Cosines(rows.x(), y, y, rows.count, rows.positions());
    std::for_each_n(rows.positions(), rows.count, [](double& p) { p = -std::asin(p) / kHalfPi; });
    rows.Smooth();
    rows.Draw(1, canvas.Row(row));
    if (mirrored) rows.Draw(-1, canvas.Row(size - 1 - row));
  }
}

// Above, p = 1 - acos(1 / d) / (pi/2); below, the opposite.
void DrawPoles(const mjsTexture& t, const Canvas& up, const Canvas& down) {
  const bool mirrored = !LastBitsShow(t);
  const int size = up.width;
  GradientRows rows(t.rgb1, t.rgb2, size, mirrored);
  for (int row = 0; row < (mirrored ? (size + 1) / 2 : size); ++row) {
    Cosines(rows.x(), Coordinate(row, size), 1, rows.count, rows.positions());
    std::for_each_n(rows.positions(), rows.count, [](double& p) { p = 1 - std::acos(p) / kHalfPi; });
    rows.Smooth();
    rows.Draw(1, up.Row(row));
    rows.Draw(-1, down.Row(row));
    if (!mirrored) continue;
    std::copy_n(up.Row(row), up.row_bytes(), up.Row(size - 1 - row));
    std::copy_n(down.Row(row), down.row_bytes(), down.Row(size - 1 - row));
  }
}

void DrawGradient(const mjsTexture& t, const std::vector<Canvas>& faces) {
  if (faces.size() == 1) return DrawFlatGradient(t, faces[0]);
  DrawSide(t, faces[kRight]);
  for (const Face side : {kLeft, kFront, kBack}) CopyFace(faces[kRight], faces[side]);
  DrawPoles(t, faces[kUp], faces[kDown]);
}

// ---- marks

void MarkEdges(const Canvas& canvas, const Color& color) {
  for (const int row : {0, canvas.height - 1}) Fill(canvas.Row(row), canvas.row_bytes(), color);
  for (int row = 0; row < canvas.height; ++row) {
    for (const int col : {0, canvas.width - 1}) canvas.Set(row, col, color);
  }
}

void MarkCross(const Canvas& canvas, const Color& color) {
  Fill(canvas.Row(canvas.height / 2), canvas.row_bytes(), color);
  for (int row = 0; row < canvas.height; ++row) canvas.Set(row, canvas.width / 2, color);
}

// A number u / 2^64 in [0, 1) for each pixel, which is marked where that is below the probability.
void MarkRandomly(const std::vector<Canvas>& faces, double probability, const Color& color) {
  MersenneTwister random(42);  // the same marks in every compilation
  const size_t count = faces.size() * faces[0].bytes() / kChannels;
  mjtByte* const pixels = faces[0].pixels;
  const uint64_t limit = probability >= 1  ? std::numeric_limits<uint64_t>::max()
                         : probability > 0 ? static_cast<uint64_t>(std::ceil(probability * 0x1p64))
                                           : 0;
  for (size_t start = 0; start < count; start += MersenneTwister::kBlock) {
    const MersenneTwister::Block& numbers = random.Next();
    const size_t end = std::min(MersenneTwister::kBlock, count - start);
    for (size_t i = 0; i < end; ++i) {
      if (numbers[i] < limit) std::copy(color.begin(), color.end(), pixels + kChannels * (start + i));
    }
  }
}

void DrawMarks(const mjsTexture& t, const std::vector<Canvas>& faces) {
  const Color color = ToColor(t.markrgb);
  if (t.mark == mjMARK_RANDOM) return MarkRandomly(faces, t.random, color);
  for (const Canvas& face : faces) {
    if (t.mark == mjMARK_EDGE) MarkEdges(face, color);
    if (t.mark == mjMARK_CROSS) MarkCross(face, color);
  }
}

}  // namespace

Image FrameBuiltin(const mjsTexture& texture) {
  const bool cube = texture.type != mjTEXTURE_2D;
  const int width = texture.width, height = cube ? width : texture.height;
  if (width <= 0) throw Error("width of a builtin texture must be positive", "set it");
  if (height <= 0) throw Error("height of a builtin texture must be positive", "set it");
  return FrameImage(width, int64_t{cube ? kCubeFaces : 1} * height, kChannels, mjCOLORSPACE_AUTO);
}

void DrawBuiltin(const mjsTexture& texture, mjtByte* pixels) {
  const std::vector<Canvas> faces = Faces(texture, pixels);
  switch (texture.builtin) {
    case mjBUILTIN_GRADIENT:
      DrawGradient(texture, faces);
      break;
    case mjBUILTIN_CHECKER:
      DrawChecker(texture, faces);
      break;
    default:
      DrawFlat(texture, faces);
  }
  DrawMarks(texture, faces);
}

}  // namespace sinew::inline assets
