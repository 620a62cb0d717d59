// Draws lists with OpenGL.
//
// A picture, in the order that draw_list.h gives: depth of each light with shadows into a layer of a map (L. Williams,
// Casting curved shadows on curved surfaces, 1978); the mirror image where the reflector is, marked in the stencil;
// what is opaque, with all lights at once; the sky where nothing is; what is transparent; segments. Depth is one at the
// near plane and zero at the far one, which spends the precision of floats evenly.
#ifndef SINEW_RENDER_GL_GL_SCENE_H_
#define SINEW_RENDER_GL_GL_SCENE_H_

#include <map>
#include <tuple>
#include <vector>

#include "render/draw_list.h"
#include "render/gl/gl_program.h"
#include "render/unit_shapes.h"

namespace sinew {

// The buffer that a picture goes to.
struct GlTarget {
  GLuint framebuffer = 0;
  bool stencil = true;  // without one, there are no mirror images
};

// Owns the model's shapes and textures in the memory of the graphics processor, and draws lists that refer to them by
// number. Not copied: objects of OpenGL have one owner. All calls need the context to be current.
class GlScene {
 public:
  // `gl` must outlive the scene. Free gives the objects back; where the context is gone, the driver has already done
  // so.
  GlScene(const GlFunctions& gl, DrawAssets assets, Divisions divisions);
  void Free();

  const DrawAssets& assets() const { return assets_; }
  // Assets that changed in the model after mjr_makeContext, by their number there.
  void ReplaceTexture(int texture, DrawTexture changed);
  void ReplaceMesh(int mesh, TriangleList triangles, TriangleList hull);
  void ReplaceField(int field, TriangleList triangles);

  // Draws all views; the target is bound afterwards, and OpenGL's state is that of a new context.
  void Draw(const DrawList& list, const GlTarget& target);

  // Triangles or strips in clip coordinates: four coordinates and four colours a vertex.
  void DrawFlat(const std::vector<float>& vertices, bool depth_test);

 private:
  // A shape is drawn for its colour, its mirror image, over what is behind it, as one colour without light (segments
  // and depth), or its depth alone (shadows and the mirror's stencil).
  enum class Pass { kColor, kMirror, kTransparent, kFlat, kDepth };

  // What a program is made for (shaders.h).
  struct Kind {
    std::vector<int> lights;
    int mapping = 0, flat = 0, shadows = 0, gloss = 0, fog = 0, haze = 0, cut = 0;
    bool operator<(const Kind& other) const { return Key() < other.Key(); }
    std::tuple<std::vector<int>, int, int, int, int, int, int, int> Key() const {
      return {lights, mapping, flat, shadows, gloss, fog, haze, cut};
    }
  };

  // A mesh that is scaled, and then moved along z.
  struct Piece {
    const GpuMesh* mesh;
    float x, y, z, shift;
    int first, count;
  };

  void FillShadowMaps(const DrawList& list);
  void ShowView(const DrawList& list, const DrawView& view, const GlTarget& target);
  void DrawMirrorImage(const DrawList& list, const DrawView& view);
  void DrawOpaque(const DrawList& list);
  void DrawSky(const DrawList& list);
  void DrawTransparent(const DrawList& list);
  void DrawSegments(const DrawList& list, const DrawView& view);
  void Show(const DrawList& list, const DrawInstance& instance, Pass pass);
  int BindTexture(const DrawInstance& instance, Pass pass);  // the mapping
  const GpuProgram& ProgramFor(const DrawList& list, const DrawInstance& instance, Pass pass);
  std::vector<Piece> PiecesOf(const DrawInstance& instance) const;
  void SetFrame(const DrawList& list, const DrawView& view, const float mirror[4], const float clip[16]);
  void SetLights(const DrawList& list);
  void ResetState();

  const GlFunctions& gl_;
  DrawAssets assets_;
  std::vector<int> light_kinds_;         // of the list that is drawn
  std::map<Kind, GpuProgram> surfaces_;  // made when they are needed
  GpuProgram depth_, sky_, flat_;
  // Uniform block 0 holds the view, block 1 all lights.
  GLuint frame_block_ = 0, light_block_ = 0;
  // The eight unit shapes of unit_shapes.h that instances scale, and the triangles that come with the list.
  GpuMesh sphere_, cap_, tube_, disk_, cone_, box_, plane_, own_triangles_;
  // There are two for each mesh of the model, itself and its hull, in this order; and one for each height field.
  std::vector<GpuMesh> meshes_, fields_;
  std::vector<GLuint> textures_;
  GLuint flat_array_ = 0, flat_buffer_ = 0, empty_array_ = 0;

  GLuint shadow_map_ = 0, shadow_framebuffer_ = 0;
  int shadow_size_ = 0, shadow_layers_ = 0;  // as the map is
  float eye_[3] = {}, sky_radius_ = 0;       // of the view that is drawn; 0 without a sky
  std::vector<float> light_clips_;           // 16 numbers for each light with shadows
};

}  // namespace sinew

#endif  // SINEW_RENDER_GL_GL_SCENE_H_
