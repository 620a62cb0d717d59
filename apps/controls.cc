#include "controls.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#include "read_file.h"
#include "trajectory.h"

namespace sinew {
namespace {

// The cells of a line; quoted ones may hold commas, and quotes twice (RFC 4180).
std::vector<std::string> Cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool quote = line[i] == '"';
    if (quote && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[i++];
    } else if (quote) {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else if (line[i] != '\r') {
      cells.back() += line[i];
    }
  }
  return cells;
}

}  // namespace

void RecordedControls::Fail(int line, const std::string& problem) const {
  throw std::runtime_error(path_ + ":" + std::to_string(line) + ": " + problem);
}

void RecordedControls::ReadHeader(std::string_view line, const mjModel* m) {
  const std::vector<std::string> names = Cells(line);
  const auto column = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      Fail(1, "there is no column '" + name + "'; recorded controls have it, as sinew simulate --output writes it");
    return static_cast<size_t>(found - names.begin());
  };
  columns_ = {column("time")};
  for (const std::string& name : ControlColumns(m)) columns_.push_back(column(name));
}

void RecordedControls::ReadRow(std::string_view line, int number) {
  const std::vector<std::string> cells = Cells(line);
  for (const size_t column : columns_) {
    if (column >= cells.size())
      Fail(number, "the row has " + std::to_string(cells.size()) + " numbers, and the header more");
    char* end = nullptr;
    const double value = std::strtod(cells[column].c_str(), &end);
    if (cells[column].empty() || *end || !std::isfinite(value)) Fail(number, "'" + cells[column] + "' is no number");
    rows_.push_back(value);
  }
  const size_t size = columns_.size();
  if (rows_.size() > size && !(rows_[rows_.size() - size] > rows_[rows_.size() - 2 * size])) {
    Fail(number, "the time does not grow");
  }
}

RecordedControls::RecordedControls(const std::string& path, const mjModel* m) : path_(path) {
  const std::vector<std::byte> bytes = ReadFile(path);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number == 1) {
      ReadHeader(line, m);
    } else if (!line.empty()) {
      ReadRow(line, number);
    }
  }
  if (rows_.empty()) Fail(1, "there are no rows");
}

void RecordedControls::Apply(mjData* d) {
  const size_t size = columns_.size(), count = rows_.size() / size;
  constexpr double kRounding = 1e-9;  // s: times of steps are sums, and those of a file have few digits
  while (at_ + 1 < count && rows_[(at_ + 1) * size] <= d->time + kRounding) ++at_;
  std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(at_ * size + 1), size - 1, d->ctrl);
}

}  // namespace sinew
