// Looks up parts of the draft by their ids, once the tree is numbered.
#include "compile/topology/relations.h"

#include "compile/tree/joint.h"

namespace sinew::inline compile {

const JointDraft& FindJoint(const Draft& draft, int joint) {
  const PartRef& ref = draft.joints[static_cast<size_t>(joint)];
  return draft.bodies[static_cast<size_t>(ref.body)].joints[ref.index];
}

const GeomDraft& FindGeom(const Draft& draft, int geom) {
  const PartRef& ref = draft.geoms[static_cast<size_t>(geom)];
  return draft.bodies[static_cast<size_t>(ref.body)].geoms[ref.index];
}

// Dofs of a body are numbered in the order of its joints.
int JointDof(const Draft& draft, const Topology& t, int joint) {
  const PartRef& ref = draft.joints[static_cast<size_t>(joint)];
  int dof = t.bodies[static_cast<size_t>(ref.body)].dofadr;
  for (size_t i = 0; i < ref.index; ++i) {
    dof += DofCount(draft.bodies[static_cast<size_t>(ref.body)].joints[i].source->type);
  }
  return dof;
}

// The bodies of the joints whose coordinates move a site in its body. A joint that is not there is an error that comes
// later.
static void AppendMovers(const Draft& draft, int site, std::vector<int>* bodies) {
  const PartRef& ref = draft.sites[static_cast<size_t>(site)];
  for (const MotionDraft& term : draft.bodies[static_cast<size_t>(ref.body)].sites[ref.index].motion) {
    const Element* joint = draft.spec.Find(mjOBJ_JOINT, term.source->joint);
    if (joint) bodies->push_back(JointBody(draft, joint->id));
  }
}

std::vector<int> PathBodies(const Draft& draft, const TendonDraft& tendon) {
  std::vector<int> bodies;
  for (const WrapDraft& wrap : tendon.path) {
    switch (wrap.type) {
      case mjWRAP_JOINT:
        bodies.push_back(JointBody(draft, wrap.objid));
        break;
      case mjWRAP_SITE:
        bodies.push_back(SiteBody(draft, wrap.objid));
        AppendMovers(draft, wrap.objid, &bodies);
        break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER:
        bodies.push_back(GeomBody(draft, wrap.objid));
        break;
      default:
        break;  // a pulley stands nowhere
    }
  }
  return bodies;
}

}  // namespace sinew::inline compile
