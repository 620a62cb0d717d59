// Shaders are compiled by the driver at run time; what it says when it refuses one becomes the text of an Error.
// Meshes are plain lists of triangles, three vertices each without indices, since normals differ at the edges of
// faces.
#include "render/gl/gl_program.h"

#include <vector>

#include "core/error.h"

namespace sinew::inline render {
namespace {

// Compiles one shader, of kind GL_VERTEX_SHADER or GL_FRAGMENT_SHADER; the caller deletes it.
GLuint MakeShader(const GlFunctions& gl, GLenum kind, const std::string& source) {
  const GLuint shader = gl.CreateShader(kind);
  const char* text = source.c_str();
  gl.ShaderSource(shader, 1, &text, nullptr);
  gl.CompileShader(shader);
  GLint good = 0;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  char log[1024] = "";
  gl.GetShaderInfoLog(shader, sizeof(log), nullptr, log);
  gl.DeleteShader(shader);
  throw Error("the OpenGL driver " + gl.renderer + " refuses a program: " + log, "set SINEW_RENDER=cpu, and report it");
}

// Programs without a uniform or block of this name are left as they are: compilers drop what is not used.
void SetUnit(const GlFunctions& gl, GLuint program, const char* name, GpuUnit unit) {
  const GLint at = gl.GetUniformLocation(program, name);
  if (at >= 0) gl.Uniform1i(at, unit);
}

void SetBlock(const GlFunctions& gl, GLuint program, const char* name, GLuint binding) {
  const GLuint block = gl.GetUniformBlockIndex(program, name);
  if (block != GL_INVALID_INDEX) gl.UniformBlockBinding(program, block, binding);
}

// The storage of texels, with colours in linear or in sRGB values, their layout in memory, and the channels that are
// red, green, blue and opacity. Grey has no sRGB format in OpenGL and is taken as linear.
struct TexelFormat {
  GLint stored, stored_srgb;
  GLenum given;
  GLint swizzle[4];
};
// By number of channels: grey, grey with opacity, colours, colours with opacity.
constexpr TexelFormat kFormats[] = {
    {GL_R8, GL_R8, GL_RED, {GL_RED, GL_RED, GL_RED, GL_ONE}},
    {GL_RG8, GL_RG8, GL_RG, {GL_RED, GL_RED, GL_RED, GL_GREEN}},
    {GL_RGB8, GL_SRGB8, GL_RGB, {GL_RED, GL_GREEN, GL_BLUE, GL_ONE}},
    {GL_RGBA8, GL_SRGB8_ALPHA8, GL_RGBA, {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA}},
};

}  // namespace

// Units and blocks are numbered here once, so that drawing need not look names up.
GpuProgram MakeProgram(const GlFunctions& gl, const std::string& vertex, const std::string& fragment) {
  GpuProgram made;
  made.name = gl.CreateProgram();
  for (const GLuint shader : {MakeShader(gl, GL_VERTEX_SHADER, vertex), MakeShader(gl, GL_FRAGMENT_SHADER, fragment)}) {
    gl.AttachShader(made.name, shader);
    gl.DeleteShader(shader);  // when the program goes
  }
  gl.LinkProgram(made.name);
  GLint good = 0;
  gl.GetProgramiv(made.name, GL_LINK_STATUS, &good);
  if (!good) {
    char log[1024] = "";
    gl.GetProgramInfoLog(made.name, sizeof(log), nullptr, log);
    throw Error("the OpenGL driver " + gl.renderer + " does not link a program: " + log,
                "set SINEW_RENDER=cpu, and report it");
  }
  gl.UseProgram(made.name);
  SetUnit(gl, made.name, "image", kImageUnit);
  SetUnit(gl, made.name, "cube", kCubeUnit);
  SetUnit(gl, made.name, "shadow_map", kShadowUnit);
  SetUnit(gl, made.name, "depths", kDepthUnit);
  SetBlock(gl, made.name, "Frame", 0);
  SetBlock(gl, made.name, "Lights", 1);
  made.part = gl.GetUniformLocation(made.name, "part");
  made.counts = gl.GetUniformLocation(made.name, "counts");
  gl.UseProgram(0);
  return made;
}

GpuMesh MakeMesh(const GlFunctions& gl, const TriangleList& triangles) {
  GpuMesh mesh;
  FillMesh(gl, triangles, mesh);
  return mesh;
}

// Places of vertices, normals and texture coordinates interleave, 8 floats a vertex. Texture coordinates may be
// missing.
void FillMesh(const GlFunctions& gl, const TriangleList& triangles, GpuMesh& mesh) {
  constexpr int kEach = 8;  // three coordinates, three of the normal, two of the texture
  mesh.count = 3 * triangles.size();
  std::vector<float> vertices(static_cast<size_t>(kEach) * mesh.count);
  for (size_t v = 0; v < static_cast<size_t>(mesh.count); ++v) {
    float* to = vertices.data() + kEach * v;
    for (size_t k = 0; k < 3; ++k) {
      to[k] = triangles.positions[3 * v + k];
      to[3 + k] = triangles.normals[3 * v + k];
    }
    for (size_t k = 0; k < 2 && 2 * v + k < triangles.texcoords.size(); ++k) to[6 + k] = triangles.texcoords[2 * v + k];
  }
  if (!mesh.array) {
    gl.GenVertexArrays(1, &mesh.array);
    gl.GenBuffers(1, &mesh.buffer);
    gl.BindVertexArray(mesh.array);
    gl.BindBuffer(GL_ARRAY_BUFFER, mesh.buffer);
    // Each attribute has a number of components and a first float, in the order of the locations of shaders.h.
    constexpr int kParts[3][2] = {{3, 0}, {3, 3}, {2, 6}};
    for (GLuint i = 0; i < 3; ++i) {
      gl.VertexAttribPointer(i, kParts[i][0], GL_FLOAT, GL_FALSE, kEach * sizeof(float),
                             reinterpret_cast<const void*>(kParts[i][1] * sizeof(float)));
      gl.EnableVertexAttribArray(i);
    }
    gl.BindVertexArray(0);
  }
  gl.BindBuffer(GL_ARRAY_BUFFER, mesh.buffer);
  gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(float)), vertices.data(),
                GL_STATIC_DRAW);
  gl.BindBuffer(GL_ARRAY_BUFFER, 0);
}

void FreeMesh(const GlFunctions& gl, GpuMesh& mesh) {
  gl.DeleteVertexArrays(1, &mesh.array);
  gl.DeleteBuffers(1, &mesh.buffer);
  mesh = {};
}

// A cube lies in memory as six square faces one below the other, in OpenGL's order +x, -x, +y, -y, +z, -z. Sizes or
// channels that make no sense give 0, which is drawn without a texture.
GLuint MakeTexture(const GlFunctions& gl, const DrawTexture& texture) {
  const bool cube = texture.type != mjTEXTURE_2D;
  const int height = cube ? texture.height / 6 : texture.height;
  if (texture.width < 1 || height < 1 || texture.channels < 1 || texture.channels > 4) return 0;
  const GLenum target = cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D;
  const TexelFormat& format = kFormats[texture.channels - 1];
  GLuint name = 0;
  gl.GenTextures(1, &name);
  gl.ActiveTexture(GL_TEXTURE0 + (cube ? kCubeUnit : kImageUnit));
  gl.BindTexture(target, name);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  const size_t face = static_cast<size_t>(texture.width) * height * texture.channels;
  for (GLuint i = 0; i < (cube ? 6u : 1u); ++i) {
    gl.TexImage2D(cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + i : target, 0,
                  texture.srgb ? format.stored_srgb : format.stored, texture.width, height, 0, format.given,
                  GL_UNSIGNED_BYTE, texture.pixels.data() + i * face);
  }
  // Pictures on planes repeat; the edges of a cube's faces must not show texels of the opposite side.
  const GLint wrap = cube ? GL_CLAMP_TO_EDGE : GL_REPEAT;
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R}) {
    gl.TexParameteri(target, axis, wrap);
  }
  gl.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl.TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl.TexParameteriv(target, GL_TEXTURE_SWIZZLE_RGBA, format.swizzle);
  gl.GenerateMipmap(target);
  gl.BindTexture(target, 0);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
  return name;
}

}  // namespace sinew::inline render
