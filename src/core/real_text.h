// Real numbers in text, read alike in every locale.
#ifndef SINEW_CORE_REAL_TEXT_H_
#define SINEW_CORE_REAL_TEXT_H_

#include <string>

namespace sinew::inline core {

// strtod in the C locale: std::from_chars reads no real numbers with every C++ library.
double RealOfText(const char* text, char** end);

// Six digits for messages, however small the number is.
std::string TextOfReal(double number);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_REAL_TEXT_H_
