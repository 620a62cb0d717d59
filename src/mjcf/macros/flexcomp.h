// The attributes of a flexcomp element, on their way from the document to bodies and a flex:
//
//     values ──> points (flexcomp_points.cc) ──> pins ──> bodies, flex, equalities (flexcomp_build.cc)
#ifndef SINEW_MJCF_MACROS_FLEXCOMP_H_
#define SINEW_MJCF_MACROS_FLEXCOMP_H_

#include <set>
#include <string>
#include <vector>

#include "mjcf/macros/flexcomp_shape.h"
#include "mjcf/read/sections.h"

namespace sinew::mjcf {

struct Flexcomp {
  enum Type { kGrid, kBox, kCylinder, kEllipsoid, kSquare, kDisc, kCircle, kMesh, kGmsh, kDirect };
  enum Dof { kFull, kRadial, kTrilinear, kQuadratic, kPlanar };
  enum EqualityKind { kNoEquality, kEdges, kVertices, kStrain };

  std::string name;
  int type = kGrid, dof = kFull;
  int count[3] = {10, 10, 10};
  double spacing[3] = {0.02, 0.02, 0.02}, scale[3] = {1, 1, 1};
  double mass = 1, inertiabox = 0.005;
  bool rigid = false;
  Flex flex;
  Equality edges;
  int equality = kNoEquality;
  Plugin plugin;  // of every body
  FlexcompShape shape;
  std::vector<int> kept;  // of each given point: its number after those that no element uses are gone, or -1
  std::set<int> pins;     // points, or nodes where these move the flex

  bool is_solid() const { return type == kBox || type == kCylinder || type == kEllipsoid; }
  bool moved_by_nodes() const { return flex.order > 0 && !rigid; }
};

// Points and elements, in the frame of the parent; texture coordinates.
void MakePoints(Context& context, ElementReader& reader, Flexcomp& comp);

// Adds the bodies, the flex and its equalities.
void BuildFlexcomp(Context& context, const XmlNode& node, const Place& place, const Flexcomp& comp);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_MACROS_FLEXCOMP_H_
