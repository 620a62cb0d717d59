// Warnings of Python. Programs that `import mujoco` load models through bindings that drop the text beside a model;
// where their interpreter is in the process, it receives the text.
#ifndef SINEW_CAPI_RESOURCES_PYTHON_WARNINGS_H_
#define SINEW_CAPI_RESOURCES_PYTHON_WARNINGS_H_

namespace sinew::capi {

// Whether an interpreter is in the process and works.
bool HasPython();

// Issues a UserWarning at the line of Python that is being executed; nothing where there is no interpreter. Returns
// false when a filter of the program makes an error of it, whose exception is not raised here.
bool WarnInPython(const char* text);

}  // namespace sinew::capi

#endif  // SINEW_CAPI_RESOURCES_PYTHON_WARNINGS_H_
