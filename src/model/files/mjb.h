// MJB: the binary file of a model. docs/how/mjb.md describes the format.
#ifndef SINEW_MODEL_FILES_MJB_H_
#define SINEW_MODEL_FILES_MJB_H_

#include <mujoco/mujoco.h>

#include <cstddef>

#include "model/storage/model.h"

namespace sinew::inline model {

// Bytes of the file.
size_t MjbSize(const mjModel& m);

// Writes to memory of `capacity` bytes; throws when that is too small.
void WriteMjb(const mjModel& m, void* buffer, size_t capacity);

// Writes to a file; throws when it cannot be written.
void WriteMjbFile(const mjModel& m, const char* filename);

// Reads a model; throws when the bytes are not a complete, consistent model of this version. Nothing larger than the
// file is allocated, and what is returned can be simulated without reading outside its arrays (model/files/validate.h).
ModelPtr ReadMjb(const void* bytes, size_t size);

// Reads a file, which may be in a virtual file system.
ModelPtr ReadMjbFile(const char* filename, const mjVFS* vfs);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_FILES_MJB_H_
