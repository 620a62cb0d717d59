// What cmake/libcxx.cmake lets g++ compile, to see whether it can use the headers of a libc++.
#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

int main() {
  std::unordered_map<std::string, std::vector<double>> numbers = {{"a", {1, 2}}};
  std::function<size_t()> count = [&] { return numbers.size(); };
  return static_cast<int>(count());
}
