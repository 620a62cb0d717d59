// What moves by functions of a coordinate: the number arrays that hold it (model/kinds/motion.h).
#include <utility>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "model/kinds/motion.h"

namespace sinew {
namespace {

// Appends heads, and behind all of them the functions, whose addresses are put where they are waited for.
class FunctionArray {
 public:
  explicit FunctionArray(std::size_t heads) : numbers_(heads, 0) {}

  std::size_t size() const { return numbers_.size(); }
  double& operator[](std::size_t place) { return numbers_[place]; }

  void Append(double number) { numbers_.push_back(number); }
  // A place for the address of a function.
  void AppendAddressOf(const std::vector<double>& function) {
    waiting_.emplace_back(numbers_.size(), &function);
    numbers_.push_back(0);
  }

  std::vector<double> Take() {
    for (const auto& [place, function] : waiting_) {
      numbers_[place] = static_cast<double>(numbers_.size());
      numbers_.insert(numbers_.end(), function->begin(), function->end());
    }
    return std::move(numbers_);
  }

 private:
  std::vector<double> numbers_;
  std::vector<std::pair<std::size_t, const std::vector<double>*>> waiting_;
};

double CountOf(const std::vector<MotionDraft>& motion, bool rotates) {
  double count = 0;
  for (const MotionDraft& term : motion) count += term.rotates == rotates;
  return count;
}

// Rotations come first, in their order.
void AppendMotion(const std::vector<MotionDraft>& motion, FunctionArray* array) {
  array->Append(CountOf(motion, true));
  array->Append(CountOf(motion, false));
  for (const bool rotates : {true, false}) {
    for (const MotionDraft& term : motion) {
      if (term.rotates != rotates) continue;
      for (int i = 0; i < 3; ++i) array->Append(term.axis[i]);
      array->AppendAddressOf(term.function);
    }
  }
}

void DraftJointMotions(Draft& draft) {
  FunctionArray array(draft.joints.size());
  const std::size_t heads = array.size();
  for (std::size_t id = 0; id < draft.joints.size(); ++id) {
    const JointDraft& joint = FindJoint(draft, static_cast<int>(id));
    if (joint.motion.empty()) continue;
    array[id] = static_cast<double>(array.size());
    AppendMotion(joint.motion, &array);
  }
  if (array.size() > heads) draft.extensions.push_back({kMotionArray, array.Take()});
}

}  // namespace

void DraftMotions(Draft& draft) { DraftJointMotions(draft); }

}  // namespace sinew
