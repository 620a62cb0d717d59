// Snapshots: the state of a world as bytes, from which it continues bit for bit.
//
//   header   what it is, for which model, how long, checksum          (little endian, as the machine has it)
//   numbers  the parts of mjSTATE_INTEGRATION, one behind the other
//   trees    tree_asleep, so that what sleeps goes on sleeping
//
// A snapshot belongs to the structure of a model, not to its parameters: these may differ when it is loaded.
#ifndef SINEW_STEP_SNAPSHOT_H_
#define SINEW_STEP_SNAPSHOT_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <span>

namespace sinew::inline step {

size_t SnapshotSize(const mjModel& m);

// Fills `bytes`, which has SnapshotSize.
void SaveSnapshot(const mjModel& m, const mjData& d, std::span<std::byte> bytes);

// Throws, with the world untouched, when the bytes are no snapshot, damaged, of another version, or of a model with
// another structure.
void LoadSnapshot(const mjModel& m, mjData* d, std::span<const std::byte> bytes);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_SNAPSHOT_H_
