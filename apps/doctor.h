// `sinew doctor`: which library, processor and Python package programs get.
#ifndef SINEW_APPS_DOCTOR_H_
#define SINEW_APPS_DOCTOR_H_

#include <CLI/App.hpp>

namespace sinew {

void AddDoctor(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_DOCTOR_H_
