// The check of a document against the schema, before anything is read from it.
#ifndef SINEW_MJCF_SCHEMA_VALIDATE_H_
#define SINEW_MJCF_SCHEMA_VALIDATE_H_

#include "mjcf/schema/schema.h"
#include "mjcf/xml/problems.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

// Adds a problem for every unknown element or attribute, missing required attribute, and element that stands too often.
void Validate(const XmlNode& root, Problems* problems);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_SCHEMA_VALIDATE_H_
