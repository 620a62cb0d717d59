// A path is straight from point to point, and runs around obstacles where it would run through them. OpenSim looks for
// the piece that an obstacle lies on in every pose; a tendon has it between two points, so that it is decided here:
//
//   - an obstacle without a side stands in each piece of its range that may touch it, and does nothing in the others;
//   - one with a side, around which each piece would be led, stands in the piece that is next to it in the default
//   pose;
//   - obstacles of one piece are in the order in which the piece passes them there.
#include "osim/paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "osim/frames.h"
#include "osim/parts.h"

namespace sinew::osim {
namespace {

struct PathPoint {
  const XmlNode* node;
  Place place;
  Vec3<double> in_ground;  // at the default values of the coordinates
  std::string site;
  bool moves = false;            // in its body
  PathCondition condition = {};  // without a joint: always on the path
};

// An obstacle of a path, and between which points it may lie: those of the pieces from `first` to before `last`.
struct PathObstacle {
  const WrapObject* wrap;
  std::size_t first, last;
};

class Path {
 public:
  Path(Context& context, const XmlNode& node, const std::string& name)
      : context_(context), properties_(context, node), name_(name) {}

  Tendon* Build() {
    for (const XmlNode* point : properties_.Objects("PathPointSet")) ReadPoint(*point);
    for (const XmlNode* wrap : properties_.Objects("PathWrapSet")) ReadObstacle(*wrap);
    if (points_.size() < 2) {
      properties_.Fail("the path has " + std::to_string(points_.size()) + " points", "give it at least two");
      return nullptr;
    }
    PutObstacles();
    return &MakeTendon();
  }

 private:
  void ReadPoint(const XmlNode& node);
  void ReadMoves(Properties& properties, Site& site, PathPoint* point);
  bool ReadCondition(Properties& properties, PathCondition* condition);
  void ReadObstacle(const XmlNode& node);
  void PutObstacles();
  std::vector<std::size_t> PiecesOf(const PathObstacle& obstacle) const;
  double PassOf(const WrapObject& wrap, std::size_t piece) const;
  double PlaceAlong(const WrapObject& wrap, std::size_t piece) const;
  Pose PoseOf(const WrapObject& wrap) const { return X_GB(wrap.body) * wrap.X_BW; }
  const Pose& X_GB(int body) const { return context_.skeleton.bodies[static_cast<std::size_t>(body)].X_GB; }
  PathCondition ConditionOf(std::size_t i);
  Tendon& MakeTendon();

  Context& context_;
  Properties properties_;
  std::string name_;
  std::vector<PathPoint> points_;
  std::vector<PathObstacle> obstacles_;
  std::vector<std::vector<const WrapObject*>> in_piece_;  // piece i leads from point i to the next
};

void Path::ReadPoint(const XmlNode& node) {
  Properties properties(context_, node);
  const auto place =
      FindFrame(context_, properties.Text({"socket_parent_frame", "socket_parent_frame_connectee_name", "body"}), node);
  const Vec3<double> location = properties.Vector({"location"}, {0, 0, 0});
  const bool is_conditional = node.tag == "ConditionalPathPoint", moves = node.tag == "MovingPathPoint";
  if (node.tag != "PathPoint" && !moves && !is_conditional) {
    return properties.Fail("'" + node.tag + "' is no point of a path", "use PathPoint");
  }
  Body* body = place ? context_.skeleton.bodies[static_cast<std::size_t>(place->body)].body : nullptr;
  PathCondition condition;
  if (!body || (is_conditional && !ReadCondition(properties, &condition))) return;
  Site& site = body->Add<Site>();
  ShowPathPoint(site);
  const std::string number = std::to_string(points_.size() + 1);
  Name(context_, site, node, properties.name().empty() ? name_ + "-P" + number : properties.name());
  PathPoint point = {&node, *place, X_GB(place->body) * (place->pose * location), site.name};
  StoreVec3(InModel(*place) * location, site.pos);
  if (moves) ReadMoves(properties, site, &point);
  point.condition = condition;
  points_.push_back(point);
}

// A coordinate of the point is a function of one of the model; of a locked one it is a constant.
void Path::ReadMoves(Properties& properties, Site& site, PathPoint* point) {
  static constexpr const char* kFunctions[] = {"x_location", "y_location", "z_location"};
  static constexpr const char* kCoordinates[] = {"socket_x_coordinate", "socket_y_coordinate", "socket_z_coordinate"};
  static constexpr const char* kOlder[] = {"x_coordinate", "y_coordinate", "z_coordinate"};
  Vec3<double> constant = {0, 0, 0}, now = {0, 0, 0};
  const Pose in_model = InModel(point->place);
  for (int i = 0; i < 3; ++i) {
    const XmlNode* holder = properties.Find({kFunctions[i]});
    const std::string name = properties.Text({kCoordinates[i], kOlder[i]});
    if (!holder) continue;
    const FunctionValues function = ReadFunction(context_, *holder);
    const Coordinate* coordinate = name.empty() ? nullptr : context_.skeleton.FindCoordinate(name);
    if (!name.empty() && !coordinate) properties.Fail("there is no coordinate '" + name + "'", "correct the name");
    now[i] = ValueOf(function, coordinate ? coordinate->default_value : 0);
    const auto line = AsLine(function);
    if (!coordinate || !coordinate->joint || (line && line->slope == 0)) {
      constant[i] = now[i];
      continue;
    }
    Vec3<double> axis = {0, 0, 0};
    axis[i] = 1;
    MotionTerm& term = site.motion.emplace_back();
    StoreVec3(Rotate(in_model.quat, axis), term.axis.data());
    term.function = function;
    term.joint = coordinate->joint->name;
    term.where = holder->Location();
  }
  StoreVec3(in_model * constant, site.pos);
  point->moves = !site.motion.empty();
  point->in_ground = X_GB(point->place.body) * (point->place.pose * now);
}

// Whether the point may be on the path: the default value of a locked coordinate decides once. A condition on a
// coordinate of a ball or free joint is told.
bool Path::ReadCondition(Properties& properties, PathCondition* condition) {
  const std::string name = properties.Text({"socket_coordinate", "coordinate"});
  const auto range = properties.Numbers({"range"}).value_or(std::vector<double>());
  const Coordinate* coordinate = context_.skeleton.FindCoordinate(name);
  if (!coordinate) {
    properties.Fail("there is no coordinate '" + name + "'", "correct the name");
    return true;
  }
  if (range.size() != 2 || !(range[0] <= range[1])) {
    properties.Fail("the range of the point is none", "give two numbers that ascend");
    return true;
  }
  if (coordinate->locked) return coordinate->default_value >= range[0] && coordinate->default_value <= range[1];
  if (!coordinate->joint) {
    context_.dropped.Note(properties.node(), "a point of a path is taken as always there",
                          "its coordinate is part of a ball or free joint");
    return true;
  }
  condition->joint = coordinate->joint->name;
  std::copy(range.begin(), range.end(), condition->range);
  return true;
}

// The range counts points from 1; -1 is the first or last.
void Path::ReadObstacle(const XmlNode& node) {
  Properties properties(context_, node);
  properties.Skip({"method"});
  const std::string name = properties.Text({"wrap_object"});
  const WrapObject* wrap = FindWrap(context_, name);
  const auto range = properties.Numbers({"range"}).value_or(std::vector<double>{-1, -1});
  if (range.size() != 2)
    return properties.Fail("the range has " + std::to_string(range.size()) + " numbers", "give two");
  if (!wrap) return properties.Fail("there is no obstacle '" + name + "'", "correct wrap_object");
  if (wrap->geom.empty() || points_.empty()) return;
  const double count = static_cast<double>(points_.size());
  const double first = range[0] < 1 ? 1 : range[0], last = range[1] < 1 ? count : range[1];
  if (!(first < last && last <= count)) {
    return properties.Fail(
        "the range of the obstacle is none of the path's " + std::to_string(points_.size()) + " points",
        "count points from 1, or give -1");
  }
  obstacles_.push_back({wrap, static_cast<std::size_t>(first) - 1, static_cast<std::size_t>(last) - 1});
}

double Path::PassOf(const WrapObject& wrap, std::size_t piece) const {
  const Pose inverse = Inverse(PoseOf(wrap));
  return NearestPass(wrap, inverse * points_[piece].in_ground, inverse * points_[piece + 1].in_ground);
}

std::vector<std::size_t> Path::PiecesOf(const PathObstacle& obstacle) const {
  const WrapObject& wrap = *obstacle.wrap;
  std::vector<std::size_t> pieces;
  for (std::size_t i = obstacle.first; i < obstacle.last; ++i) {
    const auto is_fixed = [&](const PathPoint& p) {
      return !p.moves && p.condition.joint.empty() && p.place.body == wrap.body;
    };
    const bool never_moves = is_fixed(points_[i]) && is_fixed(points_[i + 1]);
    if (!never_moves || PassOf(wrap, i) < 1) pieces.push_back(i);
  }
  if (wrap.side_site.empty() || pieces.size() < 2) return pieces;
  return {*std::min_element(pieces.begin(), pieces.end(),
                            [&](std::size_t a, std::size_t b) { return PassOf(wrap, a) < PassOf(wrap, b); })};
}

// Where a piece passes the centre of an obstacle, along its direction.
double Path::PlaceAlong(const WrapObject& wrap, std::size_t piece) const {
  return Dot(PoseOf(wrap).pos - points_[piece].in_ground, points_[piece + 1].in_ground - points_[piece].in_ground);
}

void Path::PutObstacles() {
  in_piece_.resize(points_.size());
  for (const PathObstacle& obstacle : obstacles_) {
    for (const std::size_t piece : PiecesOf(obstacle)) in_piece_[piece].push_back(obstacle.wrap);
  }
  for (std::size_t i = 0; i < in_piece_.size(); ++i) {
    std::stable_sort(in_piece_[i].begin(), in_piece_[i].end(),
                     [&](const WrapObject* a, const WrapObject* b) { return PlaceAlong(*a, i) < PlaceAlong(*b, i); });
  }
}

// The ends of a path, and points beside an obstacle, are always on it.
PathCondition Path::ConditionOf(std::size_t i) {
  const PathPoint& point = points_[i];
  if (point.condition.joint.empty()) return {};
  const bool is_between = i > 0 && i + 1 < points_.size() && in_piece_[i].empty() && in_piece_[i - 1].empty();
  if (is_between) return point.condition;
  context_.dropped.Note(*point.node, "a point of a path is taken as always there",
                        "points at an end of a path, or beside an obstacle, have no range");
  return {};
}

Tendon& Path::MakeTendon() {
  Tendon& tendon = context_.spec.Add<Tendon>();
  Name(context_, tendon, properties_.node(), name_);
  ShowMuscle(tendon);
  const auto add = [&](mjtWrap type, const std::string& target, const XmlNode& node) -> Wrap& {
    Wrap& wrap = tendon.AddWrap(type);
    wrap.target = target;
    wrap.where = node.Location();
    *wrap.info = "line " + std::to_string(node.line);
    return wrap;
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    add(mjWRAP_SITE, points_[i].site, *points_[i].node).condition = ConditionOf(i);
    for (const WrapObject* wrap : in_piece_[i]) {
      add(mjWRAP_SPHERE, wrap->geom, *points_[i].node).sidesite = wrap->side_site;
    }
  }
  return tendon;
}

}  // namespace

Tendon* AddPath(Context& context, Properties& component) {
  const XmlNode* node = component.Find({"GeometryPath", "FunctionBasedPath"});
  if (!node || node->tag != "GeometryPath") {
    component.Fail(node ? "a FunctionBasedPath is none that a model has" : "the path is missing",
                   "give the component a GeometryPath");
    return nullptr;
  }
  return Path(context, *node, component.name()).Build();
}

}  // namespace sinew::osim
