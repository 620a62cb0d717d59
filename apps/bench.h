// `sinew bench MODEL`: how many steps a second many worlds of a model make.
#ifndef SINEW_APPS_BENCH_H_
#define SINEW_APPS_BENCH_H_

#include <CLI/App.hpp>

namespace sinew {

void AddBench(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_BENCH_H_
