// Contacts of meshes by their triangles: those of convex meshes are the contacts of their hulls; edges of flat surfaces
// have none; hollow and flat meshes are what they are; files, packs and bad input.
#include "collision/triangles/triangle_contact.h"

#include <gtest/gtest.h>
#include <sinew/meshes.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "collision/convex/convex_pair.h"
#include "model/kinds/triangle_meshes.h"
#include "tests/support/mesh_text.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using testing::BlockMesh;
using testing::BlockWithHole;
using testing::FlatFloor;
using testing::MeshText;
using Vec = Vec3<double>;

std::string Asset(const std::string& name, const MeshText& mesh, const char* more = "collision='triangles'") {
  return "<mesh name='" + name + "' " + more + " " + mesh.Attributes() + "/>";
}

// Two bodies that float: a mesh of triangles, and something else.
World Pair(const std::string& assets, const std::string& geom,
           const std::string& base = "<geom type='mesh' mesh='base'/>") {
  return World(ModelFromText("<mujoco><asset>" + assets + "</asset><worldbody><body><freejoint/>" + base +
                             "</body><body><freejoint/>" + geom + "</body></worldbody></mujoco>"));
}

void Place(World& w, const Vec& pos, const double* quat) {
  StoreVec3(pos, w.d->qpos + 7);
  std::copy_n(quat, 4, w.d->qpos + 10);
  mj_normalizeQuat(w.m.get(), w.d->qpos);
  mj_kinematics(w.m.get(), w.d.get());
}

struct Contacts {
  mjContact list[mjMAXCONPAIR];
  int count;

  explicit Contacts(World& w, double margin = 0) {
    const bool in_order = w.m->geom_type[0] <= w.m->geom_type[1];
    count = CollideTriangles(w.m.get(), w.d.get(), list, in_order ? 0 : 1, in_order ? 1 : 0, margin);
  }
  const mjContact& Deepest() const {
    return *std::min_element(list, list + count, [](const auto& a, const auto& b) { return a.dist < b.dist; });
  }
};

// A block by its triangles is the box that it is: wherever that is in contact, as deep as the convex algorithms say.
TEST(TriangleContactTest, AConvexMeshIsItsHull) {
  const std::string base = Asset("base", BlockMesh(.1, .15, .2)) + Asset("hull", BlockMesh(.07, .05, .09), "");
  const struct {
    const char* geom;
    double tolerance;     // of the search for depths of curved shapes; an ellipsoid's distance is of first order
    double relative = 0;  // of the depth of a rim on an edge
  } cases[] = {{"<geom size='.06'/>", 1e-9},
               {"<geom type='capsule' size='.04 .08'/>", 1e-8},
               {"<geom type='box' size='.05 .06 .08'/>", 1e-9},
               {"<geom type='mesh' mesh='hull'/>", 1e-8},
               {"<geom type='cylinder' size='.05 .08'/>", 2e-6, .1},
               {"<geom type='ellipsoid' size='.05 .06 .07'/>", 2e-4}};
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.geom);
    World w = Pair(base, c.geom);
    w.m->opt.ccd_tolerance = 1e-10;
    w.m->opt.ccd_iterations = 200;
    int touching = 0;
    for (int i = 0; i < 2000; ++i) {
      const double quat[] = {normal(random), normal(random), normal(random), normal(random)};
      Place(w, {.15 * normal(random), .2 * normal(random), .25 * normal(random)}, quat);
      // boxes stand for the mesh in the search, whose hull it does not have
      ConvexContact exact;
      const bool in_order = w.m->geom_type[0] <= w.m->geom_type[1];
      const ConvexShape first(w.m.get(), w.d.get(), in_order ? 0 : 1), second(w.m.get(), w.d.get(), in_order ? 1 : 0);
      const bool touch = FindNearest(w.m->opt, first, second, 0, exact);
      if (touch && exact.point.dist < -.008) continue;  // a tenth of the size is the limit
      if (touch && exact.point.dist > -1e-5) continue;
      const Contacts found(w);
      ASSERT_EQ(found.count > 0, touch) << i << " " << (touch ? exact.point.dist : 0);
      if (!touch) continue;
      ++touching;
      // around an edge other directions may be local minima, too
      const auto is_exact = [&](const mjContact& contact) {
        return std::fabs(contact.dist - exact.point.dist) <= c.tolerance - c.relative * exact.point.dist &&
               Dot(LoadVec3(contact.frame), exact.point.normal) > 1 - 1e-3 - 10 * c.tolerance - .2 * c.relative;
      };
      EXPECT_TRUE(std::any_of(found.list, found.list + found.count, is_exact))
          << i << " " << exact.point.dist << " " << found.Deepest().dist;
    }
    EXPECT_GT(touching, 30);
  }
}

// A body on an edge of two flat triangles has no contact with the edge, and one on a hollow edge one with each face.
TEST(TriangleContactTest, FlatAndHollowEdgesHaveNoContactsOfTheirOwn) {
  MeshText valley;
  for (const double y : {-1.0, 1.0}) {
    valley.Vertex(-1, y, 1);
    valley.Vertex(0, y, 0);
    valley.Vertex(1, y, 1);
  }
  valley.Quad(0, 1, 4, 3);
  valley.Quad(1, 2, 5, 4);
  const char* kOpen = "inertia='shell' collision='triangles'";
  const double turned[] = {1, 0, 0, 0};
  World flat = Pair(Asset("base", FlatFloor(8, 1), kOpen), "<geom size='.1'/>");
  for (double x = -.5; x < .5; x += .01) {
    Place(flat, {x, .3 * x, .099}, turned);
    const Contacts found(flat);
    ASSERT_EQ(found.count, 1) << x;
    EXPECT_NEAR(found.list[0].dist, -.001, 1e-8);
    EXPECT_NEAR(std::fabs(found.list[0].frame[2]), 1, 1e-10);
  }
  World hollow = Pair(Asset("base", valley, kOpen), "<geom size='.1'/>");
  Place(hollow, {0, 0, .1 * std::sqrt(2.0) - .001}, turned);
  const Contacts two(hollow);
  ASSERT_EQ(two.count, 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(two.list[i].dist, -.001 / std::sqrt(2.0), 1e-7);
    EXPECT_NEAR(std::fabs(two.list[i].frame[0]), std::sqrt(.5), 1e-6);
  }
}

// What is in the hole of a block touches nothing until it comes to the wall, and what stands under a table has nothing
// to do with its top.
TEST(TriangleContactTest, HolesAreFreeAndSidesAreToldApart) {
  const std::string block = Asset("base", BlockWithHole(32, .05, .1, .04), "inertia='exact' collision='triangles'");
  const double straight[] = {1, 0, 0, 0};
  for (const char* geom :
       {"<geom size='.03'/>", "<geom type='cylinder' size='.03 .1'/>", "<geom type='capsule' size='.03 .1'/>",
        "<geom type='box' size='.03 .01 .1'/>", "<geom type='ellipsoid' size='.03 .03 .1'/>"}) {
    SCOPED_TRACE(geom);
    World w = Pair(block, geom);
    Place(w, {0, 0, 0}, straight);
    EXPECT_EQ(Contacts(w).count, 0);
    Place(w, {.0205, 0, 0}, straight);
    const Contacts found(w);
    ASSERT_GT(found.count, 0);
    for (int i = 0; i < found.count; ++i) EXPECT_LT(found.list[i].dist, 1e-9);
  }
  World table = Pair(Asset("base", BlockMesh(1, 1, .02)), "<geom type='box' size='.1 .1 .3'/>");
  Place(table, {0, 0, -.319}, straight);
  const Contacts below(table);
  ASSERT_EQ(below.count, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(below.list[i].dist, -.001, 1e-8);
    EXPECT_GT(below.list[i].frame[2], .999);  // from the box, which comes first, up to the table
  }
}

TEST(TriangleContactTest, TheDistanceOfGeomsIsThatOfTriangles) {
  World w = Pair(Asset("base", BlockWithHole(64, .05, .1, .04), "inertia='exact' collision='triangles'"),
                 "<geom size='.03'/>");
  const double straight[] = {1, 0, 0, 0};
  double fromto[6];
  Place(w, {.005, 0, 0}, straight);
  EXPECT_NEAR(mj_geomDistance(w.m.get(), w.d.get(), 0, 1, 1, fromto), .015, 1e-6);
  EXPECT_NEAR(fromto[0], .05, 1e-6);
  EXPECT_NEAR(fromto[3], .035, 1e-6);
  Place(w, {.022, 0, 0}, straight);
  EXPECT_NEAR(mj_geomDistance(w.m.get(), w.d.get(), 0, 1, 1, fromto), -.002, 1e-6);
  World two = Pair(Asset("base", BlockMesh(.1, .1, .1)) + Asset("other", BlockMesh(.05, .05, .05)),
                   "<geom type='mesh' mesh='other'/>");
  Place(two, {.3, 0, 0}, straight);
  EXPECT_NEAR(mj_geomDistance(two.m.get(), two.d.get(), 0, 1, 1, fromto), .15, 1e-7);
  EXPECT_EQ(mj_geomDistance(two.m.get(), two.d.get(), 0, 1, .1, nullptr), .1);
}

// ---- files

constexpr char kFile[] =
    R"(<mujoco><default><mesh collision="triangles"/><default class="plain"><mesh collision="hull"/></default></default>
<asset><mesh name="a" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="b" class="plain" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
<mesh name="c" class="plain" collision="triangles" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/><geom type="mesh" mesh="c"/></worldbody></mujoco>)";

std::vector<bool> Words(const mjModel* m) {
  const TriangleMeshes triangles(m);
  return {triangles.HasMesh(0), triangles.HasMesh(1), triangles.HasMesh(2)};
}

// A contact of a program's own, at a depth that no other function finds.
int OwnContact(const mjModel*, mjData*, mjContact* con, int, int, mjtNum) {
  std::memset(con, 0, sizeof(*con));
  con->dist = -0.0625;
  con->frame[2] = 1;
  return 1;
}

TEST(TriangleContactTest, AFunctionOfTheProgramGoesBefore) {
  World w = Pair(Asset("base", BlockMesh(0.2, 0.2, 0.2)), "<geom type='box' size='.1 .1 .1'/>");
  mjfCollision& function = mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH];
  const mjfCollision before = function;
  function = OwnContact;
  mj_forward(w.m.get(), w.d.get());
  const double distance = mj_geomDistance(w.m.get(), w.d.get(), 0, 1, 1, nullptr);
  function = before;
  ASSERT_EQ(w.d->ncon, 1);
  EXPECT_EQ(w.d->contact[0].dist, -0.0625);
  EXPECT_EQ(distance, -0.0625);
}

TEST(TriangleContactTest, FilesSayWhichMeshesDo) {
  const std::vector<bool> expected = {true, false, true};
  const ModelPtr m = ModelFromText(kFile);
  EXPECT_EQ(Words(m.get()), expected);
  const World block = Pair(Asset("base", BlockMesh(1, 1, 1)), "<geom size='1'/>");
  EXPECT_EQ(block.m->mesh_graphadr[0], -1);  // no hull is made

  const SpecPtr spec([] {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "t.xml", kFile, sizeof(kFile) - 1);
    char error[500] = "";
    mjSpec* s = mj_parseXML("t.xml", &vfs, error, sizeof(error));
    mj_deleteVFS(&vfs);
    return s;
  }());
  const ModelPtr compiled(mj_compile(spec.get(), nullptr));
  char text[10000] = "", error[500] = "";
  ASSERT_EQ(mj_saveXMLString(spec.get(), text, sizeof(text), error, sizeof(error)), 0) << error;
  EXPECT_EQ(Words(ModelFromText(text).get()), expected) << text;

  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(m.get())));
  mj_saveModel(m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "t.mjb", bytes.data(), static_cast<int>(bytes.size()));
  const ModelPtr loaded(mj_loadModel("t.mjb", &vfs));
  mj_deleteVFS(&vfs);
  EXPECT_EQ(Words(loaded.get()), expected);

  auto* b = mjs_asMesh(mjs_findElement(spec.get(), mjOBJ_MESH, "b"));
  ASSERT_NE(sinew_meshCollision(b), nullptr);
  EXPECT_EQ(*sinew_meshCollision(b), 0);
  *sinew_meshCollision(b) = 1;
  const ModelPtr changed(mj_compile(spec.get(), nullptr));
  EXPECT_EQ(Words(changed.get()), std::vector<bool>({true, true, true}));
  EXPECT_EQ(sinew_meshCollision(nullptr), nullptr);
}

TEST(TriangleContactTest, BadWordsAreRefused) {
  const auto error_of = [](const std::string& mesh) {
    try {
      ModelFromText("<mujoco><asset>" + mesh + "</asset><worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>");
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string flat = "vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2'";
  EXPECT_NE(error_of("<mesh name='a' collision='faces' " + flat + "/>").find("collision"), std::string::npos);
  EXPECT_NE(error_of("<mesh name='a' collision='triangles' convex='decompose' " + flat + "/>").find("decomposed"),
            std::string::npos);
  EXPECT_NE(error_of("<mesh name='a' collision='triangles' " + flat + "/>").find("shell"), std::string::npos);
  EXPECT_EQ(error_of("<mesh name='a' collision='triangles' inertia='shell' " + flat + "/>"), "");
}

// Bad surfaces have finite contacts, in bounded time.
TEST(TriangleContactTest, BadSurfacesAreTakenAsTheyAre) {
  MeshText open = BlockMesh(.1, .1, .1), crossed = BlockMesh(.1, .1, .1), folded = BlockMesh(.1, .1, .1);
  for (const double shift : {.05, .12}) {  // blocks in one another
    const int first = crossed.Vertex(shift, shift, shift);
    crossed.Vertex(shift + .1, shift, shift);
    crossed.Vertex(shift, shift + .1, shift);
    crossed.Vertex(shift, shift, shift + .1);
    crossed.Face(first, first + 2, first + 1);
    crossed.Face(first, first + 1, first + 3);
    crossed.Face(first + 1, first + 2, first + 3);
  }
  folded.Face(0, 1, 2);  // a third face on an edge, one without area, one turned around
  folded.Face(4, 4, 5);
  folded.Face(0, 1, 0);
  folded.Face(7, 6, 5);
  open.Vertex(.3, .3, .3);
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (const MeshText* mesh : {&open, &crossed, &folded}) {
    for (const char* geom :
         {"<geom size='.06'/>", "<geom type='box' size='.05 .06 .08'/>", "<geom type='mesh' mesh='base'/>"}) {
      World w = Pair(Asset("base", *mesh, "inertia='shell' collision='triangles'"), geom);
      for (int i = 0; i < 300; ++i) {
        const double quat[] = {normal(random), normal(random), normal(random), normal(random)};
        Place(w, {.1 * normal(random), .1 * normal(random), .1 * normal(random)}, quat);
        const Contacts found(w, i % 2 ? .01 : 0);
        ASSERT_LE(found.count, mjMAXCONPAIR);
        for (int k = 0; k < found.count; ++k) {
          ASSERT_TRUE(std::isfinite(found.list[k].dist));
          ASSERT_NEAR(Norm(LoadVec3(found.list[k].frame)), 1, 1e-9);
        }
      }
    }
  }
}

TEST(TriangleContactTest, AMillionTrianglesCompileInBoundedTime) {
  const SpecPtr spec(mj_makeSpec());
  mjsMesh* mesh = mjs_addMesh(spec.get(), nullptr);
  mjs_setName(mesh->element, "hills");
  *sinew_meshCollision(mesh) = 1;
  mesh->inertia = mjMESH_INERTIA_SHELL;
  constexpr int kSide = 708;  // twice its square is a million
  std::vector<float> vertices;
  std::vector<int> faces;
  for (int i = 0; i <= kSide; ++i) {
    for (int k = 0; k <= kSide; ++k) {
      const float x = .02f * static_cast<float>(i), y = .02f * static_cast<float>(k);
      vertices.insert(vertices.end(), {x, y, .1f * std::sin(3 * x) * std::sin(2 * y)});
    }
  }
  for (int i = 0; i < kSide; ++i) {
    for (int k = 0; k < kSide; ++k) {
      const int a = i * (kSide + 1) + k, b = a + kSide + 1;
      faces.insert(faces.end(), {a, b, b + 1, a, b + 1, a + 1});
    }
  }
  mjs_setFloat(mesh->uservert, vertices.data(), static_cast<int>(vertices.size()));
  mjs_setInt(mesh->userface, faces.data(), static_cast<int>(faces.size()));
  mjsBody* world = mjs_findBody(spec.get(), "world");
  mjsGeom* ground = mjs_addGeom(world, nullptr);
  ground->type = mjGEOM_MESH;
  mjs_setString(ground->meshname, "hills");
  mjsBody* body = mjs_addBody(world, nullptr);
  mjs_addFreeJoint(body);
  body->pos[0] = body->pos[1] = 7;
  body->pos[2] = .3;
  mjs_addGeom(body, nullptr)->size[0] = .1;
  const auto start = std::chrono::steady_clock::now();
  ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_NE(m, nullptr) << mjs_getError(spec.get());
  World w(std::move(m));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 120);  // 10 s alone
  while (w.d->time < .5) mj_step(w.m.get(), w.d.get());
  EXPECT_GT(w.d->qpos[2], -.1);  // it lies on the hills
}

// No step allocates, and a world without room for contacts says so.
TEST(TriangleContactTest, AWorldWithoutRoomWarns) {
  World w(ModelFromText("<mujoco><size memory='20K'/><asset>" + Asset("base", BlockMesh(1, 1, .1)) +
                        "</asset><worldbody><geom type='mesh' mesh='base'/><body pos='0 0 .19'><freejoint/><geom "
                        "type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  EXPECT_TRUE(w.d->warning[mjWARN_CONTACTFULL].number > 0 || w.d->ncon == 4);
}

}  // namespace
}  // namespace sinew
