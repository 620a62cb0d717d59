// Number arrays that begin with a head for each element and end with functions (math/piecewise.h).
#ifndef SINEW_COMPILE_TREE_FUNCTION_ARRAY_H_
#define SINEW_COMPILE_TREE_FUNCTION_ARRAY_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace sinew::inline compile {

// Appends numbers behind the heads, and behind all of them the functions, whose addresses are put where they are waited
// for.
class FunctionArray {
 public:
  explicit FunctionArray(std::size_t heads) : heads_(heads), numbers_(heads, 0) {}

  bool empty() const { return numbers_.size() == heads_; }
  void Append(double number) { numbers_.push_back(number); }
  void Append(const std::vector<double>& numbers) { numbers_.insert(numbers_.end(), numbers.begin(), numbers.end()); }
  void AppendAddressOf(const std::vector<double>& function) {
    waiting_.emplace_back(numbers_.size(), &function);
    numbers_.push_back(0);
  }
  // Starts the entry of this id; the numbers appended next belong to it.
  void Begin(int id) { numbers_[static_cast<std::size_t>(id)] = static_cast<double>(numbers_.size()); }

  std::vector<double> Take() {
    for (const auto& [place, function] : waiting_) {
      numbers_[place] = static_cast<double>(numbers_.size());
      numbers_.insert(numbers_.end(), function->begin(), function->end());
    }
    return std::move(numbers_);
  }

 private:
  std::size_t heads_;
  std::vector<double> numbers_;
  std::vector<std::pair<std::size_t, const std::vector<double>*>> waiting_;
};

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_FUNCTION_ARRAY_H_
