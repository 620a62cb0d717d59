#include "arguments.h"

#include <sinew/names.h>
#include <sinew/text.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace sinew {
namespace {

CLI::Validator Real(const std::string& what, bool (*accepts)(double)) {
  return CLI::Validator(
      [what, accepts](const std::string& text) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool is_number = !text.empty() && end == text.c_str() + text.size();
        if (is_number && std::isfinite(value) && accepts(value)) return "";
        return "'" + Printable(text, Lines::kEscaped) + "' is not " + what + ", as 0.5";
      },
      "");
}

// The command that was given; the program itself without one.
const CLI::App& Given(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::vector<std::string> LongOptions(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_fnames()) names.push_back("--" + name);
  }
  return names;
}

// The first word of a text that begins as an option does.
std::string OptionIn(const std::string& text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" ,:=", begin), text.size());
    if (end - begin > 1 && text[begin] == '-') return text.substr(begin, end - begin);
    begin = end + 1;
  }
  return "";
}

// What an option takes, by the type that it is read as.
std::string Expected(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = name.empty() ? nullptr : command.get_option_no_throw(name);
  const std::string type = option ? option->get_type_name() : "";
  if (type.starts_with("FLOAT")) return "; it takes a number, as 0.5";
  if (type.starts_with("INT") || type.starts_with("UINT")) return "; it takes a whole number, as 5";
  return "";
}

}  // namespace

CLI::Validator PositiveReal() {
  return Real("a finite number above zero", [](double x) { return x > 0; });
}
CLI::Validator NonNegativeReal() {
  return Real("a finite number of at least zero", [](double x) { return x >= 0; });
}
CLI::Validator FiniteReal() {
  return Real("a finite number", [](double) { return true; });
}

long StepsOf(double seconds, double timestep, const std::string& option) {
  constexpr double kMost = 1e12;  // months for the smallest model
  const double steps = std::ceil(seconds / timestep - 1e-9);
  if (steps <= kMost) return static_cast<long>(steps);
  char text[160];
  std::snprintf(text, sizeof(text), "%g s are %g steps of %g s; more than %g are refused", seconds, steps, timestep,
                kMost);
  throw CLI::ValidationError(option, text);
}

int FindKeyframe(const mjModel* m, const std::string& chosen) {
  if (const int key = mj_name2id(m, mjOBJ_KEY, chosen.c_str()); key >= 0) return key;
  int number = 0;
  const auto [end, error] = std::from_chars(chosen.data(), chosen.data() + chosen.size(), number);
  if (end != chosen.data() + chosen.size() || error == std::errc::invalid_argument) {
    return FindElement(m, mjOBJ_KEY, chosen);
  }
  if (error == std::errc() && number >= 0 && number < m->nkey) return number;
  throw NameError("the model has no keyframe " + chosen + "; it has " + std::to_string(m->nkey));
}

std::string Explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = Given(app);
  const std::string text = Printable(error.what());
  const std::string option = OptionIn(text);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ConversionError))
    return text + Expected(command, option);
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || !option.starts_with("--")) return text;
  return "there is no option '" + option + "'" + Suggestion(option, LongOptions(command)) + " (" + text + ")";
}

}  // namespace sinew
