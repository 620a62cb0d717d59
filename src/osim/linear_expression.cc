#include "osim/linear_expression.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "core/real_text.h"

namespace sinew::osim {
namespace {

// Coefficients of the variables, then the constant term.
using Form = std::optional<std::vector<double>>;

// A text goes from left to right: sums of products of factors. Nothing stands for what is not linear.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& variables) : text_(text), variables_(variables) {}

  Form Whole() {
    Form form = Sum(0);
    SkipBlanks();
    return at_ == text_.size() ? form : std::nullopt;
  }

 private:
  static constexpr int kDeepest = 100;  // parentheses

  void SkipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool Take(char c) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::vector<double> Zero() const { return std::vector<double>(variables_.size() + 1, 0); }
  static bool IsConstant(const std::vector<double>& form) {
    return std::all_of(form.begin(), form.end() - 1, [](double c) { return c == 0; });
  }

  Form Sum(int depth) {
    Form sum = Product(depth);
    while (sum) {
      const bool plus = Take('+');
      if (!plus && !Take('-')) break;
      const Form term = Product(depth);
      if (!term) return std::nullopt;
      for (std::size_t i = 0; i < sum->size(); ++i) (*sum)[i] += plus ? (*term)[i] : -(*term)[i];
    }
    return sum;
  }

  Form Product(int depth) {
    Form product = Factor(depth);
    while (product) {
      const bool times = Take('*');
      if (!times && !Take('/')) break;
      Form factor = Factor(depth);
      if (!factor) return std::nullopt;
      if (times && IsConstant(*product)) std::swap(*product, *factor);
      if (!IsConstant(*factor) || (!times && factor->back() == 0)) return std::nullopt;
      const double scale = times ? factor->back() : 1 / factor->back();
      for (double& c : *product) c *= scale;
    }
    return product;
  }

  Form Factor(int depth) {
    if (depth > kDeepest) return std::nullopt;
    if (Take('+')) return Factor(depth + 1);
    if (Take('-')) {
      Form form = Factor(depth + 1);
      if (form) std::transform(form->begin(), form->end(), form->begin(), [](double c) { return -c; });
      return form;
    }
    if (Take('(')) {
      Form form = Sum(depth + 1);
      return form && Take(')') ? form : std::nullopt;
    }
    SkipBlanks();
    return at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')
               ? Variable()
               : Number();
  }

  Form Variable() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const auto found = std::find(variables_.begin(), variables_.end(), text_.substr(begin, at_ - begin));
    if (found == variables_.end()) return std::nullopt;
    std::vector<double> form = Zero();
    form[static_cast<std::size_t>(found - variables_.begin())] = 1;
    return form;
  }

  Form Number() {
    const char* begin = text_.c_str() + at_;
    char* end = nullptr;
    const double value = RealOfText(begin, &end);
    if (end == begin) return std::nullopt;
    at_ += static_cast<std::size_t>(end - begin);
    std::vector<double> form = Zero();
    form.back() = value;
    return form;
  }

  const std::string& text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<double>> LinearCoefficients(const std::string& text,
                                                      const std::vector<std::string>& variables) {
  Form form = Parser(text, variables).Whole();
  if (!form || form->back() != 0) return std::nullopt;
  form->pop_back();
  return form;
}

}  // namespace sinew::osim
