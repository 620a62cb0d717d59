// Mesh files of formats that a program brings.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/codecs.h"
#include "core/vfs.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

// Files of this format hold the edge of a tetrahedron as one digit.
mjSpec* DecodeTetrahedron(mjResource* resource, const mjVFS*) {
  const void* bytes = nullptr;
  if (mju_readResource(resource, &bytes) != 1) return nullptr;
  const auto edge = static_cast<float>(*static_cast<const char*>(bytes) - '0');
  mjSpec* spec = mj_makeSpec();
  if (edge == 0) return spec;
  const float vertices[] = {0, 0, 0, edge, 0, 0, 0, edge, 0, 0, 0, edge};
  for (const char* name : {"first", "second"}) {
    mjsMesh* mesh = mjs_addMesh(spec, nullptr);
    mjs_setName(mesh->element, name);
    mjs_setFloat(mesh->uservert, vertices, 12);
    mesh->scale[0] = mesh->refpos[0] = 7;
  }
  return spec;
}

class MeshDecoderTest : public testing::Test {
 protected:
  MeshDecoderTest() {
    vfs.impl_ = &files;
    RegisterDecoder({"model/tetra", ".tet", [](const mjResource*) { return 1; }, DecodeTetrahedron});
  }

  ModelPtr Load(const std::string& attributes) {
    const auto spec = ReadXmlText("<mujoco><asset><mesh name='m' " + attributes +
                                      "/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>",
                                  "test.xml", &vfs);
    return Compile(*spec, &vfs);
  }
  std::string LoadError(const std::string& attributes) {
    try {
      Load(attributes);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Vfs files;
  mjVFS vfs = {};
};

TEST_F(MeshDecoderTest, TheFirstMeshIsTaken) {
  files.AddBuffer("a.tet", {'2'});
  const ModelPtr m = Load("file='a.tet' scale='3 1 1'");
  EXPECT_EQ(m->nmesh, 1);
  EXPECT_EQ(m->mesh_vertnum[0], 4);
  EXPECT_STREQ(mj_id2name(m.get(), mjOBJ_MESH, 0), "m");
  EXPECT_EQ(m->mesh_scale[0], 3) << "the element's own, not the decoder's";
  EXPECT_NEAR(m->mesh_pos[0], 3 * 2.0 / 4, 1e-12) << "centroid of the tetrahedron";
}

TEST_F(MeshDecoderTest, TheMediaTypeComesBeforeTheExtension) {
  files.AddBuffer("b.stl", {'1'});
  files.AddBuffer("b.txt", {'1'});
  EXPECT_EQ(Load("file='b.stl' content_type='model/tetra'")->mesh_vertnum[0], 4);
  EXPECT_EQ(Load("file='b.txt' content_type='model/tetra'")->mesh_vertnum[0], 4);
  EXPECT_NE(LoadError("file='b.stl'"), "");
}

TEST_F(MeshDecoderTest, FaultsNameTheFile) {
  files.AddBuffer("long.tet", {'1', '2'});
  files.AddBuffer("empty.tet", {'0'});
  files.AddBuffer("c.unknown", {'1'});
  EXPECT_NE(LoadError("file='long.tet'").find("the decoder of 'long.tet' failed"), std::string::npos);
  EXPECT_NE(LoadError("file='empty.tet'").find("no mesh in the file"), std::string::npos);
  EXPECT_NE(LoadError("file='c.unknown'").find("no decoder found for mesh file 'c.unknown'"), std::string::npos);
  EXPECT_NE(LoadError("file='missing.tet'").find("cannot open the file"), std::string::npos);
}

}  // namespace
}  // namespace sinew
