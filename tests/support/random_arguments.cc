#include "tests/support/random_arguments.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>

#include "tests/support/called_models.h"

namespace sinew::testing {
namespace {

constexpr int kModels = std::size(kCalledModels);
constexpr int kLargestInt = std::numeric_limits<int>::max(), kSmallestInt = std::numeric_limits<int>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

// A specification and its model are made once; sequences work on copies.
struct Base {
  mjSpec* spec = nullptr;
  mjModel* model = nullptr;
};
const Base& BaseOf(int i) {
  static Base bases[kModels];
  Base& base = bases[i];
  if (!base.spec) base.spec = mj_parseXMLString(kCalledModels[i], nullptr, nullptr, 0);
  if (!base.model) base.model = mj_compile(base.spec, nullptr);
  return base;
}

// Counts of elements that an array must have, as the interface calls them.
bool IsCount(std::string_view name) {
  static constexpr std::string_view kCounts[] = {
      "n",      "nr",        "nc",      "r1",    "c1",     "c2",  "r2",    "ntotal", "nband",   "ndense",
      "nvec",   "nray",      "nface",   "nvert", "nrect",  "nnz", "dim",   "size",   "nbuffer", "error_sz",
      "xml_sz", "buffer_sz", "nparams", "width", "height", "N",   "bytes", "nerror"};
  return std::find(std::begin(kCounts), std::end(kCounts), name) != std::end(kCounts);
}

}  // namespace

RandomArguments::RandomArguments(unsigned seed) : chance_(seed) {
  const int jacobian = Below(3);  // rows that one stage has made dense are not to be read as sparse ones by another
  for (int i = 0; i < 2; ++i) {
    const Base& base = BaseOf(Below(kModels));
    specs_[i] = mj_copySpec(base.spec);
    models_[i] = Maybe(0.8) ? mj_copyModel(nullptr, base.model) : mj_compile(specs_[i], nullptr);
    ChangeOptions(models_[i]);
    models_[i]->opt.jacobian = jacobian;
    mjv_makeScene(models_[i], &scenes_[i], 20);
  }
  for (int i = 0; i < 3; ++i) {
    worlds_[i] = mj_makeData(models_[i / 2]);
    if (worlds_[i]) NoteState(i);
  }
  mj_defaultVFS(&files_);
  mj_addBufferVFS(&files_, "model.xml", kCalledModels[1], static_cast<int>(std::string_view(kCalledModels[1]).size()));
  pool_ = mju_threadPoolCreate(1);
}

RandomArguments::~RandomArguments() {
  for (mjvScene& scene : scenes_) mjv_freeScene(&scene);
  mjr_freeContext(&context_);
  for (mjData* d : worlds_) mj_deleteData(d);
  for (mjModel* m : models_) mj_deleteModel(m);
  mj_deleteSpec(specs_[0]);
  mj_deleteSpec(specs_[1]);
  mj_deleteVFS(&files_);
  mju_threadPoolDestroy(pool_);
}

void RandomArguments::BeginCall(std::string_view function) {
  function_ = function;
  memory_.clear();
  used_ = 0;
  if (Maybe(0.2)) Disturb(Below(3));
}

void* RandomArguments::Bytes(size_t count) { return memory_.emplace_back(count / sizeof(double) + 1).data(); }

double RandomArguments::Number() {
  static constexpr double kBad[] = {0, -1, 1, 5, 100, 1e10, -1e300, 1e-300, kInfinity, -kInfinity, kNan};
  return Maybe(0.1) ? kBad[Below(std::size(kBad))] : std::uniform_real_distribution<>(-1, 1)(chance_);
}

void RandomArguments::NoteState(int world) {
  const mjModel* m = models_[world / 2];
  mjData* d = worlds_[world];
  states_[world] = {d->buffer,
                    {{d->qpos, m->nq},
                     {d->qvel, m->nv},
                     {d->act, m->na},
                     {d->ctrl, m->nu},
                     {&d->time, 1},
                     {d->qacc_warmstart, m->nv},
                     {d->mocap_pos, 3 * m->nmocap},
                     {d->mocap_quat, 4 * m->nmocap},
                     {d->qfrc_applied, m->nv},
                     {d->xfrc_applied, 6 * m->nbody}}};
}

// A number of the state, as a program or a diverging simulation would spoil it.
void RandomArguments::Disturb(int world) {
  const State& state = states_[world];
  if (!worlds_[world] || worlds_[world]->buffer != state.buffer) return;
  const auto [numbers, count] = state.arrays[static_cast<size_t>(Below(state.arrays.size()))];
  if (count > 0) numbers[Below(static_cast<size_t>(count))] = Number();
}

void RandomArguments::ChangeOptions(mjModel* m) {
  m->opt.integrator = Below(5);
  m->opt.cone = Below(2);
  m->opt.solver = Below(3);
  m->opt.noslip_iterations = Maybe(0.2) ? 3 : 0;
  if (Maybe(0.3)) m->opt.disableflags |= 1 << Below(mjNDISABLE);
  if (Maybe(0.3)) m->opt.enableflags |= 1 << Below(mjNENABLE);
  if (Maybe(0.05)) m->opt.timestep = Number();
  if (Maybe(0.05)) m->opt.integrator = Below(20) - 10;
  if (Maybe(0.05)) m->opt.iterations = Below(3) - 1;
}

mjsElement* RandomArguments::Element(mjtObj kind) {
  mjsElement* found = mjs_firstElement(specs_[Maybe(0.1)], kind);
  for (int i = Below(4); i > 0 && found; --i) {
    mjsElement* next = mjs_nextElement(specs_[0], found);
    if (next) found = next;
  }
  return found;
}

// ---- numbers and texts

void RandomArguments::Set(std::string_view name, int& value) {
  static constexpr int kCounts[] = {0, 1, 1, 2, 3, 4, 5, 8, -1, -5, kSmallestInt};
  static constexpr int kAny[] = {0, 0, 1, 1, 2, 3, 4, 5, 8, 16, -1, -2, 63, 1000000, kLargestInt, kSmallestInt};
  value = IsCount(name) ? kCounts[Below(std::size(kCounts))] : kAny[Below(std::size(kAny))];
  if (name == "maxgeom" && value > 1000) value = 1000;
  if (name.ends_with("_sz") && Maybe(0.7)) value = 1000;
  if (name == "sig" || name.ends_with("sig")) value = static_cast<int>(chance_() & 0xffff);
}

void RandomArguments::Set(std::string_view name, size_t& value) {
  static constexpr size_t kAny[] = {
      0, 1, 8, 16, 1000, 100000, std::numeric_limits<size_t>::max() / 2, std::numeric_limits<size_t>::max()};
  value = kAny[Below(name == "nerror" ? 4 : std::size(kAny))];
}

// Reading and drawing pixels takes arrays of the rectangle's size, wherever it is.
void RandomArguments::Set(std::string_view, mjrRect& value) {
  static constexpr int kPlaces[] = {0, 0, 0, 5, -5, 63, 1000000, kLargestInt, kSmallestInt};
  static constexpr int kSizes[] = {64, 48, 64, 1, 0, -1, kSmallestInt};
  const auto place = [&] { return kPlaces[Below(std::size(kPlaces))]; };
  const auto size = [&] { return kSizes[Below(std::size(kSizes))]; };
  value = {place(), place(), size(), size()};
}

void RandomArguments::Set(std::string_view name, mjrRect*& value) {
  if (Null(name)) return;
  constexpr size_t kMost = 8;
  value = static_cast<mjrRect*>(Bytes(kMost * sizeof(mjrRect)));
  for (size_t i = 0; i < kMost; ++i) Set(name, value[i]);
}

void RandomArguments::Set(std::string_view name, const char*& value) {
  static const std::string long_text(3000, 'x');
  static const char* const kNames[] = {"", "a", "b", "g", "j", "p", "w", "world", "nothing", long_text.c_str()};
  static const char* const kFiles[] = {"",      "model.xml",      "model.mjb", "model.txt", "nowhere/model.xml",
                                       "model", long_text.c_str()};
  static const char* const kFormats[] = {"%.3g", "%9.2f", "", "%s", "%n", "%d", "%g%g", "%1000000f", "x", "%*f"};
  static const char* const kSequences[] = {"xyz", "ZYX", "", "xy", "abc", "xyzx"};
  static const char* const kTypes[] = {"text/xml", "text/usd", "", "text"};
  const auto of = [&](const auto& texts) { return texts[Below(std::size(texts))]; };
  value = of(kNames);
  if (name == "filename" || name == "path" || name == "directory") value = of(kFiles);
  if (name == "float_format") value = of(kFormats);
  if (name == "seq" || name == "sequence") value = of(kSequences);
  if (name == "content_type") value = of(kTypes);
  if (name == "xml") value = kCalledModels[Below(kModels)];
  if (Null(name)) value = nullptr;
}

// ---- models, worlds and what shows them

void RandomArguments::Set(std::string_view name, mjModel*& value) {
  value = Null(name) || Is("mj_deleteModel") ? nullptr : models_[Maybe(0.05)];
  model_given_ = value != nullptr;
  if (name == "dest" && Is("mj_copyModel") && Maybe(0.5)) value = nullptr;
}

void RandomArguments::Set(std::string_view name, mjData*& value) {
  value = Null(name) || Is("mj_deleteData") ? nullptr : worlds_[Maybe(0.05) ? 2 : Below(2)];
  if (name == "dest" && Maybe(0.5)) value = nullptr;
}

// Scenes are made and freed once here: SetDefaults forgets the memory of one that was made.
void RandomArguments::Set(std::string_view name, mjvScene*& value) {
  value = Null(name) ? nullptr : &scenes_[Maybe(0.8) ? 0 : Below(3)];
  if (Is("mjv_defaultScene") && value) value = Own<mjvScene>();
}

void RandomArguments::Set(std::string_view name, mjUI*& value) {
  if (ui_.empty()) ui_.resize(1);
  value = Null(name) ? nullptr : ui_.data();
}

void RandomArguments::Set(std::string_view name, mjVFS*& value) {
  value = Null(name) ? nullptr : &files_;
  if (Is("mj_defaultVFS") || Is("mj_deleteVFS")) value = value ? Own<mjVFS>() : nullptr;
}

void RandomArguments::Set(std::string_view name, mjThreadPool*& value) {
  value = Null(name) || Is("mju_threadPoolDestroy") ? nullptr : pool_;
}

// Tasks outlive the pool that runs them; one that nobody enqueued would be waited for without end.
void RandomArguments::Set(std::string_view name, mjTask*& value) {
  static std::vector<mjTask> tasks(1000);
  static size_t next = 0;
  if (Null(name)) return;
  value = &tasks[next++ % tasks.size()];
  *value = {[](void*) -> void* { return nullptr; }, nullptr, Is("mju_taskJoin") ? mjTASK_COMPLETED : mjTASK_NEW};
  if (Maybe(0.1)) value->func = nullptr;
}

void RandomArguments::Set(std::string_view name, mjvOption*& value) {
  if (Null(name)) return;
  value = Own<mjvOption>();
  mjv_defaultOption(value);
  for (mjtByte& flag : value->flags) flag = static_cast<mjtByte>(Below(2));
  value->frame = Below(mjNFRAME);
  value->label = Below(mjNLABEL);
  if (Maybe(0.2)) Set("", Maybe(0.5) ? value->frame : value->label);
  if (Maybe(0.2)) Set("", Maybe(0.5) ? value->bvh_depth : value->flex_layer);
}

void RandomArguments::Set(std::string_view name, mjvCamera*& value) {
  if (Null(name)) return;
  value = Own<mjvCamera>();
  mjv_defaultCamera(value);
  value->type = Below(mjCAMERA_USER + 1);
  for (int* id : {&value->fixedcamid, &value->trackbodyid}) Set("", *id);
  if (Maybe(0.1)) value->distance = Number();
}

void RandomArguments::Set(std::string_view name, mjvPerturb*& value) {
  if (Null(name)) return;
  value = Own<mjvPerturb>();
  mjv_defaultPerturb(value);
  for (int* id : {&value->select, &value->flexselect, &value->skinselect, &value->active, &value->active2})
    Set("", *id);
  for (mjtNum& number : value->refpos) number = Number();
}

void RandomArguments::Set(std::string_view name, mjvFigure*& value) {
  if (Null(name)) return;
  value = Own<mjvFigure>();
  mjv_defaultFigure(value);
  for (int i = 0; i < 3; ++i) {
    Set("", value->linepnt[i]);
    value->linedata[i][3] = static_cast<float>(Number());
  }
  if (Maybe(0.3)) Set("", Maybe(0.5) ? value->gridsize[0] : value->highlightid);
  if (Maybe(0.3)) value->range[0][1] = static_cast<float>(Number());
}

void RandomArguments::Set(std::string_view name, mjContact*& value) {
  if (Null(name)) return;
  value = Own<mjContact>();
  value->dim = Maybe(0.8) ? 3 : Below(9) - 1;
  for (mjtNum& number : value->frame) number = Number();
  for (int* id : {value->geom, value->geom + 1}) *id = model_given_ ? (Maybe(0.9) ? Below(2) : kLargestInt) : 0;
  for (int i = 0; i < 2; ++i) {
    value->flex[i] = value->elem[i] = value->vert[i] = -1;
    if (model_given_ && Maybe(0.05)) Set("", value->flex[i]);
  }
  value->dist = Number();
}

// Few steps, for few seconds.
void RandomArguments::Set(std::string_view name, mjLROpt*& value) {
  if (Null(name)) return;
  value = Own<mjLROpt>();
  mj_defaultLROpt(value);
  value->mode = Below(4);
  value->inttotal = 0.05;
  if (Maybe(0.1)) value->timestep = Number();
  if (Maybe(0.1)) value->interval = Number();
}

void RandomArguments::Set(std::string_view name, mjSDF*& value) {
  if (Null(name)) return;
  value = Own<mjSDF>();
  value->plugin = static_cast<const mjpPlugin**>(Bytes(2 * sizeof(mjpPlugin*)));
  value->id = static_cast<int*>(Bytes(2 * sizeof(int)));
  value->geomtype = static_cast<mjtGeom*>(Bytes(2 * sizeof(mjtGeom)));
  value->relpos = Array<mjtNum>("");
  value->relmat = Array<mjtNum>("");
  value->type = static_cast<mjtSDFType>(Below(4));
  for (int i = 0; i < 2; ++i) {
    value->geomtype[i] = static_cast<mjtGeom>(Below(mjNGEOMTYPES));
    Set("", value->id[i]);
  }
  if (Maybe(0.1)) value->plugin = nullptr;
  if (Maybe(0.1)) value->relmat = nullptr;
}

void RandomArguments::Set(std::string_view name, mjuiDef*& value) {
  if (Null(name)) return;
  constexpr int kDefinitions = 5;
  value = static_cast<mjuiDef*>(Bytes(kDefinitions * sizeof(mjuiDef)));
  static double data[100];
  for (int i = 0; i < kDefinitions; ++i) {
    value[i].type = i == 0 && Maybe(0.7) ? mjITEM_SECTION : Below(mjNITEM + 1);
    value[i].pdata = Maybe(0.8) ? data : nullptr;
    static const char* const kOther[] = {"", "a\nb\nc", "1 10", "0", " #1"};
    std::snprintf(value[i].other, sizeof(value[i].other), "%s", kOther[Below(std::size(kOther))]);
    if (Maybe(0.2)) Set("", value[i].state);
  }
  value[kDefinitions - 1].type = mjITEM_END;
}

void RandomArguments::Set(std::string_view name, mjResource*& value) {
  if (Null(name)) return;
  static char names[][20] = {"model.xml", "folder/model.obj", ""};
  value = Own<mjResource>();
  if (Maybe(0.9)) value->name = names[Below(3)];
}

void RandomArguments::Set(std::string_view name, mjpPlugin*& value) {
  if (Null(name)) return;
  value = Own<mjpPlugin>();
  if (Maybe(0.8)) value->name = "mujoco.elasticity.cable";
  value->nattribute = Below(3) - 1;
}

void RandomArguments::Set(std::string_view name, mjpResourceProvider*& value) {
  if (Null(name)) return;
  value = Own<mjpResourceProvider>();
  if (Maybe(0.8)) value->prefix = "calls";
  if (Maybe(0.8)) value->open = [](mjResource*) { return 0; };
  value->read = [](mjResource*, const void**) { return -1; };
  value->close = [](mjResource*) {};
}

// Memory for a model, a pool of threads; what was never theirs is not given back or taken for attributes.
void RandomArguments::Set(std::string_view name, void*& value) {
  if (Null(name) || name == "ptr" || name == "attributes") return;
  value = name == "thread_pool" ? static_cast<void*>(pool_) : Array<char>(name);
}

// ---- specifications

void RandomArguments::Set(std::string_view name, mjSpec*& value) {
  value = Null(name) || Is("mj_deleteSpec") ? nullptr : specs_[Maybe(0.1)];
  if (Is("mjs_defaultSpec")) value = value ? Own<mjSpec>() : nullptr;
}

void RandomArguments::Set(std::string_view name, mjsElement*& value) {
  value = Null(name) ? nullptr : Element(static_cast<mjtObj>(Below(mjNOBJECT)));
}

void RandomArguments::Set(std::string_view name, mjsDefault*& value) {
  if (!Null(name)) value = mjs_getSpecDefault(specs_[Maybe(0.1)]);
}

void RandomArguments::Set(std::string_view name, mjsWrap*& value) {
  mjsElement* tendon = Null(name) ? nullptr : Element(mjOBJ_TENDON);
  const int count = tendon ? mjs_getWrapNum(mjs_asTendon(tendon)) : 0;
  value = count > 0 ? mjs_getWrap(mjs_asTendon(tendon), Below(static_cast<size_t>(count))) : nullptr;
}

void RandomArguments::Set(std::string_view name, mjsBody**& value) {
  Set(name, body_);
  value = Null(name) ? nullptr : &body_;
}

void RandomArguments::Set(std::string_view name, mjString*& value) {
  mjsElement* element = Null(name) ? nullptr : Element(mjOBJ_GEOM);
  value = element ? mjs_getName(element) : nullptr;
}

#define SINEW_VECTOR(Vector, KIND, as, member)                       \
  void RandomArguments::Set(std::string_view name, Vector*& value) { \
    mjsElement* element = Null(name) ? nullptr : Element(KIND);      \
    value = element ? as(element)->member : nullptr;                 \
  }
SINEW_VECTOR(mjStringVec, mjOBJ_TUPLE, mjs_asTuple, objname)
SINEW_VECTOR(mjIntVec, mjOBJ_TUPLE, mjs_asTuple, objtype)
SINEW_VECTOR(mjDoubleVec, mjOBJ_NUMERIC, mjs_asNumeric, data)
SINEW_VECTOR(mjFloatVec, mjOBJ_MESH, mjs_asMesh, uservert)
SINEW_VECTOR(mjByteVec, mjOBJ_TEXTURE, mjs_asTexture, data)
SINEW_VECTOR(mjIntVecVec, mjOBJ_SKIN, mjs_asSkin, vertid)
SINEW_VECTOR(mjFloatVecVec, mjOBJ_SKIN, mjs_asSkin, vertweight)
#undef SINEW_VECTOR

}  // namespace sinew::testing
