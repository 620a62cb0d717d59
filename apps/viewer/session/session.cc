#include "viewer/session/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "meshes.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double Since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The file itself and those that it names, with their times; those that are not there are left out.
std::map<fs::path, fs::file_time_type> Watched(const std::string& path) {
  std::map<fs::path, fs::file_time_type> times;
  std::vector<std::string> files = {path};
  if (fs::path(path).extension() == ".xml") {
    std::vector<std::string> named;
    mju_getXMLDependencies(path.c_str(), &named);
    files.insert(files.end(), named.begin(), named.end());
  }
  for (const std::string& file : files) {
    std::error_code failed;
    for (const fs::path& place : {fs::path(file), fs::path(path).parent_path() / file}) {
      const auto time = fs::last_write_time(place, failed);
      if (!failed) times[place] = time;
    }
  }
  return times;
}

void AppendArray(const char* name, const double* values, int count, std::string& xml) {
  if (count == 0) return;
  xml += std::string(" ") + name + "=\"";
  char number[32];
  for (int i = 0; i < count; ++i) {
    std::snprintf(number, sizeof(number), i ? " %.6g" : "%.6g", values[i]);
    xml += number;
  }
  xml += "\"";
}

}  // namespace

bool Session::Open(const std::string& path) {
  try {
    if (program_ && path != path_) throw std::runtime_error("this window shows the model of a program, and no other");
    Take(Load(path, robot_), path);
    error_.clear();
    return true;
  } catch (const std::exception& e) {
    error_ = e.what();
    return false;
  }
}

bool Session::Save(const std::string& path) {
  try {
    const std::string extension = fs::path(path).extension().string();
    if (extension == ".mjb") {
      loaded_->model.SaveBinary(path);
    } else if (extension == ".xml") {
      WriteXml(path);
    } else {
      throw std::runtime_error("cannot write '" + path + "': the name must end in .xml or .mjb");
    }
    return true;
  } catch (const std::exception& e) {
    error_ = e.what();
    return false;
  }
}

void Session::WriteXml(const std::string& path) {
  if (!loaded_->spec) throw std::runtime_error("a compiled model (.mjb) has no XML; save it as .mjb");
  if (loaded_->files) {
    throw std::runtime_error("the assets are in an archive; unpack it, and open the model in its folder to save XML");
  }
  mjSpec* spec = loaded_->spec.get();
  char error[1000] = "";
  if (!mj_copyBack(spec, m())) throw std::runtime_error(mjs_getError(spec));
  PlaceAssets(spec, path);
  if (mj_saveXML(spec, path.c_str(), error, sizeof(error)) != 0) throw std::runtime_error(error);
}

void Session::Take(Loaded loaded, const std::string& path) {
  auto kept = std::make_unique<Loaded>(std::move(loaded));
  auto data = std::make_unique<Data>(kept->model);
  data->Forward();
  data_ = std::move(data);  // before the model that the old one belongs to
  loaded_ = std::move(kept);
  path_ = path;
  watched_ = Watched(path);
  history_.Start(m());
  history_.Add(m(), d());
  mjv_defaultPerturb(&perturb);
  noise_.assign(static_cast<size_t>(m()->nu), 0.0);
  behind_ = 0;
  if (program_) program_->link().Start(m(), d());
  meter_.Start();
  ++generation_;
}

void Session::Follow() {
  program_ = std::make_unique<PipeLink>();
  program_->link().Start(m(), d());
}

bool Session::Reload() {
  std::vector<double> state;
  constexpr int kSignature = mjSTATE_FULLPHYSICS | mjSTATE_CTRL;
  mjtSize sizes[4] = {};
  if (loaded()) {
    state.resize(static_cast<size_t>(mj_stateSize(m(), kSignature)));
    mj_getState(m(), d(), state.data(), kSignature);
    sizes[0] = m()->nq, sizes[1] = m()->nv, sizes[2] = m()->na, sizes[3] = m()->nu;
  }
  if (!Open(path_)) {
    watched_ = Watched(path_);  // once more only when the file changes again
    return false;
  }
  const bool same = m()->nq == sizes[0] && m()->nv == sizes[1] && m()->na == sizes[2] && m()->nu == sizes[3];
  if (same && static_cast<size_t>(mj_stateSize(m(), kSignature)) == state.size()) {
    mj_setState(m(), d(), state.data(), kSignature);
    data_->Forward();
    history_.Start(m());
    history_.Add(m(), d());
  }
  return true;
}

bool Session::ReloadIfChanged() {
  if (path_.empty()) return false;
  const auto changed = [](const auto& file) {
    std::error_code failed;
    const auto time = fs::last_write_time(file.first, failed);
    return !failed && time != file.second;
  };
  if (std::none_of(watched_.begin(), watched_.end(), changed)) return false;
  Reload();
  return true;
}

// ---- time

void Session::ChangeSpeed(int steps) { speed_index_ = std::clamp(speed_index_ + steps, -14, 4); }
double Session::speed() const { return std::pow(2.0, 0.5 * speed_index_); }

void Session::ApplyNoise() {
  if (noise_scale <= 0) return;
  // A process that forgets within noise_rate seconds (G. Uhlenbeck and L. Ornstein, 1930).
  const double kept = std::exp(-m()->opt.timestep / std::max(noise_rate, 1e-9)), added = std::sqrt(1 - kept * kept);
  for (int i = 0; i < m()->nu; ++i) {
    const double* range = m()->actuator_ctrlrange + 2 * i;
    const bool limited = m()->actuator_ctrllimited[i] != 0;
    const double middle = limited ? 0.5 * (range[0] + range[1]) : 0, half = limited ? 0.5 * (range[1] - range[0]) : 1;
    double& x = noise_[static_cast<size_t>(i)];
    x = kept * x + added * mju_standardNormal(nullptr);
    d()->ctrl[i] = std::clamp(middle + noise_scale * half * x, middle - half, middle + half);
  }
}

bool Session::StepOnce() {
  try {
    ApplyNoise();
    ApplyPull(m(), d(), perturb);
    data_->Step();
    history_.Add(m(), d());
    return true;
  } catch (const std::exception& e) {
    error_ = e.what();
    paused = true;
    return false;
  }
}

void Session::ShowProgram(double seconds) {
  const double before = d()->time;
  if (paused) mjv_applyPerturbPose(m(), d(), &perturb, 1);
  if (program_->Exchange(m(), d(), perturb, paused) && d()->time != before) history_.Add(m(), d());
  meter_.Add(seconds, d()->time - before);
}

void Session::Advance(double seconds, double budget) {
  if (!loaded()) return;
  if (program_) return ShowProgram(seconds);
  if (paused || held) {
    mjv_applyPerturbPose(m(), d(), &perturb, 1);
    mj_forward(m(), d());
    behind_ = 0;
    meter_.Start();
    return;
  }
  const auto begin = Clock::now();
  behind_ += std::min(seconds, kMostSeconds) * speed();
  double done = 0;
  while (behind_ >= m()->opt.timestep && Since(begin) < budget) {
    if (!StepOnce()) return;
    behind_ -= m()->opt.timestep;
    done += m()->opt.timestep;
  }
  behind_ = std::min(behind_, m()->opt.timestep * 2);  // what is late is given up: time goes slower
  meter_.Add(seconds, done);
}

void Session::Step(int steps) {
  if (!loaded()) return;
  paused = true;
  if (steps < 0) return ShowPast(history_.at() + steps);
  if (program_) return program_->link().AskSteps(steps);
  for (int i = 0; i < steps && StepOnce(); ++i) {
  }
}

void Session::ShowPast(int index) {
  paused = true;
  history_.Show(index, m(), d());
}

void Session::Reset() {
  data_->Reset();
  data_->Forward();
  history_.Start(m());
  history_.Add(m(), d());
}

void Session::ResetToKeyframe(int key) {
  if (key < 0 || key >= m()->nkey) return;
  data_->ResetToKeyframe(key);
  data_->Forward();
  history_.Add(m(), d());
}

void Session::SetJoint(int joint, double value) {
  const int type = m()->jnt_type[joint];
  if (type != mjJNT_HINGE && type != mjJNT_SLIDE) return;
  d()->qpos[m()->jnt_qposadr[joint]] = value;
  d()->qvel[m()->jnt_dofadr[joint]] = 0;
  data_->Forward();
}

void Session::SelectParent() {
  if (perturb.select <= 0) return;
  perturb.select = m()->body_parentid[perturb.select];
  perturb.active = 0;
  perturb.flexselect = perturb.skinselect = -1;
  mju_copy3(perturb.localpos, m()->body_ipos + 3 * perturb.select);  // pulls act at the centre of mass
}

void Session::SaveKeyframe(int key) {
  if (key >= 0 && key < m()->nkey) mj_setKeyframe(m(), d(), key);
}

std::string Session::StateAsKeyframe() const {
  const mjModel* model = loaded_->model;
  const mjData* data = *data_;
  char time[32];
  std::snprintf(time, sizeof(time), "%.6g", data->time);
  std::string xml = std::string("<key time=\"") + time + "\"";
  AppendArray("qpos", data->qpos, static_cast<int>(model->nq), xml);
  AppendArray("qvel", data->qvel, static_cast<int>(model->nv), xml);
  AppendArray("act", data->act, static_cast<int>(model->na), xml);
  AppendArray("ctrl", data->ctrl, static_cast<int>(model->nu), xml);
  AppendArray("mpos", data->mocap_pos, static_cast<int>(3 * model->nmocap), xml);
  AppendArray("mquat", data->mocap_quat, static_cast<int>(4 * model->nmocap), xml);
  return xml + "/>";
}

}  // namespace sinew
