/* Files of meshes, read as models read them (docs/how/meshes.md). */
#ifndef SINEW_MESHES_H_
#define SINEW_MESHES_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number array of models in which any mesh collides by its triangles (docs/how/triangles.md): for each mesh 1, or 0
   for those that collide by their hull. Programs do not change it. */
#define sinewTRIANGLES "sinew/triangles"

/* Whether a mesh, or the meshes of a default class, collide by their triangles (1) or their hull (0). NULL for a null
   pointer. */
MJAPI int* sinew_meshCollision(mjsMesh* mesh);

/* A specification with one mesh, which holds what a mesh file has (user vertices and faces in the frame of the file):
   STL, OBJ, MSH, PLY, OFF, glTF or COLLADA by the extension of its name, relative to `dir`. Files are found, and the
   limits of loading and the folder of sinew_setFileRoot hold, as when a model names the file. NULL and a text when that
   fails. */
MJAPI mjSpec* sinew_readMesh(const char* dir, const char* file, const mjVFS* vfs, char* error, int error_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_MESHES_H_ */
