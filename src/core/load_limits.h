// What loading a model may cost. A short file can ask for more memory than there is, and for more time than anybody
// waits; then the load ends with an error that says what asked for it.
#ifndef SINEW_CORE_LOAD_LIMITS_H_
#define SINEW_CORE_LOAD_LIMITS_H_

#include <cstdint>
#include <string>

namespace sinew {

struct LoadLimits {
  double bytes;    // of a model and a world of it
  double seconds;  // of wall time for reading and compiling
};

// Half of what the machine has and the process may take (RLIMIT_AS, RLIMIT_DATA, its control group); 600 s.
LoadLimits DefaultLoadLimits();

// The limits of loads that begin afterwards, in all threads. Zero stands for the default, less than zero for none.
void SetLoadLimits(const LoadLimits& limits);
LoadLimits CurrentLoadLimits();  // with defaults filled in; infinite where there is none

// A load; one inside of another takes part in its time. Holds for the thread in which it lives.
class LoadClock {
 public:
  LoadClock();
  ~LoadClock();
  LoadClock(const LoadClock&) = delete;

 private:
  bool outermost_;
};

// Throws Error when the load of this thread has taken longer than it may; `what` names what takes it: "the length
// range". Cheap enough for every thousandth step of a loop.
void CheckLoadTime(const char* what);

// Throws Error when so many operations, in a loop that does not look at the clock, take longer than a load may, at a
// billion a second: the answer is the same on all machines.
void CheckLoadOperations(double operations, const std::string& what);

// Throws Error unless so many bytes may be taken; `what` names what takes them: "the model".
void CheckLoadMemory(double bytes, const std::string& what);

// "14.4 GB", "3.1 MB"
std::string BytesText(double bytes);

}  // namespace sinew

#endif  // SINEW_CORE_LOAD_LIMITS_H_
