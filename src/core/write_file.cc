#include "core/write_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace sinew::inline core {

OutputFile::OutputFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) Fail();
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
}

void OutputFile::Write(const void* bytes, size_t count) {
  if (count > 0 && std::fwrite(bytes, 1, count, file_) != count) Fail();
}

void OutputFile::Close() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) Fail();
}

void OutputFile::Fail() const {
  const int reason = errno;
  throw Error("cannot write the file '" + path_ + "': " + std::strerror(reason),
              reason == ENOENT ? "check that its folder exists" : "");
}

void WriteFile(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.Write(content.data(), content.size());
  file.Close();
}

}  // namespace sinew::inline core
