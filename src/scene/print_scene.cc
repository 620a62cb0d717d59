// Prints a scene as text, for people and comparisons. Names and order of fields are those of the structs; arrays
// that are too long to be read are left out.
#include "scene/print_scene.h"

#include "model/text/text_printer.h"

namespace sinew::inline scene {
namespace {

// Writes one part of the scene after the other; `format` is that of a real number for printf.
class ScenePrinter {
 public:
  ScenePrinter(const mjvScene& scene, const std::string& format) : scene_(scene), out_(format) {}

  void Geoms();
  void Lights();
  void Cameras();
  void Flexes();
  void Skins();
  void Flags();
  void Transform();
  std::string Take() { return out_.Take(); }

 private:
  void Number(const char* label, int value) { out_.Print("    %-18s%d\n", label, value); }
  void Real(const char* label, float value) {
    out_.Print("    %-17s", label);
    out_.Real(static_cast<double>(value));
    out_.Print("\n");
  }
  void Reals(const char* label, const float* values, int count) {
    out_.Print("    %-17s", label);
    for (int i = 0; i < count; ++i) {
      out_.Real(static_cast<double>(values[i]));
      out_.Print(" ");
    }
    out_.Print("\n");
  }
  // Arrays that are too long to be read.
  void Omitted(std::initializer_list<const char*> labels) {
    for (const char* label : labels) out_.Print("    %-17s...\n", label);
  }

  const mjvScene& scene_;
  TextPrinter out_;
};

void ScenePrinter::Geoms() {
  out_.Print("GEOMS %d\n", scene_.ngeom);
  for (int i = 0; i < scene_.ngeom; ++i) {
    const mjvGeom& geom = scene_.geoms[i];
    out_.Print("  GEOM %d\n", i);
    Number("type", geom.type);
    Number("category", geom.category);
    out_.Print("    %-17s%s\n", "label", geom.label);
    Number("objtype", geom.objtype);
    Number("objid", geom.objid);
    Reals("pos", geom.pos, 3);
    Reals("mat", geom.mat, 9);
    Reals("size", geom.size, 3);
    Number("segid", geom.segid);
    Number("dataid", geom.dataid);
    Number("matid", geom.matid);
    Number("texcoord", geom.texcoord);
    Reals("rgba", geom.rgba, 4);
    Real("emission", geom.emission);
    Real("specular", geom.specular);
    Real("shininess", geom.shininess);
    Real("reflectance", geom.reflectance);
    out_.Print("\n");
  }
}

void ScenePrinter::Lights() {
  out_.Print("\nLIGHTS %d\n", scene_.nlight);
  for (int i = 0; i < scene_.nlight; ++i) {
    const mjvLight& light = scene_.lights[i];
    out_.Print("  LIGHT %d\n", i);
    Number("id", light.id);
    Reals("pos", light.pos, 3);
    Reals("dir", light.dir, 3);
    Number("type", light.type);
    Number("castshadow", light.castshadow);
    Number("headlight", light.headlight);
    Real("intensity", light.intensity);
    Real("range", light.range);
    Reals("ambient", light.ambient, 3);
    Reals("diffuse", light.diffuse, 3);
    Reals("specular", light.specular, 3);
    Number("texid", light.texid);
    Real("exponent", light.exponent);
    Reals("attenuation", light.attenuation, 3);
    Real("cutoff", light.cutoff);
    Real("bulbradius", light.bulbradius);
    out_.Print("\n");
  }
}

void ScenePrinter::Cameras() {
  out_.Print("\nCAMERAS 2\n");
  for (int i = 0; i < 2; ++i) {
    const mjvGLCamera& camera = scene_.camera[i];
    out_.Print("  CAMERA %d\n", i);
    Reals("pos", camera.pos, 3);
    Reals("forward", camera.forward, 3);
    Reals("up", camera.up, 3);
    Number("orthographic", camera.orthographic);
    Real("frustum_center", camera.frustum_center);
    Real("frustum_width", camera.frustum_width);
    Real("frustum_bottom", camera.frustum_bottom);
    Real("frustum_top", camera.frustum_top);
    Real("frustum_near", camera.frustum_near);
    Real("frustum_far", camera.frustum_far);
    out_.Print("\n");
  }
}

void ScenePrinter::Flexes() {
  out_.Print("\nFLEX DATA %d\n", scene_.nflex);
  for (int i = 0; i < scene_.nflex; ++i) {
    out_.Print("  FLEX DATA %d\n", i);
    Number("face_used", scene_.flexfaceused[i]);
    Number("edge_adr", scene_.flexedgeadr[i]);
    Number("edge_num", scene_.flexedgenum[i]);
    Number("vert_adr", scene_.flexvertadr[i]);
    Number("vert_num", scene_.flexvertnum[i]);
    Number("face_adr", scene_.flexfaceadr[i]);
    Number("face_num", scene_.flexfacenum[i]);
    Omitted({"edges", "verts", "faces", "normals", "texcoords"});
    out_.Print("\n");
  }
}

void ScenePrinter::Skins() {
  out_.Print("\nSKIN DATA %d\n", scene_.nskin);
  for (int i = 0; i < scene_.nskin; ++i) {
    out_.Print("  SKIN DATA %d\n", i);
    Number("face_num", scene_.skinfacenum[i]);
    Number("vert_adr", scene_.skinvertadr[i]);
    Number("vert_num", scene_.skinvertnum[i]);
    Omitted({"verts", "normals"});
    out_.Print("\n");
  }
}

void ScenePrinter::Flags() {
  out_.Print("\nFLAGS\n");
  for (int i = 0; i < mjNRNDFLAG; ++i) out_.Print("  %-22s%d\n", mjRNDSTRING[i][0], scene_.flags[i]);
  out_.Print("  %-20s%d\n", "flexvertopt", scene_.flexvertopt);
  out_.Print("  %-20s%d\n", "flexedgeopt", scene_.flexedgeopt);
  out_.Print("  %-20s%d\n", "flexfaceopt", scene_.flexfaceopt);
  out_.Print("  %-20s%d\n", "flexskinopt", scene_.flexskinopt);
  out_.Print("  %-20s%d\n\n", "stereo", scene_.stereo);
}

void ScenePrinter::Transform() {
  out_.Print("\nTRANSFORM %d\n", scene_.enabletransform);
  if (scene_.enabletransform) {
    Reals("translate", scene_.translate, 3);
    Reals("rotate", scene_.rotate, 4);
    Real("scale", scene_.scale);
  }
  out_.Print("\n");
}

}  // namespace

std::string PrintScene(const mjvScene& scene, const std::string& format) {
  ScenePrinter printer(scene, format);
  printer.Geoms();
  printer.Lights();
  printer.Cameras();
  printer.Flexes();
  printer.Skins();
  printer.Flags();
  printer.Transform();
  return printer.Take();
}

}  // namespace sinew::inline scene
