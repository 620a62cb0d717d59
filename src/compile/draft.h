// Draft: the model between specification and mjModel. The specification stays as the user wrote it; passes resolve its
// frames, shapes, inertias and references here, and later passes write the draft into the arrays of mjModel.
#ifndef SINEW_COMPILE_DRAFT_H_
#define SINEW_COMPILE_DRAFT_H_

#include <array>
#include <string>
#include <vector>

#include "assets/hfield.h"
#include "assets/image.h"
#include "assets/mesh.h"
#include "assets/skin.h"
#include "compile/geometry/box_tree.h"
#include "compile/geometry/octree_builder.h"
#include "compile/geometry/simplices.h"
#include "compile/tree/pose.h"
#include "compile/tree/shape.h"
#include "kinematics/node_lattice.h"
#include "model/kinds/flex_equality.h"
#include "spec/spec.h"

namespace sinew::inline compile {

// Mass, principal moments about the centre of mass, and the frame of the principal axes in the body frame.
struct Inertial {
  double mass = 0;
  Vec3<double> moments = {0, 0, 0};
  Pose frame;
};

inline Body::Inertia ToPlain(const Inertial& inertial) {
  Body::Inertia plain;
  plain.mass = inertial.mass;
  StoreVec3(inertial.moments, plain.moments);
  StoreVec3(inertial.frame.pos, plain.pos);
  StoreQuat(inertial.frame.quat, plain.quat);
  return plain;
}

// ---- parts of bodies; poses are in the body frame

// A term of a motion by functions; the axis is in the body frame and of unit length.
struct MotionDraft {
  const MotionTerm* source;
  Vec3<double> axis;
  std::vector<double> function;  // its numbers (math/piecewise.h)
};

struct JointDraft {
  Joint* source;
  Vec3<double> pos, axis;
  bool limited, actfrclimited;
  double range[2];  // m or rad
  double ref, springref;
  std::vector<MotionDraft> motion;
};

struct GeomDraft {
  Geom* source;
  Shape shape;
  Pose pose;
  Pose in_element = {{0, 0, 0}, {1, 0, 0, 0}};  // its frame in that of the element: a mesh stands elsewhere
  Box box;                                      // in the geom frame
  double rbound;                                // radius of the bounding sphere, 0: unbounded
  double mass;                                  // zero: takes no part in the inertia of the body
  Vec3<double> moments;
  int hfield = -1, mesh = -1;
  int plugin = -1;
};

// A site has a shape for touch sensors and for display, but no mass.
struct SiteDraft {
  Site* source;
  Shape shape;
  Pose pose;
  std::vector<MotionDraft> motion;
};

// Field of view in degrees (extent in m for orthographic cameras); focal lengths and principal point in m.
struct CameraDraft {
  Camera* source;
  Pose pose;
  double fovy;
  std::array<float, 4> intrinsic;
};

// Lights have a direction, not an orientation; it has unit length.
struct LightDraft {
  Light* source;
  Vec3<double> pos, dir;
};

struct BodyDraft {
  Body* source;
  int parent;
  int weld;   // nearest body on the way to the world, this one included, that has joints
  Pose pose;  // in the parent's frame
  Inertial inertial;
  std::vector<JointDraft> joints;
  std::vector<GeomDraft> geoms;
  std::vector<SiteDraft> sites;
  std::vector<CameraDraft> cameras;
  std::vector<LightDraft> lights;
  std::vector<const Geom*> past_leaves;  // by node of the tree of boxes: see RememberLeaves
  int plugin = -1;
};

// ---- assets

struct TextureDraft {
  Texture* source;
  Image image;  // without pixels where the model gets a pattern of the library
};

struct MaterialDraft {
  Material* source;
};

struct MeshDraft {
  Mesh* source;
  CompiledMesh mesh;
  BoxTree tree;                    // over its faces
  std::vector<OctreeCell> octree;  // empty unless its signed distance is sampled
};

struct HFieldDraft {
  HField* source;
  Elevation elevation;  // in [0, 1]
};

struct SkinDraft {
  Skin* source;
  SkinData data;
  std::vector<int> bodies;  // of the bones
};

// ---- flexes

// Vertices are carried by bodies; `vert` is where, in the body's frame, and `points` are the same in the world frame at
// the reference configuration.
struct FlexDraft {
  Flex* source;
  int material = -1;
  bool rigid = false;     // one body carries all vertices
  bool centered = false;  // every vertex is at the origin of its body
  std::vector<int> bodies;
  std::vector<Vec3<double>> vert, points;
  Box box = {};  // around the points
  Simplices simplices;
  std::vector<bool> edge_rigid;
  std::vector<double> stiffness, bending;  // empty: zero
  std::vector<std::array<double, 4>> metric;

  // A flex that nodes move: its lattice, the nodes' bodies, where they are in these, and in the world with the axes of
  // the lattice.
  NodeLattice lattice;
  std::vector<int> node_bodies;
  std::vector<Vec3<double>> node, node0;
  std::array<Vec3<double>, 3> lattice_axes;  // in the world
  std::vector<bool> empty_cells;

  int equality = 0;            // 0: none, else as flex_edgeequality
  bool passive_edges = false;  // forces depend on the lengths of edges
  BoxTree tree;                // over the elements, in the world frame

  bool moved_by_nodes() const { return lattice.order > 0; }

  // Whether the vertices move against each other with bodies of their own.
  bool moved_by_vertices() const { return !rigid && !moved_by_nodes(); }

  bool has_vertex_strains() const {
    return moved_by_vertices() && simplices.dim == 2 && equality == flex_equality::kVertices;
  }

  // Whether anything needs the lengths of edges, and so the pattern of their Jacobian.
  bool needs_edges() const { return moved_by_vertices() && (equality != 0 || passive_edges); }
};

// ---- plugins

// An instance of an engine plugin: where it is registered, how many numbers its state has, and its values one behind
// the other.
struct PluginDraft {
  Plugin* source;
  int slot;  // -1: the element that uses the instance has the slot
  int nstate;
  std::vector<char> attributes;
};

// ---- relations

// A pair of geoms with every contact parameter resolved; geom1 is on the body of the smaller id.
struct PairDraft {
  Pair* source;
  int geom1, geom2, signature;
  int condim;
  double margin, gap;
  std::array<double, 5> friction;
  std::array<mjtNum, mjNREF> solref;
  std::array<mjtNum, mjNIMP> solimp;
};

struct ExcludeDraft {
  Exclude* source;
  int signature;
};

// Ids of what is joined; obj2 is -1 for none, or 0 (the world) for bodies.
struct EqualityDraft {
  Equality* source;
  int obj1, obj2;
};

// A step of a tendon: `prm` is the coefficient of a joint, the divisor of a pulley, or the id of the side site of a
// geom. A site that counts in a range of a coordinate has its joint.
struct WrapDraft {
  mjtWrap type;
  int objid;
  double prm;
  int condition = -1;
};

struct TendonDraft {
  Tendon* source;
  bool limited, actfrclimited;
  std::vector<WrapDraft> path;
};

// A number array that the compiler adds: what an extension has no other room for (docs/how/extensions.md).
struct ExtensionArray {
  std::string name;
  std::vector<double> data;
};

// trnid: what it acts on, and the slider or reference site (-1: none).
struct ActuatorDraft {
  Actuator* source;
  mjtTrn trntype;
  int trnid[2];
  int actnum;
  bool ctrllimited, forcelimited, actlimited;
  double ctrlrange[2], actrange[2];
  int plugin;  // -1: none
  int curves;  // of a musculotendon: index of an extension array, -1: none
};

// The object of a sensor, its reference (-1: the world), and the count of its numbers.
struct SensorDraft {
  Sensor* source;
  mjtDataType datatype;
  mjtStage needstage;
  mjtObj objtype, reftype;
  int objid, refid;
  int dim;
  int plugin;  // -1: none
};

struct TupleDraft {
  Tuple* source;
  std::vector<int> objid;
};

// Where a numbered part stands: the body, and its place among the body's parts of that kind.
struct PartRef {
  int body;
  size_t index;
};

// Passes fill it from top to bottom: each may use what stands above its own part.
struct Draft {
  Draft(Spec& s, const mjVFS* files) : spec(s), vfs(files) {}

  Spec& spec;
  const mjVFS* vfs;  // where files of assets may be; may be null
  std::vector<PluginDraft> plugins;
  std::vector<BodyDraft> bodies;              // depth first; the world is the first
  std::vector<PartRef> joints, geoms, sites;  // by id, once the tree is numbered
  int spare_boxes = 0;                        // unused nodes behind the bounding boxes of bodies
  int geom_user = 0;                          // the most user numbers of a geom that option discardvisual took away
  int body_user = 0;                          // the same of a body that option fusestatic took away
  std::vector<TextureDraft> textures;
  std::vector<MaterialDraft> materials;
  std::vector<MeshDraft> meshes;
  std::vector<HFieldDraft> hfields;
  std::vector<FlexDraft> flexes;
  std::vector<SkinDraft> skins;
  std::vector<PairDraft> pairs;  // by signature, as all that follows is in order of ids
  std::vector<ExcludeDraft> excludes;
  std::vector<EqualityDraft> equalities;
  std::vector<TendonDraft> tendons;
  std::vector<ActuatorDraft> actuators;
  std::vector<SensorDraft> sensors;
  std::vector<TupleDraft> tuples;
  std::vector<ExtensionArray> extensions;
};

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_DRAFT_H_
