// Arguments of the command line: what numbers may be, how key frames are chosen, and what is said of wrong options.
#ifndef SINEW_APPS_ARGUMENTS_H_
#define SINEW_APPS_ARGUMENTS_H_

#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <string>

namespace sinew {

// Checks of options: a finite number, above zero or at least zero. Their error tells what is expected: "0.5".
CLI::Validator PositiveReal();
CLI::Validator NonNegativeReal();
CLI::Validator FiniteReal();

// The number of steps that take so many seconds, or CLI::ValidationError when nobody can wait for so many.
long StepsOf(double seconds, double timestep, const std::string& option);

// The key frame of this name, or else of this number; throws NameError.
int FindKeyframe(const mjModel* m, const std::string& chosen);

// What to say of arguments that cannot be understood: with the option that may have been meant, or what it takes.
std::string Explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sinew

#endif  // SINEW_APPS_ARGUMENTS_H_
