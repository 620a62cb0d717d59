// From the tree of the specification to bodies in depth-first order, with their parts in body frames: shapes, poses,
// inertias. Ids are given once options of the compiler have had their say.
#include <algorithm>
#include <cmath>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/tree/geom.h"
#include "compile/tree/joint.h"
#include "compile/tree/motion.h"
#include "compile/tree/placement.h"
#include "math/orientation.h"
#include "spec/orientation.h"

namespace sinew::inline compile {
namespace {

// ---- parts, in the frame in which they stand

// A site has no mass and does not collide, so shapes that need a file or have no bound make no sense.
SiteDraft DraftSite(Site& site) {
  if (site.type < 0 || site.type >= mjNGEOMTYPES) throw Error("invalid type in site", "use one of mjtGeom");
  if (site.type == mjGEOM_PLANE || site.type == mjGEOM_HFIELD || site.type == mjGEOM_MESH || site.type == mjGEOM_SDF) {
    throw Error("a site cannot be a plane, a height field or a mesh",
                "choose sphere, capsule, cylinder, ellipsoid or box");
  }
  SiteDraft draft = {&site, {site.type, LoadVec3(site.size)}, {}, {}};
  draft.pose = {LoadVec3(site.pos), Orientation(site.quat, site.alt, site.compiler())};
  ResolveFromTo(site.fromto, draft.shape, draft.pose);
  CheckSizes(draft.shape);
  return draft;
}

// Field of view of a camera with a sensor, from the sensor's height and the focal length.
void ResolveSensor(const Camera& camera, CameraDraft& draft) {
  for (int i = 0; i < 2; ++i) {
    const float pixels = static_cast<float>(camera.resolution[i]) / camera.sensor_size[i];
    const auto length = [&](float by_pixel, float by_length) { return by_pixel != 0 ? by_pixel / pixels : by_length; };
    draft.intrinsic[static_cast<size_t>(i)] = length(camera.focal_pixel[i], camera.focal_length[i]);
    draft.intrinsic[static_cast<size_t>(i) + 2] = length(camera.principal_pixel[i], camera.principal_length[i]);
  }
  const double half_height = camera.sensor_size[1] / 2;
  const auto angle = static_cast<float>(2 * Atan2(half_height, static_cast<double>(draft.intrinsic[1])));
  draft.fovy = static_cast<double>(angle) * 180 / kPi;
}

// A camera has a sensor with lengths or pixels, or else a field of view; never both.
CameraDraft DraftCamera(Camera& camera) {
  CameraDraft draft = {&camera, {}, camera.fovy, {}};
  draft.pose = {LoadVec3(camera.pos), Orientation(camera.quat, camera.alt, camera.compiler())};
  const bool has_sensor = camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0;
  if (has_sensor) {
    if (camera.resolution[0] <= 0 || camera.resolution[1] <= 0) {
      throw Error("a camera with the size of its sensor has no pixels", "set a positive resolution");
    }
    ResolveSensor(camera, draft);
  } else {
    for (int i = 0; i < 2; ++i) {
      if (camera.focal_length[i] != 0 || camera.focal_pixel[i] != 0 || camera.principal_length[i] != 0 ||
          camera.principal_pixel[i] != 0) {
        throw Error("a focal length or principal point needs the size of the sensor", "set sensorsize");
      }
    }
    if (camera.proj == mjPROJ_PERSPECTIVE && camera.fovy >= 180) {
      throw Error("fovy is " + std::to_string(camera.fovy) + " degrees", "make it smaller than 180");
    }
    // The near plane serves as image plane.
    const float znear = camera.spec->visual.map.znear;
    draft.intrinsic = {znear, znear, 0, 0};
  }
  return draft;
}

// A light has no orientation beside its direction, which gets unit length after it was turned to the body frame.
LightDraft DraftLight(Light& light) {
  const Vec3<double> dir = LoadVec3(light.dir);
  if (!(Dot(dir, dir) >= kDirectionEps)) throw Error("light has no direction", "give a dir that is not zero");
  return {&light, LoadVec3(light.pos), dir};
}

// ---- bodies

// The parts of a body, moved from their frames to the body frame.
void DraftParts(Body& body, Draft& draft, BodyDraft& out, ErrorList& errors) {
  for (auto& joint : body.joints) {
    errors.At(*joint, [&] {
      const Pose frame = InBody(joint->frame, {});
      out.joints.push_back(DraftJoint(*joint, frame));
    });
  }
  for (auto& geom : body.geoms) {
    errors.At(*geom, [&] {
      GeomDraft part = DraftGeom(*geom, draft);
      part.plugin = UsePlugin(draft, geom->plugin, mjPLUGIN_SDF);
      part.pose = InBody(geom->frame, part.pose);
      out.geoms.push_back(part);
    });
  }
  for (auto& site : body.sites) {
    errors.At(*site, [&] {
      SiteDraft part = DraftSite(*site);
      part.pose = InBody(site->frame, part.pose);
      part.motion = DraftMotion(site->motion, InBody(site->frame, {}));
      out.sites.push_back(std::move(part));
    });
  }
  for (auto& camera : body.cameras) {
    errors.At(*camera, [&] {
      CameraDraft part = DraftCamera(*camera);
      part.pose = InBody(camera->frame, part.pose);
      out.cameras.push_back(part);
    });
  }
  for (auto& light : body.lights) {
    errors.At(*light, [&] {
      LightDraft part = DraftLight(*light);
      const Pose frame = InBody(light->frame, {});
      part.pos = frame * part.pos;
      part.dir = Rotate(frame.quat, part.dir);
      DivideByNorm(part.dir);
      out.lights.push_back(part);
    });
  }
}

// Dynamics must not move a body that the program moves.
void CheckMocap(const Body& body, const BodyDraft& draft) {
  if (body.mocap && (draft.parent != 0 || !draft.joints.empty())) {
    throw Error("a mocap body must be a child of the world without joints", "remove its joints or its mocap flag");
  }
}

// A plane that moves would have no bounding volume.
void CheckPlanes(const BodyDraft& body) {
  if (body.weld == 0) return;
  for (const GeomDraft& geom : body.geoms) {
    if (geom.shape.type == mjGEOM_PLANE) {
      throw Error("a plane can only be fixed to the world", "use a box").At(Place(*geom.source));
    }
  }
}

// Appends a body. Its inertia is found before its pose is composed with the frames around it. A body with faulty parts
// is not looked at as a whole: what would be wrong with it follows from these.
void DraftBody(Body& body, int parent, Draft& draft, ErrorList& errors) {
  const int id = static_cast<int>(draft.bodies.size());
  BodyDraft out = {};
  out.source = &body;
  out.parent = parent;
  const size_t before = errors.size();
  DraftParts(body, draft, out, errors);
  errors.At(body, [&] {
    if (errors.size() > before) return;
    out.plugin = UsePlugin(draft, body.plugin, mjPLUGIN_PASSIVE);
    out.pose = {LoadVec3(body.pos), Orientation(body.quat, body.alt, body.compiler())};
    CheckJoints(out);
    CheckMocap(body, out);
    out.weld = id == 0 ? 0 : out.joints.empty() ? draft.bodies[static_cast<size_t>(parent)].weld : id;
    CheckPlanes(out);
    body.compiled = {};
    if (id > 0) body.compiled.is_given = ResolveInertial(out);
    body.compiled.own = ToPlain(out.inertial);
    out.pose = InBody(body.frame, out.pose);
  });
  draft.bodies.push_back(std::move(out));
}

}  // namespace

void DraftTree(Draft& draft) {
  // Depth first, with an explicit stack: a chain of bodies may be longer than the program's own stack allows.
  struct Visit {
    Body* body;
    int parent;
  };
  ErrorList errors;
  std::vector<Visit> stack = {{&draft.spec.world(), 0}};
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const int id = static_cast<int>(draft.bodies.size());
    DraftBody(*visit.body, visit.parent, draft, errors);
    const auto& children = visit.body->bodies;
    for (auto child = children.rbegin(); child != children.rend(); ++child) stack.push_back({child->get(), id});
  }
  errors.Throw();
}

namespace {

// Numbers the parts of one kind.
template <class Part>
void NumberParts(const std::vector<Part>& parts, int body, std::vector<PartRef>& refs) {
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].source->id = static_cast<int>(refs.size());
    refs.push_back({body, i});
  }
}

}  // namespace

// Cameras and lights are numbered like the others, though nothing looks them up by id.
void NumberTree(Draft& draft) {
  std::vector<PartRef> cameras, lights;
  for (int id = 0; id < static_cast<int>(draft.bodies.size()); ++id) {
    BodyDraft& body = draft.bodies[static_cast<size_t>(id)];
    body.source->id = id;
    NumberParts(body.joints, id, draft.joints);
    NumberParts(body.geoms, id, draft.geoms);
    NumberParts(body.sites, id, draft.sites);
    NumberParts(body.cameras, id, cameras);
    NumberParts(body.lights, id, lights);
  }
}

}  // namespace sinew::inline compile
