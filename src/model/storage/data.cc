// Allocates, copies and releases mjData. Two blocks of memory hold everything: a buffer whose size follows from the
// model, and the arena that contacts, constraint rows and the stack share. The struct only has pointers into them.
#include "model/storage/data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/lasting_memory.h"
#include "core/live_objects.h"
#include "core/memory.h"
#include "core/stack.h"
#include "core/trap.h"
#include "model/state/awake.h"
#include "model/storage/error_control.h"
#include "model/view/fields.h"
#include "model/view/layout.h"

namespace sinew::inline model {
namespace {

// Points the arrays of the main buffer into it.
void SetPointers(const mjModel& m, mjData* d) {
  Layout layout;
  for (const DataArray& array : kDataFields) {
    array.SetPointer(*d, static_cast<char*>(d->buffer) + layout.Place(ArrayBytes(array, m, *d)));
  }
}

// The buffer's size is part of the public struct (nbuffer), and equals that of MuJoCo 3.8.0 for the same model.
size_t BufferSize(const mjModel& m) {
  Layout layout;
  const mjData empty = {};  // arrays of the main buffer have sizes of the model only
  for (const DataArray& array : kDataFields) layout.Place(ArrayBytes(array, m, empty));
  return layout.size();
}

// Bytes that the stages of a step take from the stack whatever contacts and rows there are, all frames together. The
// deepest nest of frames is an integrator whose trees fall asleep, which computes forces and sensors again below it.
size_t ReserveSize(const mjModel& m) {
  // Runge-Kutta keeps 11 numbers a dof and 5 an activation. Below it, the derivative of the bias force takes three
  // spatial vectors a dof and a 6 x 6 matrix a body, recursive Newton-Euler two vectors a body, transmissions 14 a dof.
  constexpr mjtSize kOfDof = 32, kOfBody = 56, kOfActivation = 5;
  const mjtSize of_tree = kOfDof * m.nv + kOfBody * m.nbody + 4 * m.njnt + 2 * m.nq + kOfActivation * m.na;
  // Derivatives keep eight numbers an actuator, forces of flexes take three vectors a vertex, sensors their value and a
  // mark a geom. 50 contacts are what a pair of geoms may have whose distance is measured.
  const mjtSize of_others = 8 * m.nu + 9 * m.nflexvert + 2 * m.nsensordata + m.nsensor + m.ngeom;
  // Rays of cameras go in batches of 256: a direction, what it hits, and where.
  const bool casts_rays =
      std::find(m.sensor_type, m.sensor_type + m.nsensor, mjSENS_RANGEFINDER) != m.sensor_type + m.nsensor;
  const mjtSize of_rays = casts_rays ? 9 * 256 : 0;
  // Steps of bounded error keep nine vectors of state, rates of coordinates, and a copy of the model's struct.
  const bool controls_error = FindErrorControl(&m) != nullptr;
  const mjtSize of_control = controls_error ? 10 * (m.nq + m.nv + m.na) : 0;
  // While trees sleep, kinematics keep the poses of geoms and sites (step/moved_bodies.h).
  const mjtSize of_sleep = SleepEnabled(&m) ? 13 * (m.ngeom + m.nsite) : 0;
  constexpr size_t kHeaders = 4096;  // of frames, and what alignment adds
  return static_cast<size_t>(of_tree + of_others + of_rays + of_control + of_sleep) * sizeof(mjtNum) +
         mjMAXCONPAIR * sizeof(mjContact) + kHeaders + (controls_error ? sizeof(mjModel) : 0);
}

// Bytes for what is kept from one step to the next: the structure of the factor that Newton's method solves with
// (solve/last_structure.h), where bodies of a flex move alone.
size_t LastingSize(const mjModel& m) {
  constexpr size_t kOfDof = 128;  // of which a cloth takes 45, a rope 40
  return m.nflex > 0 ? kOfDof * static_cast<size_t>(m.nv) : 0;
}

// Bytes for the past of a world: a number per equality (step/known_equalities.h).
size_t KnownSize(const mjModel& m) { return static_cast<size_t>(m.neq) * sizeof(uint64_t); }

// Plugin of an instance; throws when the program has not registered it.
const mjpPlugin& PluginOf(const mjModel& m, int instance) {
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m.plugin[instance]);
  if (!plugin) {
    throw Error("plugin instance " + std::to_string(instance) + " has no registered plugin",
                "load the plugin's library first");
  }
  return *plugin;
}

// Starts the plugins of a new world. d->nplugin counts those that have started, and have to be ended.
void StartPlugins(const mjModel& m, mjData* d) {
  for (int i = 0; i < m.nplugin; ++i) {
    const mjpPlugin& plugin = PluginOf(m, i);
    d->plugin[i] = m.plugin[i];
    int status = 0;
    const WarningListener warning;
    if (plugin.init) CallTrapped([&] { status = plugin.init(&m, d, i); });
    if (status < 0) {
      const std::string reason = *warning.text() ? std::string("\n") + warning.text() : "";
      throw Error("plugin->init failed for plugin id " + std::to_string(i) + reason);
    }
    d->nplugin = i + 1;
  }
}

// Plugins whose start failed are not ended, since they have nothing to release.
void EndPlugins(mjData* d) {
  for (int i = 0; i < d->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (plugin && plugin->destroy) plugin->destroy(d, i);
  }
}

// The content of a handle is defined by its plugin, so the plugin copies its own data.
void CopyPlugins(mjData* dest, const mjModel& m, const mjData& src) {
  for (int i = 0; i < m.nplugin; ++i) {
    if (const mjpPlugin& plugin = PluginOf(m, i); plugin.copy) plugin.copy(dest, &m, &src, i);
  }
}

// A world whose arrays are zero; its plugins have started.
DataPtr Allocate(const mjModel& m) {
  const size_t nbuffer = BufferSize(m);
  MemoryPtr<void> memory(AllocateMemory(sizeof(mjData)));
  DataPtr d(static_cast<mjData*>(std::memset(memory.get(), 0, sizeof(mjData))));
  memory.release();
  AddLiveObject(d.get());
  d->nbuffer = static_cast<mjtSize>(nbuffer);
  d->narena = m.narena;
  d->buffer = AllocateMemory(nbuffer);
  d->arena = AllocateArena(static_cast<size_t>(m.narena), ReserveSize(m) + LastingSize(m) + KnownSize(m));
  SetAsideLastingMemory(d->arena, LastingSize(m));
  SetAsideKnownMemory(d->arena, KnownSize(m));
  if (nbuffer > 0) std::memset(d->buffer, 0, nbuffer);
  SetPointers(m, d.get());
  StartPlugins(m, d.get());
  return d;
}

// A world in the middle of a stage has addresses on its stack that a copy would share, hence the first check.
void CheckCopy(const mjData& dest, const mjData& src) {
  if (src.pstack != 0) throw Error("attempting to copy mjData while stack is in use");
  if (dest.nbuffer != src.nbuffer) throw Error("dest and src data buffers have different size");
  if (dest.narena != src.narena) throw Error("dest and src stacks have different size");
}

// Copies all members of the struct, then restores the memory of `dest` and moves the pointers of its arena.
void CopyMembers(mjData* dest, const mjModel& m, const mjData& src) {
  void* const buffer = dest->buffer;
  void* const arena = dest->arena;
  *dest = src;
  dest->buffer = buffer;
  dest->arena = arena;
  SetPointers(m, dest);
  for (const DataArray& array : kArenaFields) {
    if (const char* pointer = static_cast<const char*>(array.Pointer(src))) {
      array.SetPointer(*dest, static_cast<char*>(arena) + (pointer - static_cast<const char*>(src.arena)));
    }
  }
}

// Handles of plugins belong to the world for which they were made.
bool IsHandle(const DataArray& array) { return array.offset == offsetof(mjData, plugin_data); }

void CopyArray(const DataArray& array, mjData* dest, const mjModel& m, const mjData& src) {
  const size_t bytes = array.Bytes(m, src);
  if (bytes > 0 && array.Pointer(src)) std::memcpy(array.Pointer(*dest), array.Pointer(src), bytes);
}

void ZeroArray(const DataArray& array, mjData* d, const mjModel& m) {
  if (void* pointer = array.kind == ElementKind::kInt ? array.Pointer(*d) : nullptr)
    std::memset(pointer, 0, array.Bytes(m, *d));
}

// Arrays are copied one by one where a scene needs few of them; a whole copy takes the used part of the arena in one
// piece. A world that is made here is destroyed if a plugin throws.
mjData* Copy(mjData* dest, const mjModel& m, const mjData& src, bool scene_only) {
  if (dest == &src) return dest;
  DataPtr made;
  if (!dest) made = Allocate(m);
  mjData* to = dest ? dest : made.get();
  CheckCopy(*to, src);
  CopyMembers(to, m, src);
  for (const DataArray& array : kDataFields) {
    if ((array.scene || !scene_only) && !IsHandle(array)) CopyArray(array, to, m, src);
  }
  if (scene_only) {
    for (const DataArray& array : kArenaFields) {
      // what is left out are matrices: their addresses and columns must lead nowhere
      array.scene ? CopyArray(array, to, m, src) : ZeroArray(array, to, m);
    }
  } else if (src.parena > 0) {
    std::memcpy(to->arena, src.arena, src.parena);
  }
  CopyKnownMemory(to, &src);
  CopyPlugins(to, m, src);
  made.release();
  return to;
}

}  // namespace

size_t DataSize(const mjModel& m) {
  if (m.narena < 0) throw Error("the model has a negative size of its arena", "set `memory` in <size>");
  return sizeof(mjData) + BufferSize(m) + static_cast<size_t>(m.narena);
}

bool HasLayoutOf(const mjModel& m, const mjData& d) {
  Layout layout;
  const char* const begin = static_cast<const char*>(d.buffer);
  for (const DataArray& array : kDataFields) {
    if (array.Pointer(d) != begin + layout.Place(ArrayBytes(array, m, d))) return false;
  }
  return static_cast<size_t>(d.nbuffer) == layout.size();
}

mjData* MakeData(const mjModel& m) {
  DataPtr d = Allocate(m);
  ResetData(m, d.get());
  return d.release();
}

// The bytes between two neighbouring arrays are those of the first, filled up by less than one of its rows.
int BodyCount(const mjData& d) {
  constexpr size_t kRow = 9 * sizeof(mjtNum);
  static_assert(kRow > kMemoryAlignment);
  return static_cast<int>(static_cast<size_t>(reinterpret_cast<char*>(d.xipos) - reinterpret_cast<char*>(d.xmat)) /
                          kRow);
}

mjData* CopyData(mjData* dest, const mjModel& m, const mjData& src) { return Copy(dest, m, src, false); }
mjData* CopyDataForScene(mjData* dest, const mjModel& m, const mjData& src) { return Copy(dest, m, src, true); }

void DeleteData(mjData* d) {
  if (!d) return;
  RemoveLiveObject(d, "d");
  EndPlugins(d);
  FreeMemory(d->buffer);
  // A plugin may read the buffer while it ends, so memory is freed last.
  FreeArena(d->arena);
  FreeMemory(d);
}

}  // namespace sinew::inline model
