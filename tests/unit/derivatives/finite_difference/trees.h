// A scene whose trees feel each other by contacts and tendons, some of them.
#ifndef SINEW_TESTS_UNIT_DERIVATIVES_FINITE_DIFFERENCE_TREES_H_
#define SINEW_TESTS_UNIT_DERIVATIVES_FINITE_DIFFERENCE_TREES_H_

#include <algorithm>
#include <string>

#include "tests/testing/model.h"

namespace sinew {

// Boxes and pendulums near each other on a plane, two of them joined by a tendon with an actuator, and an arm.
inline World Scene(const std::string& option = "") {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".005" tolerance="1e-14" iterations="200">)" +
                        option + R"(</option>
      <worldbody>
        <geom type="plane" size="5 5 .1"/>
        <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos=".03 .01 .298"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="1 0 .049"><freejoint/><geom type="capsule" size=".05 .1" euler="90 0 0"/></body>
        <body pos="2 0 1"><joint name="swing" axis="0 1 0" damping=".1" frictionloss=".01"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
        <body pos="2 1 1"><joint name="ball" type="ball" damping=".2"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
          <body pos=".3 0 0"><joint name="lift" type="slide" axis="0 0 1" range="-.01 .1" limited="true"/>
            <geom size=".05"/></body></body>
      </worldbody>
      <tendon><fixed name="both"><joint joint="swing" coef="1"/><joint joint="lift" coef="2"/></fixed></tendon>
      <actuator>
        <motor tendon="both" ctrlrange="-1 1"/>
        <general joint="swing" dyntype="filter" dynprm=".05" gainprm="3"/>
        <position joint="lift" kp="20" ctrlrange="-1 1"/>
      </actuator>
    </mujoco>)"));
  for (int i = 0; i < 40; ++i) mj_step(w.m.get(), w.d.get());
  const double ctrl[] = {0.5, -0.3, 1};
  std::copy_n(ctrl, 3, w.d->ctrl);
  return w;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_DERIVATIVES_FINITE_DIFFERENCE_TREES_H_
