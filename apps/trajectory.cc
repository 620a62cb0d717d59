#include "trajectory.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace sinew {

TrajectoryWriter::TrajectoryWriter(const std::string& path, const mjModel* m, double rate) : m_(m), period_(1 / rate) {
  if (path.empty()) return;
  file_.reset(std::fopen(path.c_str(), "w"));
  if (!file_) throw std::runtime_error("cannot write '" + path + "': " + std::strerror(errno));
  WriteHeader();
}

void TrajectoryWriter::Record(const mjData* d) {
  // rows are due at multiples of the period; half a step of slack absorbs the rounding of the clock
  if (!file_ || d->time < next_ - 0.5 * m_->opt.timestep) return;
  next_ += period_;
  std::fprintf(file_.get(), "%.17g", d->time);
  const auto write = [&](const double* x, mjtSize n) {
    for (mjtSize i = 0; i < n; ++i) std::fprintf(file_.get(), ",%.17g", x[i]);
  };
  write(d->qpos, m_->nq);
  write(d->qvel, m_->nv);
  write(d->ctrl, m_->nu);
  std::fputc('\n', file_.get());
}

void TrajectoryWriter::WriteHeader() {
  std::fputs("time", file_.get());
  const auto names = [&](const char* field, mjtSize n) {
    for (mjtSize i = 0; i < n; ++i) std::fprintf(file_.get(), ",%s[%d]", field, static_cast<int>(i));
  };
  names("qpos", m_->nq);
  names("qvel", m_->nv);
  names("ctrl", m_->nu);
  std::fputc('\n', file_.get());
}

}  // namespace sinew
