// Two boxes, half sizes a and b, by the separating axis test (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH
// 1996) and clipping. With R = R1' R2 and D = R1' (c2 - c1), the overlap along a unit vector e of box 1's frame is
//
//   o(e) = sum_i a_i |e_i| + sum_j b_j |e . R_j| - |D . e|
//
// over the 15 candidates: the three face normals of either box and the nine cross products of their edges. Any o <
// -margin separates. The least overlap decides how the boxes touch:
//
//   face   the box with that face is the reference. What the other box turns towards it, a vertex, an edge or a face
//   (the
//          incident feature), is clipped to the reference face's rectangle.
//   edge   e = edge i of box 1 x edge j of box 2. A face of box 2 next to its edge is projected along e onto a face of
//   box 1
//          next to its own edge, and the two outlines are intersected.
//
// Candidate points are those where an outline crosses a side of the rectangle, corners of the rectangle inside the
// other outline, and vertices of that outline inside the rectangle. Finally, points that lie well outside of both boxes
// go.
#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/analytic.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

constexpr int kMaxTouches = 40;            // more than candidates there are
constexpr double kEdgePreference = 1e-12;  // by how much, relatively, an edge must beat a face
constexpr double kSurely = 1 + 1e-6;       // ratio of squares beyond rounding
constexpr double kSlack = 1.01;            // tolerance on the sizes when outside points are removed

struct TouchList {
  struct Item {
    double dist;
    Vec pos;
  };
  Item touch[kMaxTouches];
  int count = 0;

  void Add(double dist, const Vec& pos) {
    touch[count].dist = dist;
    touch[count++].pos = pos;
  }
};

// Both boxes in the frame of the first.
struct BoxPair {
  Vec a, b;      // half sizes
  Mat R;         // axes of box 2 as columns
  Mat absolute;  // |R_ij|
  Vec D;         // centre of box 2
};

BoxPair Relative(const Geom<double>& box1, const Geom<double>& box2) {
  BoxPair p = {box1.size, box2.size, Transpose(box1.mat) * box2.mat, {}, box1.ToLocal(box2.pos)};
  for (int i = 0; i < 9; ++i) p.absolute.m[i] = std::fabs(p.R.m[i]);
  return p;
}

// The same pair in the frame of the second box, in which the first has its centre at D.
BoxPair Exchanged(const BoxPair& p, const Vec& D) { return {p.b, p.a, Transpose(p.R), Transpose(p.absolute), D}; }

// ---- the axis of least overlap

struct Separation {
  double overlap = kInfinity;
  int face = -1;  // 2 k for axis k of box 1, 2 k + 1 for axis k of box 2; -1: edges
  int edge1 = -1, edge2 = -1;
  Vec axis = {};  // of an edge pair: unit, from box 1 to box 2, in box 1's frame
};

// Half width of the pair along a unit vector, less the distance of the centres along it: e = (edge i of box 1) x (edge
// j of box 2) / length. Its cosines with the edges of box 2 are entries of R over the length. Of boxes that stand on
// each other, an edge ties with a face up to the rounding of this sum.
double EdgeOverlap(const BoxPair& p, int i, int j, const Vec& e, double length) {
  Vec across = Zero3<double>();  // cosines times length
  across[(j + 1) % 3] = p.absolute(i, (j + 2) % 3);
  across[(j + 2) % 3] = p.absolute(i, (j + 1) % 3);
  double width = 0;
  for (int k = 0; k < 3; ++k) {
    width += p.a[k] * std::fabs(e[k]);
    width += p.b[k] * across[k] / length;
  }
  return width - std::fabs(Dot(p.D, e));
}

// The same along the face normals of box 1 and of box 2. Aligned boxes overlap equally along both, up to rounding: the
// order of summation decides which of them becomes the reference.
void FaceOverlaps(const BoxPair& p, double overlap[6]) {
  const Vec D2 = MulTransposed(p.R, p.D), reach1 = p.absolute * p.b, reach2 = MulTransposed(p.absolute, p.a);
  for (int k = 0; k < 3; ++k) {
    overlap[2 * k] = (p.a[k] - std::fabs(p.D[k])) + reach1[k];
    overlap[2 * k + 1] = (p.b[k] - std::fabs(D2[k])) + reach2[k];
  }
}

// Whether the overlap along edge I x edge J is surely larger than `least` > 0, without normalizing that direction e:
// its components and its cosines with the edges are entries of R.
//
//   overlap |e| = a_k |R_lj| + a_l |R_kj| + b_m |R_in| + b_n |R_im| - |D_l R_kj - D_k R_lj|,  |e|^2 = R_kj^2 + R_lj^2
//
// for i, k, l and j, m, n in cyclic order. As |e| <= 1, what is larger than `least` before the division is so after it.
template <int I, int J>
bool OverlapsMore(const BoxPair& p, double least) {
  constexpr int k = (I + 1) % 3, l = (I + 2) % 3, m = (J + 1) % 3, n = (J + 2) % 3;
  if (!(least > 0)) return false;
  const double width =
      p.a[k] * p.absolute(l, J) + p.a[l] * p.absolute(k, J) + p.b[m] * p.absolute(I, n) + p.b[n] * p.absolute(I, m);
  const double overlap = width - std::fabs(p.D[l] * p.R(k, J) - p.D[k] * p.R(l, J));
  if (overlap > least * kSurely) return true;
  const double length2 = p.R(k, J) * p.R(k, J) + p.R(l, J) * p.R(l, J);
  return overlap > 0 && overlap * overlap > least * least * length2 * kSurely;
}

// Compares the overlap along edge i x edge j with the least one so far; parallel edges span no plane. False when the
// boxes are farther apart than the margin.
bool CompareEdges(const BoxPair& p, int i, int j, double margin, Separation& best) {
  Vec unit = Zero3<double>();
  unit[i] = 1;
  Vec e = Cross(unit, p.R.Column(j));
  const double length = Normalize(e);
  if (length < kMinVal) return true;
  const double overlap = EdgeOverlap(p, i, j, e, length);
  if (overlap < -margin) return false;
  if (overlap >= best.overlap * (1 - kEdgePreference)) return true;
  best = {.overlap = overlap, .face = -1, .edge1 = i, .edge2 = j, .axis = Dot(p.D, e) < 0 ? -e : e};
  return true;
}

template <int... kPair>
bool CompareAllEdges(const BoxPair& p, double margin, Separation& best, std::integer_sequence<int, kPair...>) {
  return (
      (OverlapsMore<kPair / 3, kPair % 3>(p, best.overlap) || CompareEdges(p, kPair / 3, kPair % 3, margin, best)) &&
      ...);
}

// False when the boxes are farther apart than the margin.
bool FindLeastOverlap(const BoxPair& p, double margin, Separation& best) {
  double overlap_of_face[6];  // in turn of box 1 and of box 2
  FaceOverlaps(p, overlap_of_face);
  for (int face = 0; face < 6; ++face) {
    if (overlap_of_face[face] < -margin) return false;
    if (!(overlap_of_face[face] < best.overlap)) continue;
    best.overlap = overlap_of_face[face];
    best.face = face;
  }
  return CompareAllEdges(p, margin, best, std::make_integer_sequence<int, 9>());
}

// ---- a face as a rectangle in the plane

// Frame of a face of a box: x and y along the face, z outward; rows are unit vectors of the box's frame. The choice of
// x and y sets the order of the contacts.
struct FaceFrame {
  Mat rows;
  double x, y, z;  // half sizes along them

  Vec ToFace(const Vec& v) const {  // of points: the origin moves onto the face
    const Vec local = rows * v;
    return {local.x, local.y, local.z - z};
  }
  Vec ToBox(const Vec& v) const { return MulTransposed(rows, Vec{v.x, v.y, v.z + z}); }
  double Half(int axis) const { return axis == 0 ? x : y; }
};

FaceFrame MakeFaceFrame(const Vec& size, int axis, double sign) {
  Vec z = Zero3<double>(), x = Zero3<double>(), y = Zero3<double>();
  z[axis] = sign;
  if (axis == 0) {
    x.z = -sign;
    y.y = 1;
    return {{{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}}, size.z, size.y, size.x};
  }
  if (axis == 1) {
    x.x = 1;
    y.z = -sign;
    return {{{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}}, size.x, size.z, size.y};
  }
  x.x = sign;
  y.y = 1;
  return {{{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}}, size.x, size.y, size.z};
}

bool StrictlyInside(const FaceFrame& f, const Vec& p) { return std::fabs(p.x) < f.x && std::fabs(p.y) < f.y; }

// Calls found(t) where the segment start + t span, 0 <= t <= 1, crosses a side of the rectangle: sides -x, +x, -y, +y.
template <class Found>
void CrossSides(const FaceFrame& f, const Vec& start, const Vec& span, Found found) {
  for (int axis = 0; axis < 2; ++axis) {
    if (std::fabs(span[axis]) <= kMinVal) continue;
    for (const double side : {-f.Half(axis), f.Half(axis)}) {
      const double t = (side - start[axis]) / span[axis];
      if (t < 0 || t > 1) continue;
      if (std::fabs(start[1 - axis] + t * span[1 - axis]) <= f.Half(1 - axis)) found(t);
    }
  }
}

// Coordinates (u, v) of a point of the plane with respect to two spans: p = u span_u + v span_v.
struct PlaneCoordinates {
  Vec u, v;
  double det;

  PlaneCoordinates(const Vec& span_u, const Vec& span_v)
      : u(span_u), v(span_v), det(span_u.x * span_v.y - span_u.y * span_v.x) {}
  double U(const Vec& p) const { return p.x * v.y - p.y * v.x; }  // times det
  double V(const Vec& p) const { return u.x * p.y - u.y * p.x; }  // times det
};

// ---- a face of one box against a vertex, edge or face of the other

// The incident feature in the face frame: its lowest vertex and its spans to the opposite vertices.
struct Incident {
  Vec vertex;
  Vec span[3];
  int spans = 0;
};

Incident FindIncident(const Vec& centre, const Mat& axes, const Vec& size) {
  Incident feature;
  feature.vertex = centre;
  for (int k = 0; k < 3; ++k) {
    const Vec axis = axes.Column(k);
    const Vec half = axis * (axis.z >= 0 ? size[k] : -size[k]);
    feature.vertex -= half;
    if (std::fabs(axis.z) < 0.5) feature.span[feature.spans++] = half * 2.0;
  }
  return feature;
}

// Points of the incident feature over the rectangle: pos on the feature, dist its height.
void ClipToFace(const FaceFrame& f, const Incident& feature, TouchList& list) {
  const Vec V = feature.vertex, u = feature.span[0], v = feature.span[1];
  const auto add = [&](const Vec& p) { list.Add(p.z, p); };
  const auto cross = [&](const Vec& start, const Vec& span) {
    CrossSides(f, start, span, [&](double t) { add(start + span * t); });
  };
  if (feature.spans >= 1) cross(V, u);
  if (feature.spans == 2) {
    cross(V, v);
    cross(V + u, v);
    cross(V + v, u);
    const PlaneCoordinates plane(u, v);
    for (const double x : {-f.x, f.x}) {
      for (const double y : {-f.y, f.y}) {
        const Vec offset = Vec{x, y, 0} - V;
        const double s = plane.U(offset) / plane.det, t = plane.V(offset) / plane.det;
        if (s > 0 && s < 1 && t > 0 && t < 1) add({x, y, V.z + s * u.z + t * v.z});
      }
    }
  }
  add(V);  // the deepest point; when it is outside of both boxes, the clean-up finds it
  if (feature.spans >= 1 && StrictlyInside(f, V + u)) add(V + u);
  if (feature.spans == 2 && StrictlyInside(f, V + v)) add(V + v);
  if (feature.spans == 2 && StrictlyInside(f, V + u + v)) add(V + u + v);
}

// Contacts in the reference box's frame. The pair is given with that box first.
Vec TouchFace(const BoxPair& p, int axis, double margin, TouchList& out) {
  const FaceFrame face = MakeFaceFrame(p.a, axis, p.D[axis] < 0 ? -1 : 1);
  TouchList found;
  ClipToFace(face, FindIncident(face.ToFace(p.D), face.rows * p.R, p.b), found);
  for (int i = 0; i < found.count; ++i) {
    Vec point = found.touch[i].pos;
    const double height = point.z;
    if (height > margin) continue;
    point.z -= 0.5 * height;
    out.Add(height, face.ToBox(point));
  }
  return face.rows.Row(2);
}

// ---- two edges

// Faces of the boxes next to the two edges, in the frame of box 1's face.
struct EdgeFaces {
  FaceFrame face;
  Vec normal;        // of the contact
  Vec Q[4];          // vertices of box 2's face: the ends of the edge, and the opposite ones in the same order
  double height[4];  // their heights along the normal over the plane of box 1's face
  Vec P[4];          // their projections along the normal into that plane

  EdgeFaces(const BoxPair& p, const Separation& s);
};

// Of the two axes other than `skip`, the one with the smaller component; of equal ones the last.
int SmallerOf(const Vec& v, int skip) {
  const int last = skip == 2 ? 0 : 2, other = 3 - skip - last;
  return std::fabs(v[other]) < std::fabs(v[last]) ? other : last;
}

EdgeFaces::EdgeFaces(const BoxPair& p, const Separation& s) {
  const int k1 = SmallerOf(p.R.Column(s.edge2), s.edge1), k2 = SmallerOf(p.R.Row(s.edge1), s.edge2);
  face = MakeFaceFrame(p.a, k1, s.axis[k1] < 0 ? -1 : 1);
  normal = face.rows * s.axis;

  // box 2's edge on the side towards box 1, and the way across the face
  Vec middle = p.D, across = Zero3<double>();
  for (int k = 0; k < 3; ++k) {
    if (k == s.edge2) continue;
    const Vec half = p.R.Column(k) * (Dot(s.axis, p.R.Column(k)) >= 0 ? p.b[k] : -p.b[k]);
    middle -= half;
    if (k != k2) across = half * 2.0;
  }
  const Vec along = p.R.Column(s.edge2) * p.b[s.edge2];
  const Vec vertices[4] = {middle + along, middle - along, middle + along + across, middle - along + across};
  for (int i = 0; i < 4; ++i) {
    Q[i] = face.ToFace(vertices[i]);
    height[i] = Q[i].z / normal.z;
    P[i] = Q[i] - normal * height[i];
  }
}

// Where the projected outline crosses the sides of the rectangle.
void AddOutlineCrossings(const EdgeFaces& e, double margin, TouchList& out) {
  static constexpr int kSides[4][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  for (const auto& [from, to] : kSides) {
    const Vec start = e.P[from], span = e.P[to] - start;
    const double low = e.height[from], rise = e.height[to] - low;
    CrossSides(e.face, start, span, [&](double t) {
      const double height = low + t * rise;
      if (height <= margin) out.Add(height, start + span * t + e.normal * (0.5 * height));
    });
  }
}

// Corners of the rectangle under box 2's face. When nothing was found before, a corner that is out in one coordinate
// only is compared with the nearest point of the outline.
void AddRectangleCorners(const EdgeFaces& e, double margin, TouchList& out) {
  const bool none = out.count == 0;
  const PlaneCoordinates plane(e.P[1] - e.P[0], e.P[2] - e.P[0]);
  double scale = 1 / plane.det;
  for (const double x : {-e.face.x, e.face.x}) {
    for (const double y : {-e.face.y, e.face.y}) {
      const Vec corner = {x, y, 0};
      double u = plane.U(corner - e.P[0]) * scale, v = plane.V(corner - e.P[0]) * scale;
      const bool u_in = u >= 0 && u <= 1, v_in = v >= 0 && v <= 1;
      if (none ? !u_in && !v_in : !u_in || !v_in) continue;
      u = std::clamp(u, 0.0, 1.0);
      v = std::clamp(v, 0.0, 1.0);
      const Vec X = e.Q[0] * (1 - u - v) + e.Q[1] * u + e.Q[2] * v;
      const double distance = Norm(corner - X);
      // Known flaw of the established contact set, kept for equality with it: from here on, the coordinates of the
      // other corners are scaled by the squared distance instead of the area, which usually rejects them.
      scale = 1 / (distance * distance);
      if (X.z > 0 && distance > margin) continue;
      out.Add(X.z < 0 ? -distance : distance, (corner + X) * 0.5);
    }
  }
}

// Vertices of box 2's face over the rectangle, with the same exception when there were no crossings.
void AddOutlineVertices(const EdgeFaces& e, double margin, bool no_crossings, TouchList& out) {
  const bool none = out.count == 0;
  for (int i = 0; i < 4; ++i) {
    const Vec p = e.P[i];
    const bool x_in = std::fabs(p.x) < e.face.x, y_in = std::fabs(p.y) < e.face.y;
    if (no_crossings ? !x_in && !y_in && !none : !x_in || !y_in) continue;
    const Vec clamped = {std::clamp(p.x, -e.face.x, e.face.x), std::clamp(p.y, -e.face.y, e.face.y), 0};
    const Vec shift = p - clamped;
    const double distance = std::sqrt(Dot(shift, shift) + e.height[i] * e.height[i]);
    if (e.Q[i].z > 0 && distance > margin) continue;
    out.Add(e.Q[i].z < 0 ? -distance : distance, (e.Q[i] + clamped) * 0.5);
  }
}

// Contacts in box 1's frame.
void TouchEdges(const BoxPair& p, const Separation& s, double margin, TouchList& out) {
  const EdgeFaces faces(p, s);
  AddOutlineCrossings(faces, margin, out);
  const bool no_crossings = out.count == 0;
  AddRectangleCorners(faces, margin, out);
  AddOutlineVertices(faces, margin, no_crossings, out);
  for (int i = 0; i < out.count; ++i) out.touch[i].pos = faces.face.ToBox(out.touch[i].pos);
}

// ---- clean-up

Vec Widened(const Vec& size, double margin, double factor) {
  return {(size.x + margin) * factor, (size.y + margin) * factor, (size.z + margin) * factor};
}

bool Within(const Vec& p, const Vec& half) {
  return (std::fabs(p.x) < half.x) & (std::fabs(p.y) < half.y) & (std::fabs(p.z) < half.z);
}

bool Beyond(const Vec& p, const Vec& half) {
  return (std::fabs(p.x) > half.x) | (std::fabs(p.y) > half.y) | (std::fabs(p.z) > half.z);
}

// Clipping at a nearly parallel plane may leave points far from where the boxes meet: those well outside of the one
// that are not well inside of the other. The point is in the frame of the first box.
bool IsStray(const BoxPair& p, double margin, const Vec& point) {
  const Vec other = MulTransposed(p.R, point - p.D);
  const bool beyond1 = Beyond(point, Widened(p.a, margin, kSlack)),
             beyond2 = Beyond(other, Widened(p.b, margin, kSlack));
  return (beyond1 && !Within(other, Widened(p.b, margin, 1 / kSlack))) ||
         (beyond2 && !Within(point, Widened(p.a, margin, 1 / kSlack)));
}

// Whether a later point is at the same place of the world.
bool IsDouble(const Vec* pos, int count, int i) {
  for (int j = i + 1; j < count; ++j) {
    if (pos[j].x == pos[i].x && pos[j].y == pos[i].y && pos[j].z == pos[i].z) return true;
  }
  return false;
}

// Writes the contacts, which are in the frame of `box`, the first of the pair.
int Write(const Geom<double>& box, const BoxPair& p, double margin, const TouchList& list, const Vec& normal,
          mjContact* con) {
  Vec pos[kMaxTouches];
  for (int i = 0; i < list.count; ++i) pos[i] = box.ToWorld(list.touch[i].pos);
  int count = 0;
  for (int i = 0; i < list.count; ++i) {
    if (IsStray(p, margin, list.touch[i].pos) || IsDouble(pos, list.count, i)) continue;
    WriteTouch({list.touch[i].dist, pos[i], normal}, Zero3<double>(), con[count++]);
  }
  return count;
}

}  // namespace

SINEW_DISPATCH int BoxBox(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ModelView<double> model(m);
  const DataView<double> data(d);
  const Geom<double> box1 = LoadGeom(model, data, g1), box2 = LoadGeom(model, data, g2);
  const BoxPair pair = Relative(box1, box2);
  Separation separation;
  if (!FindLeastOverlap(pair, margin, separation)) return 0;

  // contacts in the frame of the reference box; the normal points from box 1 to box 2
  TouchList list;
  if (separation.face >= 0 && separation.face % 2 == 1) {
    const BoxPair exchanged = Exchanged(pair, box2.ToLocal(box1.pos));
    const Vec normal = -TouchFace(exchanged, separation.face / 2, margin, list);
    return Write(box2, exchanged, margin, list, box2.mat * normal, con);
  }
  Vec normal = separation.axis;
  if (separation.face >= 0) {
    normal = TouchFace(pair, separation.face / 2, margin, list);
  } else {
    TouchEdges(pair, separation, margin, list);
  }
  return Write(box1, pair, margin, list, box1.mat * normal, con);
}

}  // namespace sinew
