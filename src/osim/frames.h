// Where frames are: a document names bodies, and frames that are fixed to them (PhysicalOffsetFrame), by paths of
// components.
#ifndef SINEW_OSIM_FRAMES_H_
#define SINEW_OSIM_FRAMES_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "osim/context.h"

namespace sinew::osim {

// Says where a frame is: its body, and its pose in the frame of that body.
struct Place {
  int body = 0;
  Pose pose;
};

// The frame that a component names. Frames that stand in the component itself, or in one around it, come first, then
// bodies, then frames of other components. What cannot be found becomes a problem.
std::optional<Place> FindFrame(Context& context, const std::string& path, const XmlNode& component);

// Calls visit(object, place of its frame) for the objects in the sets of a kind that bodies, ground and frames hold.
void ForEachInFrames(Context& context, const XmlNode& model, std::string_view set,
                     const std::function<void(const XmlNode&, const Place&)>& visit);

// The pose of a place in the body of the model: ground is turned, so that up is z.
Pose InModel(const Place& place);

// The rotation from ground, in which y is up, to the world of the model.
Quat<double> FromGround();

}  // namespace sinew::osim

#endif  // SINEW_OSIM_FRAMES_H_
