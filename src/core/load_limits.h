// Limits of memory and time for loading a model. A short file can demand more memory than there is, and more time than
// is reasonable; then the load ends with an error that names the cause.
#ifndef SINEW_CORE_LOAD_LIMITS_H_
#define SINEW_CORE_LOAD_LIMITS_H_

#include <cstdint>
#include <memory>
#include <string>

namespace sinew::inline core {

struct LoadLimits {
  double bytes;    // of a model and a world of it
  double seconds;  // of wall time for reading and compiling
};

// Half of what the machine has and the process may take (RLIMIT_AS, RLIMIT_DATA, its control group); 600 s.
LoadLimits DefaultLoadLimits();

// The limits of loads that begin afterwards, in all threads. Zero stands for the default, less than zero for none.
void SetLoadLimits(const LoadLimits& limits);
LoadLimits CurrentLoadLimits();  // with defaults filled in; infinite where there is none

// Memory and time that a load has taken so far.
struct Load;

// A load; one inside of another takes part in its time and memory. Holds for the thread in which it lives.
class LoadClock {
 public:
  LoadClock();
  ~LoadClock();
  LoadClock(const LoadClock&) = delete;

 private:
  std::shared_ptr<Load> own_;  // null inside of another load
};

// The load in which the calling thread takes part; null outside of one.
std::shared_ptr<Load> CurrentLoad();

// A thread that works for a load takes part in it while this lives.
class LoadMember {
 public:
  explicit LoadMember(std::shared_ptr<Load> load);
  ~LoadMember();
  LoadMember(const LoadMember&) = delete;

 private:
  std::shared_ptr<Load> before_;
};

// Throws Error when the load of this thread has taken longer than it may; `what` names what takes it: "the length
// range". Cheap enough for every thousandth step of a loop.
void CheckLoadTime(const char* what);

// Throws Error when so many operations, in a loop that does not look at the clock, take longer than a load may, at a
// billion a second: the answer is the same on all machines.
void CheckLoadOperations(double operations, const std::string& what);

// Throws Error unless so many bytes may be taken beside those that the load holds; `what` names what takes them: "the
// model".
void CheckLoadMemory(double bytes, const std::string& what);

// Memory that a load holds, as the pixels of a picture: others are checked together with it until the last copy of this
// is gone.
using LoadMemory = std::shared_ptr<const void>;

// Checks and holds so many bytes; throws as above.
LoadMemory HoldLoadMemory(double bytes, const std::string& what);

// Holds it until the load ends.
void KeepLoadMemory(LoadMemory memory);

// "14.4 GB", "3.1 MB"
std::string BytesText(double bytes);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_LOAD_LIMITS_H_
