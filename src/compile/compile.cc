// The compiler from the outside in: the draft of a model from the specification, the model from the draft, and what
// follows from the model's numbers. Passes are in files of their own (compile/passes.h) and run in the order that is
// written here.
#include "compile/compile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "compile/constants/length_range.h"
#include "compile/constants/musculotendon.h"
#include "compile/constants/set_const.h"
#include "compile/constants/sleep_policy.h"
#include "compile/copy_back/recompile.h"
#include "compile/copy_back/signature.h"
#include "compile/diagnose.h"
#include "compile/geometry/bvh.h"
#include "compile/names.h"
#include "compile/passes.h"
#include "compile/sizes.h"
#include "compile/topology/sparsity.h"
#include "compile/topology/topology.h"
#include "compile/tree/joint.h"
#include "core/load_limits.h"
#include "core/warning.h"
#include "model/kinds/bushing.h"
#include "model/kinds/motion.h"
#include "model/kinds/names.h"
#include "model/kinds/speculative.h"
#include "model/storage/data.h"
#include "model/storage/error_control.h"
#include "model/storage/extension.h"
#include "model/storage/model.h"
#include "model/view/fields.h"
#include "model/view/layout.h"
#include "step/forward.h"
#include "step/sleep.h"

namespace sinew::inline compile {
namespace {

// ---- the draft

// Order matters: an element may refer to elements of the kinds before it.
void FillDraft(Draft& draft) {
  CheckNames(draft.spec);
  DraftPlugins(draft);
  DraftAssets(draft);

  // These passes make the tree of bodies, and give its elements their ids.
  DraftTree(draft);
  AlignFreeBodies(draft);
  FuseStaticBodies(draft);
  CheckFreeJoints(draft);
  DiscardVisuals(draft);
  NumberTree(draft);

  // These elements refer to bodies, geoms and sites, which have their ids now.
  DraftFlexes(draft);
  DraftSkins(draft);
  DraftContacts(draft);
  DraftTendons(draft);
  DraftEqualities(draft);
  DraftActuators(draft);
  DraftSensors(draft);
  DraftContactLaws(draft);
  DraftSurfaces(draft);
  DraftTriangleMeshes(draft);
  DraftStick(draft);
  DraftMotions(draft);
  DraftPassiveElements(draft);
  DraftReflexes(draft);
  DraftCustom(draft);
  ConfigurePlugins(draft);
  CheckMovingMass(draft);
  SetTotalMass(draft);
  for (const BodyDraft& body : draft.bodies) body.source->compiled.of_model = ToPlain(body.inertial);
}

// ---- the model

// Rows of a pattern, compressed.
void WritePattern(const SparsePattern& pattern, int* rownnz, int* rowadr, int* colind) {
  std::copy(pattern.rownnz.begin(), pattern.rownnz.end(), rownnz);
  std::copy(pattern.rowadr.begin(), pattern.rowadr.end(), rowadr);
  std::copy(pattern.colind.begin(), pattern.colind.end(), colind);
}

// Trees and patterns of sparse matrices, which follow from the bodies and joints alone.
void WriteTopology(const Topology& t, mjModel* m) {
  for (int i = 0; i < m->ntree; ++i) {
    const Topology::TreeEntry& tree = t.trees[static_cast<size_t>(i)];
    m->tree_bodyadr[i] = tree.bodyadr;
    m->tree_bodynum[i] = tree.bodynum;
    m->tree_dofadr[i] = tree.dofadr;
    m->tree_dofnum[i] = tree.dofnum;
  }
  WritePattern(t.tendon_jacobian, m->ten_J_rownnz, m->ten_J_rowadr, m->ten_J_colind);
  WritePatterns(t, m);
}

// ---- memory

// The element that needs the most of an array: a body at the end of the longest chain, a texture, a setting.
template <class T, class Measure>
SourceLocation PlaceOfMost(const std::vector<T>& drafts, Measure&& measure) {
  const auto less = [&](const T& a, const T& b) { return measure(a) < measure(b); };
  const auto most = std::max_element(drafts.begin(), drafts.end(), less);
  return Place(*most->source);
}

// Sparse matrices of dynamics grow with the length of chains, so the body at the end of the longest one is named.
SourceLocation PlaceOfDeepest(const Draft& draft, const Topology& topology) {
  using Dof = Topology::DofEntry;
  const auto less = [](const Dof& a, const Dof& b) { return a.depth < b.depth; };
  const auto deepest = std::max_element(topology.dofs.begin(), topology.dofs.end(), less);
  return Place(*draft.bodies[static_cast<size_t>(deepest->body)].source);
}

SourceLocation PlaceOfMost(std::string_view array, const Draft& draft, const Topology& topology) {
  const auto starts = [&](auto... words) { return (array.starts_with(words) || ...); };
  if (starts("tex_") && !draft.textures.empty()) {
    return PlaceOfMost(draft.textures, [](const TextureDraft& texture) { return texture.image.bytes(); });
  }
  if (starts("M", "D_", "B_", "mapM", "mapD", "qM", "qLD", "qDeriv", "qH", "qLU") && topology.nv() > 0) {
    return PlaceOfDeepest(draft, topology);
  }
  const bool setting = array == "arena" || array == "userdata" || starts("key_") || array.ends_with("_user");
  return setting && draft.spec.size_where.line > 0 ? draft.spec.size_where : Place(draft.spec);
}

struct Share {
  std::string_view array = "arena";
  double bytes = 0;
};

// A model that would not fit is refused before anything is allocated; the error names the largest array of it and of a
// world, and where it comes from.
void CheckMemory(const mjModel& sizes, const Draft& draft, const Topology& topology) {
  const double world = static_cast<double>(DataSize(sizes));
  const double all = static_cast<double>(ModelBufferSize(sizes)) + world;
  Share most = {"arena", static_cast<double>(sizes.narena)};
  const auto compare = [&](std::string_view array, size_t bytes) {
    if (static_cast<double>(bytes) > most.bytes) most = {array, static_cast<double>(bytes)};
  };
  const mjData empty = {};
  for (const ModelArray& array : kModelFields) compare(array.name, ArrayBytes(array, sizes));
  for (const DataArray& array : kDataFields) compare(array.name, ArrayBytes(array, sizes, empty));
  try {
    CheckLoadMemory(all,
                    "the model with a world, with " + BytesText(most.bytes) + " for " + std::string(most.array) + ",");
  } catch (const Error& error) {
    throw error.At(PlaceOfMost(most.array, draft, topology));
  }
}

// The inertia matrix is factored; a dof with d ancestors takes d^2 operations.
void CheckFactorization(const Draft& draft, const Topology& topology) {
  double operations = 0;
  for (const Topology::DofEntry& dof : topology.dofs) operations += static_cast<double>(dof.depth) * dof.depth;
  try {
    CheckLoadOperations(operations, "the inertia matrix of a chain of bodies");
  } catch (const Error& error) {
    throw error.At(PlaceOfDeepest(draft, topology));
  }
}

// All sizes are known before memory is allocated; then each pass fills its own arrays.
ModelPtr WriteModel(const Draft& draft) {
  const Topology topology = FindTopology(draft);
  const std::vector<BoxTree> body_trees = BuildBodyTrees(draft);
  const std::vector<NameGroup> names = CollectNames(draft);
  const mjModel sizes = FindSizes(draft, topology, body_trees, names);
  CheckMemory(sizes, draft, topology);
  CheckFactorization(draft, topology);
  ModelPtr model(MakeModel(sizes));
  mjModel* m = model.get();
  m->opt = draft.spec.option;
  m->vis = draft.spec.visual;
  WriteTree(draft, topology, m);
  WriteTopology(topology, m);
  WriteTrees(body_trees, draft, m);
  WriteAssets(draft, m);
  WriteFlexes(draft, topology, m);
  WriteContacts(draft, m);
  WriteEqualities(draft, m);
  WriteTendons(draft, topology, m);
  WriteActuators(draft, m);
  WriteSensors(draft, m);
  WriteCustom(draft, m);
  WritePlugins(draft, m);
  WriteKeys(draft, m);
  WriteNames(draft, names, m);
  WritePaths(draft, m);
  BuildNamesMap(m);
  SetSleepPolicy(draft, m);
  return model;
}

// ---- what follows from the model's numbers

// Stiffness and damping of joints that give a time constant tau and a damping ratio zeta, for the mean inertia J that
// acts on the joint:  k = J / (tau zeta)^2,  b = 2 J / tau
void SetSpringDampers(const Draft& draft, mjModel* m) {
  for (int j = 0; j < m->njnt; ++j) {
    const PartRef& ref = draft.joints[static_cast<size_t>(j)];
    Joint& joint = *draft.bodies[static_cast<size_t>(ref.body)].joints[ref.index].source;
    const double tau = joint.springdamper[0], zeta = joint.springdamper[1];
    if (!(tau > 0 && zeta > 0)) continue;
    const int first = m->jnt_dofadr[j], last = j + 1 < m->njnt ? m->jnt_dofadr[j + 1] : static_cast<int>(m->nv);
    double weight = 0;
    for (int i = first; i < last; ++i) weight += m->dof_invweight0[i];
    const double inertia = (last - first) / std::max(mjMINVAL, weight);
    m->jnt_stiffness[j] = inertia / std::max(mjMINVAL, tau * tau * zeta * zeta);
    joint.compiled_stiffness = m->jnt_stiffness[j];
    joint.compiled_damping = 2 * inertia / std::max(mjMINVAL, tau);
    std::fill(m->dof_damping + first, m->dof_damping + last, joint.compiled_damping);
  }
}

// Ranges are found for muscles only unless the compiler settings include others.
void SetLengthRanges(const Draft& draft, mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; ++i) {
    const Actuator& source = *draft.actuators[static_cast<size_t>(i)].source;
    At(source, [&] { SetLengthRange(m, d, i, source.compiler().LRopt); });
  }
}

// Once lengths are known.
void CheckMusculotendons(const Draft& draft, const mjModel* m) {
  for (int i = 0; i < m->nu; ++i) {
    const Actuator& source = *draft.actuators[static_cast<size_t>(i)].source;
    if (IsMusculotendon(m, i)) At(source, [&] { CheckMusculotendonPath(source, m, i); });
  }
}

// Statistics that the user gives replace those that were computed.
void OverrideStatistics(const mjStatistic& given, mjModel* m) {
  const auto put = [](mjtNum value, mjtNum& to) {
    if (!std::isnan(value)) to = value;
  };
  put(given.meaninertia, m->stat.meaninertia);
  put(given.meanmass, m->stat.meanmass);
  put(given.meansize, m->stat.meansize);
  put(given.extent, m->stat.extent);
  if (!std::isnan(given.center[0])) std::copy_n(given.center, 3, m->stat.center);
}

// Whether masses are so large that accelerations may be infinite.
bool HasHugeInertia(const mjModel& m) {
  const auto is_huge = [](mjtNum x) { return !(std::abs(x) < 1e100); };
  return std::any_of(m.body_mass, m.body_mass + m.nbody, is_huge) ||
         std::any_of(m.body_inertia, m.body_inertia + 3 * m.nbody, is_huge) ||
         std::any_of(m.body_ipos, m.body_ipos + 3 * m.nbody, is_huge) ||
         std::any_of(m.body_iquat, m.body_iquat + 4 * m.nbody, is_huge);
}

// Infinite masses are taken, with a word about the first acceleration that is not finite.
void WarnOfHugeInertia(const mjModel& m, mjData* d) {
  if (!HasHugeInertia(m)) return;
  Forward(&m, d);
  for (int i = 0; i < m.nv; ++i) {
    if (std::abs(d->qacc[i]) <= mjMAXVAL) continue;
    Warn("%s Time = %.4f.", WarningText(mjWARN_BADQACC, static_cast<std::size_t>(i)), d->time);
    return;
  }
}

// A model whose first reset or step would fail for what sleeps is refused here.
void CheckSleep(const Draft& draft, mjModel* m, mjData* d) {
  if (!(m->opt.enableflags & mjENBL_SLEEP)) return;
  if (const int id = FindSleeplessEquality(m); id >= 0) {
    throw Error("equalities of tendons and of edges and vertices of flexes do not support sleeping",
                "deactivate it, or clear the flag 'sleep'")
        .At(Place(*draft.equalities[static_cast<size_t>(id)].source));
  }
  if (PathMotions(m)) {
    throw Error("points of tendons that move, or count in a range, do not support sleeping", "clear the flag 'sleep'");
  }
  if (Bushings(m)) throw Error("bodies with bushings do not support sleeping", "clear the flag 'sleep'");
  ResetData(*m, d);
  SleepInitially(m, d);
}

// Speculative contacts land at the end of a step whose length is known.
void CheckSpeculative(const mjModel* m) {
  if (!(m->opt.enableflags & kSpeculative) || !IsErrorControlled(m->opt.integrator)) return;
  throw Error("speculative contacts need steps that are not taken back",
              "clear the flag 'speculative', or choose an integrator of fixed steps");
}

// Order matters: springs need weights, length ranges need springs, and what the user gives comes last.
void DeriveConstants(const Draft& draft, mjModel* m) {
  // The arena serves the compiler too, and must not be smaller than what it needs.
  DataPtr data(MakeData(*m));
  SetConst(m, data.get());
  SetSpringDampers(draft, m);
  SetLengthRanges(draft, m, data.get());
  CheckMusculotendons(draft, m);
  CheckContactSteps(draft, m);
  OverrideStatistics(draft.spec.stat, m);
  WarnOfHugeInertia(*m, data.get());
  CheckSleep(draft, m, data.get());
  CheckSpeculative(m);
}

}  // namespace

ModelPtr Compile(Spec& spec, const mjVFS* vfs) {
  if (spec.attached_to) {
    throw Error("cannot compile model '" + *spec.modelname + "': it is attached to another one by reference",
                "compile that one, or attach copies: mjs_setDeepCopy");
  }
  const LoadClock clock;
  spec.is_compiled = false;
  spec.RestoreKeys();
  Draft draft(spec, vfs);
  ModelPtr model;
  // An error that belongs to no single element is reported for the whole specification.
  At(spec, [&] {
    FillDraft(draft);
    CheckLoadTime("what the model is made of");
    model = WriteModel(draft);
    if (AskPlugins(*model, draft)) model = WriteModel(draft);
    CheckLoadTime("the model");
    DeriveConstants(draft, model.get());
  });
  model->signature = spec.signature = Signature(spec);
  spec.computed_stat = model->stat;
  KeepStateLayout(*model, &spec);
  spec.is_compiled = true;
  return model;
}

}  // namespace sinew::inline compile
