// The skeleton of a document: bodies, coordinates and joints as the document has them, before they become elements.
//
// Names of poses: X_AB is the pose of frame B in frame A. A joint moves the frame M of the child from the frame F of
// the parent: X_PB = X_PF X_FM(q) X_BM^-1 for the bodies P and B.
#ifndef SINEW_OSIM_SKELETON_H_
#define SINEW_OSIM_SKELETON_H_

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "compile/tree/pose.h"
#include "mjcf/xml/xml_node.h"
#include "osim/function.h"
#include "spec/elements.h"

namespace sinew::osim {

using mjcf::XmlNode;

struct Coordinate {
  std::string name;
  std::string joint_name;  // of its joint
  const XmlNode* node;
  double default_value = 0;  // rad or m
  std::array<double, 2> range = {0, 0};
  bool has_range = false;
  bool locked = false;     // it stays at its default value
  Joint* joint = nullptr;  // once the tree is built; null: locked, or part of a ball or free joint
};

// One of the rotations or translations that a joint is made of, in the frame F. Without a coordinate it is constant.
struct TransformAxis {
  bool is_rotation;
  Vec3<double> axis;
  Coordinate* coordinate;
  FunctionValues function;
  const XmlNode* node;
};

enum class JointKind { kAxes, kBall, kFree };

struct JointRecord {
  const XmlNode* node;
  std::string name;
  JointKind kind = JointKind::kAxes;
  int parent = 0, child = 0;  // bodies
  Pose X_PF, X_BM;
  // Translations first: they are along axes of F. Each rotation turns about an axis of the frame that those before it
  // have turned.
  std::vector<TransformAxis> axes;
  std::vector<Coordinate*> coordinates;
};

struct BodyRecord {
  std::string name;
  const XmlNode* node;           // null: ground
  JointRecord* joint = nullptr;  // to the parent; null: none
  Body* body = nullptr;          // once the tree is built
  Pose X_GB = {};                // in ground, all coordinates at their default values
};

struct Skeleton {
  std::vector<BodyRecord> bodies;  // ground is the first
  std::deque<JointRecord> joints;
  std::deque<Coordinate> coordinates;

  // -1, null: there is none of this name. Of a path, as "/jointset/knee/knee_angle", the last part counts; among
  // several coordinates of a name that of the joint in front of it.
  int FindBody(std::string_view path) const;
  Coordinate* FindCoordinate(std::string_view path);
};

// The last part of a path of components, and the one in front of it; empty: there is none.
std::string_view LastPart(std::string_view path);
std::string_view OwnerPart(std::string_view path);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_SKELETON_H_
