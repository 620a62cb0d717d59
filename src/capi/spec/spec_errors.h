// The text that mjs_getError returns for an error in a specification.
#ifndef SINEW_CAPI_SPEC_SPEC_ERRORS_H_
#define SINEW_CAPI_SPEC_SPEC_ERRORS_H_

#include <exception>
#include <functional>
#include <string>

#include "spec/spec.h"

namespace sinew::capi {

// Keeps the text of an error with the specification. For an element of a file it has file and line; for an element that
// a program made, it is in the form that programs expect of this interface, with the remedy in a line of its own:
//
//   Error: size 0 must be positive in geom
//   Element name 'foot', id 3, INFO
//   set it
//
// INFO is the text that the program keeps in the element's `info`, such as its own file and line.
void KeepSpecError(Spec& spec, const std::exception& error);

// Runs `compile`, which makes a model of a specification. Its warnings become the message of the specification, a line
// each after those of the reader. Returns that message.
std::string CollectWarnings(const Spec& spec, const std::function<void()>& compile);

// Gives each of these warnings to the handler of the thread or of the program, where there is one: without, a text
// beside the model is all. A handler may leave by longjmp, so that a C function calls this at its end, and forgets at
// its beginning what an earlier compilation had said.
void ForgetCollected();
void ReportCollected();

// Makes warnings of Python of them where there is no handler (capi/resources/python_warnings.h). Returns the one that a
// filter of the program makes an error of; null: none.
const char* RefusedByPython();

// The same for a specification that has been compiled and has warnings for its message: where Python takes them, there
// is no message, as bindings of MuJoCo 3.8.0 raise ValueError of any text beside a model. Returns false where a filter
// makes an error of a warning, whose text is the message then.
bool TellPython(Spec& spec);

}  // namespace sinew::capi

#endif  // SINEW_CAPI_SPEC_SPEC_ERRORS_H_
