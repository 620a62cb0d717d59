// The shape is cut by planes along the axes of its frame, the worst piece first, until no point of the hull of a piece
// is far from the shape; then pieces whose common hull is as good are put together again. That distance is the
// concavity of X. Wei et al. (Approximate convex decomposition for 3D meshes with collision-aware concavity and tree
// search, ACM Transactions on Graphics 41, 2022); cuts are chosen by volume, as in V-HACD (K. Mamou, Volumetric
// hierarchical approximate convex decomposition, Game Engine Gems 3, 2016). Choices are made on a grid
// (assets/solid_grid.h), and pieces are hulls of the mesh itself.
#include "assets/decompose.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "assets/block_cut.h"
#include "assets/piece_hull.h"
#include "assets/solid_grid.h"
#include "core/error.h"
#include "simd/functions.h"

namespace sinew::inline assets {
namespace {

using Vec = Vec3<double>;
using Points = std::vector<Vec>;

constexpr int kSpare = 2;  // times as many pieces before they are put together
constexpr int kMostPieces = 1024, kMostResolution = 256;

// Corners are those of several faces.
void RemoveDoubles(Points& points) {
  const auto key = [](const Vec& p) { return std::tie(p.x, p.y, p.z); };
  std::sort(points.begin(), points.end(), [&](const Vec& a, const Vec& b) { return key(a) < key(b); });
  points.erase(std::unique(points.begin(), points.end(), [&](const Vec& a, const Vec& b) { return key(a) == key(b); }),
               points.end());
}

// A convex polygon in space, cut out of a triangle.
using Face = Points;

// The part of a polygon where sign (x_axis - level) <= 0 (I. Sutherland, G. Hodgman, Reentrant polygon clipping, 1974).
Face Clipped(const Face& face, int axis, double level, double sign) {
  Face kept;
  for (size_t i = 0; i < face.size(); ++i) {
    const Vec &from = face[i], &to = face[(i + 1) % face.size()];
    const double a = sign * (from[axis] - level), b = sign * (to[axis] - level);
    if (a <= 0) kept.push_back(from);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) kept.push_back(from + (to - from) * (a / (a - b)));
  }
  return kept;
}

// What a block of cells holds of the shape.
struct Piece {
  CellBlock block;
  std::vector<Face> faces;
  PieceHull hull;
  double depth = 0;  // how far from the shape a point of the hull is, at most
  int id = 0;
};

class Decomposition {
 public:
  Decomposition(const Points& vertices, const std::vector<int>& faces, const DecomposeOptions& options)
      : options_(options), grid_(vertices, faces, options.resolution) {
    Piece whole = {grid_.whole(), {}, {}, 0, 0};
    for (size_t i = 0; i < faces.size(); i += 3) {
      Face face;
      for (size_t k = 0; k < 3; ++k) face.push_back(vertices[static_cast<size_t>(faces[i + k])]);
      whole.faces.push_back(std::move(face));
    }
    limit_ = options.error * options.resolution * grid_.cell();
    Keep(std::move(whole));
  }

  std::vector<Points> Run() {
    while (CutWorst()) {
    }
    while (JoinBest()) {
    }
    std::vector<Points> result;
    for (Piece& piece : pieces_) result.push_back(std::move(piece.hull.points));
    return result;
  }

 private:
  // ---- pieces

  // Of its part of the surface, and corners of cells inside of the shape: where the box of the piece cuts it.
  void Keep(Piece piece) {
    Points points;
    for (const Face& face : piece.faces) points.insert(points.end(), face.begin(), face.end());
    RemoveDoubles(points);
    for (int i = 0; i < 8; ++i) {
      const int at[3] = {i & 1 ? piece.block.high[0] : piece.block.low[0],
                         i & 2 ? piece.block.high[1] : piece.block.low[1],
                         i & 4 ? piece.block.high[2] : piece.block.low[2]};
      if (IsInside(at)) points.push_back(grid_.Corner(at[0], at[1], at[2]));
    }
    // a sheet is as thick as its cells
    if (!FindHull(points, piece.hull) && !FindHull(CellCorners(grid_, piece.block), piece.hull)) return;
    piece.depth = DepthOf(grid_, piece.hull);
    piece.id = next_id_++;
    pieces_.push_back(std::move(piece));
  }

  // Whether all cells around a corner are solid.
  bool IsInside(const int (&at)[3]) const {
    for (int i = 0; i < 8; ++i) {
      const int x = at[0] - (i & 1), y = at[1] - (i >> 1 & 1), z = at[2] - (i >> 2 & 1);
      const CellBlock& all = grid_.whole();
      if (x < 0 || y < 0 || z < 0 || x >= all.high[0] || y >= all.high[1] || z >= all.high[2]) return false;
      if (!grid_.IsSolid(x, y, z)) return false;
    }
    return true;
  }

  // ---- cuts

  // Cuts the worst piece; false where all are good, or as many as may be.
  bool CutWorst() {
    if (static_cast<int>(pieces_.size()) >= kSpare * options_.count) return false;
    const auto worst = std::max_element(pieces_.begin(), pieces_.end(),
                                        [](const Piece& a, const Piece& b) { return a.depth < b.depth; });
    if (worst == pieces_.end() || worst->depth <= limit_) return false;
    const BlockCut cut = BestCut(grid_, worst->block);
    if (cut.axis < 0) {
      worst->depth = 0;  // as small as it can be
      return true;
    }
    const Piece whole = std::move(*worst);
    pieces_.erase(worst);
    int at[3] = {0, 0, 0};
    at[cut.axis] = cut.at;
    const double level = grid_.Corner(at[0], at[1], at[2])[cut.axis];
    for (const double sign : {1.0, -1.0}) {
      Piece part = {whole.block, {}, {}, 0, 0};
      (sign > 0 ? part.block.high : part.block.low)[cut.axis] = cut.at;
      for (const Face& face : whole.faces) {
        if (Face clipped = Clipped(face, cut.axis, level, sign); !clipped.empty())
          part.faces.push_back(std::move(clipped));
      }
      Shrink(grid_, part.block);
      Keep(std::move(part));
    }
    return true;
  }

  // ---- joints

  PieceHull Joined(const Piece& a, const Piece& b) const {
    PieceHull both;
    Points points = a.hull.points;
    points.insert(points.end(), b.hull.points.begin(), b.hull.points.end());
    return FindHull(points, both) ? both : PieceHull();
  }

  // The depth of two pieces as one, which is found once.
  double DepthAsOne(const Piece& a, const Piece& b) {
    const auto [known, is_new] = as_one_.try_emplace({a.id, b.id}, kInfinity);
    if (is_new) {
      if (const PieceHull both = Joined(a, b); both.volume > 0) known->second = DepthOf(grid_, both);
    }
    return known->second;
  }

  // Puts the pair together that is best as one; false where none is good enough and there are not too many.
  bool JoinBest() {
    const bool too_many = static_cast<int>(pieces_.size()) > options_.count;
    double least = kInfinity;
    size_t first = 0, second = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      for (size_t k = i + 1; k < pieces_.size(); ++k) {
        if (!too_many && !AreNear(pieces_[i].block, pieces_[k].block)) continue;
        const double depth = DepthAsOne(pieces_[i], pieces_[k]);
        if (!(depth < least)) continue;
        least = depth;
        first = i;
        second = k;
      }
    }
    if (!std::isfinite(least) || (!too_many && least > limit_)) return false;
    Piece both = {pieces_[first].block, {}, Joined(pieces_[first], pieces_[second]), least, next_id_++};
    for (int k = 0; k < 3; ++k) {
      both.block.low[k] = std::min(both.block.low[k], pieces_[second].block.low[k]);
      both.block.high[k] = std::max(both.block.high[k], pieces_[second].block.high[k]);
    }
    pieces_.erase(pieces_.begin() + static_cast<ptrdiff_t>(second));
    pieces_[first] = std::move(both);
    return true;
  }

  static bool AreNear(const CellBlock& a, const CellBlock& b) {
    for (int k = 0; k < 3; ++k) {
      if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    }
    return true;
  }

  DecomposeOptions options_;
  SolidGrid grid_;
  double limit_;  // [m]
  std::vector<Piece> pieces_;
  int next_id_ = 0;
  std::map<std::pair<int, int>, double> as_one_;  // depths of pairs, by id
};

void CheckOptions(const DecomposeOptions& options) {
  if (!(options.error > 0 && options.error < 1)) {
    throw Error("convexerror is not between 0 and 1", "give a part of the longest side, as 0.02");
  }
  if (options.count < 1 || options.count > kMostPieces) {
    throw Error("convexcount is " + std::to_string(options.count),
                "give a number from 1 to " + std::to_string(kMostPieces));
  }
  if (options.resolution < 8 || options.resolution > kMostResolution) {
    throw Error("convexresolution is " + std::to_string(options.resolution),
                "give a number from 8 to " + std::to_string(kMostResolution));
  }
}

Points CheckedVertices(const MeshData& data) {
  if (data.face.empty()) throw Error("the mesh to decompose has no faces", "a hull of points is convex already");
  Points vertices;
  for (size_t i = 0; i < data.vertex_count(); ++i) {
    const Vec p = {data.vertex[3 * i], data.vertex[3 * i + 1], data.vertex[3 * i + 2]};
    if (!(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))) {
      throw Error("vertex " + std::to_string(i) + " of the mesh is not finite", "repair the mesh");
    }
    vertices.push_back(p);
  }
  Vec low = {kInfinity, kInfinity, kInfinity}, high = -low;
  for (const int vertex : data.face) {
    if (vertex < 0 || static_cast<size_t>(vertex) >= vertices.size()) {
      throw Error("a face names vertex " + std::to_string(vertex) + ", which does not exist", "repair the mesh");
    }
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], vertices[static_cast<size_t>(vertex)][k]);
      high[k] = std::max(high[k], vertices[static_cast<size_t>(vertex)][k]);
    }
  }
  if (!(Norm(high - low) > 0)) throw Error("the faces of the mesh have no extent", "repair the mesh");
  return vertices;
}

}  // namespace

std::vector<std::vector<Vec3<double>>> Decompose(const MeshData& data, const DecomposeOptions& options) {
  CheckOptions(options);
  const Points vertices = CheckedVertices(data);
  return Decomposition(vertices, data.face, options).Run();
}

}  // namespace sinew::inline assets
