// A chain of bodies whose joints move by functions of their coordinates, with springs, beside a hinge, a slide and a
// ball; and a tendon through points that move with coordinates.
#ifndef SINEW_TESTS_SUPPORT_FUNCTION_CHAIN_H_
#define SINEW_TESTS_SUPPORT_FUNCTION_CHAIN_H_

#include <string>

namespace sinew::testing {

// `option`: attributes of the option element; `more`: behind the worldbody; `wrist`: attributes of the last joint, a
// ball unless others are given; `points_move`: whether sites move with coordinates.
inline std::string FunctionChain(const std::string& option, const std::string& more = "",
                                 const std::string& wrist = "type='ball'", bool points_move = true) {
  const auto point = [&](const char* motion) { return points_move ? std::string(motion) : std::string(); };
  return "<mujoco><option " + option + R"(/><worldbody>
  <site name="start" pos=".1 .1 1.2"/>
  <body name="a" pos="0 0 1"><joint name="base" axis="0 1 .3" stiffness="3"/>
    <geom type="capsule" fromto="0 0 0 .1 0 -.4" size=".03" contype="0"/><site name="a" pos=".05 .03 -.2"/>
    <body name="b" pos=".1 0 -.4" euler="10 20 30">
      <joint name="f" pos=".02 -.01 .03" stiffness="2" springref="20">
        <rotation axis="1 0 .2"/>
        <rotation axis="0 1 .3" function="spline" x="-2 -1 0 1 2" y=".3 -.2 .1 .4 -.1"/>
        <translation axis="1 0 0" function="simmspline" x="-2 -1 -.2 .6 1.5 2.5" y="0 .02 .05 -.03 .04 .02"/>
        <translation axis="0 1 1" coef="-.05 .03 .02 -.01"/>
        <translation axis=".3 0 1" coef=".02 .04"/>
        <rotation axis=".2 0 1" coef=".1 .2 -.1"/>
      </joint>
      <geom type="box" size=".05 .08 .1" pos=".05 .02 -.1" contype="0"/>
      <site name="b" pos=".06 .02 -.15">)" +
         point(R"(<translation axis="1 0 0" joint="f" function="spline" x="-2 0 1 2" y=".01 .03 -.02 0"/>
        <translation axis="0 1 1" joint="h" coef="0 .03 .02"/>)") +
         R"(</site>
      <body name="c" pos="0 .1 -.25">
        <frame euler="0 30 40">
          <joint name="h" axis="1 1 0" pos="0 .02 0" stiffness=".5"/>
          <joint name="g" type="slide" ref=".05" stiffness="40">
            <rotation axis="0 1 0" coef="0 4"/><translation axis="0 0 1"/>
          </joint>
        </frame>
        <geom type="capsule" fromto="0 0 0 .2 .1 -.1" size=".03" contype="0"/>
        <geom name="drum" type="cylinder" size=".04 .1" pos=".08 .04 -.02" euler="80 10 0" mass="0" contype="0"/>
        <site name="c" pos=".1 .05 .1"/>
        <body name="e" pos=".2 .1 -.1">
          <joint name="k" type="slide" stiffness="50">
            <translation axis="1 0 0" coef="0 1 .5"/><translation axis="0 1 0" coef="0 0 2"/>
          </joint>
          <joint name="wrist" )" +
         wrist + R"(/>
          <geom type="box" size=".04 .06 .02" pos=".05 0 0" contype="0"/>
          <site name="e" pos=".1 0 .02">)" +
         point(R"(<translation axis="0 0 1" joint="base" coef="0 .05"/>)") + R"(</site>
        </body>
      </body>
    </body>
  </body>
</worldbody>)" +
         more + "</mujoco>";
}

// Along moving points, straight and around a cylinder.
inline std::string ChainTendons(const std::string& attributes = "") {
  return "<tendon><spatial name=\"straight\" " + attributes + R"(>
    <site site="start"/><site site="a"/><site site="b"/><pulley divisor="2"/><site site="b"/><site site="e"/></spatial>
  <spatial name="round"><site site="b"/><geom geom="drum" sidesite="c"/><site site="e"/></spatial></tendon>)";
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_FUNCTION_CHAIN_H_
