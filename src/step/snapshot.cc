#include "step/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/state/awake.h"
#include "model/state/state.h"
#include "step/forward.h"
#include "step/known_equalities.h"
#include "step/step_kernel.h"
#include "step/world.h"

namespace sinew::inline step {
namespace {

constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'N', 'P'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kByteOrder = 0x01020304;

struct Header {
  char magic[8];
  uint32_t version, byte_order;
  uint64_t structure;  // of the model
  uint64_t numbers, trees;
  uint64_t checksum;  // of everything else
};
static_assert(sizeof(Header) == 48);

// FNV-1a, 64 bits.
class Hash {
 public:
  Hash& Add(const void* data, size_t bytes) {
    const unsigned char* byte = static_cast<const unsigned char*>(data);
    for (size_t i = 0; i < bytes; ++i) value_ = (value_ ^ byte[i]) * 0x100000001b3u;
    return *this;
  }
  template <class T>
  Hash& Add(const T* values, mjtSize count) {
    return Add(static_cast<const void*>(values), static_cast<size_t>(count) * sizeof(T));
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

// Hash of what gives the numbers of a state their meaning.
uint64_t Structure(const mjModel& m) {
  const mjtSize sizes[] = {m.nq,       m.nv,     m.nu,        m.na,    m.nbody,   m.njnt,        m.neq,
                           m.nhistory, m.nmocap, m.nuserdata, m.ntree, m.nplugin, m.npluginstate};
  return Hash()
      .Add(sizes, std::ssize(sizes))
      .Add(m.body_parentid, m.nbody)
      .Add(m.body_mocapid, m.nbody)
      .Add(m.jnt_type, m.njnt)
      .Add(m.jnt_bodyid, m.njnt)
      .Add(m.actuator_actadr, m.nu)
      .Add(m.plugin_stateadr, m.nplugin)
      .value();
}

uint64_t Checksum(Header header, std::span<const std::byte> bytes) {
  header.checksum = 0;
  const std::span<const std::byte> payload = bytes.subspan(sizeof(Header));
  return Hash().Add(&header, 1).Add(payload.data(), std::ssize(payload)).value();
}

[[noreturn]] void Refuse(const std::string& why, const std::string& remedy) {
  throw Error("cannot load the snapshot: " + why, remedy);
}

// The checked header.
Header ReadHeader(const mjModel& m, std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof(header)) Refuse("it ends before its header does", "pass all of its bytes");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    Refuse("these bytes are not one", "pass what sinew_saveSnapshot wrote");
  }
  if (header.byte_order != kByteOrder) Refuse("it comes from a machine with another byte order", "save it here");
  if (header.version != kVersion) {
    Refuse("its version is " + std::to_string(header.version) + ", not " + std::to_string(kVersion),
           "save it with this release");
  }
  if (header.structure != Structure(m)) {
    Refuse("it belongs to a model of another structure", "load the model that it was saved with");
  }
  if (bytes.size() != SnapshotSize(m)) {
    Refuse("it has " + std::to_string(bytes.size()) + " bytes instead of " + std::to_string(SnapshotSize(m)),
           "pass all of its bytes");
  }
  if (header.checksum != Checksum(header, bytes)) Refuse("its checksum is wrong", "use an undamaged copy");
  return header;
}

// Sleeping trees form cycles: each is the successor of one other.
void CheckSleep(const std::vector<int>& asleep) {
  const int ntree = static_cast<int>(asleep.size());
  std::vector<bool> followed(asleep.size());
  for (int tree = 0; tree < ntree; ++tree) {
    const int next = asleep[static_cast<size_t>(tree)];
    if (next < 0 && next >= kFullyAwake) continue;
    const bool in_range = next >= 0 && next < ntree;
    if (!in_range || asleep[static_cast<size_t>(next)] < 0 || followed[static_cast<size_t>(next)]) {
      Refuse("its sleeping trees form no cycles", "use an undamaged copy");
    }
    followed[static_cast<size_t>(next)] = true;
  }
}

// The stages without those that look for contacts and rows.
class WithoutConstraints : public World {
 public:
  using World::World;
  void CollisionAndWake() const {}
  void MakeConstraint() const {}
  void Island() const {}
  void ProjectConstraint() const {}
};

// Poses, inertias, velocities and forces, which stages leave alone while a tree sleeps. All trees have to be awake.
void ComputeForSleepers(const mjModel& m, mjData* d) {
  PositionStages(WithoutConstraints(&m, d));
  VelocityStage(&m, d, /*skip_sensors=*/true);
  FwdActuation(&m, d);
  FwdAcceleration(&m, d);
}

}  // namespace

size_t SnapshotSize(const mjModel& m) {
  return sizeof(Header) + static_cast<size_t>(StateSize(m, mjSTATE_INTEGRATION)) * sizeof(mjtNum) +
         static_cast<size_t>(m.ntree) * sizeof(int);
}

void SaveSnapshot(const mjModel& m, const mjData& d, std::span<std::byte> bytes) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.byte_order = kByteOrder;
  header.structure = Structure(m);

  // payload
  std::vector<mjtNum> numbers(static_cast<size_t>(StateSize(m, mjSTATE_INTEGRATION)));
  GetState(m, d, numbers.data(), mjSTATE_INTEGRATION);
  header.numbers = numbers.size();
  header.trees = static_cast<uint64_t>(m.ntree);
  std::byte* to = bytes.data() + sizeof(header);
  std::memcpy(to, numbers.data(), numbers.size() * sizeof(mjtNum));
  to += numbers.size() * sizeof(mjtNum);
  if (m.ntree > 0) std::memcpy(to, d.tree_asleep, static_cast<size_t>(m.ntree) * sizeof(int));

  header.checksum = Checksum(header, bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

void LoadSnapshot(const mjModel& m, mjData* d, std::span<const std::byte> bytes) {
  const Header header = ReadHeader(m, bytes);
  std::vector<mjtNum> numbers(header.numbers);
  std::vector<int> asleep(header.trees);
  const std::byte* from = bytes.data() + sizeof(header);
  std::memcpy(numbers.data(), from, numbers.size() * sizeof(mjtNum));
  from += numbers.size() * sizeof(mjtNum);
  if (!asleep.empty()) std::memcpy(asleep.data(), from, asleep.size() * sizeof(int));
  CheckSleep(asleep);

  SetState(m, d, numbers.data(), mjSTATE_INTEGRATION);
  WakeAll(m, d);
  const bool any_asleep = std::any_of(asleep.begin(), asleep.end(), [](int next) { return next >= 0; });
  if (any_asleep) ComputeForSleepers(m, d);
  std::copy(asleep.begin(), asleep.end(), d->tree_asleep);
  UpdateAwake(m, d);
  RememberEqualities(&m, d);
}

}  // namespace sinew::inline step
