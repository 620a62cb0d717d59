#include "web_page.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "output_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Encodes bytes as RFC 4648, section 4, says.
std::string Base64(const std::vector<uint8_t>& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string EscapedForHtml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return escaped;
}

// Replaces every occurrence of the mark in the text.
void Replace(std::string& text, std::string_view mark, const std::string& by) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
}

// The names of plugins by their slots, by which the model refers to them: the page registers its own in this order.
std::string PluginNames(const mjModel& m) {
  std::vector<std::string> names;
  for (int i = 0; i < m.nplugin; ++i) {
    for (int slot = static_cast<int>(names.size()); slot <= m.plugin[i]; ++slot) {
      const mjpPlugin* plugin = mjp_getPluginAtSlot(slot);
      if (!plugin) throw std::runtime_error("compiled models do not name their plugins: give the model as XML");
      names.emplace_back(plugin->name);
    }
  }
  return nlohmann::json(names).dump();
}

std::string ReadTemplate(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read '" + path.string() + "'");
  return text.str();
}

}  // namespace

fs::path FindPageTemplate() {
  if (const char* chosen = std::getenv("SINEW_WEB_PAGE")) {
    if (fs::exists(chosen)) return chosen;
    throw std::runtime_error("SINEW_WEB_PAGE names '" + std::string(chosen) + "', which is not there");
  }
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const char* place : {"../share/sinew/page.html", "../../web/bin/page.html"}) {
    if (fs::exists(folder / place)) return fs::canonical(folder / place);
  }
  throw std::runtime_error(
      "the page for browsers was not built: run tools/build_web.sh in Sinew's sources, or name the page that it made "
      "in "
      "SINEW_WEB_PAGE");
}

void WriteWebPage(const mjModel& m, const std::string& name, const fs::path& file) {
  const mjtSize size = mj_sizeModel(&m);
  if (size > std::numeric_limits<int>::max()) throw std::runtime_error("the model is too large for a page");
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  mj_saveModel(&m, nullptr, bytes.data(), static_cast<int>(size));

  std::string page = ReadTemplate(FindPageTemplate());
  Replace(page, "<!--title-->", EscapedForHtml(name));
  Replace(page, "<!--plugins-->", PluginNames(m));
  Replace(page, "<!--model-->", Base64(bytes));
  WriteToFile(file.string(), page);
}

}  // namespace sinew
