// Random sequences of edits, as programs build models: whatever the order, nothing reads or writes memory that is gone,
// every refusal has a text, and a model that compiles is saved as a file that compiles to the same one.
//
// SINEW_EDIT_SEQUENCES sets how many sequences are tried, SINEW_EDIT_SEED where they begin.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mjcf/write/write.h"
#include "tests/testing/longer.h"

namespace sinew {
namespace {

constexpr const char* kBases[] = {
    R"(<mujoco model="arm"><default><geom size=".1"/><default class="k"><geom rgba="1 0 0 1"/><joint damping="2"/></default></default>
      <asset><material name="m"/><texture name="t" type="2d" builtin="flat" width="4" height="4"/>
      <mesh name="s" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
      <worldbody><frame name="f" pos="1 0 0"><body name="a" childclass="k"><joint name="j"/><geom name="g"/>
      <site name="p"/><body name="b" pos="0 0 .3"><joint name="k" type="slide"/><geom name="h" type="mesh" mesh="s"/><site name="q"/></body>
      </body></frame><body name="c" pos="0 2 0"><freejoint name="r"/><geom name="i" material="m"/></body></worldbody>
      <contact><exclude name="e" body1="a" body2="c"/><pair name="u" geom1="g" geom2="i"/></contact>
      <tendon><fixed name="x"><joint joint="j" coef="1"/></fixed><spatial name="y"><site site="p"/><site site="q"/></spatial></tendon>
      <equality><joint name="v" joint1="j" joint2="k"/></equality><actuator><position name="w" joint="j" kp="3"/><motor tendon="x"/></actuator>
      <sensor><jointpos joint="j"/><framepos objtype="site" objname="q" reftype="body" refname="c"/><touch site="p"/></sensor>
      <keyframe><key name="z" qpos="1 0 0 0 1 1 0 0 0"/></keyframe></mujoco>)",
    R"(<mujoco model="cloth"><compiler angle="radian" meshdir="parts"/><extension><plugin plugin="mujoco.elasticity.cable"/></extension>
      <worldbody><body name="a" pos="0 0 1"><flexcomp name="x" type="grid" count="2 2 1" spacing=".1 .1 .1" radius=".01" mass="1">
      <edge equality="true"/></flexcomp></body><body name="o"><joint name="j" type="ball"/><geom name="g" type="capsule" size=".01 .1"/>
      <plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1"/></plugin><body name="b"><joint name="k"/>
      <geom size=".1"/></body></body></worldbody>
      <deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="o" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
      vertweight="1 1 1"/></skin></deformable><custom><numeric name="n" data="1 2"/><text name="t" data="x"/>
      <tuple name="u"><element objtype="body" objname="o"/></tuple></custom></mujoco>)",
    R"(<mujoco model="fused"><compiler fusestatic="true" settotalmass="3"/><worldbody><body name="a"><freejoint align="true"/>
      <geom name="g" size=".1" pos=".1 0 0"/></body><body name="b"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="c"><geom name="h" size=".1"/><body name="d" pos="0 1 0"><joint name="k"/><geom size=".2"/></body></body></body></worldbody>
      <keyframe><key/><key name="z" qvel="1 2 3 4 5 6 7 8"/></keyframe></mujoco>)"};

constexpr mjtObj kKinds[] = {mjOBJ_BODY,    mjOBJ_JOINT,   mjOBJ_GEOM,     mjOBJ_SITE,   mjOBJ_CAMERA,   mjOBJ_LIGHT,
                             mjOBJ_FLEX,    mjOBJ_MESH,    mjOBJ_SKIN,     mjOBJ_HFIELD, mjOBJ_TEXTURE,  mjOBJ_MATERIAL,
                             mjOBJ_PAIR,    mjOBJ_EXCLUDE, mjOBJ_EQUALITY, mjOBJ_TENDON, mjOBJ_ACTUATOR, mjOBJ_SENSOR,
                             mjOBJ_NUMERIC, mjOBJ_TEXT,    mjOBJ_TUPLE,    mjOBJ_KEY,    mjOBJ_PLUGIN,   mjOBJ_FRAME};

class Sequence {
 public:
  explicit Sequence(unsigned seed) : chance_(seed), spec_(Parse()) {
    mju_user_error = [](const char*) { ++errors; };
    mju_user_warning = [](const char*) {};
  }
  ~Sequence() {
    mj_deleteData(d_);
    mj_deleteModel(m_);
    for (mjSpec* child : children_) mj_deleteSpec(child);
    mj_deleteSpec(spec_);
    mju_user_error = mju_user_warning = nullptr;
  }
  Sequence(const Sequence&) = delete;

  void Run() {
    using Edit = void (Sequence::*)();
    static constexpr Edit kEdits[] = {&Sequence::AddToTree,   &Sequence::AddToTree, &Sequence::AddRelation,
                                      &Sequence::AddRelation, &Sequence::AddAsset,  &Sequence::Delete,
                                      &Sequence::Delete,      &Sequence::Attach,    &Sequence::Attach,
                                      &Sequence::ToFrame,     &Sequence::CopyAll,   &Sequence::Rename,
                                      &Sequence::Compile,     &Sequence::Compile,   &Sequence::Recompile,
                                      &Sequence::CopyBack,    &Sequence::Save,      &Sequence::SetClass};
    const int length = Below(25) + 5;
    for (int i = 0; i < length; ++i) (this->*kEdits[Below(std::size(kEdits))])();
    Compile();
    Save();
  }

  static inline int errors = 0;

 private:
  // Who refuses says why.
  static void ExpectText(const char* text) { EXPECT_STRNE(text, ""); }

  // ---- choices

  int Below(size_t count) { return static_cast<int>(chance_() % count); }
  bool Maybe(double part) { return std::uniform_real_distribution<>()(chance_) < part; }
  double Number() { return std::uniform_real_distribution<>(-1, 1)(chance_); }
  mjSpec* Parse() { return mj_parseXMLString(kBases[Below(std::size(kBases))], nullptr, nullptr, 0); }
  std::string Letter() { return std::string(1, static_cast<char>('a' + Below(26))); }

  std::vector<mjsElement*> All(mjSpec* spec, mjtObj kind) {
    std::vector<mjsElement*> found;
    for (mjsElement* e = mjs_firstElement(spec, kind); e; e = mjs_nextElement(spec, e)) found.push_back(e);
    return found;
  }
  mjsElement* Any(mjSpec* spec, mjtObj kind) {
    const auto found = All(spec, kind);
    return found.empty() ? nullptr : found[static_cast<size_t>(Below(found.size()))];
  }
  mjsBody* AnyBody() {
    mjsElement* body = Maybe(0.2) ? nullptr : Any(spec_, mjOBJ_BODY);
    return body ? mjs_asBody(body) : mjs_findBody(spec_, "world");
  }
  // A name of an element, or one that nothing has.
  std::string NameOf(mjtObj kind) {
    mjsElement* element = Maybe(0.9) ? Any(spec_, kind) : nullptr;
    return element ? mjs_getString(mjs_getName(element)) : Letter();
  }

  // ---- edits

  void AddToTree() {
    mjsBody* body = AnyBody();
    mjsElement* added = nullptr;
    switch (Below(6)) {
      case 0: {
        mjsBody* child = mjs_addBody(body, nullptr);
        child->pos[0] = Number();
        if (Maybe(0.3)) child->mass = 1;
        if (Maybe(0.3)) child->inertia[0] = child->inertia[1] = child->inertia[2] = 1;
        added = child->element;
        break;
      }
      case 1: {
        mjsJoint* joint = mjs_addJoint(body, nullptr);
        joint->type = static_cast<mjtJoint>(Below(4));
        added = joint->element;
        break;
      }
      case 2: {
        mjsGeom* geom = mjs_addGeom(body, nullptr);
        geom->size[0] = 0.1;
        geom->pos[1] = Number();
        if (Maybe(0.3)) mjs_setString(geom->material, NameOf(mjOBJ_MATERIAL).c_str());
        added = geom->element;
        break;
      }
      case 3:
        added = mjs_addSite(body, nullptr)->element;
        break;
      case 4:
        added = mjs_addCamera(body, nullptr)->element;
        break;
      default: {
        mjsFrame* frame = mjs_addFrame(body, nullptr);
        frame->pos[2] = Number();
        added = frame->element;
      }
    }
    if (Maybe(0.6)) mjs_setName(added, Letter().c_str());
    if (mjsElement* frame = Maybe(0.3) ? Any(spec_, mjOBJ_FRAME) : nullptr) mjs_setFrame(added, mjs_asFrame(frame));
  }

  void AddRelation() {
    switch (Below(8)) {
      case 0: {
        mjsPair* pair = mjs_addPair(spec_, nullptr);
        mjs_setString(pair->geomname1, NameOf(mjOBJ_GEOM).c_str());
        mjs_setString(pair->geomname2, NameOf(mjOBJ_GEOM).c_str());
        break;
      }
      case 1: {
        mjsEquality* equality = mjs_addEquality(spec_, nullptr);
        equality->type = Maybe(0.5) ? mjEQ_WELD : mjEQ_CONNECT;
        equality->objtype = mjOBJ_BODY;
        mjs_setString(equality->name1, NameOf(mjOBJ_BODY).c_str());
        break;
      }
      case 2: {
        mjsTendon* tendon = mjs_addTendon(spec_, nullptr);
        for (int i = 0; i < 2; ++i) mjs_wrapSite(tendon, NameOf(mjOBJ_SITE).c_str());
        break;
      }
      case 3: {
        mjsActuator* actuator = mjs_addActuator(spec_, nullptr);
        actuator->trntype = mjTRN_JOINT;
        mjs_setString(actuator->target, NameOf(mjOBJ_JOINT).c_str());
        break;
      }
      case 4: {
        mjsSensor* sensor = mjs_addSensor(spec_);
        sensor->type = mjSENS_FRAMEPOS;
        sensor->objtype = mjOBJ_BODY;
        mjs_setString(sensor->objname, NameOf(mjOBJ_BODY).c_str());
        break;
      }
      case 5: {
        mjsTuple* tuple = mjs_addTuple(spec_);
        const int type = mjOBJ_BODY;
        const double number = Number();
        mjs_setInt(tuple->objtype, &type, 1);
        mjs_appendString(tuple->objname, NameOf(mjOBJ_BODY).c_str());
        if (Maybe(0.8)) mjs_setDouble(tuple->objprm, &number, 1);
        mjs_setName(tuple->element, Letter().c_str());
        break;
      }
      case 6: {
        mjsSkin* skin = mjs_addSkin(spec_);
        mjs_appendString(skin->bodyname, NameOf(mjOBJ_BODY).c_str());
        break;
      }
      default: {
        mjsKey* key = mjs_addKey(spec_);
        const double numbers[2] = {Number(), Number()};
        mjs_setDouble(key->qvel, numbers, Below(3));
      }
    }
  }

  void AddAsset() {
    switch (Below(4)) {
      case 0:
        mjs_setName(mjs_addMaterial(spec_, nullptr)->element, Letter().c_str());
        break;
      case 1: {
        mjsMesh* mesh = mjs_addMesh(spec_, nullptr);
        double params[1] = {2};
        mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, params, 1);
        mjs_setName(mesh->element, Letter().c_str());
        break;
      }
      case 2: {
        mjsNumeric* numeric = mjs_addNumeric(spec_);
        const double numbers[3] = {Number(), Number(), Number()};
        mjs_setDouble(numeric->data, numbers, Below(4));
        mjs_setName(numeric->element, Letter().c_str());
        break;
      }
      default:
        mjs_addDefault(spec_, Letter().c_str(), nullptr);
    }
  }

  void Delete() {
    mjsElement* element = Any(spec_, kKinds[Below(std::size(kKinds))]);
    if (element && mjs_delete(spec_, element) != 0) ExpectText(mjs_getError(spec_));
  }

  // A part of a model of its own, or of one that was attached before, or of this one.
  void Attach() {
    mjSpec* child = Maybe(0.15) ? spec_ : nullptr;
    if (!child && Maybe(0.3) && !children_.empty()) child = children_[static_cast<size_t>(Below(children_.size()))];
    if (!child) children_.push_back(child = Parse());
    mjs_setDeepCopy(spec_, Maybe(0.5));
    mjsElement* part = Any(child, Maybe(0.7) ? mjOBJ_BODY : mjOBJ_FRAME);
    mjsElement* place = Maybe(0.6) ? mjs_addFrame(AnyBody(), nullptr)->element : Any(spec_, mjOBJ_SITE);
    if (!part || !place) return;
    const std::string prefix = Maybe(0.8) ? Letter() + "_" : "";
    if (!mjs_attach(place, part, prefix.c_str(), "")) ExpectText(mjs_getError(spec_));
  }

  void ToFrame() {
    mjsElement* element = Any(spec_, mjOBJ_BODY);
    mjsBody* body = element ? mjs_asBody(element) : nullptr;
    if (body && !mjs_bodyToFrame(&body)) ExpectText(mjs_getError(spec_));
  }

  void CopyAll() {
    mjSpec* copy = mj_copySpec(spec_);
    ASSERT_NE(copy, nullptr);
    if (Maybe(0.5)) return mj_deleteSpec(copy);
    Forget();
    children_.push_back(spec_);
    spec_ = copy;
  }

  void Rename() {
    mjsElement* element = Any(spec_, kKinds[Below(std::size(kKinds))]);
    // other edits find the world by its name
    if (element && *mjs_getName(element) != "world") mjs_setName(element, Letter().c_str());
  }

  void SetClass() {
    mjsElement* element = Any(spec_, Maybe(0.5) ? mjOBJ_GEOM : mjOBJ_JOINT);
    if (element) mjs_setDefault(element, Maybe(0.5) ? mjs_findDefault(spec_, "k") : mjs_getSpecDefault(spec_));
  }

  // ---- what is made of it

  void Forget() {
    mj_deleteData(d_);
    mj_deleteModel(m_);
    d_ = nullptr;
    m_ = nullptr;
  }

  void Compile() {
    Forget();
    m_ = mj_compile(spec_, nullptr);
    if (!m_) return ExpectText(mjs_getError(spec_));
    d_ = mj_makeData(m_);
    if (!d_) return;
    for (int i = 0; i < 3; ++i) mj_step(m_, d_);
  }

  void Recompile() {
    if (!m_ || !d_) return;
    if (mj_recompile(spec_, nullptr, m_, d_) != 0) return ExpectText(mjs_getError(spec_));
    mj_step(m_, d_);
  }

  void CopyBack() {
    if (m_) mj_copyBack(spec_, m_);
  }

  // What is saved of a compiled model compiles to the same one.
  void Save() {
    std::vector<char> text(1 << 20);
    char error[1000] = "";
    mjcf::SetXmlPrecision(17);
    const int failed = mj_saveXMLString(spec_, text.data(), static_cast<int>(text.size()), error, sizeof error);
    mjcf::SetXmlPrecision(6);
    if (failed) return ExpectText(error);
    mjModel* m = mj_compile(spec_, nullptr);
    if (!m) return;  // edited since, and no longer legal
    mjSpec* again = mj_parseXMLString(text.data(), nullptr, error, sizeof error);
    mjModel* of_file = again ? mj_compile(again, nullptr) : nullptr;
    EXPECT_NE(of_file, nullptr) << error << (again ? mjs_getError(again) : "") << "\n" << text.data();
    if (of_file) ExpectSame(*m, *of_file, text.data());
    mj_deleteModel(of_file);
    mj_deleteSpec(again);
    mj_deleteModel(m);
  }

  static void ExpectSame(const mjModel& a, const mjModel& b, const char* text) {
    ASSERT_TRUE(a.nq == b.nq && a.nbody == b.nbody && a.ngeom == b.ngeom && a.nu == b.nu && a.nsensor == b.nsensor &&
                a.ntendon == b.ntendon && a.neq == b.neq && a.nkey == b.nkey && a.nmesh == b.nmesh &&
                a.nskin == b.nskin && a.npair == b.npair)
        << text;
    // Orientations and angles are written as quaternions and radians, with 17 digits.
    constexpr double kRounding = 1e-9;
    const auto expect_near = [&](const mjtNum* x, const mjtNum* y, mjtSize count, const char* what) {
      for (mjtSize i = 0; i < count; ++i) {
        ASSERT_NEAR(x[i], y[i], kRounding * std::fmax(1, std::fabs(x[i]))) << what << " " << i << "\n" << text;
      }
    };
    expect_near(a.qpos0, b.qpos0, a.nq, "qpos0");
    expect_near(a.body_mass, b.body_mass, a.nbody, "body_mass");
    expect_near(a.body_pos, b.body_pos, 3 * a.nbody, "body_pos");
    expect_near(a.body_inertia, b.body_inertia, 3 * a.nbody, "body_inertia");
    expect_near(a.geom_pos, b.geom_pos, 3 * a.ngeom, "geom_pos");
    expect_near(a.geom_size, b.geom_size, 3 * a.ngeom, "geom_size");
    expect_near(a.dof_damping, b.dof_damping, a.nv, "dof_damping");
    expect_near(a.dof_M0, b.dof_M0, a.nv, "dof_M0");
    expect_near(a.key_qpos, b.key_qpos, a.nkey * a.nq, "key_qpos");
    expect_near(a.key_ctrl, b.key_ctrl, a.nkey * a.nu, "key_ctrl");
  }

  std::mt19937 chance_;
  mjSpec* spec_;
  std::vector<mjSpec*> children_;
  mjModel* m_ = nullptr;
  mjData* d_ = nullptr;
};

TEST(SpecEdits, OfAnyOrderEndWell) {
  const int first = CountOr("SINEW_EDIT_SEED", 0), count = CountOr("SINEW_EDIT_SEQUENCES", 300);
  for (int seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("sequence " + std::to_string(seed));
    Sequence(static_cast<unsigned>(seed)).Run();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sinew
