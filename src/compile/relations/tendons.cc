// Tendons: combinations of joints, and paths through sites and around geoms. Checks the rules of paths
// (docs/how/kinematics.md says how lengths follow) and writes them as steps of the wrap arrays.
#include "compile/diagnose.h"
#include "compile/draft_list.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "compile/topology/relations.h"
#include "compile/tree/motion.h"
#include "core/warning.h"
#include "model/view/wrap_types.h"

namespace sinew::inline compile {
namespace {

// ---- objects on the path

// The side site says on which side of the geom the tendon runs; from inside the geom, that it wraps internally. The
// type of the geom is known only now, and who made the path may ask for it.
WrapDraft DraftGeomWrap(Wrap& wrap, const Spec& spec) {
  const auto& geom = static_cast<const Geom&>(Require(spec, mjOBJ_GEOM, wrap.target));
  if (geom.type != mjGEOM_SPHERE && geom.type != mjGEOM_CYLINDER && geom.type != mjGEOM_ELLIPSOID) {
    throw Error("geom '" + wrap.target + "' is not a sphere, cylinder or ellipsoid", "tendons wrap around these only");
  }
  // specifications have no type for ellipsoids: they count as spheres until they are written into a model
  wrap.type = geom.type == mjGEOM_CYLINDER ? mjWRAP_CYLINDER : mjWRAP_SPHERE;
  const int side = OptionalId(spec, mjOBJ_SITE, wrap.sidesite);
  return {wrap.type, geom.id, static_cast<double>(side)};
}

// Of a ball or free joint, the first coordinate counts, and its first dof as the rate of that, as in MuJoCo 3.8.0. For
// a free joint these are place and velocity along x; for a ball they do not belong together.
void WarnOfJoint(const Joint& joint, const Wrap& wrap) {
  if (joint.type == mjJNT_HINGE || joint.type == mjJNT_SLIDE) return;
  const Error notice("joint '" + wrap.target + "' of a fixed tendon is not a slide or hinge: of its coordinates and " +
                         "velocities, the first counts",
                     "choose joints of these types", Place(wrap));
  Warn("%s", notice.what());
}

// The joint in whose range a point counts; -1: always.
int DraftCondition(const Wrap& wrap, const Spec& spec) {
  const PathCondition& condition = wrap.condition;
  if (condition.joint.empty()) return -1;
  if (!(condition.range[0] <= condition.range[1])) {
    throw Error("the range of a point of the path decreases", "give the lower end first");
  }
  return ScalarJoint(spec, condition.joint);
}

// References of one object of the path to ids.
WrapDraft DraftWrap(Wrap& wrap, const Spec& spec) {
  switch (wrap.type) {
    case mjWRAP_JOINT: {
      const auto& joint = static_cast<const Joint&>(Require(spec, mjOBJ_JOINT, wrap.target));
      WarnOfJoint(joint, wrap);
      return {mjWRAP_JOINT, joint.id, wrap.value};
    }
    case mjWRAP_PULLEY:
      // The tendon's velocity behind a pulley is divided by it.
      if (!(wrap.value > 0)) throw Error("the divisor of a pulley is not positive", "give a positive number");
      return {mjWRAP_PULLEY, -1, wrap.value};
    case mjWRAP_SITE:
      return {mjWRAP_SITE, Require(spec, mjOBJ_SITE, wrap.target).id, 0, DraftCondition(wrap, spec)};
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return DraftGeomWrap(wrap, spec);
    default:
      throw Error("unknown kind of object on the path of a tendon");
  }
}

// ---- order of the path

// Objects of a path have no names of their own, so messages give their numbers.
std::string AtPlace(size_t i) { return " (object " + std::to_string(i) + " of the path)"; }

bool IsSite(const std::vector<WrapDraft>& path, size_t i) { return i < path.size() && path[i].type == mjWRAP_SITE; }
bool IsPulley(const std::vector<WrapDraft>& path, size_t i) { return i < path.size() && path[i].type == mjWRAP_PULLEY; }

// Geoms that are wrapped one after the other have a site before and behind.
void CheckRow(const std::vector<WrapDraft>& path, size_t i) {
  size_t begin = i, end = i + 1;
  while (begin > 0 && IsWrapGeom(path[begin - 1].type)) --begin;
  while (end < path.size() && IsWrapGeom(path[end].type)) ++end;
  if (begin == 0 || !IsSite(path, begin - 1) || !IsSite(path, end)) {
    throw Error("a geom is not between two sites" + AtPlace(i), "put sites before and behind it");
  }
  if (end - begin > kMostGeomsInRow) {
    throw Error(std::to_string(end - begin) + " geoms follow one another" + AtPlace(begin),
                "put a site behind at most " + std::to_string(kMostGeomsInRow) + " of them");
  }
}

// Rules of a path: branches between pulleys have at least two sites, and geoms are wrapped from one site to the next.
void CheckObject(const std::vector<WrapDraft>& path, size_t i, double armature) {
  const bool first = i == 0, last = i + 1 == path.size();
  switch (path[i].type) {
    case mjWRAP_JOINT:
      throw Error("a path in space contains a joint" + AtPlace(i), "use a fixed tendon for joints");
    case mjWRAP_PULLEY:
      if (last) throw Error("the path ends with a pulley", "add the branch behind it");
      if (IsPulley(path, i + 1)) throw Error("two pulleys in a row" + AtPlace(i + 1), "remove one of them");
      break;
    case mjWRAP_SITE: {
      if (IsSite(path, i + 1) && path[i + 1].objid == path[i].objid) {
        throw Error("a site is followed by itself" + AtPlace(i + 1), "remove one of them");
      }
      const bool alone = (first || IsPulley(path, i - 1)) && (last || IsPulley(path, i + 1));
      if (alone) throw Error("a branch consists of a single site" + AtPlace(i), "add a second one");
      if (path[i].condition >= 0 && !(IsSite(path, i + 1) && i > 0 && IsSite(path, i - 1))) {
        throw Error("a point that counts in a range is not between two points" + AtPlace(i),
                    "put sites that always count between it and the ends, pulleys and geoms");
      }
      break;
    }
    default:
      CheckRow(path, i);
      if (armature > 0) throw Error("a tendon with armature cannot wrap around geoms", "remove one of the two");
  }
}

// A first joint makes a fixed tendon, which then holds nothing but joints.
void CheckPath(const TendonDraft& tendon) {
  const std::vector<WrapDraft>& path = tendon.path;
  const Tendon& source = *tendon.source;
  if (path.empty()) throw Error("a tendon needs a path", "add joints, or sites");
  if (source.armature < 0) throw Error("armature is negative", "give a number of at least 0");
  if (IsFixed(tendon)) {
    for (const WrapDraft& wrap : path) {
      if (wrap.type != mjWRAP_JOINT) throw Error("a fixed tendon holds something that is no joint", "remove it");
    }
    return;
  }
  if (path.size() < 2) throw Error("a path in space needs at least two objects", "add sites");
  if (!(source.width > 0)) throw Error("width must be positive", "set it");
  for (size_t i = 0; i < path.size(); ++i) CheckObject(path, i, source.armature);
}

// Limits of the length (m, or what the coefficients of joints make of it) and of the total force of actuators (N). A
// tendon that could not go slack would pull against itself, hence zero lies in the range of forces.
void ResolveLimits(TendonDraft& tendon) {
  const Tendon& source = *tendon.source;
  tendon.limited = CheckedLimit(source.limited, source.range, source.compiler(), "tendon");
  tendon.actfrclimited = CheckedLimit(source.actfrclimited, source.actfrcrange, source.compiler(), "actuatorfrc");
  if (tendon.actfrclimited && (source.actfrcrange[0] > 0 || source.actfrcrange[1] < 0)) {
    throw Error("actuatorfrcrange does not contain zero", "widen it");
  }
  if (source.springlength[0] > source.springlength[1]) {
    throw Error("springlength decreases", "give the shorter length first");
  }
}

}  // namespace

// Joints, sites and geoms have ids before, so that the path can hold these.
void DraftTendons(Draft& draft) {
  DraftList<Tendon>(draft, draft.tendons, [&](Tendon& source) {
    TendonDraft tendon = {&source, false, false, {}};
    for (const auto& wrap : source.path) tendon.path.push_back(DraftWrap(*wrap, draft.spec));
    CheckPath(tendon);
    ResolveLimits(tendon);
    return tendon;
  });
}

namespace {

// Geoms are written before. Steps of all tendons follow one another, and each tendon has an address and a number.
void WritePath(const TendonDraft& tendon, int id, int& wrap_id, mjModel* m) {
  m->tendon_adr[id] = wrap_id;
  m->tendon_num[id] = static_cast<int>(tendon.path.size());
  for (const WrapDraft& wrap : tendon.path) {
    const bool ellipsoid = IsWrapGeom(wrap.type) && m->geom_type[wrap.objid] == mjGEOM_ELLIPSOID;
    m->wrap_type[wrap_id] = ellipsoid ? kWrapEllipsoid : wrap.type;
    m->wrap_objid[wrap_id] = wrap.objid;
    m->wrap_prm[wrap_id] = wrap.prm;
    ++wrap_id;
  }
}

// Numbers that the compiler settings do not change are those of the specification.
void WriteParameters(const TendonDraft& tendon, int id, const Draft& draft, mjModel* m) {
  const Tendon& source = *tendon.source;
  m->tendon_matid[id] = OptionalId(draft.spec, mjOBJ_MATERIAL, *source.material);
  m->tendon_group[id] = source.group;
  m->tendon_limited[id] = tendon.limited;
  m->tendon_actfrclimited[id] = tendon.actfrclimited;
  m->tendon_width[id] = source.width;
  PutRow(m->tendon_solref_lim, id, source.solref_limit);
  PutRow(m->tendon_solimp_lim, id, source.solimp_limit);
  PutRow(m->tendon_solref_fri, id, source.solref_friction);
  PutRow(m->tendon_solimp_fri, id, source.solimp_friction);
  PutRow(m->tendon_range, id, source.range);
  PutRow(m->tendon_actfrcrange, id, source.actfrcrange);
  m->tendon_margin[id] = source.margin;
  PutPolynomial(m->tendon_stiffness, m->tendon_stiffnesspoly, id, source.stiffness);
  PutPolynomial(m->tendon_damping, m->tendon_dampingpoly, id, source.damping);
  m->tendon_armature[id] = source.armature;
  m->tendon_frictionloss[id] = source.frictionloss;
  PutRow(m->tendon_lengthspring, id, source.springlength);
  PutUser(m->tendon_user, id, m->nuser_tendon, *source.userdata);
  PutRow(m->tendon_rgba, id, source.rgba);
}

}  // namespace

void WriteTendons(const Draft& draft, const Topology& topology, mjModel* m) {
  int wrap_id = 0;
  for (int i = 0; i < m->ntendon; ++i) {
    const TendonDraft& tendon = draft.tendons[static_cast<size_t>(i)];
    WritePath(tendon, i, wrap_id, m);
    At(*tendon.source, [&] { WriteParameters(tendon, i, draft, m); });
    m->tendon_treenum[i] = topology.tendons[static_cast<size_t>(i)].treenum;
    PutRow(m->tendon_treeid, i, topology.tendons[static_cast<size_t>(i)].treeid);
  }
}

}  // namespace sinew::inline compile
