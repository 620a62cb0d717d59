// Damage to the text of a document, for tests of readers.
#ifndef SINEW_TESTS_SUPPORT_DAMAGED_TEXT_H_
#define SINEW_TESTS_SUPPORT_DAMAGED_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <string>

namespace sinew {

// One of several kinds of damage at a random place. `numbers` are put in the place of a number; `end` is the letter at
// which a part ends that is lost.
inline std::string DamagedText(std::string text, std::span<const char* const> numbers, char end, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t at = pick(text.size()), length = std::min<std::size_t>(1 + pick(60), text.size() - at);
  switch (pick(6)) {
    case 0:
      return text.erase(at, length);
    case 1:
      return text.insert(at, text.substr(at, length));
    case 2:
      return text.replace(at, 1, 1, static_cast<char>(random() % 256));
    case 3:
      return text.substr(0, at);
    case 4: {  // a number of another size
      const std::size_t begin = text.find_first_of("0123456789", at);
      if (begin == std::string::npos) return text;
      const std::size_t behind = text.find_first_not_of("0123456789.e-+", begin);
      return text.replace(begin, behind - begin, numbers[pick(numbers.size())]);
    }
    default: {  // a part is lost
      const std::size_t begin = text.find(end, at);
      if (begin == std::string::npos) return text;
      const std::size_t last = text.find(end, begin + 1);
      return last == std::string::npos ? text : text.erase(begin, last - begin);
    }
  }
}

}  // namespace sinew

#endif  // SINEW_TESTS_SUPPORT_DAMAGED_TEXT_H_
