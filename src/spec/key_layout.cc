// Keyframes are vectors over all joints, actuators and mocap bodies. When an edit adds, removes or moves these, the
// layout before and after tells which numbers go where.
#include "spec/key_layout.h"

#include <limits>
#include <unordered_map>

#include "model/view/joint_type.h"
#include "simd/functions.h"
#include "spec/actuator_kinds.h"
#include "spec/traverse.h"

namespace sinew::inline spec {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The number of activations as far as it is known before compilation.
int ActivationCount(const Actuator& actuator) {
  if (IsMusculotendon(actuator)) return FiberStateCount(actuator);
  if (actuator.actdim >= 0) return actuator.actdim;
  if (actuator.dyntype == mjDYN_DCMOTOR) return MotorActivationCount(actuator);
  return actuator.dyntype == mjDYN_NONE ? 0 : 1;
}

}  // namespace

// The order of joints is that of the compiled model: bodies in depth-first order, joints in order of declaration.
KeyLayout::KeyLayout(Spec& spec) {
  auto& [qpos, qvel, act, ctrl, mpos, mquat] = slots_;
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) {
    for (const auto& joint : body->joints) {
      qpos.push_back({joint.get(), PositionCount(joint->type)});
      qvel.push_back({joint.get(), DofCount(joint->type)});
    }
    if (!body->mocap) continue;
    mpos.push_back({body, 3});
    mquat.push_back({body, 4});
  }
  for (const auto& actuator : spec.List<Actuator>()) {
    act.push_back({actuator.get(), ActivationCount(*actuator)});
    ctrl.push_back({actuator.get(), 1});
  }
}

std::vector<double>& KeyLayout::VectorOf(const Key& key, std::size_t which) {
  return *std::array{key.qpos, key.qvel, key.act, key.ctrl, key.mpos, key.mquat}[which];
}

std::size_t KeyLayout::Length(const std::vector<Slot>& slots) {
  std::size_t length = 0;
  for (const Slot& slot : slots) length += static_cast<std::size_t>(slot.width);
  return length;
}

std::size_t KeyLayout::size() const {
  std::size_t count = 0;
  for (const auto& slots : slots_) count += Length(slots);
  return count;
}

bool KeyLayout::Fits(const Key& key) const {
  for (std::size_t i = 0; i < kVectors; ++i) {
    const std::vector<double>& values = VectorOf(key, i);
    if (!values.empty() && values.size() != Length(slots_[i])) return false;
  }
  return true;
}

void KeyLayout::Check(const Key& key) const {
  static constexpr const char* kNames[kVectors] = {"qpos", "qvel", "act", "ctrl", "mpos", "mquat"};
  for (std::size_t i = 0; i < kVectors; ++i) {
    const std::size_t given = VectorOf(key, i).size(), length = Length(slots_[i]);
    if (given == 0 || given == length) continue;
    throw Error("keyframe '" + key.name + "' has " + std::to_string(given) + " numbers of " + kNames[i] +
                    " where the model has " + std::to_string(length),
                "give all numbers or none: those of the parts that move must be known");
  }
}

// qpos is at qpos0, mocap bodies are at their pose, all else is zero.
void KeyLayout::AppendReference(const Slot& slot, std::size_t which, std::vector<double>* values) {
  const bool is_state = which > 0 && which < 4;
  double value = is_state ? 0 : kUnknown;
  if (which == 0) {
    const auto& joint = static_cast<const Joint&>(*slot.element);
    if (joint.type == mjJNT_BALL) {
      values->insert(values->end(), {1, 0, 0, 0});
      return;
    }
    const bool in_degrees = joint.type == mjJNT_HINGE && joint.compiler().degree;
    if (joint.type != mjJNT_FREE) value = in_degrees ? joint.ref * (kPi / 180) : joint.ref;
  }
  values->insert(values->end(), static_cast<std::size_t>(slot.width), value);
}

// Vectors that a key does not give stay empty, which means the reference.
void KeyLayout::Arrange(const KeyLayout& old, const Origin& origin, Key* key) const {
  for (std::size_t i = 0; i < kVectors; ++i) {
    std::vector<double>& values = VectorOf(*key, i);
    if (values.empty()) continue;
    std::unordered_map<const Element*, std::size_t> offsets;
    std::size_t offset = 0;
    for (const Slot& slot : old.slots_[i]) {
      offsets.emplace(slot.element, offset);
      offset += static_cast<std::size_t>(slot.width);
    }
    std::vector<double> arranged;
    for (const Slot& slot : slots_[i]) {
      const auto found = offsets.find(origin(*slot.element));
      if (found == offsets.end()) {
        AppendReference(slot, i, &arranged);
      } else {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(found->second);
        arranged.insert(arranged.end(), from, from + slot.width);
      }
    }
    values = std::move(arranged);
  }
}

bool HasKeys(const Spec& spec) { return !spec.List<Key>().empty() || !spec.pending_keys.empty(); }

void ExtendKeys(Spec& spec, const KeyLayout& old) {
  if (!HasKeys(spec)) return;
  const KeyLayout now(spec);
  for (const auto* keys : {&spec.List<Key>(), &spec.pending_keys}) {
    for (const auto& key : *keys) {
      if (old.Fits(*key))
        now.Arrange(
            old, [](const Element& element) { return &element; }, key.get());
    }
  }
}

}  // namespace sinew::inline spec
