// Obstacles that muscles run around: spheres, cylinders and ellipsoids of bodies become geoms that do not collide.
#ifndef SINEW_OSIM_WRAPS_H_
#define SINEW_OSIM_WRAPS_H_

#include <string>
#include <vector>

#include "compile/tree/pose.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::osim {

struct Context;

struct WrapObject {
  std::string name;  // in the document
  int body = 0;
  Pose X_BW;              // in the body of the document
  Vec3<double> inverse;   // of the radii; 0: the surface goes on along this axis
  std::string geom;       // its name in the model; empty: a kind that models do not have
  std::string side_site;  // on the side where paths pass; empty: any
};

// Reads the WrapObjectSets of bodies and of frames that are fixed to them.
void ReadWraps(Context& context, const mjcf::XmlNode& model);

// null: there is none of this name.
const WrapObject* FindWrap(const Context& context, const std::string& name);

// How near a segment comes to the axis or centre of an obstacle, in its radii: below 1 it runs through. Both points are
// given in the frame of the obstacle.
double NearestPass(const WrapObject& wrap, const Vec3<double>& from, const Vec3<double>& to);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_WRAPS_H_
