#include "mjcf/write_bodies/child_order.h"

#include <algorithm>

namespace sinew::mjcf {

ChildOrder::ChildOrder(Body& body) {
  const auto fill = [](auto& list, Queue& queue) {
    for (const auto& child : list) queue.children.push_back({child.get(), child->frame});
  };
  fill(body.joints, queues_[0]);
  fill(body.geoms, queues_[1]);
  fill(body.sites, queues_[2]);
  fill(body.cameras, queues_[3]);
  fill(body.lights, queues_[4]);
  fill(body.bodies, queues_[5]);
}

void ChildOrder::Keep(const Frame& frame) {
  kept_.emplace(&frame, Kept{frames_.size()});
  frames_.push_back(&frame);
}

void ChildOrder::Count() {
  for (const Frame* frame : frames_) {
    const Frame* scope = kept_.at(frame).scope = Innermost(frame->frame);
    inner_[scope].push_back(frame);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (Child& child : queues_[kind].children) {
      child.scope = Innermost(child.scope);
      for (const Frame* frame = child.scope; frame; frame = kept_.at(frame).scope) ++kept_.at(frame).left[kind];
    }
  }
}

Element* ChildOrder::Take(const Frame* scope) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    Queue& queue = queues_[kind];
    if (queue.next == queue.children.size() || queue.children[queue.next].scope != scope) continue;
    for (const Frame* frame = scope; frame; frame = kept_.at(frame).scope) --kept_.at(frame).left[kind];
    return queue.children[queue.next++].element;
  }
  return nullptr;
}

const Frame* ChildOrder::NextFrame(const Frame* scope) {
  const Frame *first = nullptr, *first_ready = nullptr;
  const auto earlier = [&](const Frame* a, const Frame* b) { return !b || kept_.at(a).rank < kept_.at(b).rank; };
  for (const Queue& queue : queues_) {
    if (queue.next == queue.children.size()) continue;
    const Frame* frame = ChildFrame(scope, queue.children[queue.next].scope);
    if (!frame) continue;
    if (earlier(frame, first)) first = frame;
    if (earlier(frame, first_ready) && IsReady(*frame)) first_ready = frame;
  }
  if (first) return first_ready ? first_ready : first;
  const auto is_empty = [&](const Frame* frame) {
    const Kept& kept = kept_.at(frame);
    return !kept.is_open &&
           std::all_of(kept.left.begin(), kept.left.end(), [](std::size_t count) { return count == 0; });
  };
  const std::vector<const Frame*>& frames = inner_[scope];
  const auto found = std::find_if(frames.begin(), frames.end(), is_empty);
  return found == frames.end() ? nullptr : *found;
}

bool ChildOrder::Open(const Frame& frame) {
  Kept& kept = kept_.at(&frame);
  const bool is_first = !kept.is_open;
  kept.is_open = true;
  return is_first;
}

const Frame* ChildOrder::Innermost(const Frame* frame) const {
  while (frame && !kept_.contains(frame)) frame = frame->frame;
  return frame;
}

// The frame directly in `scope` that holds a frame; null: it is not in the scope.
const Frame* ChildOrder::ChildFrame(const Frame* scope, const Frame* inner) const {
  while (inner && kept_.at(inner).scope != scope) inner = kept_.at(inner).scope;
  return inner;
}

// Whether all that is left of a frame is at the heads of the queues.
bool ChildOrder::IsReady(const Frame& frame) const {
  const Kept& kept = kept_.at(&frame);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const Queue& queue = queues_[kind];
    for (std::size_t i = 0; i < kept.left[kind]; ++i) {
      if (ChildFrame(kept.scope, queue.children[queue.next + i].scope) != &frame) return false;
    }
  }
  return true;
}

}  // namespace sinew::mjcf
