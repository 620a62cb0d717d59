// OpenGL's functions, found at run time in the context that is current: nothing is linked, and a machine without OpenGL
// runs the same library.
//
// Constants and types are those of Khronos' core header. Everything below exists from version 3.3 on, except
// ClipControl.
#ifndef SINEW_RENDER_GL_GL_FUNCTIONS_H_
#define SINEW_RENDER_GL_GL_FUNCTIONS_H_

#include <GL/glcorearb.h>

#include <optional>
#include <string>

namespace sinew::inline render {

// Each function that we call, as its name without gl and as the part of the name of its type: one list declares the
// pointers and fills them.
#define SINEW_GL_FUNCTIONS(X)                                                 \
  X(ActiveTexture, ACTIVETEXTURE)                                             \
  X(AttachShader, ATTACHSHADER)                                               \
  X(BindBuffer, BINDBUFFER)                                                   \
  X(BindBufferBase, BINDBUFFERBASE)                                           \
  X(BindFramebuffer, BINDFRAMEBUFFER)                                         \
  X(BindRenderbuffer, BINDRENDERBUFFER)                                       \
  X(BindTexture, BINDTEXTURE)                                                 \
  X(BindVertexArray, BINDVERTEXARRAY)                                         \
  X(BlendFunc, BLENDFUNC)                                                     \
  X(BlitFramebuffer, BLITFRAMEBUFFER)                                         \
  X(BufferData, BUFFERDATA)                                                   \
  X(CheckFramebufferStatus, CHECKFRAMEBUFFERSTATUS)                           \
  X(Clear, CLEAR)                                                             \
  X(ClearColor, CLEARCOLOR)                                                   \
  X(ClearDepth, CLEARDEPTH)                                                   \
  X(ClearStencil, CLEARSTENCIL)                                               \
  X(ColorMask, COLORMASK)                                                     \
  X(CompileShader, COMPILESHADER)                                             \
  X(CreateProgram, CREATEPROGRAM)                                             \
  X(CreateShader, CREATESHADER)                                               \
  X(CullFace, CULLFACE)                                                       \
  X(DeleteBuffers, DELETEBUFFERS)                                             \
  X(DeleteFramebuffers, DELETEFRAMEBUFFERS)                                   \
  X(DeleteProgram, DELETEPROGRAM)                                             \
  X(DeleteRenderbuffers, DELETERENDERBUFFERS)                                 \
  X(DeleteShader, DELETESHADER)                                               \
  X(DeleteTextures, DELETETEXTURES)                                           \
  X(DeleteVertexArrays, DELETEVERTEXARRAYS)                                   \
  X(DepthFunc, DEPTHFUNC)                                                     \
  X(DepthMask, DEPTHMASK)                                                     \
  X(Disable, DISABLE)                                                         \
  X(DrawArrays, DRAWARRAYS)                                                   \
  X(DrawBuffer, DRAWBUFFER)                                                   \
  X(Enable, ENABLE)                                                           \
  X(EnableVertexAttribArray, ENABLEVERTEXATTRIBARRAY)                         \
  X(Finish, FINISH)                                                           \
  X(FramebufferRenderbuffer, FRAMEBUFFERRENDERBUFFER)                         \
  X(FramebufferTextureLayer, FRAMEBUFFERTEXTURELAYER)                         \
  X(FrontFace, FRONTFACE)                                                     \
  X(GenBuffers, GENBUFFERS)                                                   \
  X(GenFramebuffers, GENFRAMEBUFFERS)                                         \
  X(GenRenderbuffers, GENRENDERBUFFERS)                                       \
  X(GenTextures, GENTEXTURES)                                                 \
  X(GenVertexArrays, GENVERTEXARRAYS)                                         \
  X(GenerateMipmap, GENERATEMIPMAP)                                           \
  X(GetBooleanv, GETBOOLEANV)                                                 \
  X(GetError, GETERROR)                                                       \
  X(GetFramebufferAttachmentParameteriv, GETFRAMEBUFFERATTACHMENTPARAMETERIV) \
  X(GetIntegerv, GETINTEGERV)                                                 \
  X(GetProgramInfoLog, GETPROGRAMINFOLOG)                                     \
  X(GetProgramiv, GETPROGRAMIV)                                               \
  X(GetShaderInfoLog, GETSHADERINFOLOG)                                       \
  X(GetShaderiv, GETSHADERIV)                                                 \
  X(GetString, GETSTRING)                                                     \
  X(GetUniformBlockIndex, GETUNIFORMBLOCKINDEX)                               \
  X(GetUniformLocation, GETUNIFORMLOCATION)                                   \
  X(LinkProgram, LINKPROGRAM)                                                 \
  X(PixelStorei, PIXELSTOREI)                                                 \
  X(PolygonMode, POLYGONMODE)                                                 \
  X(PolygonOffset, POLYGONOFFSET)                                             \
  X(ReadBuffer, READBUFFER)                                                   \
  X(ReadPixels, READPIXELS)                                                   \
  X(RenderbufferStorageMultisample, RENDERBUFFERSTORAGEMULTISAMPLE)           \
  X(Scissor, SCISSOR)                                                         \
  X(ShaderSource, SHADERSOURCE)                                               \
  X(StencilFunc, STENCILFUNC)                                                 \
  X(StencilMask, STENCILMASK)                                                 \
  X(StencilOp, STENCILOP)                                                     \
  X(TexImage2D, TEXIMAGE2D)                                                   \
  X(TexImage3D, TEXIMAGE3D)                                                   \
  X(TexParameteri, TEXPARAMETERI)                                             \
  X(TexParameteriv, TEXPARAMETERIV)                                           \
  X(Uniform1i, UNIFORM1I)                                                     \
  X(Uniform4fv, UNIFORM4FV)                                                   \
  X(Uniform4iv, UNIFORM4IV)                                                   \
  X(UniformBlockBinding, UNIFORMBLOCKBINDING)                                 \
  X(UseProgram, USEPROGRAM)                                                   \
  X(VertexAttribPointer, VERTEXATTRIBPOINTER)                                 \
  X(Viewport, VIEWPORT)

// The functions as pointers, and what is known of the context that they belong to. Valid in the thread in which that
// context is current.
struct GlFunctions {
#define SINEW_GL_POINTER(name, upper) PFNGL##upper##PROC name = nullptr;
  SINEW_GL_FUNCTIONS(SINEW_GL_POINTER)
#undef SINEW_GL_POINTER
  PFNGLCLIPCONTROLPROC ClipControl = nullptr;  // null where there is none

  void* context = nullptr;  // the one it was found in
  const void* (*current)() = nullptr;
  bool window = false;                                     // whether there is a window to draw to
  bool (*window_size)(int* width, int* height) = nullptr;  // [pixel], of a window
  bool software = false;                                   // drawn by the processor
  std::string renderer;                                    // as OpenGL returns it

  // Whether the context is still the thread's current one: others do not have this one's objects.
  bool IsCurrent() const { return context && current() == context; }
};

// The functions of the thread's current context, by EGL, GLX or OSMesa, if the program has loaded one of them and there
// is a context. Throws Error when the context is older than OpenGL 3.3.
std::optional<GlFunctions> FindGlFunctions();

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GL_GL_FUNCTIONS_H_
