// State that the parts of the reader share, and records of what a document has, before it becomes elements.
#ifndef SINEW_HFD_CONTEXT_H_
#define SINEW_HFD_CONTEXT_H_

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/tree/pose.h"
#include "osim/context.h"
#include "simd/functions.h"

namespace sinew::hfd {

using mjcf::XmlNode;
using osim::Name;

inline constexpr double kDegree = kPi / 180;

// The entry model_options: what parts have that do not say otherwise.
struct ModelOptions {
  double density = 1000;                          // kg/m^3
  double limit_stiffness = 0, limit_damping = 0;  // of joints [N m/rad, s/rad]
  double force_multiplier = 1;                    // of muscles
};

struct Material {
  double static_friction = 1, dynamic_friction = 1;
  double stiffness = 1e6, damping = 1;
};

// A coordinate: a rotation about an axis of a joint, or of a body that nothing holds, or a translation of such a body.
struct Dof {
  const XmlNode* node;
  std::string name;
  std::string owner;  // a joint or body
  bool is_rotation = true;
  int axis = 0;      // x, y, z
  double sign = 1;   // of the coordinate
  double value = 0;  // rad or m, at the start
  std::optional<std::array<double, 2>> range = {};
  bool is_used = false;
};

struct JointRecord {
  const XmlNode* node;
  std::string name, parent, child;
};

struct BodyRecord {
  std::string name;
  const XmlNode* node = nullptr;
  bool is_fixed = false;               // in ground
  const JointRecord* joint = nullptr;  // to the parent; null: none
  Pose start;                          // in ground, as the document says
  Body* body = nullptr;                // once the tree is built
  Pose frame = {};                     // of the record, in that of `body`
};

struct Context : osim::ImportContext {
  ModelOptions options = {};
  std::map<std::string, Material, std::less<>> materials = {};
  std::vector<Dof> dofs = {};
  std::deque<JointRecord> joints = {};
  std::vector<BodyRecord> bodies = {};
  std::map<const Joint*, std::vector<double>> start = {};  // coordinates at the start

  // Null: there is none of this name.
  BodyRecord* FindBody(std::string_view name) {
    for (BodyRecord& body : bodies) {
      if (body.name == name) return &body;
    }
    return nullptr;
  }
};

}  // namespace sinew::hfd

#endif  // SINEW_HFD_CONTEXT_H_
