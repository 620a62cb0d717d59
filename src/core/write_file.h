// Files that the library writes: one place where a full disk is noticed.
#ifndef SINEW_CORE_WRITE_FILE_H_
#define SINEW_CORE_WRITE_FILE_H_

#include <cstdio>
#include <string>
#include <string_view>

namespace sinew::inline core {

// A file that is being written. Whatever goes wrong until Close() throws Error, with the reason that the system gives.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;

  void Write(const void* bytes, size_t count);
  // Writes the data that are still buffered; without this call a file is not complete.
  void Close();

 private:
  [[noreturn]] void Fail() const;

  std::string path_;
  std::FILE* file_;
};

// Replaces the content of a file.
void WriteFile(const std::string& path, std::string_view content);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_WRITE_FILE_H_
