// Small models in files, for tests of the viewer.
#ifndef SINEW_TESTS_VIEWER_VIEWER_MODEL_H_
#define SINEW_TESTS_VIEWER_VIEWER_MODEL_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "viewer/session/session.h"

namespace sinew {

inline constexpr char kPendulum[] = R"(<mujoco><option timestep="0.01"/><worldbody><body><joint name="j" axis="0 1 0"/>
  <geom size=".1" pos="1 0 0"/></body></worldbody><actuator><motor joint="j" ctrlrange="-1 2"/></actuator>
  <keyframe><key name="k" qpos="0.5"/></keyframe></mujoco>)";

// Two links of a metre along x, with a sensor of the first angle and one of the end.
inline constexpr char kTwoJoints[] = R"(<mujoco><option timestep="0.01"/><worldbody><body name="one">
  <joint name="first" axis="0 1 0"/><geom size=".1" pos=".5 0 0"/><body name="two" pos="1 0 0">
  <joint name="second" axis="0 1 0"/><geom size=".1" pos=".5 0 0"/><site name="end" pos="1 0 0"/></body></body></worldbody>
  <sensor><jointpos name="angle" joint="first"/><framepos name="end" objtype="site" objname="end"/></sensor></mujoco>)";

// A file in a folder of its own, whose time moves on with each writing.
class ModelFile {
 public:
  explicit ModelFile(const std::string& text = kPendulum) {
    std::string name = (std::filesystem::temp_directory_path() / "viewer_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    Write(text);
  }
  ~ModelFile() { std::filesystem::remove_all(folder_); }

  void Write(const std::string& text) {
    std::ofstream(path()) << text;
    std::filesystem::last_write_time(path(),
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++writes_));
  }
  std::string path() const { return (folder_ / "model.xml").string(); }

 private:
  std::filesystem::path folder_;
  int writes_ = 0;
};

struct Opened {
  ModelFile file;
  Session session;
  explicit Opened(const std::string& text = kPendulum) : file(text) {
    EXPECT_TRUE(session.Open(file.path())) << session.error();
  }
};

}  // namespace sinew

#endif  // SINEW_TESTS_VIEWER_VIEWER_MODEL_H_
