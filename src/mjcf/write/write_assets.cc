// Writes the sections asset and deformable. An asset that was read from a file is written as the file's name; numbers
// that a program gave are written in full.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "compile/diagnose.h"
#include "core/error.h"
#include "mjcf/numbers.h"
#include "mjcf/write/write_sections.h"
#include "spec/lists.h"

namespace sinew::mjcf {
namespace {

// ---- textures and materials

// The letters of the cells: as many as there are cells. Empty where there is no room for them, since such a grid holds
// no picture.
std::string GridLayout(const mjsTexture& texture) {
  const std::int64_t cells = std::int64_t{texture.gridsize[0]} * texture.gridsize[1];
  if (cells < 1 || cells > std::ssize(texture.gridlayout)) return "";
  std::string layout(texture.gridlayout, static_cast<std::size_t>(cells));
  std::replace(layout.begin(), layout.end(), '\0', '.');
  return layout;
}

// The size of a builtin texture is always written; type and colour space are too.
XmlNode WriteTexture(const WriteContext& context, const Texture& texture) {
  static constexpr const char* kFaceFiles[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  if (!texture.data->empty()) {
    throw Error("a texture made of pixels has no place in a file", "save it as a picture and name that")
        .At(texture.where);
  }
  const Texture untouched;
  mjsTexture values = texture, base = untouched;
  if (texture.builtin != mjBUILTIN_NONE) {
    base.width = base.height = -1;
    constexpr int kFaces = 6, kLargest = std::numeric_limits<int>::max() / kFaces;
    if (values.type != mjTEXTURE_2D) values.height = kFaces * std::min(values.width, kLargest);
  }
  ElementWriter writer(*FindPath("asset/texture"), context.precision);
  writer.NonEmpty("name", texture.name);
  writer.Fields(&values, &base, {"type", "colorspace"});
  writer.Keyword("type", values.type);
  writer.Keyword("colorspace", values.colorspace);
  const std::string layout = GridLayout(values);
  if (layout.size() > 1) writer.Text("gridlayout", layout);
  for (std::size_t i = 0; i < std::min(std::size(kFaceFiles), texture.cubefiles->size()); ++i) {
    writer.NonEmpty(kFaceFiles[i], (*texture.cubefiles)[i]);
  }
  return writer.Take();
}

// Textures of a material are either one attribute or a list of layers.
XmlNode WriteMaterial(const WriteContext& context, const Material& material) {
  ElementWriter writer(*FindPath("asset/material"), context.precision);
  WriteElement(context, material, writer);
  WriteTextures(context, material, ClassOf(context, material).Get<Material>(), writer);
  return writer.Take();
}

// ---- meshes and height fields

XmlNode WriteMesh(const WriteContext& context, const Mesh& mesh) {
  ElementWriter writer(*FindPath("asset/mesh"), context.precision);
  WriteElement(context, mesh, writer);
  WriteMeshCollision(mesh.collision, ClassOf(context, mesh).Get<Mesh>().collision, writer);
  AppendPlugin(context, mesh.plugin, "asset/mesh/plugin", writer);
  return writer.Take();
}

// Rows of the text run from the largest y down, rows of the field from the smallest up.
std::string Elevation(const HField& hfield, int precision) {
  const auto rows = static_cast<std::size_t>(hfield.nrow), columns = static_cast<std::size_t>(hfield.ncol);
  const std::vector<double> heights = DecimalsOf(*hfield.userdata);
  std::string text;
  for (std::size_t row = rows; row-- > 0;) {
    text += "\n            ";
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) text += ' ';
      text += RealText(heights[row * columns + column], precision);
    }
  }
  return text;
}

XmlNode WriteHField(const WriteContext& context, const HField& hfield) {
  ElementWriter writer(*FindPath("asset/hfield"), context.precision);
  WriteElement(context, hfield, writer);
  if (hfield.file->empty() && !hfield.userdata->empty()) {
    At(hfield, [&] { CheckLists(hfield); });
    writer.Text("elevation", Elevation(hfield, context.precision));
  }
  return writer.Take();
}

// ---- flexes and skins

// A child with those of the flex's fields that its row names.
void AppendFlexPart(const WriteContext& context, const mjsFlex& values, const mjsFlex& base, const char* path,
                    ElementWriter& writer) {
  ElementWriter part(*FindPath(path), context.precision);
  part.Fields(&values, &base);
  if (!part.empty()) writer.Append(part.Take());
}

// The order of interpolation is written as the word of `dof`.
XmlNode WriteFlex(const WriteContext& context, const Flex& flex) {
  static constexpr const char* kDofs[] = {"", "trilinear", "quadratic"};
  const Flex untouched;
  const mjsFlex values = AtLevelOf<mjsFlex>(context.spec, flex, flex.home), &base = untouched;
  ElementWriter writer(*FindPath("deformable/flex"), context.precision);
  writer.NonEmpty("name", flex.name);
  // Nodes are at the origins of their bodies, unless they stay in the parent of a flexcomp.
  const bool at_origins = std::all_of(flex.node->begin(), flex.node->end(), [](double x) { return x == 0; });
  writer.Fields(&values, &base, {at_origins ? "nodepos" : ""});
  if (flex.order > 0 && flex.order < static_cast<int>(std::size(kDofs))) writer.Text("dof", kDofs[flex.order]);
  AppendFlexPart(context, values, base, "deformable/flex/contact", writer);
  AppendFlexPart(context, values, base, "deformable/flex/edge", writer);
  AppendFlexPart(context, values, base, "deformable/flex/elasticity", writer);
  return writer.Take();
}

template <class Number>
std::vector<double> Widen(const std::vector<Number>& numbers) {
  return std::vector<double>(numbers.begin(), numbers.end());
}

// Bones have lists of vertices and weights, which are as long as each other.
XmlNode WriteSkin(const WriteContext& context, const Skin& skin) {
  At(skin, [&] { CheckLists(skin); });
  ElementWriter writer(*FindPath("deformable/skin"), context.precision);
  WriteElement(context, skin, writer);
  for (std::size_t i = 0; i < skin.bodyname->size(); ++i) {
    ElementWriter bone(*FindPath("deformable/skin/bone"), context.precision);
    const std::vector<double> pos = Widen(*skin.bindpos), quat = Widen(*skin.bindquat);
    bone.Text("body", (*skin.bodyname)[i]);
    bone.Reals("bindpos", std::span(pos).subspan(3 * i, 3));
    bone.Reals("bindquat", std::span(quat).subspan(4 * i, 4));
    bone.Reals("vertid", Widen((*skin.vertid)[i]));
    bone.Reals("vertweight", Widen((*skin.vertweight)[i]));
    writer.Append(bone.Take());
  }
  return writer.Take();
}

}  // namespace

void WriteMeshCollision(int collision, int base, ElementWriter& writer) {
  if (collision != base) writer.Keyword("collision", collision);
}

// One texture of the colour is an attribute, everything else layers.
void WriteTextures(const WriteContext& context, const mjsMaterial& material, const mjsMaterial& base,
                   ElementWriter& writer) {
  const mjStringVec& textures = *material.textures;
  if (textures == *base.textures) return;
  const auto count = std::count_if(textures.begin(), textures.end(), [](const auto& name) { return !name.empty(); });
  const std::size_t roles = std::min<std::size_t>(textures.size(), mjNTEXROLE);
  if (count == 1 && mjTEXROLE_RGB < roles && !textures[mjTEXROLE_RGB].empty()) {
    return writer.Text("texture", textures[mjTEXROLE_RGB]);
  }
  for (std::size_t role = 0; role < roles; ++role) {
    if (textures[role].empty()) continue;
    ElementWriter layer(*FindPath("asset/material/layer"), context.precision);
    layer.Text("texture", textures[role]);
    layer.Keyword("role", static_cast<int>(role));
    writer.Append(layer.Take());
  }
}

XmlNode WriteAsset(const WriteContext& context) {
  XmlNode section = Section("asset");
  AddAll<Texture>(context, section, WriteTexture);
  AddAll<Material>(context, section, WriteMaterial);
  AddAll<Mesh>(context, section, WriteMesh);
  AddAll<HField>(context, section, WriteHField);
  return section;
}

XmlNode WriteDeformable(const WriteContext& context) {
  XmlNode section = Section("deformable");
  AddAll<Flex>(context, section, WriteFlex);
  AddAll<Skin>(context, section, WriteSkin);
  return section;
}

}  // namespace sinew::mjcf
