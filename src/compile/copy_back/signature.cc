// The signature by which programs see whether a model, a world and a specification belong together.
#include "compile/copy_back/signature.h"

#include <string>
#include <vector>

// The signature covers: how many elements of each kind there are, in which bodies, and the types of joints and
// sensors. Those decide the sizes of mjModel and mjData; numbers such as masses may change without a new signature.
namespace sinew::inline compile {
namespace {

// FNV-1a over the bytes of numbers, lowest first, so that it is the same on machines of any byte order.
class Hash {
 public:
  void Add(uint64_t number) {
    for (int i = 0; i < 8; ++i) value_ = (value_ ^ (number >> (8 * i) & 0xff)) * 0x100000001b3u;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

// Bodies in pre-order with the number of children each, which together determine the tree.
void AddTree(const Body& world, Hash& hash) {
  std::vector<const Body*> stack = {&world};
  while (!stack.empty()) {
    const Body& body = *stack.back();
    stack.pop_back();
    hash.Add(body.bodies.size());
    hash.Add(body.joints.size());
    for (const auto& joint : body.joints) hash.Add(joint->type);
    hash.Add(body.geoms.size());
    hash.Add(body.sites.size());
    hash.Add(body.cameras.size());
    hash.Add(body.lights.size());
    for (auto child = body.bodies.rbegin(); child != body.bodies.rend(); ++child) stack.push_back(child->get());
  }
}

template <class... T>
void AddCounts(const Spec& spec, Hash& hash) {
  (hash.Add(spec.List<T>().size()), ...);
}

}  // namespace

uint64_t Signature(const Spec& spec) {
  Hash hash;
  AddTree(spec.world(), hash);
  AddCounts<Flex, Mesh, HField, Skin, Texture, Material, Pair, Exclude, Equality, Tendon, Actuator, Sensor, Numeric,
            Text, Tuple, Key, Plugin>(spec, hash);
  for (const auto& sensor : spec.List<Sensor>()) hash.Add(sensor->type);
  return hash.value();
}

}  // namespace sinew::inline compile
