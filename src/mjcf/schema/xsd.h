// The schema as an XML Schema document, for editors and validators.
#ifndef SINEW_MJCF_SCHEMA_XSD_H_
#define SINEW_MJCF_SCHEMA_XSD_H_

#include <string>

namespace sinew::mjcf {

// One complex type for each row of the schema, named by its path. It says which elements and attributes stand where,
// how many numbers an attribute takes, and which words; what depends on other values is the reader's to check.
std::string SchemaXsd();

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_SCHEMA_XSD_H_
