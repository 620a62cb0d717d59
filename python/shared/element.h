// Types of numbers in memory, for both packages of Python, by letters: d double, f float, i int, I unsigned, l 64 bits,
// L unsigned 64 bits, B byte, b char, c character of a text, ? byte that is a flag: of type bool from the level 3.9 on.
#ifndef SINEW_PYTHON_ELEMENT_H_
#define SINEW_PYTHON_ELEMENT_H_

#include <cstddef>

namespace sinew {

constexpr size_t SizeOf(char element) {
  switch (element) {
    case 'd':
    case 'l':
    case 'L':
      return 8;
    case 'f':
    case 'i':
    case 'I':
      return 4;
    default:
      return 1;
  }
}

// What numpy calls it.
constexpr const char* NumpyName(char element) {
  switch (element) {
    case 'd':
      return "float64";
    case 'f':
      return "float32";
    case 'i':
      return "int32";
    case 'I':
      return "uint32";
    case 'l':
      return "int64";
    case 'L':
      return "uint64";
    case 'b':
      return "int8";
    case '?':
      return "bool";
    default:
      return "uint8";
  }
}

constexpr bool IsFloating(char element) { return element == 'd' || element == 'f'; }

}  // namespace sinew

#endif  // SINEW_PYTHON_ELEMENT_H_
