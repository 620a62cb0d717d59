// The elements that a flexcomp stands for: bodies that move its points or nodes, the flex, and equalities.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "compile/flex/flex_cells.h"
#include "mjcf/macros/flexcomp.h"

namespace sinew::mjcf {
namespace {

constexpr Vec3<double> kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// ---- nodes

// The nodes of a flexcomp stand on a lattice over the box of its points. Those that belong to empty cells alone would
// not be held by anything: they stay in the parent, like pinned ones.
class Nodes {
 public:
  explicit Nodes(const Flexcomp& comp) : comp_(comp) {
    const int* cells = comp.flex.cellcount;
    lattice_ = {comp.flex.order, {cells[0], cells[1], cells[2]}};
    empty_ = EmptyCells(lattice_, comp.flex.dim, comp.shape.elements, comp.shape.points);
    lower_ = upper_ = comp.shape.points[0];
    for (const Vec3<double>& p : comp.shape.points) {
      for (int a = 0; a < 3; ++a) {
        lower_[a] = std::min(lower_[a], p[a]);
        upper_[a] = std::max(upper_[a], p[a]);
      }
    }
    FindPins();
    FindMasses();
  }

  const NodeLattice& lattice() const { return lattice_; }
  bool is_empty(int cell) const { return empty_[static_cast<size_t>(cell)]; }
  bool is_pinned(int node) const { return pinned_[static_cast<size_t>(node)]; }
  bool any_pinned() const { return std::find(pinned_.begin(), pinned_.end(), true) != pinned_.end(); }
  double mass(int node) const { return mass_[static_cast<size_t>(node)]; }

  // The nodes of a lattice are equally spaced over the box of the points, ends included.
  Vec3<double> Position(const std::array<int, 3>& at) const {
    Vec3<double> p;
    for (int a = 0; a < 3; ++a) {
      p[a] = lower_[a] + (upper_[a] - lower_[a]) * at[static_cast<size_t>(a)] / (lattice_.along(a) - 1);
    }
    return p;
  }

  // Calls visit(node, {i, j, k}).
  template <class Visit>
  void ForAll(Visit&& visit) const {
    int node = 0;
    for (int i = 0; i < lattice_.along(0); ++i) {
      for (int j = 0; j < lattice_.along(1); ++j) {
        for (int k = 0; k < lattice_.along(2); ++k) visit(node++, std::array<int, 3>{i, j, k});
      }
    }
  }

 private:
  // Every node starts as pinned; those of cells that hold something become free, and pins of the document fix some
  // again.
  void FindPins() {
    pinned_.assign(static_cast<size_t>(lattice_.node_count()), true);
    for (int cell = 0; cell < lattice_.cell_count(); ++cell) {
      if (is_empty(cell)) continue;
      lattice_.ForNodes(cell, [&](int, int node) { pinned_[static_cast<size_t>(node)] = false; });
    }
    for (const int pin : comp_.pins) {
      if (pin < lattice_.node_count()) pinned_[static_cast<size_t>(pin)] = true;
    }
  }

  // Linear cells share mass equally. In quadratic ones the integral of a node's function is its share: a product of
  // Simpson's weights 1/6, 2/3, 1/6, those at the ends doubled where two cells meet.
  double Share(const std::array<int, 3>& at) const {
    double share = 1;
    for (size_t a = 0; a < 3 && lattice_.order == 2; ++a) {
      const bool at_end = at[a] == 0 || at[a] == lattice_.along(static_cast<int>(a)) - 1;
      share *= at[a] % 2 == 1 ? 2.0 / 3 : at_end ? 1.0 / 6 : 1.0 / 3;
    }
    return share;
  }

  // Pinned nodes have no mass; what they would have had goes to the others, so that the sum stays that of the document.
  void FindMasses() {
    double sum = 0;
    ForAll([&](int node, const std::array<int, 3>& at) {
      mass_.push_back(is_pinned(node) ? 0 : Share(at));
      sum += mass_.back();
    });
    for (double& mass : mass_) mass *= sum > 0 ? comp_.mass / sum : 0;
  }

  const Flexcomp& comp_;
  NodeLattice lattice_;
  std::vector<bool> empty_, pinned_;
  std::vector<double> mass_;
  Vec3<double> lower_, upper_;
};

// ---- elements

class Builder {
 public:
  Builder(Context& context, const XmlNode& node, const Place& place, const Flexcomp& comp)
      : context_(context), node_(node), place_(place), comp_(comp) {}

  // Rigid flexes hang on one body as a whole, whatever their points; others have bodies for nodes or for points.
  void Build() {
    Flex& flex = context_.spec.Add<Flex>();
    flex.CopyValues(comp_.flex);
    Name(flex, comp_.name);
    *flex.elem = comp_.shape.elements;
    const bool is_rigid = comp_.rigid || IsPinned();
    if (is_rigid || !comp_.moved_by_nodes()) std::fill_n(flex.cellcount, 3, 1);
    if (is_rigid) {
      flex.order = 0;
      flex.vertbody->push_back(place_.body->name);
      for (const Vec3<double>& p : comp_.shape.points) Append(p, *flex.vert);
      return;  // what is rigid needs no constraints
    }
    if (comp_.moved_by_nodes()) {
      AddNodes(flex);
    } else {
      AddPoints(flex);
    }
    if (comp_.equality == Flexcomp::kEdges || comp_.equality == Flexcomp::kVertices ||
        (comp_.equality == Flexcomp::kStrain && !comp_.moved_by_nodes())) {
      AddEquality();
    }
  }

 private:
  static void Append(const Vec3<double>& p, std::vector<double>& list) { list.insert(list.end(), {p.x, p.y, p.z}); }

  // Pins of all points hold the flex as a whole, whatever moves it.
  bool IsPinned() const {
    const auto count = static_cast<int>(comp_.shape.points.size());
    return std::distance(comp_.pins.begin(), comp_.pins.lower_bound(count)) == count;
  }

  // A body for each point that moves; the others stay in the parent.
  void AddPoints(Flex& flex) {
    const double mass = comp_.mass / static_cast<double>(comp_.shape.points.size());
    for (size_t i = 0; i < comp_.shape.points.size(); ++i) {
      const Vec3<double>& p = comp_.shape.points[i];
      const bool pinned = comp_.pins.contains(static_cast<int>(i));
      flex.vertbody->push_back(pinned ? place_.body->name : AddBody(std::to_string(i), p, mass));
      Append(pinned ? p : Vec3<double>{0, 0, 0}, *flex.vert);
    }
    if (comp_.pins.empty()) flex.vert->clear();
  }

  // A body for each node that moves. The points are given in the parent, where they are at rest.
  void AddNodes(Flex& flex) {
    const Nodes nodes(comp_);
    nodes.ForAll([&](int node, const std::array<int, 3>& at) {
      const Vec3<double> p = nodes.Position(at);
      const bool pinned = nodes.is_pinned(node);
      const std::string suffix = std::to_string(at[0]) + "_" + std::to_string(at[1]) + "_" + std::to_string(at[2]);
      flex.nodebody->push_back(pinned ? place_.body->name : AddBody(suffix, p, nodes.mass(node)));
      Append(pinned ? p : Vec3<double>{0, 0, 0}, *flex.node);
    });
    if (!nodes.any_pinned()) flex.node->clear();
    flex.vertbody->assign(comp_.shape.points.size(), place_.body->name);
    for (const Vec3<double>& p : comp_.shape.points) Append(p, *flex.vert);
    if (comp_.equality == Flexcomp::kStrain) AddStrain(nodes);
  }

  // Strain constraints name a cell by its three indices in eq_data.
  void AddStrain(const Nodes& nodes) {
    const int* n = nodes.lattice().cells;
    for (int i = 0; i < n[0]; ++i) {
      for (int j = 0; j < n[1]; ++j) {
        for (int k = 0; k < n[2]; ++k) {
          if (nodes.is_empty(nodes.lattice().Cell(i, j, k))) continue;
          Equality& equality = AddEquality();
          const double cell[3] = {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
          std::copy_n(cell, 3, equality.data);
        }
      }
    }
  }

  // A body that moves a point or node; returns its name.
  std::string AddBody(const std::string& suffix, const Vec3<double>& p, double mass) {
    Body& body = place_.body->Add<Body>();
    Name(body, comp_.name + "_" + suffix);
    StoreVec3(p, body.pos);
    // The inertia of a box with half sizes b:  m/3 (b^2 + b^2)
    body.explicitinertial = 1;
    body.mass = mass;
    std::fill_n(body.inertia, 3, body.mass * (2 * comp_.inertiabox * comp_.inertiabox) / 3);
    std::fill_n(body.ipos, 3, 0.0);
    if (comp_.dof == Flexcomp::kRadial) {
      AddSlide(body, p);
    } else {
      for (int k = 0; k < (comp_.dof == Flexcomp::kPlanar ? 2 : 3); ++k) AddSlide(body, kAxes[k]);
    }
    if (comp_.plugin.active) {
      body.plugin.active = 1;
      *body.plugin.plugin_name = *comp_.plugin.plugin_name;
      *body.plugin.name = *comp_.plugin.mjsPlugin::name;
      body.plugin.element = comp_.plugin.mjsPlugin::element;
    }
    return body.name;
  }

  // A slide has the class of the place where the flexcomp stands, which decides its damping.
  void AddSlide(Body& body, const Vec3<double>& axis) {
    Joint& joint = body.Add<Joint>(place_.body->ChildDefault(place_.frame));
    joint.where = node_.Location();
    joint.type = mjJNT_SLIDE;
    std::fill_n(joint.pos, 3, 0.0);
    StoreVec3(axis, joint.axis);
  }

  // Constraints copy the solver parameters of the element `edge`.
  Equality& AddEquality() {
    Equality& equality = context_.spec.Add<Equality>();
    equality.CopyValues(comp_.edges);
    static_cast<Element&>(equality).where = node_.Location();
    equality.type = comp_.equality == Flexcomp::kEdges      ? mjEQ_FLEX
                    : comp_.equality == Flexcomp::kVertices ? mjEQ_FLEXVERT
                                                            : mjEQ_FLEXSTRAIN;
    equality.active = 1;
    if (equality.type == mjEQ_FLEXSTRAIN) std::fill_n(equality.data, 3, 0.0);  // a cell, not coefficients
    *equality.name1 = comp_.name;
    return equality;
  }

  // Elements that a flexcomp makes are found in errors by its line.
  template <class T>
  void Name(T& element, const std::string& name) {
    static_cast<Element&>(element).where = node_.Location();
    *element.info = "line " + std::to_string(node_.line);
    if (!context_.spec.SetName(element, name)) {
      throw Error(
          std::string("another ") + TypeName(static_cast<Element&>(element).elemtype) + " has the name '" + name + "'",
          "give the flexcomp another name");
    }
  }

  Context& context_;
  const XmlNode& node_;
  const Place& place_;
  const Flexcomp& comp_;
};

}  // namespace

void BuildFlexcomp(Context& context, const XmlNode& node, const Place& place, const Flexcomp& comp) {
  Builder(context, node, place, comp).Build();
}

}  // namespace sinew::mjcf
