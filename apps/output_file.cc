#include "output_file.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace sinew {
namespace {

[[noreturn]] void Refuse(const std::string& what, int reason) {
  throw std::runtime_error("cannot write " + what + ": " + std::strerror(reason) +
                           (reason == ENOENT ? "; check that its folder exists" : ""));
}

}  // namespace

FileWriter::FileWriter(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) Fail();
}

FileWriter::~FileWriter() {
  if (file_) std::fclose(file_);
}

void FileWriter::Write(std::string_view text) {
  if (!text.empty() && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) Fail();
}

void FileWriter::Close() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) Fail();
}

void FileWriter::Fail() const { Refuse("'" + path_ + "'", errno); }

void WriteToFile(const std::string& path, std::string_view content) {
  FileWriter file(path);
  file.Write(content);
  file.Close();
}

void FlushStandardOutput() {
  errno = 0;
  const bool failed = !std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout);
  // An earlier piece may have failed, whose reason is gone.
  if (failed) Refuse("to the standard output", errno ? errno : EIO);
}

}  // namespace sinew
