// Reads the section asset: meshes, height fields, textures, materials, skins, and models for attaching. Files are only
// named here; they are read at compilation.
#include <string>
#include <vector>

#include "assets/builtin_mesh.h"
#include "core/load_limits.h"
#include "mjcf/read/sections.h"

namespace sinew::mjcf {
namespace {

// A builtin mesh is made at once, because its parameters have no field in the specification.
void ReadMesh(Context& context, ElementReader& reader) {
  Mesh& mesh = AddElement<Mesh>(context, reader);
  reader.ReadFields(static_cast<mjsMesh*>(&mesh));
  LocateFile(context, mesh, *mesh.compiler().meshdir, mesh.file);
  const auto builtin = reader.Keyword("builtin");
  const auto params = reader.Reals("params");
  if (builtin && !mesh.uservert->empty()) {
    reader.Fail("a builtin mesh has vertices of its own", "remove the attribute 'builtin' or 'vertex'");
  } else if (builtin) {
    try {
      SetBuiltinMesh(static_cast<mjtMeshBuiltin>(*builtin), params.value_or(std::vector<double>()), &mesh);
    } catch (const Error& error) {
      reader.Fail(error.problem(), error.remedy());
    }
  }
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode&) {
    ReadPluginUse(context, child, &mesh.plugin);
    child.Finish();
  });
  ReadMeshCollision(reader, &mesh.collision);
  ReadDecomposition(context, reader, mesh);
}

// Rows of the text run from the largest y down, rows of the field from the smallest up.
void ReadElevation(ElementReader& reader, mjsHField* hfield) {
  const auto elevation = reader.Reals("elevation");
  const std::size_t rows = static_cast<std::size_t>(std::max(hfield->nrow, 0));
  const std::size_t columns = static_cast<std::size_t>(std::max(hfield->ncol, 0));
  if (rows * columns > HField::kMaxPoints) {
    reader.Fail(
        "the height field of " + std::to_string(rows) + " by " + std::to_string(columns) + " points is too large",
        "reduce nrow or ncol");
    return;
  }
  try {
    KeepLoadMemory(HoldLoadMemory(static_cast<double>(sizeof(float) * rows * columns), "the height field"));
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
    return;
  }
  // Without a file the field is flat until somebody fills it.
  if (hfield->file->empty()) hfield->userdata->assign(rows * columns, 0);
  if (!elevation || rows * columns == 0) return;
  if (elevation->size() != rows * columns) {
    reader.Fail("attribute 'elevation' has " + std::to_string(elevation->size()) + " numbers",
                "it takes nrow times ncol: " + std::to_string(rows * columns));
    return;
  }
  hfield->userdata->resize(rows * columns);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const std::size_t row = rows - 1 - i / columns;
    (*hfield->userdata)[row * columns + i % columns] = static_cast<float>((*elevation)[i]);
  }
}

// The letters of a grid layout say which side of the cube each cell of an image shows; a dot is an empty cell.
void ReadGridLayout(ElementReader& reader, mjsTexture* texture) {
  const auto layout = reader.String("gridlayout");
  if (!layout) return;
  const std::int64_t cells = std::int64_t{texture->gridsize[0]} * texture->gridsize[1];
  if (layout->size() > std::size(texture->gridlayout)) {
    reader.Fail("attribute 'gridlayout' has " + std::to_string(layout->size()) + " letters", "it has 12 at most");
  } else if (static_cast<std::int64_t>(layout->size()) != cells) {
    reader.Fail("attribute 'gridlayout' has " + std::to_string(layout->size()) + " letters",
                "gridsize asks for " + std::to_string(cells));
  } else {
    layout->copy(texture->gridlayout, layout->size());
  }
}

// A texture has one file, or six for a cube, or none when it is drawn or given by a program.
void ReadTexture(Context& context, ElementReader& reader) {
  // These follow the order of the faces of a cube.
  static constexpr const char* kFaces[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  Texture& texture = AddElement<Texture>(context, reader);
  reader.ReadFields(static_cast<mjsTexture*>(&texture));
  LocateFile(context, texture, *texture.compiler().texturedir, texture.file);
  ReadGridLayout(reader, &texture);
  for (std::size_t i = 0; i < std::size(kFaces); ++i) {
    std::string& file = (*texture.cubefiles)[i];
    file = reader.String(kFaces[i]).value_or("");
    LocateFile(context, texture, *texture.compiler().texturedir, &file);
  }
}

// Bones are parallel lists of the specification.
void ReadBone(ElementReader& reader, mjsSkin* skin) {
  const auto numbers = [&](const char* name) {
    const auto given = reader.Reals(name);
    return given ? std::vector<float>(given->begin(), given->end()) : std::vector<float>();
  };
  const auto append = [](const std::vector<float>& from, std::vector<float>* to) {
    to->insert(to->end(), from.begin(), from.end());
  };
  skin->bodyname->push_back(reader.String("body").value_or(""));
  append(numbers("bindpos"), skin->bindpos);
  append(numbers("bindquat"), skin->bindquat);
  skin->vertid->push_back(reader.Ints("vertid").value_or(std::vector<int>()));
  skin->vertweight->push_back(numbers("vertweight"));
}

// The attribute `texture` is short for a layer whose role is colour.
void ReadMaterial(Context& context, ElementReader& reader) {
  Material& material = AddElement<Material>(context, reader);
  reader.ReadFields(static_cast<mjsMaterial*>(&material));
  const auto texture = reader.String("texture");
  if (texture) (*material.textures)[mjTEXROLE_RGB] = *texture;
  ReadLayers(context, reader.node(), texture.has_value(), &material);
}

}  // namespace

void ReadMeshCollision(ElementReader& reader, int* collision) {
  if (const auto word = reader.Keyword("collision")) *collision = *word;
}

// A skin is read from a file or from its bones in the document; coordinates are those of the bind pose.
void ReadSkin(Context& context, ElementReader& reader) {
  Skin& skin = AddElement<Skin>(context, reader);
  reader.ReadFields(static_cast<mjsSkin*>(&skin));
  LocateFile(context, skin, *skin.compiler().meshdir, skin.file);
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& bone, const XmlNode&) {
    ReadBone(bone, &skin);
    bone.Finish();
  });
}

// A material has a texture for each role; the short form and layers exclude each other.
void ReadLayers(Context& context, const XmlNode& node, bool has_texture, mjsMaterial* material) {
  ForEachChild(context, node, "asset/material", [&](ElementReader& layer, const XmlNode& child) {
    const auto role = layer.Keyword("role");
    const auto texture = layer.String("texture");
    if (has_texture) {
      context.problems.Add(child, "the material has an attribute 'texture' and layers",
                           "make the texture a layer with role rgb");
    }
    if (role && texture) (*material->textures)[static_cast<std::size_t>(*role)] = *texture;
    layer.Finish();
  });
}

// Files are only named here; the compiler reads them.
void ReadAsset(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "asset", [&](ElementReader& reader, const XmlNode& child) {
    if (child.tag == "mesh") {
      ReadMesh(context, reader);
    } else if (child.tag == "hfield") {
      HField& hfield = AddElement<HField>(context, reader);
      reader.ReadFields(static_cast<mjsHField*>(&hfield));
      LocateFile(context, hfield, *hfield.compiler().meshdir, hfield.file);
      ReadElevation(reader, &hfield);
    } else if (child.tag == "texture") {
      ReadTexture(context, reader);
    } else if (child.tag == "material") {
      ReadMaterial(context, reader);
    } else if (child.tag == "skin") {
      ReadSkin(context, reader);
    } else if (child.tag == "model") {
      ReadModel(context, reader);
    } else {
      NotSupported(context, child);
      return;
    }
    reader.Finish();
  });
}

}  // namespace sinew::mjcf
