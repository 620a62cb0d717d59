#include "trajectory.h"

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <sinew/text.h>

#include "archive.h"

namespace sinew {
namespace {

// ---- names of columns

std::string NameOf(const mjModel* m, mjtObj type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? name : std::string(mju_type2Str(type)) + std::to_string(id);
}

// "hip", or "root[0]", "root[1]", ... where there are several numbers.
void AddNames(const std::string& name, int count, std::vector<std::string>* names) {
  for (int k = 0; k < count; ++k) names->push_back(count == 1 ? name : name + "[" + std::to_string(k) + "]");
}

std::vector<Columns> DescribeColumns(const mjModel* m) {
  Columns qpos{"qpos", {}, &mjData::qpos}, qvel{"qvel", {}, &mjData::qvel}, act{"act", {}, &mjData::act};
  Columns ctrl{"ctrl", {}, &mjData::ctrl}, force{"actuator_force", {}, &mjData::actuator_force};
  Columns sensors{"sensordata", {}, &mjData::sensordata};
  for (int i = 0; i < m->njnt; ++i) {
    const bool free = m->jnt_type[i] == mjJNT_FREE, ball = m->jnt_type[i] == mjJNT_BALL;
    AddNames(NameOf(m, mjOBJ_JOINT, i), free ? 7 : ball ? 4 : 1, &qpos.names);
    AddNames(NameOf(m, mjOBJ_JOINT, i), free ? 6 : ball ? 3 : 1, &qvel.names);
  }
  for (int i = 0; i < m->nu; ++i) {
    AddNames(NameOf(m, mjOBJ_ACTUATOR, i), m->actuator_actnum[i], &act.names);
    AddNames(NameOf(m, mjOBJ_ACTUATOR, i), 1, &ctrl.names);
    AddNames(NameOf(m, mjOBJ_ACTUATOR, i), 1, &force.names);
  }
  for (int i = 0; i < m->nsensor; ++i) AddNames(NameOf(m, mjOBJ_SENSOR, i), m->sensor_dim[i], &sensors.names);
  return {qpos, qvel, act, ctrl, force, sensors};
}

// ---- comma-separated values

std::string ColumnName(const Columns& part, const std::string& name) {
  return Printable(part.field + ":" + name, Lines::kEscaped);
}

// Names may hold commas and quotes; control characters are escaped.
std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Numbers are written so that they read back exactly.
class CsvSink : public RowSink {
 public:
  CsvSink(const std::string& path, std::vector<Columns> columns)
      : path_(path), columns_(std::move(columns)), file_(std::fopen(path.c_str(), "w")) {
    if (!file_) Fail();
    std::fputs("time", file_.get());
    for (const Columns& part : columns_) {
      for (const std::string& name : part.names) {
        std::fprintf(file_.get(), ",%s", Quoted(ColumnName(part, name)).c_str());
      }
    }
    std::fputc('\n', file_.get());
  }

  void Row(const mjData* d) override {
    std::fprintf(file_.get(), "%.17g", d->time);
    for (const Columns& part : columns_) {
      for (std::size_t i = 0; i < part.names.size(); ++i) std::fprintf(file_.get(), ",%.17g", (d->*part.numbers)[i]);
    }
    if (std::fputc('\n', file_.get()) == EOF || std::ferror(file_.get())) Fail();
  }

  void Finish() override {
    if (std::fflush(file_.get()) != 0 || std::ferror(file_.get())) Fail();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void Fail() const { throw std::runtime_error("cannot write '" + path_ + "': " + std::strerror(errno)); }

  std::string path_;
  std::vector<Columns> columns_;
  std::unique_ptr<std::FILE, Close> file_;
};

// ---- arrays of NumPy

static_assert(std::endian::native == std::endian::little, "arrays are written little-endian");

// An array as a file .npy, version 1.0: magic, length of the header, header padded to 64 bytes, numbers by rows.
std::vector<std::byte> Npy(const std::string& type, const std::string& shape, const void* data, std::size_t size) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  const auto length = static_cast<unsigned>(header.size());
  std::string start = "\x93NUMPY";
  start += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  start += header;
  std::vector<std::byte> bytes(start.size() + size);
  std::memcpy(bytes.data(), start.data(), start.size());
  if (size > 0) std::memcpy(bytes.data() + start.size(), data, size);
  return bytes;
}

// Names as NumPy's text of fixed length: four bytes a letter. Bytes of names are taken for letters as they are.
std::vector<std::byte> NpyNames(const std::vector<std::string>& names) {
  std::size_t longest = 1;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  std::vector<char32_t> letters(longest * names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t k = 0; k < names[i].size(); ++k)
      letters[i * longest + k] = static_cast<unsigned char>(names[i][k]);
  }
  return Npy("<U" + std::to_string(longest), std::to_string(names.size()) + ",", letters.data(), 4 * letters.size());
}

class NpzSink : public RowSink {
 public:
  NpzSink(const std::string& path, std::vector<Columns> columns)
      : path_(path), columns_(std::move(columns)), rows_(columns_.size()) {
    WriteZip(path_, {{"time.npy", Npy("<f8", "0,", nullptr, 0)}});  // fails now rather than after the run
  }

  void Row(const mjData* d) override {
    times_.push_back(d->time);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const mjtNum* numbers = d->*columns_[i].numbers;
      rows_[i].insert(rows_[i].end(), numbers, numbers + columns_[i].names.size());
    }
  }

  void Finish() override {
    const std::string count = std::to_string(times_.size());
    Archive archive = {{"time.npy", Npy("<f8", count + ",", times_.data(), 8 * times_.size())}};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string shape = count + ", " + std::to_string(columns_[i].names.size());
      archive[columns_[i].field + ".npy"] = Npy("<f8", shape, rows_[i].data(), 8 * rows_[i].size());
      archive[columns_[i].field + "_names.npy"] = NpyNames(columns_[i].names);
    }
    WriteZip(path_, archive);
  }

 private:
  std::string path_;
  std::vector<Columns> columns_;
  std::vector<mjtNum> times_;
  std::vector<std::vector<mjtNum>> rows_;  // of each array
};

}  // namespace

std::vector<std::string> ControlColumns(const mjModel* m) {
  std::vector<std::string> names;
  for (const Columns& part : DescribeColumns(m)) {
    if (part.field != "ctrl") continue;
    for (const std::string& name : part.names) names.push_back(ColumnName(part, name));
  }
  return names;
}

TrajectoryWriter::TrajectoryWriter(const std::string& path, const mjModel* m, double rate)
    : timestep_(m->opt.timestep), period_(1 / rate) {
  if (path.empty()) return;
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") {
    sink_ = std::make_unique<CsvSink>(path, DescribeColumns(m));
  } else if (extension == ".npz") {
    sink_ = std::make_unique<NpzSink>(path, DescribeColumns(m));
  } else {
    throw std::runtime_error("cannot write '" + path + "'; the name of a trajectory must end in .csv or .npz");
  }
}

void TrajectoryWriter::Record(const mjData* d) {
  // rows are due at multiples of the period; half a step of slack absorbs the rounding of the clock
  if (!sink_ || d->time < next_ - 0.5 * timestep_) return;
  next_ += period_;
  sink_->Row(d);
}

void TrajectoryWriter::Finish() {
  if (sink_) sink_->Finish();
}

}  // namespace sinew
