#include "read/read_file.h"

#include "core/path.h"
#include "read/read_xml.h"
#include "spec/decode.h"

namespace sinew::inline read {
namespace {

bool IsXml(std::string_view file, std::string_view content_type) {
  const std::string extension = ToLower(Extension(file));
  return extension == ".xml" || extension == ".urdf" || extension == ".osim" || extension == ".hfd" ||
         ToLower(content_type) == "text/xml";
}

}  // namespace

std::unique_ptr<Spec> ReadModelFile(const std::string& file, std::string_view content_type, const mjVFS* vfs) {
  if (IsXml(file, content_type)) return ReadXml(file, vfs);
  return DecodeFile(file, content_type, vfs);
}

}  // namespace sinew::inline read
