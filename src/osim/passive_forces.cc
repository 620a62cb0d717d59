#include "osim/passive_forces.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "osim/frame_sites.h"
#include "osim/function.h"
#include "osim/linear_expression.h"
#include "osim/paths.h"

namespace sinew::osim {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;
constexpr int kAxes = 6;
constexpr char kNotLinear[] = "bushings are linear in their angles and translations";

// ---- bushings

// The second generation of the format says where frames are beside the bodies.
void MovePlace(Properties& properties, const char* location, const char* orientation, std::optional<Place>* place) {
  const Pose offset = properties.ReadPose({location}, {orientation});
  if (*place) (*place)->pose = (*place)->pose * offset;
}

// Three numbers of rotations, and three of translations.
std::vector<double> ReadSix(Properties& properties, std::string_view rotational, std::string_view translational) {
  const Vec3<double> of_angles = properties.Vector({rotational}, {0, 0, 0});
  const Vec3<double> of_shifts = properties.Vector({translational}, {0, 0, 0});
  return {of_angles.x, of_angles.y, of_angles.z, of_shifts.x, of_shifts.y, of_shifts.z};
}

void AddBushing(Context& context, Properties& properties, const std::vector<double>& stiffness) {
  TwoPlaces places = ReadTwoFrames(context, properties);
  MovePlace(properties, "location_body_1", "orientation_body_1", &places.first);
  MovePlace(properties, "location_body_2", "orientation_body_2", &places.second);
  properties.Skip({"moment_visual_scale", "force_visual_scale", "visual_aspect_ratio"});
  const std::vector<double> damping = ReadSix(properties, "rotational_damping", "translational_damping");
  if (!places) return;
  Site& first = AddFrameSite(context, properties, *places.first, "_1");
  const Site& second = AddFrameSite(context, properties, *places.second, "_2");
  first.bushings.push_back({second.name, stiffness, damping, properties.node().Location()});
}

// Reports a bushing that no model has.
void Drop(Context& context, Properties& properties, const char* why) {
  context.dropped.AddElement(properties.node(), why);
  properties.SkipAll();
}

}  // namespace

// Angles are in degrees, and so are stiffness and damping of coordinates that turn.
void ReadLimitForce(Properties& properties, Joint* joint) {
  const double unit = joint->type == mjJNT_HINGE ? kDegree : 1;
  LimitForce limit;
  limit.range[0] = properties.Number("lower_limit", 0) * unit;
  limit.range[1] = properties.Number("upper_limit", 0) * unit;
  limit.stiffness[0] = properties.Number("lower_stiffness", 1) / unit;
  limit.stiffness[1] = properties.Number("upper_stiffness", 1) / unit;
  limit.damping = properties.Number("damping", 0.001) / unit;
  limit.transition = properties.Number("transition", 0.1) * unit;
  limit.where = properties.node().Location();
  properties.Skip({"compute_dissipation_energy"});
  joint->limit_forces.push_back(limit);
}

void ReadBlankevoort(Context& context, Properties& properties) {
  Tendon* path = AddPath(context, properties);
  if (!path) return;
  Ligament ligament;
  ligament.slack_length = properties.Number("slack_length", 0);
  ligament.stiffness = properties.Number("linear_stiffness", 1);
  ligament.transition = properties.Number("transition_strain", 0.06);
  ligament.damping = properties.Number("damping_coefficient", 0.003);
  ligament.where = properties.node().Location();
  path->ligaments.push_back(ligament);
}

// Without a curve of its own it has the one that OpenSim's class has.
void ReadLigament(Context& context, Properties& properties) {
  const FunctionValues usual = {FunctionKind::kSimmSpline,
                                {-5, 0.998, 0.999, 1, 1.1,   1.2,  1.3,  1.4,  1.5,  1.6, 1.601, 1.602, 5,  //
                                 0,  0,     0,     0, 0.035, 0.12, 0.26, 0.55, 1.17, 2,   2,     2,     2}};
  Tendon* path = AddPath(context, properties);
  if (!path) return;
  Ligament ligament;
  const XmlNode* curve = properties.Find({"force_length_curve"});
  ligament.curve = curve ? ReadFunction(context, *curve) : usual;
  ligament.slack_length = properties.Number("resting_length", 0);
  ligament.force = properties.Number("pcsa_force", 0);
  ligament.where = properties.node().Location();
  path->ligaments.push_back(ligament);
}

void ReadBushing(Context& context, Properties& properties) {
  AddBushing(context, properties, ReadSix(properties, "rotational_stiffness", "translational_stiffness"));
}

void ReadFunctionBushing(Context& context, Properties& properties) {
  constexpr std::array<const char*, kAxes> kFunctions = {"m_x_theta_x_function", "m_y_theta_y_function",
                                                         "m_z_theta_z_function", "f_x_delta_x_function",
                                                         "f_y_delta_y_function", "f_z_delta_z_function"};
  std::vector<double> stiffness;
  for (const char* tag : kFunctions) {
    const XmlNode* node = properties.Find({tag});
    const std::optional<Line> line = node ? AsLine(ReadFunction(context, *node)) : Line{0, 0};
    if (!line || line->offset != 0) return Drop(context, properties, kNotLinear);
    stiffness.push_back(line->slope);
  }
  AddBushing(context, properties, stiffness);
}

void ReadExpressionBushing(Context& context, Properties& properties) {
  constexpr std::array<const char*, kAxes> kExpressions = {"Mx_expression", "My_expression", "Mz_expression",
                                                           "Fx_expression", "Fy_expression", "Fz_expression"};
  const std::vector<std::string> variables = {"theta_x", "theta_y", "theta_z", "delta_x", "delta_y", "delta_z"};
  std::vector<double> stiffness;
  for (const char* tag : kExpressions) {
    const std::string text = properties.Text({tag});
    const auto row = text.empty() ? std::vector<double>(kAxes, 0) : LinearCoefficients(text, variables);
    if (!row) return Drop(context, properties, kNotLinear);
    stiffness.insert(stiffness.end(), row->begin(), row->end());
  }
  for (int i = 0; i < kAxes; ++i) {
    for (int k = 0; k < i; ++k) {
      const auto at = [&](int row, int column) { return stiffness[static_cast<std::size_t>(kAxes * row + column)]; };
      if (at(i, k) != at(k, i)) return Drop(context, properties, "the stiffness of bushings is symmetric");
    }
  }
  AddBushing(context, properties, stiffness);
}

}  // namespace sinew::osim
