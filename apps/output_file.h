// Files that the program writes. What goes wrong, as a full disk, is an error with the reason that the system gives.
#ifndef SINEW_APPS_OUTPUT_FILE_H_
#define SINEW_APPS_OUTPUT_FILE_H_

#include <cstdio>
#include <string>
#include <string_view>

namespace sinew {

// Throws std::runtime_error.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;

  void Write(std::string_view text);
  // What is still held back; without it, a file is not complete.
  void Close();

 private:
  [[noreturn]] void Fail() const;

  std::string path_;
  std::FILE* file_;
};

// Replaces the content of a file; throws the same.
void WriteToFile(const std::string& path, std::string_view content);

// Throws unless all that was printed has arrived.
void FlushStandardOutput();

}  // namespace sinew

#endif  // SINEW_APPS_OUTPUT_FILE_H_
