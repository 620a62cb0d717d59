// Binary models with thousands of random damages: each is refused, or can be loaded and simulated, and loading takes
// memory in proportion to the file. The sanitizers judge what is read and written on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "core/error.h"
#include "model/files/mjb.h"
#include "model/files/validate.h"
#include "model/storage/data.h"
#include "model/view/fields.h"
#include "read/read_xml.h"
#include "step/step.h"
#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

// Shapes, paths, transmissions and objects of many kinds, in contact from the start.
constexpr char kWorkshop[] = R"(
  <mujoco model="workshop">
    <option cone="elliptic" integrator="implicitfast"/>
    <asset>
      <texture name="grid" type="2d" builtin="checker" width="8" height="8" rgb1="0 0 0" rgb2="1 1 1"/>
      <material name="tiles" texture="grid"/>
      <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2  .2 .2 0"/>
      <hfield name="hills" nrow="3" ncol="3" size="2 2 .1 .1" elevation="0 1 0  1 0 1  0 1 0"/>
    </asset>
    <worldbody>
      <geom type="hfield" hfield="hills" material="tiles"/>
      <site name="hook" pos="0 .5 1"/>
      <light pos="0 0 3" mode="targetbody" target="wedge"/>
      <body name="hand" mocap="true" pos="1 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
      <body name="wedge" pos="0 0 .15"><freejoint/><geom name="wedge" type="mesh" mesh="wedge"/></body>
      <body name="disc" pos=".5 0 .15">
        <freejoint/><geom name="disc" type="cylinder" size=".1 .05"/>
        <body name="arm" pos="0 0 .1">
          <joint name="shoulder" axis="0 1 0" range="-1 1" limited="true" damping=".1" frictionloss=".1"/>
          <geom name="bone" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
          <site name="wrist" pos=".3 0 0"/>
          <camera name="eye" pos="0 0 .2" resolution="2 2"/>
          <body pos=".3 0 0"><joint name="twist" type="ball"/><geom name="tip" type="ellipsoid" size=".05 .04 .03"/></body>
        </body>
      </body>
    </worldbody>
    <contact><pair geom1="wedge" geom2="bone" condim="6"/><exclude body1="wedge" body2="disc"/></contact>
    <equality>
      <connect body1="arm" body2="wedge" anchor="0 0 0"/><weld body1="hand" body2="disc"/>
      <joint joint1="shoulder" polycoef="0 1 0 0 0"/>
    </equality>
    <tendon>
      <spatial name="rope" range="0 1" limited="true"><site site="hook"/><geom geom="disc" sidesite="hook"/><site site="wrist"/></spatial>
      <fixed name="sum"><joint joint="shoulder" coef="2"/></fixed>
    </tendon>
    <actuator>
      <muscle tendon="rope" lengthrange="0 2"/><position joint="shoulder" kp="5" delay=".004" nsample="3"/>
      <intvelocity joint="shoulder" kp="3" actrange="-1 1"/><motor site="wrist" refsite="hook" gear="1 0 0 0 0 0"/>
    </actuator>
    <sensor>
      <gyro site="wrist" delay=".004" nsample="4"/><rangefinder site="wrist"/><framepos objtype="geom" objname="tip"/>
      <contact geom1="wedge" num="2" data="force dist"/><distance geom1="tip" geom2="wedge" cutoff="1"/>
      <camprojection site="wrist" camera="eye"/><tendonpos tendon="rope"/><subtreecom body="disc"/><clock/>
    </sensor>
    <custom><numeric name="n" data="1 2"/><text name="t" data="text"/>
      <tuple name="u"><element objtype="body" objname="arm"/></tuple></custom>
    <keyframe><key name="start" time="1"/></keyframe>
  </mujoco>)";

// ---- memory

constexpr size_t kLargestBlock = size_t{1} << 26;
size_t allocated;

// Counts what is asked for; worlds larger than all that undamaged models need are refused, as on a small machine.
void* Allocate(size_t bytes) {
  allocated += bytes;
  return bytes <= kLargestBlock ? std::aligned_alloc(64, bytes) : nullptr;
}

// ---- damage

// A model needs no more than its file, and each array up to 64 bytes to begin on a cache line; mjModel itself is small.
constexpr size_t kConstant = sizeof(mjModel) + 64 * (std::size(kModelFields) + 2);

class Damager {
 public:
  Damager(const mjModel& m, unsigned seed) : good_(MjbSize(m)), random_(seed) {
    WriteMjb(m, good_.data(), good_.size());
    size_t begin = 0;
    const auto add = [&](size_t bytes) {
      if (bytes > 0) parts_.push_back({begin, bytes});
      begin += bytes;
    };
    add(5 * sizeof(int));
    for (size_t i = 0; i < std::size(kModelSizes); ++i) add(sizeof(mjtSize));
    add(sizeof(m.opt) + sizeof(m.vis) + sizeof(m.stat));
    for (const ModelArray& array : kModelFields) add(array.Bytes(m));
  }

  // A damaged file. Parts are as likely as each other: most of a file's bytes are assets, most of what can go wrong is
  // in the small arrays.
  std::vector<char> Next() {
    std::vector<char> file = good_;
    for (size_t count = 1 + Below(3); count > 0; --count) {
      const Part part = parts_[Below(4) == 0 ? OptionPart() : Below(parts_.size())];
      const size_t place = part.begin + Below(part.bytes);
      switch (Below(4)) {
        case 0:
          file[place] = static_cast<char>(random_());
          break;
        case 1:
          file[place] = static_cast<char>(file[place] ^ (1 << Below(8)));
          break;
        default:
          part.bytes % sizeof(mjtNum) == 0 && Below(2) == 0 ? Put(file, place, Number()) : Put(file, place, Integer());
      }
    }
    if (Below(20) == 0) file.resize(Below(2 * file.size()));
    return file;
  }

 private:
  struct Part {
    size_t begin, bytes;
  };

  size_t Below(size_t end) { return random_() % end; }
  size_t OptionPart() const { return 1 + std::size(kModelSizes); }

  int Integer() {
    constexpr int kEdges[] = {
        0, -1, 1, 2, -2, 255, 65536, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
    return Below(2) == 0 ? kEdges[Below(std::size(kEdges))] : static_cast<int>(Below(40)) - 4;
  }
  mjtNum Number() {
    constexpr mjtNum kInfinity = std::numeric_limits<mjtNum>::infinity();
    constexpr mjtNum kEdges[] = {0,     -1,        1e-300,     -1e10,
                                 1e300, kInfinity, -kInfinity, std::numeric_limits<mjtNum>::quiet_NaN()};
    return kEdges[Below(std::size(kEdges))];
  }

  // Writes a value where the element of its size begins that contains a place.
  template <class T>
  void Put(std::vector<char>& file, size_t place, T value) {
    const size_t begin = std::min(place / sizeof(T) * sizeof(T), file.size() - sizeof(T));
    std::memcpy(file.data() + begin, &value, sizeof(T));
  }

  std::vector<char> good_;
  std::vector<Part> parts_;
  std::mt19937 random_;
};

// ---- the trials

// Time is the model's own choice: what bounds it is no error of the file, but a test has to end.
void BoundTime(mjModel* m) {
  constexpr int kIterations = 20;
  for (int* limit : {&m->opt.iterations, &m->opt.ls_iterations, &m->opt.noslip_iterations, &m->opt.ccd_iterations,
                     &m->opt.sdf_iterations, &m->opt.sdf_initpoints}) {
    *limit = std::min(*limit, kIterations);
  }
}

class MjbDamageTest : public testing::Test {
 protected:
  void SetUp() override {
    mju_user_malloc = Allocate;
    mju_user_warning = [](const char*) {};
  }
  void TearDown() override {
    mju_user_malloc = nullptr;
    mju_user_warning = nullptr;
  }

  void Damage(const mjModel& good, int trials) {
    Damager damager(good, 1);
    int loaded = 0;
    for (int trial = 0; trial < trials; ++trial) loaded += Survives(damager.Next());
    // Both outcomes must be common, or the test would test little.
    EXPECT_GT(loaded, trials / 10);
    EXPECT_LT(loaded, trials * 9 / 10);
  }

  // Whether a file is accepted; then it is simulated.
  static bool Survives(const std::vector<char>& file) {
    allocated = 0;
    try {
      const ModelPtr m = ReadMjb(file.data(), file.size());
      EXPECT_LE(allocated, file.size() + kConstant);
      BoundTime(m.get());
      Simulate(*m);
      return true;
    } catch (const Error&) {
      EXPECT_LE(allocated, file.size() + kConstant);
      return false;
    }
  }

  static void Simulate(const mjModel& m) try {
    const DataPtr d(MakeData(m));
    for (int i = 0; i < 2; ++i) Step(&m, d.get());
  } catch (const Error&) {
    // A world that is too large for its arena or for the machine.
  }
};

ModelPtr FromFile(const std::string& name) { return Compile(*ReadXml(ModelsFile(name), nullptr), nullptr); }

TEST_F(MjbDamageTest, Humanoid) { Damage(*FromFile("humanoid.xml"), 3000); }
TEST_F(MjbDamageTest, Sensors) { Damage(*FromFile("sensors.xml"), 3000); }
TEST_F(MjbDamageTest, Flexes) { Damage(*FromFile("flex/cloth.xml"), 1000); }
TEST_F(MjbDamageTest, Shells) { Damage(*FromFile("flex/shells.xml"), 1000); }
TEST_F(MjbDamageTest, Workshop) { Damage(*Compile(*ReadXmlText(kWorkshop, "workshop.xml", nullptr), nullptr), 3000); }

// A row that reaches over its neighbours stays inside the array, but names a dof twice: constraints have no room for
// it.
TEST_F(MjbDamageTest, RowsOfFlexesThatAreTooLong) {
  const ModelPtr m = FromFile("flex/shells.xml");
  const auto expect_refused = [&](int* rownnz, const int* rowadr, int rows, mjtSize size, const char* array) {
    const int row = static_cast<int>(std::find_if(rownnz, rownnz + rows, [](int n) { return n > 0; }) - rownnz);
    ASSERT_LT(row, rows) << array;
    const int good = rownnz[row];
    ASSERT_GT(size - rowadr[row], m->nv) << array;
    rownnz[row] = static_cast<int>(size) - rowadr[row];
    try {
      Validate(*m);
      ADD_FAILURE() << array;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(array), std::string::npos) << error.what();
    }
    rownnz[row] = good;
  };
  Validate(*m);
  expect_refused(m->flexvert_J_rownnz, m->flexvert_J_rowadr, 2 * static_cast<int>(m->nflexvert), m->nJfv,
                 "flexvert_J_colind");
  expect_refused(m->flexedge_J_rownnz, m->flexedge_J_rowadr, static_cast<int>(m->nflexedge), m->nJfe,
                 "flexedge_J_colind");
}

}  // namespace
}  // namespace sinew
