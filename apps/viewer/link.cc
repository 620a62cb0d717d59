#include "viewer/link.h"

#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

void GetState(const mjModel* m, const mjData* d, std::vector<double>& state) {
  state.resize(static_cast<size_t>(mj_stateSize(m, kLinkState)));
  mj_getState(m, d, state.data(), kLinkState);
}

// Bit by bit, so that a number that is none equals itself.
bool Same(double a, double b) { return std::memcmp(&a, &b, sizeof(double)) == 0; }

// The members of a perturbation in the order of a message, for copies in both directions.
template <class Perturb, class Function>
void ForEachPullMember(Perturb& perturb, Function&& function) {
  function(perturb.refpos, 3);
  function(perturb.refquat, 4);
  function(perturb.refselpos, 3);
  function(perturb.localpos, 3);
  function(&perturb.localmass, 1);
}

}  // namespace

std::array<double, kPullNumbers> PullNumbers(const mjvPerturb& perturb) {
  const int body = perturb.active || perturb.active2 ? std::max(perturb.select, 0) : 0;
  std::array<double, kPullNumbers> numbers = {static_cast<double>(body),
                                              static_cast<double>(perturb.active | perturb.active2)};
  size_t at = 2;
  ForEachPullMember(perturb, [&](const double* member, size_t size) {
    std::copy_n(member, size, numbers.begin() + static_cast<long>(at));
    at += size;
  });
  return numbers;
}

mjvPerturb PerturbOf(const double* numbers) {
  mjvPerturb perturb;
  mjv_defaultPerturb(&perturb);
  perturb.select = static_cast<int>(numbers[0]);
  perturb.active = static_cast<int>(numbers[1]);
  const double* from = numbers + 2;
  ForEachPullMember(perturb, [&](double* member, size_t size) {
    std::copy_n(from, size, member);
    from += size;
  });
  return perturb;
}

void ApplyPull(const mjModel* m, mjData* d, const mjvPerturb& perturb) {
  if (perturb.select <= 0) return;
  std::fill_n(d->xfrc_applied + 6 * perturb.select, 6, 0.0);
  mjv_applyPerturbPose(m, d, &perturb, 0);
  mjv_applyPerturbForce(m, d, &perturb);
}

void Link::Start(const mjModel* m, const mjData* d) {
  GetState(m, d, shown_);
  changes_.clear();
}

void Link::FindChanges(const mjModel* m, const mjData* d) {
  GetState(m, d, now_);
  for (size_t i = 0; i < now_.size(); ++i) {
    if (!Same(now_[i], shown_[i])) changes_[i] = shown_[i] = now_[i];
  }
}

const std::vector<double>& Link::Request(const mjModel* m, const mjData* d, const mjvPerturb& perturb, bool paused) {
  FindChanges(m, d);
  request_ = {paused == told_paused_ ? -1.0 : static_cast<double>(paused), static_cast<double>(steps_)};
  const auto pull = PullNumbers(perturb);
  request_.insert(request_.end(), pull.begin(), pull.end());
  request_.push_back(static_cast<double>(changes_.size()));
  for (const auto& [index, value] : changes_) {
    request_.push_back(static_cast<double>(index));
    request_.push_back(value);
  }
  told_paused_ = paused;
  steps_ = 0;
  changes_.clear();
  return request_;
}

bool Link::Take(const double* reply, size_t size, const mjModel* m, mjData* d, bool& paused) {
  if (size != 1 + shown_.size()) return false;
  FindChanges(m, d);
  now_.assign(reply + 1, reply + size);
  for (const auto& [index, value] : changes_) now_[index] = value;
  mj_setState(m, d, now_.data(), kLinkState);
  mj_forward(m, d);
  GetState(m, d, shown_);
  if (paused == told_paused_) paused = told_paused_ = reply[0] != 0;
  return true;
}

}  // namespace sinew
