#include "osim/frame_sites.h"

#include <initializer_list>
#include <string_view>

namespace sinew::osim {

TwoPlaces ReadTwoFrames(Context& context, Properties& properties) {
  const auto find = [&](std::initializer_list<std::string_view> tags) {
    return FindFrame(context, properties.Text(tags), properties.node());
  };
  properties.Skip({"frames"});
  return {find({"socket_frame1", "socket_body_1", "socket_frame1_connectee_name", "body_1"}),
          find({"socket_frame2", "socket_body_2", "socket_frame2_connectee_name", "body_2"})};
}

Site& AddFrameSite(Context& context, Properties& properties, const Place& place, const char* suffix) {
  constexpr int kGroup = 3;  // pictures leave it out unless it is asked for
  Site& site = context.skeleton.bodies[static_cast<std::size_t>(place.body)].body->Add<Site>();
  const Pose pose = InModel(place);
  StoreVec3(pose.pos, site.pos);
  StoreQuat(pose.quat, site.quat);
  site.group = kGroup;
  Name(context, site, properties.node(), properties.name() + suffix);
  return site;
}

}  // namespace sinew::osim
