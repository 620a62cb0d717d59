// Builtin meshes: a shape by its name and a few parameters, made at once as if the program had given the vertices.
#include <mujoco/mujoco.h>

#include <exception>
#include <span>

#include "assets/builtin_mesh.h"
#include "capi/arguments.h"
#include "capi/boundary.h"
#include "spec/spec.h"

// The text of an error stays with the specification, where mjs_getError finds it.
int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams) {
  SINEW_CHECK(mjs_makeMesh);
  return sinew::capi::Guard("mjs_makeMesh", [=] {
    sinew::Spec& spec = *sinew::As<sinew::Mesh>(mesh->element)->spec;
    try {
      sinew::SetBuiltinMesh(builtin, std::span(params, static_cast<size_t>(nparams > 0 ? nparams : 0)), mesh);
      return 0;
    } catch (const std::exception& error) {
      spec.message = error.what();
      spec.is_warning = false;
      return -1;
    }
  });
}
