// Equality constraints: which objects they tie, and their numbers. Whether a relative pose or anchor is given decides
// set_const.cc, which computes what is not.
#include <algorithm>
#include <cmath>
#include <string>

#include "compile/diagnose.h"
#include "compile/draft_list.h"
#include "compile/passes.h"
#include "compile/relations/reference.h"
#include "compile/rows.h"
#include "compile/topology/relations.h"
#include "core/warning.h"
#include "spec/references.h"

namespace sinew::inline compile {
namespace {

// Coefficients of a polynomial apply to one coordinate.
void CheckScalar(const Draft& draft, int joint) {
  const mjtJoint type = joint < 0 ? mjJNT_HINGE : FindJoint(draft, joint).source->type;
  if (type != mjJNT_HINGE && type != mjJNT_SLIDE) {
    throw Error("only slides and hinges can be joined", "choose joints of these types");
  }
}

// The cell of a strain constraint; a flex that is not moved by nodes has none. A constraint of a cell that does not
// exist makes no rows: no error, as what stands in eq_data without `cell`, (0, 1, 0), may be such a one.
void WarnOfMissingCell(const NodeLattice& lattice, const Equality& source) {
  if (lattice.order == 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const double index = source.data[axis];
    if (index == std::floor(index) && index >= 0 && index < lattice.cells[axis]) continue;
    const Error notice("the flex has no cell " + std::to_string(index) + " along axis " + std::to_string(axis),
                       "give 'cell' three integers, from 0 to below cellcount", Place(source));
    Warn("%s", notice.what());
  }
}

// A body without partner is joined to the world; a joint or tendon to its own reference.
EqualityDraft DraftEquality(Equality& source, const Draft& draft) {
  EqualityDraft equality = {&source, -1, -1};
  const bool joins_points = source.type == mjEQ_CONNECT || source.type == mjEQ_WELD;
  if (joins_points && source.objtype != mjOBJ_BODY && source.objtype != mjOBJ_SITE) {
    throw Error("connect and weld support only sites and bodies", "set objtype to mjOBJ_BODY or mjOBJ_SITE");
  }
  const mjtObj type = ObjectType(source);
  if (type == mjOBJ_UNKNOWN) throw Error("the type of the equality constraint is not known", "use a type of mjtEq");
  const std::string kind = TypeName(type);
  equality.obj1 = RequireId(kind + "1", draft.spec, type, *source.name1);
  if (source.type == mjEQ_FLEXSTRAIN)
    WarnOfMissingCell(draft.flexes[static_cast<size_t>(equality.obj1)].lattice, source);
  if (!source.name2->empty()) {
    equality.obj2 = RequireId(kind + "2", draft.spec, type, *source.name2);
  } else if (type == mjOBJ_BODY) {
    equality.obj2 = 0;
  } else if (type == mjOBJ_SITE) {
    throw Error("site2 is missing", "name the second site");
  }
  if (equality.obj1 == equality.obj2) throw Error("both objects are the same", "name two different ones");
  if (type == mjOBJ_JOINT) {
    CheckScalar(draft, equality.obj1);
    CheckScalar(draft, equality.obj2);
  }
  return equality;
}

// Two sites are joined at their origins: their constraint needs no numbers, and holds none.
bool IsConnectOfSites(const Equality& source) { return source.type == mjEQ_CONNECT && source.objtype == mjOBJ_SITE; }

// A relative pose that is given has a unit quaternion; zero means: as in the reference configuration.
void NormalizeRelativePose(mjtNum* data) {
  Quat<double> q = LoadQuat(data + 6);
  if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) return;
  Normalize(q);
  StoreQuat(q, data + 6);
}

}  // namespace

void DraftEqualities(Draft& draft) {
  DraftList<Equality>(draft, draft.equalities, [&](Equality& source) { return DraftEquality(source, draft); });
}

void WriteEqualities(const Draft& draft, mjModel* m) {
  for (int i = 0; i < m->neq; ++i) {
    const EqualityDraft& equality = draft.equalities[static_cast<size_t>(i)];
    const Equality& source = *equality.source;
    m->eq_type[i] = source.type;
    m->eq_obj1id[i] = equality.obj1;
    m->eq_obj2id[i] = equality.obj2;
    m->eq_objtype[i] = source.objtype;
    m->eq_active0[i] = source.active;
    PutRow(m->eq_solref, i, source.solref);
    PutRow(m->eq_solimp, i, source.solimp);
    if (!IsConnectOfSites(source)) PutRow(m->eq_data, i, source.data);
    if (source.type == mjEQ_WELD && source.objtype != mjOBJ_SITE) NormalizeRelativePose(m->eq_data + mjNEQDATA * i);
  }
}

}  // namespace sinew::inline compile
