#include "viewer/session/history.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int kSignature = mjSTATE_INTEGRATION;  // its first number is the time

}  // namespace

void History::Start(const mjModel* m) {
  states_.clear();
  at_ = -1;
  const size_t bytes = static_cast<size_t>(mj_stateSize(m, kSignature)) * sizeof(double);
  room_ = std::clamp<size_t>(kMostBytes / std::max<size_t>(bytes, 1), 2, kMostStates);
}

void History::Add(const mjModel* m, const mjData* d) {
  states_.resize(static_cast<size_t>(at_ + 1));
  std::vector<double> state;
  if (states_.size() == room_) {
    state = std::move(states_.front());
    states_.pop_front();
  }
  state.resize(static_cast<size_t>(mj_stateSize(m, kSignature)));
  mj_getState(m, d, state.data(), kSignature);
  states_.push_back(std::move(state));
  at_ = size() - 1;
}

bool History::Show(int index, const mjModel* m, mjData* d) {
  if (states_.empty()) return false;
  at_ = std::clamp(index, 0, size() - 1);
  mj_setState(m, d, states_[static_cast<size_t>(at_)].data(), kSignature);
  mj_forward(m, d);
  return true;
}

}  // namespace sinew
