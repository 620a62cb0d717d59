// In which order the children of a body can be written, so that those of each kind are read in the order that they
// have.
#ifndef SINEW_MJCF_WRITE_BODIES_CHILD_ORDER_H_
#define SINEW_MJCF_WRITE_BODIES_CHILD_ORDER_H_

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "spec/spec.h"

namespace sinew::mjcf {

// The children of each kind are a queue: joints, geoms, sites, cameras, lights, bodies. Frames that are written are
// kept ones; a child stands in the innermost of them.
//
//     order.Keep(frame) for each frame that is written; order.Count();
//     order.Take(scope)       the next child that is at the head of its queue and directly in scope; null: none
//     order.NextFrame(scope)  then: the frame directly in scope that is to be written next; null: none
class ChildOrder {
 public:
  explicit ChildOrder(Body& body);

  void Keep(const Frame& frame);

  // Finds out where the children stand; once all kept frames are known.
  void Count();

  Element* Take(const Frame* scope);

  // Of the frames at the heads of the queues, the first whose children are all there; the first of all where each has
  // children behind others that are waiting. Frames without children come at the end, each once.
  const Frame* NextFrame(const Frame* scope);

  // Whether it is opened for the first time.
  bool Open(const Frame& frame);

 private:
  static constexpr std::size_t kKinds = 6;
  struct Child {
    Element* element;
    const Frame* scope;
  };
  struct Queue {
    std::vector<Child> children;
    std::size_t next = 0;
  };
  struct Kept {
    std::size_t rank;                           // among the kept frames
    const Frame* scope = nullptr;               // the kept frame around it
    std::array<std::size_t, kKinds> left = {};  // children in it and in the frames in it
    bool is_open = false;
  };

  const Frame* Innermost(const Frame* frame) const;
  const Frame* ChildFrame(const Frame* scope, const Frame* inner) const;
  bool IsReady(const Frame& frame) const;

  std::array<Queue, kKinds> queues_;
  std::unordered_map<const Frame*, Kept> kept_;
  std::unordered_map<const Frame*, std::vector<const Frame*>> inner_;  // kept frames directly in one, or in none
  std::vector<const Frame*> frames_;                                   // kept ones, in their order
};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_WRITE_BODIES_CHILD_ORDER_H_
