// A tree with limit forces, ligaments and bushings, for tests of passive elements.
#ifndef SINEW_TESTS_SUPPORT_PASSIVE_TREE_H_
#define SINEW_TESTS_SUPPORT_PASSIVE_TREE_H_

#include <string>

namespace sinew::testing {

// Two links on a hinge and a slide, and a ball joint behind. `bushings`: between the last link and the world, between
// both links, and from the first link to a body that floats. `option`: attributes of the option element.
inline std::string PassiveTree(const std::string& option = "", bool bushings = true,
                               const std::string& timestep = ".002") {
  const auto bushing = [&](const char* text) { return bushings ? std::string(text) : std::string(); };
  return R"(<mujoco><option timestep=")" + timestep + R"(" )" + option + R"(/>
    <worldbody>
      <site name="wall" pos=".5 .1 .1" euler="10 20 30">)" +
         bushing(R"(<bushing site="hand" stiffness="3 2 1 40 60 50" damping=".03 .02 .01 .4 .6 .5"/>)") + R"(</site>
      <site name="anchor" pos="0 .1 .1"/>
      <body name="upper" pos="0 0 1">
        <joint name="hinge" axis="0 1 .2">
          <limitforce range="-.2 .3" stiffness="20 30" damping=".4" transition=".15"/>
          <limitforce range="0 .5" stiffness="0 5" transition=".1" damping=".2" forcedamping="1.5"/>
        </joint>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <site name="disc" pos=".1 0 .1">)" +
         bushing(R"(<bushing site="vertebra" damping="0 0 0 0 0 0" stiffness="
            4 .5 .1 1 0 0
            .5 3 0 0 2 0
            .1 0 5 0 0 1
            1 0 0 90 5 0
            0 2 0 5 80 0
            0 0 1 0 0 70"/>)") +
         bushing(R"(<bushing site="floating" stiffness="1 1 1 30 30 30" damping=".1 .1 .1 1 1 1"/>)") + R"(</site>
        <body name="lower" pos=".3 0 0">
          <joint name="slide" type="slide" axis="1 0 0" damping=".3">
            <limitforce range="-.02 .01" stiffness="300" damping="3" transition=".05"/>
          </joint>
          <geom type="box" size=".1 .03 .05" pos=".1 0 0"/>
          <site name="vertebra" pos="0 .02 .08" euler="5 -8 3"/>
          <body name="last" pos=".25 0 0"><joint type="ball" stiffness=".5"/>
            <geom type="box" size=".05 .04 .03" pos=".05 0 0"/>
            <site name="hand" pos=".1 .02 0" euler="0 30 0"/>
          </body>
        </body>
      </body>
      <body name="float" pos=".2 .3 1.1"><freejoint/><geom type="box" size=".06 .05 .04"/>
        <site name="floating" pos="0 0 .03" euler="20 0 10"/></body>
    </worldbody>
    <tendon>
      <spatial name="toe"><site site="anchor"/><site site="hand"/>
        <ligament slacklength=".9" stiffness="200" transition=".2" damping="1.5"/></spatial>
      <spatial name="curve" stiffness="2"><site site="anchor"/><site site="vertebra"/>
        <ligament slacklength=".5" force="10" x="1 1.5 2 3" y="0 .4 1 3"/>
        <ligament slacklength=".2" force="3" coef="-1 1"/></spatial>
    </tendon></mujoco>)";
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_PASSIVE_TREE_H_
