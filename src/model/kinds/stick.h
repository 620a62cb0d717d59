// Contacts that hold their point (docs/how/stick.md): which contacts of a model do, and where a world has their
// anchors.
//
// The compiler adds a number array to models in which any contact may: the number of anchors, 1 or 0 for contacts whose
// geoms say nothing, then for each geom and for each pair 1, 0, or -1 where it says nothing.
#ifndef SINEW_MODEL_KINDS_STICK_H_
#define SINEW_MODEL_KINDS_STICK_H_

#include <mujoco/mujoco.h>
#include <sinew/stick.h>

#include <span>

namespace sinew::inline model {

// The array of a model, and that of a specification whose option element says something.
inline constexpr char kStickArray[] = sinewSTICK;
inline constexpr char kStickOptionArray[] = "sinew/stickoption";
enum StickNumber { kStickSlots, kStickDefault, kStickHead };
// The words of a geom or a pair.
enum StickWord { kStickNotGiven = -1, kStickDisable, kStickEnable };
inline constexpr int kMaxStickSlots = 1 << 20;

// An anchor of a contact, in mjData.history; all zero: none.
using Anchor = sinewAnchor;
inline constexpr int kAnchorNumbers = sizeof(Anchor) / sizeof(mjtNum);

// The settings of a model; null inside where no contact holds its point.
class StickSettings {
 public:
  explicit StickSettings(const mjModel* m);
  explicit operator bool() const { return numbers_ != nullptr; }

  // The number of anchors, which programs that write into the array do not change.
  int slots() const { return slots_; }
  // Whether a contact holds its point: an explicit pair decides, then the geom of higher priority, then both: one that
  // is disabled is enough that it does not.
  bool Holds(const mjContact& contact) const;

 private:
  int Geom(int geom) const { return At(kStickHead + geom); }
  int At(mjtSize i) const;

  const mjModel* m_;
  const mjtNum* numbers_ = nullptr;
  int slots_ = 0;
};

// How many numbers of mjData.history are those of anchors.
int StickStates(const mjModel* m);

// The anchors of a world, the last numbers of its history; none where the model has none.
std::span<Anchor> AnchorsOf(const mjModel* m, mjData* d);

inline int StickArraySize(int ngeom, int npair) { return kStickHead + ngeom + npair; }

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_STICK_H_
