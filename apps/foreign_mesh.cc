#include "foreign_mesh.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sinew {
namespace {

// The extension without its dot, in lower case.
std::string FormatOf(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension.empty() ? extension : extension.substr(1);
}

// All triangles of a scene in its root's frame.
ForeignMesh Import(std::span<const std::byte> content, const std::string& format) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const unsigned steps =
      aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType;
  const aiScene* scene = importer.ReadFileFromMemory(content.data(), content.size(), steps, format.c_str());
  if (!scene) throw std::runtime_error(importer.GetErrorString());
  ForeignMesh triangles;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const aiMesh& mesh = *scene->mMeshes[i];
    const int first = static_cast<int>(triangles.vertices.size() / 3);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      triangles.vertices.insert(triangles.vertices.end(),
                                {mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z});
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (mesh.mFaces[f].mNumIndices != 3) continue;
      for (int k = 0; k < 3; ++k) triangles.faces.push_back(first + static_cast<int>(mesh.mFaces[f].mIndices[k]));
    }
  }
  if (triangles.faces.empty()) throw std::runtime_error("the file has no triangles");
  return triangles;
}

// ---- the other process

void Limit(int resource, rlim_t value) {
  const rlimit limit = {value, value};
  setrlimit(resource, &limit);
}

// In proportion to the file: what takes more is damaged. The process begins with the memory of its parent.
void LimitMyself(size_t file_bytes) {
  constexpr rlim_t kSeconds = 3, kSecondBytes = 1 << 20, kMemory = rlim_t{1} << 29, kMemoryOfByte = 200;
  long long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t own = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_CPU, kSeconds + file_bytes / kSecondBytes);
  Limit(RLIMIT_AS, own + kMemory + kMemoryOfByte * file_bytes);
  Limit(RLIMIT_FSIZE, 0);
  Limit(RLIMIT_NOFILE, 0);
}

void WriteAll(int pipe, const void* bytes, size_t count) {
  for (const char* next = static_cast<const char*>(bytes); count > 0;) {
    const ssize_t written = write(pipe, next, count);
    if (written <= 0) _exit(EXIT_FAILURE);
    next += written;
    count -= static_cast<size_t>(written);
  }
}

// What goes through the pipe: a text with what is wrong, or nothing and the numbers.
[[noreturn]] void RunReader(int pipe, std::span<const std::byte> content, const std::string& format) {
  LimitMyself(content.size());
  ForeignMesh mesh;
  std::string problem;
  try {
    mesh = Import(content, format);
  } catch (const std::exception& error) {
    problem = *error.what() ? error.what() : "the file cannot be read";
  }
  const uint64_t counts[3] = {problem.size(), mesh.vertices.size(), mesh.faces.size()};
  WriteAll(pipe, counts, sizeof(counts));
  WriteAll(pipe, problem.data(), problem.size());
  WriteAll(pipe, mesh.vertices.data(), sizeof(float) * mesh.vertices.size());
  WriteAll(pipe, mesh.faces.data(), sizeof(int) * mesh.faces.size());
  _exit(EXIT_SUCCESS);
}

std::string ReadAll(int pipe) {
  std::string bytes;
  char buffer[1 << 16];
  for (ssize_t count; (count = read(pipe, buffer, sizeof(buffer))) > 0;) {
    bytes.append(buffer, static_cast<size_t>(count));
  }
  return bytes;
}

// The process is not trusted: it may have ended anywhere.
ForeignMesh Unpack(const std::string& bytes) {
  uint64_t counts[3];
  if (bytes.size() < sizeof(counts)) throw std::runtime_error("the file is damaged, or too large");
  std::memcpy(counts, bytes.data(), sizeof(counts));
  const size_t rest = bytes.size() - sizeof(counts);
  const bool fits = std::all_of(counts, counts + 3, [&](uint64_t count) { return count <= rest; }) &&
                    counts[0] + sizeof(float) * counts[1] + sizeof(int) * counts[2] == rest;
  if (!fits) throw std::runtime_error("the file is damaged, or too large");
  const char* next = bytes.data() + sizeof(counts);
  if (counts[0] > 0) throw std::runtime_error(std::string(next, counts[0]));
  ForeignMesh mesh = {std::vector<float>(counts[1]), std::vector<int>(counts[2])};
  if (counts[1] > 0) std::memcpy(mesh.vertices.data(), next, sizeof(float) * counts[1]);
  if (counts[2] > 0) std::memcpy(mesh.faces.data(), next + sizeof(float) * counts[1], sizeof(int) * counts[2]);
  return mesh;
}

}  // namespace

bool IsForeign(const std::string& file) {
  const std::string format = FormatOf(file);
  return format == "fbx" || format == "3ds";
}

ForeignMesh ReadForeignMesh(const std::string& file, std::span<const std::byte> content) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t reader = fork();
  if (reader < 0) throw std::runtime_error("cannot start a process");
  if (reader == 0) {
    close(ends[0]);
    RunReader(ends[1], content, FormatOf(file));
  }
  close(ends[1]);
  const std::string bytes = ReadAll(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(reader, &status, 0);
  const bool too_long = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  if (too_long) throw std::runtime_error("the file takes too long to read; it is damaged, or too large");
  return Unpack(bytes);
}

}  // namespace sinew
