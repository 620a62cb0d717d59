// Whether the worlds of a chunk step in the lanes of a pack or one at a time.
//
// Both give the same numbers, so that only time decides. A step of a pack takes about as long however many of its lanes
// have a world, and as long as the union of what its worlds do: it does not pay for a single world, nor where many
// bodies touch in other places in each world. Times differ between machines and change while a world moves, so they are
// measured: a moving average of either way, where the slower way is tried again now and then.
#ifndef SINEW_BATCH_PLAN_STEP_CHOICE_H_
#define SINEW_BATCH_PLAN_STEP_CHOICE_H_

namespace sinew::inline batch {

class StepChoice {
 public:
  // Whether a chunk of `worlds` worlds makes its next `steps` steps in a pack.
  bool TakesPack(int worlds, int steps);
  // Whether the time of the chunk that was chosen last is wanted: of the first ones, of trials, and of some others.
  bool WantsTime() const { return wants_time_; }
  // Its time in seconds of a processor.
  void Note(int worlds, int steps, double seconds);

 private:
  // Averages the seconds that a step takes.
  struct Average {
    int samples = 0;
    double seconds = 0;

    bool is_known() const { return samples >= kFirstSamples; }
    void Add(double sample, double weight);
  };
  // The first chunk of each way fills caches and allocates; the second one counts.
  static constexpr int kFirstSamples = 2;
  // Of all time, at most this share is lost in trials of the slower way.
  static constexpr double kShareOfTrials = 0.005;
  // One of so many chunks is timed, as reading a clock takes part of a step of the smallest models.
  static constexpr int kChunksBetweenTimes = 16;

  double SecondsOf(bool pack, int worlds) const { return pack ? pack_.seconds : worlds * world_.seconds; }
  bool Decide(int worlds, int steps) const;

  Average pack_, world_;    // of a step of a pack, and of a world by itself
  bool took_pack_ = true;   // the choice for the last chunk
  bool is_trial_ = false;   // of the slower way
  bool wants_time_ = true;  // of that chunk
  double since_trial_ = 0;  // seconds of steps, as far as they are known, since the choice last changed
  int chunks_ = 0;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_STEP_CHOICE_H_
