// XML documents as plain trees with files and lines of their nodes, with includes already expanded.
#ifndef SINEW_MJCF_XML_XML_NODE_H_
#define SINEW_MJCF_XML_XML_NODE_H_

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mujoco/mujoco.h>

#include "core/error.h"

namespace sinew::mjcf {

struct XmlNode {
  std::string tag;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlNode> children;
  std::string text;                   // the first piece of text inside; MJCF has none
  const std::string* file = nullptr;  // owned by the document
  int line = 0;
  int order = 0;                    // rank among all elements of the document
  const XmlNode* parent = nullptr;  // valid once the document is complete

  // The text of an attribute; null: not given.
  const std::string* Find(std::string_view attribute) const;

  // File, line, and the way from the root: "body 'torso' / geom 'foot'". The root and worldbody are left
  // out.
  SourceLocation Location() const;
};

struct XmlDocument {
  std::unique_ptr<XmlNode> root;
  std::string comment;            // the first comment inside the root, when it comes before any element
  std::deque<std::string> files;  // the main file first, then included ones
  std::string directory;          // of the main file, with a separator at the end; empty: current
};

// Parses a document and expands <include>. `name` is what messages call it, and the start of relative paths. Throws
// Error.
XmlDocument LoadXml(const std::string& name, const std::string& text, const mjVFS* vfs);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_XML_XML_NODE_H_
