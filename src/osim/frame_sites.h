// Components between two frames, which become elements between two sites.
#ifndef SINEW_OSIM_FRAME_SITES_H_
#define SINEW_OSIM_FRAME_SITES_H_

#include <optional>
#include <string>

#include "osim/frames.h"
#include "osim/properties.h"

namespace sinew::osim {

struct TwoPlaces {
  std::optional<Place> first, second;
  explicit operator bool() const { return first && second; }
};

// The two frames that a component names, or the two bodies.
TwoPlaces ReadTwoFrames(Context& context, Properties& properties);

// A site in the frame of a place, called as the component and a suffix.
Site& AddFrameSite(Context& context, Properties& properties, const Place& place, const char* suffix);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_FRAME_SITES_H_
