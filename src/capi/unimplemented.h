// The error of an exported function that this release does not provide.
#ifndef SINEW_CAPI_UNIMPLEMENTED_H_
#define SINEW_CAPI_UNIMPLEMENTED_H_

namespace sinew::capi {

// Raises mju_error with a text that names the function. A handler may return; the function then returns zero.
void Unimplemented(const char* function);

}  // namespace sinew::capi

#endif  // SINEW_CAPI_UNIMPLEMENTED_H_
