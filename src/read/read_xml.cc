#include "read/read_xml.h"

#include "core/error.h"
#include "core/file_policy.h"
#include "core/load_limits.h"
#include "core/path.h"
#include "core/resources.h"
#include "hfd/read.h"
#include "mjcf/read/read.h"
#include "mjcf/xml/xml_node.h"
#include "osim/read.h"
#include "read/read_file.h"
#include "urdf/read.h"

namespace sinew::inline read {

std::unique_ptr<Spec> ReadXml(const std::string& file, const mjVFS* vfs, const urdf::UrdfOptions& options) {
  const auto text = ReadResource(vfs, "", file);
  if (!text) throw Error("cannot open the file" + WhyBlocked(file, Vfs::RootOf(vfs)), "", {file, 0, ""});
  return ReadXmlText(std::string(text->begin(), text->end()), file, vfs, options);
}

std::unique_ptr<Spec> ReadXmlText(const std::string& text, const std::string& name, const mjVFS* vfs,
                                  const urdf::UrdfOptions& options) {
  const LoadClock clock;
  if (ToLower(Extension(name)) == ".hfd") return hfd::ReadHfd(text, name, vfs);
  const mjcf::XmlDocument document = mjcf::LoadXml(name, text, vfs);
  const std::string root = ToLower(document.root->tag);
  if (root == "robot") return urdf::ReadUrdf(document, options, vfs);
  if (root == "opensimdocument") return osim::ReadOsim(document, vfs);
  return mjcf::ReadMjcf(document, vfs, &ReadModelFile);
}

}  // namespace sinew::inline read
