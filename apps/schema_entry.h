// The entries of the reference of MJCF, for people at a terminal.
#ifndef SINEW_APPS_SCHEMA_ENTRY_H_
#define SINEW_APPS_SCHEMA_ENTRY_H_

#include <string>

namespace sinew {

// What the XML Schema of MJCF says of an element with its attributes, or of one attribute of it, in lines of 100
// columns. `word`: the path of an element ("body/geom"), its name ("geom", of all that are called so), or, where no
// element has that name and `attribute` is empty, the name of an attribute. Throws std::runtime_error when there is
// none.
std::string SchemaEntry(const std::string& xsd, const std::string& word, const std::string& attribute);

}  // namespace sinew

#endif  // SINEW_APPS_SCHEMA_ENTRY_H_
