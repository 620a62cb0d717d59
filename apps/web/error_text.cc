// Texts of errors in the page. It gets compiled models: no error comes from a line of a file, and the entries of MJCF's
// reference, which the library names in such errors (src/capi/error_text.cc), are not in the page.
#include "capi/boundary.h"

namespace sinew::capi {

std::string TextWithLine(const Error& error) { return error.what(); }

}  // namespace sinew::capi
