// Counts everything that a model will have, before memory is allocated for it. User numbers and the arena have sizes
// that the user may give; all others follow from the draft.
#include "compile/sizes.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "compile/diagnose.h"
#include "compile/flex/flex_elasticity.h"
#include "compile/flex/flex_nodes.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "model/kinds/names.h"
#include "model/storage/error_control.h"
#include "model/view/fields_generated.h"

namespace sinew::inline compile {
namespace {

template <class T>
mjtSize Count(const std::vector<T>& list) {
  return static_cast<mjtSize>(list.size());
}

// ---- user numbers

// Columns for user numbers: the count that the specification sets, or the most that any element has.
class UserColumns {
 public:
  UserColumns(int wanted, const char* name) : wanted_(wanted), name_(name) {
    if (wanted < -1) throw Error(std::string(name) + " is " + std::to_string(wanted), "give -1 or a count");
  }

  template <class Drafts>
  void Add(const Drafts& drafts) {
    for (const auto& draft : drafts) {
      const int given = static_cast<int>(draft.source->userdata->size());
      most_ = std::max(most_, given);
      if (wanted_ >= 0 && given > wanted_) {
        throw Error("user has " + std::to_string(given) + " numbers", std::string("raise ") + name_)
            .At(Place(*draft.source));
      }
    }
  }

  void AddCount(int given) { most_ = std::max(most_, given); }

  int columns() const { return wanted_ < 0 ? most_ : wanted_; }

 private:
  int wanted_, most_ = 0;
  const char* name_;
};

// Every kind that has user numbers; the world counts as a body.
void SizeUser(const Draft& draft, mjModel& s) {
  const Spec& spec = draft.spec;
  UserColumns body(spec.nuser_body, "nuser_body"), jnt(spec.nuser_jnt, "nuser_jnt"),
      geom(spec.nuser_geom, "nuser_geom"), site(spec.nuser_site, "nuser_site"), cam(spec.nuser_cam, "nuser_cam"),
      tendon(spec.nuser_tendon, "nuser_tendon"), actuator(spec.nuser_actuator, "nuser_actuator"),
      sensor(spec.nuser_sensor, "nuser_sensor");
  body.Add(draft.bodies);
  for (const BodyDraft& b : draft.bodies) {
    jnt.Add(b.joints);
    geom.Add(b.geoms);
    site.Add(b.sites);
    cam.Add(b.cameras);
  }
  // What options took away counts, as in MuJoCo 3.8.0, and as in a saved file, which holds it.
  geom.AddCount(draft.geom_user);
  body.AddCount(draft.body_user);
  tendon.Add(draft.tendons);
  actuator.Add(draft.actuators);
  sensor.Add(draft.sensors);
  s.nuser_body = body.columns();
  s.nuser_jnt = jnt.columns();
  s.nuser_geom = geom.columns();
  s.nuser_site = site.columns();
  s.nuser_cam = cam.columns();
  s.nuser_tendon = tendon.columns();
  s.nuser_actuator = actuator.columns();
  s.nuser_sensor = sensor.columns();
}

// ---- counts of objects and of what hangs on them

// Bodies, their parts, and the matrices over their dofs.
void SizeTree(const Draft& draft, const Topology& topology, mjModel& s) {
  s.nq = topology.nq;
  s.nv = topology.nv();
  s.ntree = Count(topology.trees);
  s.nbody = Count(draft.bodies);
  s.nmocap = topology.nmocap;
  for (const BodyDraft& body : draft.bodies) {
    s.njnt += Count(body.joints);
    s.ngeom += Count(body.geoms);
    s.nsite += Count(body.sites);
    s.ncam += Count(body.cameras);
    s.nlight += Count(body.lights);
    s.ngravcomp += body.source->gravcomp > 0;
  }
  s.nM = topology.nM;
  s.nB = topology.nB;
  s.nC = topology.nC;
  s.nD = topology.nD;
}

// Coordinates of meshes are three numbers a vertex, those of textures two.
void SizeMeshes(const std::vector<MeshDraft>& meshes, mjModel& s) {
  s.nmesh = Count(meshes);
  for (const MeshDraft& draft : meshes) {
    const CompiledMesh& mesh = draft.mesh;
    s.nmeshvert += Count(mesh.data.vertex) / 3;
    s.nmeshnormal += Count(mesh.data.normal) / 3;
    s.nmeshtexcoord += Count(mesh.data.texcoord) / 2;
    s.nmeshface += Count(mesh.data.face) / 3;
    s.nmeshgraph += Count(mesh.graph);
    s.nmeshpoly += Count(mesh.polygons);
    s.noct += Count(draft.octree);
    // Every corner of a polygon counts at its vertex too.
    for (const MeshPolygon& polygon : mesh.polygons) s.nmeshpolyvert += Count(polygon.vertices);
  }
  s.nmeshpolymap = s.nmeshpolyvert;
}

// Elements of solids that cannot collide are counted too; only the tree leaves them out.
void SizeFlexes(const Draft& draft, const Topology& topology, mjModel& s) {
  s.nflex = Count(draft.flexes);
  for (const FlexDraft& flex : draft.flexes) {
    const Simplices& simplices = flex.simplices;
    s.nflexnode += Count(flex.node);
    s.nflexvert += Count(flex.vert);
    s.nflexedge += Count(simplices.edges);
    s.nflexelem += simplices.count();
    s.nflexelemdata += Count(simplices.vertices);
    s.nflexstiffness += kElementStiffness * simplices.count() + CellStiffnessCount(flex);
    s.nflexelemedge += Count(simplices.element_edges);
    s.nflexshelldata += Count(simplices.shell);
    s.nflexevpair += Count(simplices.evpairs);
    s.nflextexcoord += Count(*flex.source->texcoord) / 2;
    s.nbvhdynamic += Count(flex.tree.nodes);
  }
  s.nJfe = topology.nJfe;
  s.nJfv = topology.nJfv;
}

// A bone counts each vertex that it moves, with the weights of these.
void SizeSkins(const std::vector<SkinDraft>& skins, mjModel& s) {
  s.nskin = Count(skins);
  for (const SkinDraft& skin : skins) {
    s.nskinvert += Count(skin.data.vertex) / 3;
    s.nskintexvert += Count(skin.data.texcoord) / 2;
    s.nskinface += Count(skin.data.face) / 3;
    s.nskinbone += Count(skin.data.bones);
    for (const SkinBone& bone : skin.data.bones) s.nskinbonevert += Count(bone.vertex);
  }
}

// Elements of data; addresses into them follow from the order of the assets.
void SizeAssets(const Draft& draft, mjModel& s) {
  SizeMeshes(draft.meshes, s);
  s.nhfield = Count(draft.hfields);
  for (const HFieldDraft& hfield : draft.hfields) s.nhfielddata += Count(hfield.elevation.data);
  s.ntex = Count(draft.textures);
  for (const TextureDraft& texture : draft.textures) s.ntexdata += static_cast<mjtSize>(texture.image.bytes());
  s.nmat = Count(draft.materials);
  SizeSkins(draft.skins, s);
  s.npaths = PathsLength(draft);
}

// Rows that an equality constraint takes.
int RowCount(mjtEq type) { return type == mjEQ_CONNECT ? 3 : type == mjEQ_WELD ? 7 : 1; }

// Counts of the elements that refer to the tree, and sizes of the vectors act, ctrl, sensordata and history of mjData.
void SizeRelations(const Draft& draft, const Topology& topology, mjModel& s) {
  s.npair = Count(draft.pairs);
  s.nexclude = Count(draft.excludes);
  s.neq = Count(draft.equalities);
  for (const EqualityDraft& equality : draft.equalities) s.nemax += RowCount(equality.source->type);
  s.ntendon = Count(draft.tendons);
  for (const TendonDraft& tendon : draft.tendons) s.nwrap += Count(tendon.path);
  s.nJten = topology.tendon_jacobian.count();
  s.nu = Count(draft.actuators);
  s.nJmom = topology.nJmom;
  for (const ActuatorDraft& actuator : draft.actuators) {
    s.na += actuator.actnum;
    s.nhistory += HistoryLength(actuator.source->nsample, 1);
  }
  if (draft.spec.Find<Numeric>(kErrorControlArray) || IsErrorControlled(draft.spec.option.integrator))
    s.nhistory += kErrorControlStates;
  s.nhistory += StickStates(draft);
  s.nsensor = Count(draft.sensors);
  for (const SensorDraft& sensor : draft.sensors) {
    s.nsensordata += sensor.dim;
    s.nhistory += HistoryLength(sensor.source->nsample, sensor.dim);
  }
}

// A text takes its terminator too.
void SizeCustom(const Draft& draft, mjModel& s) {
  const Spec& spec = draft.spec;
  s.nnumeric = Count(spec.List<Numeric>()) + Count(draft.extensions);
  for (const ExtensionArray& array : draft.extensions) s.nnumericdata += Count(array.data);
  for (const auto& numeric : spec.List<Numeric>()) s.nnumericdata += NumericSize(*numeric);
  s.ntext = Count(spec.List<Text>());
  for (const auto& text : spec.List<Text>()) s.ntextdata += static_cast<mjtSize>(text->data->size()) + 1;
  s.ntuple = Count(draft.tuples);
  for (const TupleDraft& tuple : draft.tuples) s.ntupledata += Count(tuple.objid);
  s.nkey = KeyCount(spec);
  s.nuserdata = spec.nuserdata;
  if (s.nuserdata < 0) throw Error("nuserdata is negative", "give a count");
}

// States of plugins are counted only once the plugins have been asked (AskPlugins).
void SizePlugins(const Draft& draft, mjModel& s) {
  s.nplugin = Count(draft.plugins);
  for (const PluginDraft& instance : draft.plugins) {
    s.npluginattr += Count(instance.attributes);
    s.npluginstate += instance.nstate;
  }
}

// ---- memory

// Sizes are far below the range of 64 bits, so that this cannot overflow.
mjtSize RoundUp(mjtSize bytes, mjtSize unit) { return (bytes + unit - 1) / unit * unit; }

// Bytes of the arena. Without a wish of the user: room for a stack that grows with the square of the constraint rows,
// for contacts, and for a dense constraint Jacobian, in whole mebibytes.
mjtSize ArenaSize(const Spec& spec, const mjModel& s) {
  if (spec.memory >= 0) return spec.memory;
  const mjtSize contacts = s.nconmax >= 0 ? s.nconmax : 100, rows = s.njmax >= 0 ? s.njmax : 500;
  constexpr mjtSize kMaxRows = 100'000'000;  // their square times 100 bytes still is a number of bytes
  if (rows > kMaxRows) {
    throw Error("njmax is " + std::to_string(rows), "use at most " + std::to_string(kMaxRows) + ", or memory");
  }
  const mjtSize objects =
      s.nq + s.nv + s.nu + s.na + s.nbody + s.njnt + s.ngeom + s.nsite + s.neq + s.ntendon + s.nwrap;
  const mjtSize square = rows + s.neq + s.nv;
  const mjtSize stack = spec.nstack >= 0 ? spec.nstack : std::max<mjtSize>(1000, 5 * square * square + 20 * objects);
  const mjtSize number = sizeof(mjtNum), integer = sizeof(int);
  const mjtSize row_bytes = rows * (8 * integer + 14 * number);
  const mjtSize jacobian_bytes = 3 * integer * s.nv + 3 * number * rows * s.nv + (number + integer) * rows * rows;
  return RoundUp(number * stack + contacts * static_cast<mjtSize>(sizeof(mjContact)) + row_bytes + jacobian_bytes,
                 mjtSize{1} << 20);
}

// Addresses into arrays are ints, except those of textures. All counts above are sums of 64 bits.
void CheckAddressable(const mjModel& s) {
  for (const ModelSize& size : kModelSizes) {
    const std::string_view name = size.name;
    if (name == "ntexdata" || name == "narena" || s.*size.member <= std::numeric_limits<int>::max()) continue;
    throw Error("the model is too large: " + std::string(name) + " is " + std::to_string(s.*size.member),
                "make the model smaller");
  }
}

}  // namespace

// The arena comes last, because its size depends on the other counts.
mjModel FindSizes(const Draft& draft, const Topology& topology, const std::vector<BoxTree>& body_trees,
                  const std::vector<NameGroup>& names) {
  mjModel s = {};
  SizeTree(draft, topology, s);
  SizeAssets(draft, s);
  SizeRelations(draft, topology, s);
  SizeCustom(draft, s);
  SizePlugins(draft, s);
  SizeUser(draft, s);
  for (const BoxTree& tree : body_trees) s.nbvh += Count(tree.nodes);
  for (const MeshDraft& mesh : draft.meshes) s.nbvh += Count(mesh.tree.nodes);
  s.nbvh += draft.spare_boxes;
  s.nbvhstatic = s.nbvh;
  SizeFlexes(draft, topology, s);
  s.nbvh += s.nbvhdynamic;
  s.nnames = NamesLength(draft, names);
  s.nnames_map = NamesMapSize(s);
  s.njmax = draft.spec.njmax;
  s.nconmax = draft.spec.nconmax;
  CheckAddressable(s);
  s.narena = ArenaSize(draft.spec, s);
  return s;
}

}  // namespace sinew::inline compile
