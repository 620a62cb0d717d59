// The schema as a table for readers: elements indented below their parents, cardinality, attributes by alphabet.
#ifndef SINEW_MJCF_SCHEMA_PRINT_SCHEMA_H_
#define SINEW_MJCF_SCHEMA_PRINT_SCHEMA_H_

#include <string>

namespace sinew::mjcf {

std::string SchemaText();

// `padded`: indentation by the style of the cells instead of blanks.
std::string SchemaHtml(bool padded);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_SCHEMA_PRINT_SCHEMA_H_
