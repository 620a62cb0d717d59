// The expanding polytope starts from the simplex that contains the origin, and grows towards the face that is nearest
// to it (algorithm and sources: collision/convex/epa.h).
#include "collision/convex/epa.h"

#include <algorithm>
#include <cmath>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxVertices = 256;
constexpr int kMaxFaces = 2 * kMaxVertices;  // a closed triangle mesh of V vertices has 2 V - 4
constexpr double kFlat = 1e-12;     // volumes and areas relative to those of the difference's size that count as zero
constexpr double kVisible = 1e-13;  // depth below a face, relative to that size, down to which a point sees it:
                                    // coplanar faces merge instead of leaving slivers
constexpr int kMaxDescent = 60;     // supports
constexpr double kSmallestStep = 1e-6;  // of the first one
constexpr double kRounding = 1e-12;     // of that size: smallest gap between the bounds that means anything

// A triangle, counterclockwise seen from outside. Side i runs from vertex i to vertex i + 1.
struct Face {
  int vertex[3];
  int neighbor[3];  // face beyond side i
  Vec normal;       // unit, outward
};

class Polytope {
 public:
  Polytope(const ConvexShape& A, const ConvexShape& B) : A_(A), B_(B) {}

  // A polytope that contains the origin, from a simplex that does. False when the difference is flat.
  bool Start(const Simplex& simplex);

  int NearestFace() const;
  double Distance(int face) const { return distance_[face]; }
  const Vec& Normal(int face) const { return face_[face].normal; }
  const DifferencePoint& Vertex(int face, int i) const { return vertex_[face_[face].vertex[i]]; }
  const DifferencePoint& Vertex(int vertex) const { return vertex_[vertex]; }
  void CopyVertices(int face, int* to) const { std::copy_n(face_[face].vertex, 3, to); }
  void Take(int face, Penetration& out) const;
  double size() const { return size_; }
  bool IsFull() const { return nvertex_ == kMaxVertices; }

  // The face over the origin's projection on the plane of `face`, among those in that plane.
  int FaceOverProjection(int face) const;

  // Adds a vertex that sees `face`. False when rounding spoils the new faces: the polytope is then as good as it gets.
  bool Expand(int face, const DifferencePoint& point);

 private:
  // A side of the outline, seen from the face behind it, which stays.
  struct OutlineSide {
    int face, side;
  };

  bool AddVertex(const DifferencePoint& point);
  bool AddSupport(const Vec& direction) { return AddVertex(SupportOfDifference(A_, B_, direction)); }
  Vec Normal012() const { return Cross(vertex_[1].w - vertex_[0].w, vertex_[2].w - vertex_[0].w); }
  double Height(const DifferencePoint& point) const { return Dot(Normal012(), point.w - vertex_[0].w); }
  bool MakeFaces(const Face* faces, int count);
  bool MakeTetrahedron();
  bool MakeBipyramid();
  bool MakeBipyramidAroundSegment();
  bool SetPlane(int face);
  bool Sees(const Vec& point, int face) const {
    return Dot(face_[face].normal, point) - distance_[face] > -kVisible * size_;
  }
  int NewFace();
  void Remove(int face);
  void FindOutline(const Vec& point, int face, int side);
  bool FillOutline(int vertex);

  const ConvexShape &A_, &B_;
  double size_ = 0;  // largest distance of a vertex from the origin
  DifferencePoint vertex_[kMaxVertices];
  int nvertex_ = 0;
  Face face_[kMaxFaces];
  double distance_[kMaxFaces];  // of the face's plane from the origin; infinite for removed faces
  int nface_ = 0;
  int free_[kMaxFaces];  // removed faces
  int nfree_ = 0;
  OutlineSide outline_[kMaxFaces];
  int noutline_ = 0;
};

// The first of the least: several chains of minima, so that none waits for itself, and then a search for their value.
int Polytope::NearestFace() const {
  constexpr int kChains = 4;
  double least[kChains] = {distance_[0], distance_[0], distance_[0], distance_[0]};
  int i = 0;
  for (; i + kChains <= nface_; i += kChains) {
    for (int k = 0; k < kChains; ++k) least[k] = std::min(least[k], distance_[i + k]);
  }
  for (; i < nface_; ++i) least[0] = std::min(least[0], distance_[i]);
  const double all = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
  return static_cast<int>(std::find(distance_, distance_ + nface_, all) - distance_);
}

// ---- the first polytope

// Adds a point unless it lies in the affine hull of the vertices there are.
bool Polytope::AddVertex(const DifferencePoint& point) {
  size_ = std::max(size_, Norm(point.w));
  const Vec offset = nvertex_ > 0 ? point.w - vertex_[0].w : point.w;
  double extent = 1;  // length, area or volume that the new point spans, in units of size_
  if (nvertex_ == 1) {
    extent = Norm(offset) / size_;
  } else if (nvertex_ == 2) {
    extent = Norm(Cross(vertex_[1].w - vertex_[0].w, offset)) / (size_ * size_);
  } else if (nvertex_ == 3) {
    extent = std::fabs(Dot(Normal012(), offset)) / (size_ * size_ * size_);
  }
  if (!(extent > kFlat)) return false;
  vertex_[nvertex_++] = point;
  return true;
}

// A point, segment or triangle through the origin is completed by supports across it.
bool Polytope::Start(const Simplex& simplex) {
  for (int i = 0; i < simplex.count; ++i) AddVertex(simplex.point[i]);
  static constexpr double kAxes[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 6 && nvertex_ == 1; ++i) AddSupport(LoadVec3(kAxes[i]));
  if (nvertex_ == 2) {
    if (MakeBipyramidAroundSegment()) return true;
    const Vec along = vertex_[1].w - vertex_[0].w;
    for (int i = 0; i < 6 && nvertex_ == 2; ++i) {
      const Vec across = Cross(along, LoadVec3(kAxes[i]));
      if (Norm(across) > 0.5 * Norm(along)) AddSupport(across);
    }
  }
  if (nvertex_ == 4) return MakeTetrahedron();
  if (nvertex_ < 3) return false;

  // a triangle gets an apex on each side where there is room
  const DifferencePoint top = SupportOfDifference(A_, B_, Normal012());
  const DifferencePoint bottom = SupportOfDifference(A_, B_, -Normal012());
  if (!AddVertex(top)) return AddVertex(bottom) && MakeTetrahedron();
  const double volume = size_ * size_ * size_;
  if (!(Height(bottom) < -kFlat * volume)) return MakeTetrahedron();
  vertex_[nvertex_++] = bottom;
  return MakeBipyramid();
}

bool Polytope::MakeFaces(const Face* faces, int count) {
  for (int f = 0; f < count; ++f) {
    face_[NewFace()] = faces[f];
    if (!SetPlane(f)) return false;
  }
  return true;
}

bool Polytope::MakeTetrahedron() {
  if (Height(vertex_[3]) > 0) std::swap(vertex_[1], vertex_[2]);

  // faces 012, 031, 132, 023 look outward when vertex 3 is below 012; side i borders on:
  static constexpr Face kFaces[4] = {
      {{0, 1, 2}, {1, 2, 3}, {}}, {{0, 3, 1}, {3, 2, 0}, {}}, {{1, 3, 2}, {1, 3, 0}, {}}, {{0, 2, 3}, {0, 2, 1}, {}}};
  return MakeFaces(kFaces, 4);
}

// Vertices 0, 1, 2 around, 3 above, 4 below.
bool Polytope::MakeBipyramid() {
  static constexpr Face kFaces[6] = {{{0, 1, 3}, {3, 1, 2}, {}}, {{1, 2, 3}, {4, 2, 0}, {}},
                                     {{2, 0, 3}, {5, 0, 1}, {}}, {{1, 0, 4}, {0, 5, 4}, {}},
                                     {{2, 1, 4}, {1, 3, 5}, {}}, {{0, 2, 4}, {2, 4, 3}, {}}};
  return MakeFaces(kFaces, 6);
}

// A segment through the origin becomes the axis of a bipyramid, with three supports around it, a third of a turn apart.
// False, and all as before, where they do not enclose the axis.
bool Polytope::MakeBipyramidAroundSegment() {
  const DifferencePoint bottom = vertex_[0], top = vertex_[1];
  const Vec axis = Normalized(top.w - bottom.w), size = {std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)};
  const Vec least = size.x <= size.y && size.x <= size.z ? Vec{1, 0, 0}
                    : size.y <= size.z                   ? Vec{0, 1, 0}
                                                         : Vec{0, 0, 1};
  const Vec first = Normalized(Cross(least, axis)), across = Cross(axis, first);
  const double kSine = 0.5 * std::sqrt(3.0);
  const Vec directions[3] = {first, first * -0.5 + across * kSine, first * -0.5 - across * kSine};
  const double old_size = size_;
  for (int i = 0; i < 3; ++i) {
    vertex_[i] = SupportOfDifference(A_, B_, directions[i]);
    size_ = std::max(size_, Norm(vertex_[i].w));
  }
  vertex_[3] = top;
  vertex_[4] = bottom;
  nvertex_ = 5;
  const double volume = size_ * size_ * size_;
  if (Height(top) > kFlat * volume && Height(bottom) < -kFlat * volume && MakeBipyramid() &&
      *std::min_element(distance_, distance_ + nface_) > -kFlat * size_) {
    return true;
  }
  vertex_[0] = bottom;
  vertex_[1] = top;
  nvertex_ = 2;
  nface_ = 0;
  size_ = old_size;
  return false;
}

// ---- faces

bool Polytope::SetPlane(int face) {
  Face& f = face_[face];
  const Vec a = vertex_[f.vertex[0]].w, b = vertex_[f.vertex[1]].w, c = vertex_[f.vertex[2]].w;
  f.normal = Cross(b - a, c - a);
  const double area = Norm(f.normal);
  if (!(area > kFlat * kFlat * size_ * size_)) return false;
  f.normal *= 1 / area;
  distance_[face] = Dot(f.normal, a);
  return true;
}

int Polytope::NewFace() { return nfree_ > 0 ? free_[--nfree_] : nface_++; }

void Polytope::Remove(int face) {
  distance_[face] = kInfinity;
  free_[nfree_++] = face;
}

// Removes what sees the point and lies behind side `side` of a removed face: `face` and, through its other sides, the
// rest. The sides of faces that stay come out in order around the outline.
void Polytope::FindOutline(const Vec& point, int face, int side) {
  if (distance_[face] == kInfinity) return;
  if (!Sees(point, face)) {
    outline_[noutline_++] = {face, side};
    return;
  }
  const Face f = face_[face];
  Remove(face);
  for (int i = 1; i < 3; ++i) {
    const int next = (side + i) % 3, beyond = f.neighbor[next];
    const Face& other = face_[beyond];
    const int back = other.neighbor[0] == face ? 0 : other.neighbor[1] == face ? 1 : 2;
    FindOutline(point, beyond, back);
  }
}

// A fan of faces between the outline and the vertex.
bool Polytope::FillOutline(int vertex) {
  if (noutline_ < 3 || nface_ - nfree_ + noutline_ > kMaxFaces) return false;
  int first = -1, previous = -1;
  for (int i = 0; i < noutline_; ++i) {
    const auto [behind, side] = outline_[i];
    const int from = face_[behind].vertex[(side + 1) % 3], to = face_[behind].vertex[side];
    const int face = NewFace();
    face_[face] = {{from, to, vertex}, {behind, -1, previous}, {}};
    face_[behind].neighbor[side] = face;
    if (!SetPlane(face)) return false;
    if (previous >= 0) {
      if (face_[previous].vertex[1] != from) return false;
      face_[previous].neighbor[1] = face;
    } else {
      first = face;
    }
    previous = face;
  }
  face_[first].neighbor[2] = previous;
  face_[previous].neighbor[1] = first;
  return face_[previous].vertex[1] == face_[first].vertex[0];
}

bool Polytope::Expand(int face, const DifferencePoint& point) {
  vertex_[nvertex_] = point;
  size_ = std::max(size_, Norm(point.w));
  const Face f = face_[face];
  Remove(face);
  noutline_ = 0;
  for (int i = 0; i < 3; ++i) {
    const Face& other = face_[f.neighbor[i]];
    const int back = other.neighbor[0] == face ? 0 : other.neighbor[1] == face ? 1 : 2;
    FindOutline(point.w, f.neighbor[i], back);
  }
  return FillOutline(nvertex_++);
}

// ---- the result

// Barycentric coordinates, times an area, of the point p in the plane of a triangle with unit normal n.
Vec PlanarCoordinates(const Vec& p, const Vec& n, const Vec& a, const Vec& b, const Vec& c) {
  return {Dot(n, Cross(b - p, c - p)), Dot(n, Cross(c - p, a - p)), Dot(n, Cross(a - p, b - p))};
}

// A facet with many sides comes as several triangles; the projection may lie in another one than that found first.
int Polytope::FaceOverProjection(int face) const {
  const Vec n = face_[face].normal, p = n * distance_[face];
  int best = face;
  double innermost = -kInfinity;  // largest of the faces' smallest coordinates
  for (int i = 0; i < nface_; ++i) {
    if (distance_[i] > distance_[face] + kRounding * size_) continue;
    const Vec weight = PlanarCoordinates(p, n, Vertex(i, 0).w, Vertex(i, 1).w, Vertex(i, 2).w);
    const double least = std::min({weight.x, weight.y, weight.z});
    if (least <= innermost) continue;
    innermost = least;
    best = i;
  }
  return best;
}

void Polytope::Take(int face, Penetration& out) const {
  out.normal = Normal(face);
  out.depth = std::max(Distance(face), 0.0);
  for (int i = 0; i < 3; ++i) out.face[i] = Vertex(face, i);
}

// The points of A and B that the origin's projection on the face comes from. Of coplanar faces, the projection may lie
// in another one: its coordinates are taken as they are.
void SetWitness(Penetration& out) {
  Vec weight = PlanarCoordinates(out.normal * out.depth, out.normal, out.face[0].w, out.face[1].w, out.face[2].w);
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += weight[i];
  out.a = out.b = Zero3<double>();
  for (int i = 0; i < 3; ++i) {
    const double share = sum > 0 ? weight[i] / sum : 1.0 / 3;
    out.a += out.face[i].a * share;
    out.b += out.face[i].b * share;
  }
}

// Descends the support function h(u) of A - B over unit directions from where the polytope has led. Its gradient is the
// part of the support across u; the step follows J. Barzilai, J. Borwein (IMA J. Numerical Analysis 8, 1988), and is
// halved where h does not decrease. At kinks, of shapes with edges, the descent ends early: it never does harm.
void Descend(const ConvexShape& A, const ConvexShape& B, Penetration& best) {
  const auto across = [](const Vec& w, const Vec& u) { return w - u * Dot(w, u); };
  Vec gradient = across(best.a - best.b, best.normal);
  double step = 1 / Norm(best.a - best.b);
  for (int i = 0; i < kMaxDescent && step > kSmallestStep / Norm(best.a - best.b); ++i) {
    const Vec u = Normalized(best.normal - gradient * step);
    const DifferencePoint point = SupportOfDifference(A, B, u);
    const double depth = Dot(u, point.w);
    if (!(depth < best.depth)) {
      step *= 0.5;
      continue;
    }
    const Vec next = across(point.w, u), change = next - gradient, move = u - best.normal;
    const double curvature = Dot(move, change);
    if (curvature > 0) step = Dot(move, move) / curvature;
    best.depth = depth;
    best.normal = u;
    best.a = point.a;
    best.b = point.b;
    gradient = next;
  }
}

// ---- the first tetrahedron of a curved pair

// The face across from a vertex. Its normal points outward in tetrahedra of one of the two orientations.
struct Side {
  Vec normal;
  double distance;  // of the origin below its plane
};

Side Across(const Simplex& simplex, int vertex) {
  const Vec& a = simplex.point[vertex == 0 ? 1 : 0].w;
  const Vec& b = simplex.point[vertex <= 1 ? 2 : 1].w;
  const Vec& c = simplex.point[vertex <= 2 ? 3 : 2].w;
  const Vec normal = vertex % 2 == 0 ? Cross(b - a, c - a) : Cross(c - a, b - a);
  const double length = Norm(normal);
  if (!(length > 0)) return {normal, 0};
  return {normal * (1 / length), Dot(normal, a) / length};
}

// Moves the vertices of a tetrahedron of A - B until it contains the origin, which it does when the origin is on the
// inner side of all four faces. Where it is not, the face that it is farthest beyond can be improved: what lies beyond
// that face begins with the support in the direction of its normal, and the vertex across from it is of no use, as it
// is on the other side. So the support takes that vertex's place; it is on the other side of the face, so that the
// tetrahedron is turned inside out, and two of the other vertices change places to restore its orientation. This is
// the step of a search by portals (G. Snethen, Game Programming Gems 7, 2008) without a ray to follow.
//
// A tetrahedron of the other orientation is treated alike: its faces seem to have the origin outside, and after some
// supports it has turned over. Which tetrahedron the polytope starts from decides nothing but the digits behind the
// tolerance; with this one, they are those of MuJoCo 3.8.0. When the iterations end, the tetrahedron stays as it was.
// False when a support shows that the shapes are apart.
bool Enclose(const ConvexShape& A, const ConvexShape& B, int iterations, Simplex& simplex) {
  Simplex moved = simplex;
  for (;; --iterations) {
    int least = 0;
    Side side = Across(moved, 0);
    for (int i = 1; i < 4; ++i) {
      const Side other = Across(moved, i);
      if (other.distance >= side.distance) continue;
      side = other;
      least = i;
    }
    if (side.distance > 0) break;
    if (iterations <= 0 || !(Norm(side.normal) > 0)) return true;
    moved.point[least] = SupportOfDifference(A, B, side.normal);
    if (Dot(side.normal, moved.point[least].w) < 0) return false;
    std::swap(moved.point[least == 0 ? 1 : 0], moved.point[least <= 1 ? 2 : 1]);
  }
  simplex = moved;
  return true;
}

}  // namespace

// The difference of two polytopes is one, too: the bounds meet to rounding after some expansions, and the facet is
// exact. For curved shapes they meet to the tolerance, or come near each other before the iterations end.
//
// Where they do not, as in the middle of round shapes, whose depths are alike in all directions, descent goes on from
// the least support: moving by it along its direction separates, which the polytope's distance does not promise.
SINEW_DISPATCH bool FindPenetration(const ConvexShape& A, const ConvexShape& B, const CoreDistance& cores,
                                    const Accuracy& accuracy, Penetration& out) {
  const bool has_facets = A.HasFacets() && B.HasFacets();
  Simplex simplex = cores.simplex;
  const int left = accuracy.iterations - cores.iterations;
  if (!has_facets && simplex.count == 4 && !Enclose(A, B, left, simplex)) return false;
  Polytope polytope(A, B);
  if (!polytope.Start(simplex)) return false;

  // narrow the bounds
  double upper = kInfinity, own = kInfinity;  // the least support, and that of the nearest face
  int lowest[3] = {0, 1, 2};                  // vertices of the face whose direction has the least support
  int face = polytope.NearestFace();
  for (int iteration = 1;; ++iteration) {
    const Vec normal = polytope.Normal(face);
    const DifferencePoint point = SupportOfDifference(A, B, normal);
    own = Dot(normal, point.w);
    if (own < upper) {
      upper = own;
      out.normal = normal;
      out.a = point.a;
      out.b = point.b;
      polytope.CopyVertices(face, lowest);
    }
    const double rounding = kRounding * polytope.size();
    const double tolerance = std::min(accuracy.tolerance, kCoarseBounds * polytope.size());
    const double gap = upper - polytope.Distance(face);
    if (gap < (has_facets ? rounding : std::max(rounding, tolerance))) break;
    if (iteration >= accuracy.iterations || polytope.IsFull() || !polytope.Expand(face, point)) break;
    face = polytope.NearestFace();
  }
  const bool is_unfinished = own - polytope.Distance(face) > kCoarseBounds * polytope.size();
  if (is_unfinished || (!has_facets && polytope.IsFull())) {
    out.depth = upper;
    for (int i = 0; i < 3; ++i) out.face[i] = polytope.Vertex(lowest[i]);
    Descend(A, B, out);
    return true;
  }
  polytope.Take(has_facets ? polytope.FaceOverProjection(face) : face, out);
  SetWitness(out);
  return true;
}

}  // namespace sinew::inline collision
