// Programs of OpenGL from their sources, and meshes and textures in its memory.
//
// Objects live in a context; who has them frees them while it is current.
#ifndef SINEW_RENDER_GL_GL_PROGRAM_H_
#define SINEW_RENDER_GL_GL_PROGRAM_H_

#include "render/draw_assets.h"
#include "render/gl/gl_functions.h"

namespace sinew::inline render {

// `part` holds what is constant for an instance, `counts` whole numbers of a call.
struct GpuProgram {
  GLuint name = 0;
  GLint part = -1, counts = -1;  // uniforms, where it has them
};

// Units at which programs look for textures.
enum GpuUnit { kImageUnit, kCubeUnit, kShadowUnit, kDepthUnit };

// Compiles and links; throws Error with what the compiler says.
GpuProgram MakeProgram(const GlFunctions& gl, const std::string& vertex, const std::string& fragment);

// Triangles, or vertices of another kind that are written again and again.
struct GpuMesh {
  GLuint array = 0, buffer = 0;
  int count = 0;  // vertices
};

// The caller frees the mesh by FreeMesh; an empty list gives one that draws nothing.
GpuMesh MakeMesh(const GlFunctions& gl, const TriangleList& triangles);
// Replaces the triangles of a mesh; makes it when it is new.
void FillMesh(const GlFunctions& gl, const TriangleList& triangles, GpuMesh& mesh);
void FreeMesh(const GlFunctions& gl, GpuMesh& mesh);

// With all levels of detail.
GLuint MakeTexture(const GlFunctions& gl, const DrawTexture& texture);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GL_GL_PROGRAM_H_
