// Models that several tests of constraint rows use.
#ifndef SINEW_TESTS_UNIT_CONSTRAINT_MODELS_H_
#define SINEW_TESTS_UNIT_CONSTRAINT_MODELS_H_

namespace sinew {

// Every class of rows: hinges with limit and friction loss, a sphere on a plane, a ball joint, a fixed tendon with
// friction loss and limits, three equalities.
inline constexpr char kAllClasses[] = R"(
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="A" pos="0 0 1">
      <joint name="h1" axis="0 1 0" frictionloss=".3" limited="true" range="-10 20"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1" contype="0" conaffinity="0"/>
      <body name="B" pos=".5 0 0">
        <joint name="h2" axis="0 1 0" armature=".01"/>
        <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1" contype="0" conaffinity="0"/>
      </body>
    </body>
    <body pos="1 1 .09"><freejoint/><geom size=".1" mass="2" friction="0.7 .01 .001"/></body>
    <body pos="2 0 1">
      <joint type="ball" limited="true" range="0 30"/>
      <geom type="box" size=".1 .2 .3" mass="1" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="t" frictionloss=".2" limited="true" range="-1 -0.05">
      <joint joint="h1" coef="1"/><joint joint="h2" coef="2"/>
    </fixed>
  </tendon>
  <equality>
    <joint joint1="h2" joint2="h1" polycoef="0.1 0.5 0.2 0.3 0.4"/>
    <connect body1="B" anchor=".4 0 0"/>
    <tendon tendon1="t" polycoef="0.02"/>
  </equality>)";

// Welds and connects between bodies, sites, the world and a mocap body, with ball, hinge, slide and free joints, and
// contacts of condim 1, 3, 4 and 6.
inline constexpr char kLinked[] = R"(
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <site name="w" pos=".3 .1 .5" euler="10 20 30"/>
    <body name="a" pos="0 0 1">
      <joint axis="0 0 1"/><geom size=".05" pos=".2 0 0" mass="1"/>
      <body name="b" pos=".5 0 0">
        <joint type="ball"/><geom type="box" size=".05 .06 .07" mass=".5" condim="4"/>
        <site name="bs" pos=".1 .05 0" euler="40 0 20"/>
        <body name="c" pos=".3 0 0">
          <joint axis="0 1 0" range="-10 10" limited="true" margin=".3"/>
          <geom type="capsule" size=".04 .1" mass=".3" condim="6"/>
        </body>
        <body name="e" pos=".3 .1 0">
          <joint axis="0 1 0" type="slide"/><geom type="capsule" size=".04 .1" mass=".3" condim="6"/>
        </body>
      </body>
    </body>
    <body name="f" pos="1 0 .09">
      <freejoint/><geom type="box" size=".1 .1 .1" mass="1" friction=".7 .02 .01"/>
      <site name="fs" pos=".1 .05 0" euler="40 0 20"/>
    </body>
    <body name="g" pos="1 0 .28"><freejoint/><geom size=".1" mass="1" condim="6"/></body>
    <body name="h" pos="2 0 .09"><freejoint/><geom size=".1" mass="1" condim="1" priority="1"/></body>
    <body name="mo" mocap="true" pos="1 0 1"/>
  </worldbody>
  <equality>
    <connect body1="b" anchor=".1 .2 .3"/>
    <weld body1="b" torquescale=".5" anchor=".1 0 .1"/>
    <weld body1="c" body2="f" torquescale="2"/>
    <connect body1="c" body2="e" anchor="0 0 .1"/>
    <weld site1="bs" site2="fs"/>
    <connect site1="bs" site2="fs"/>
    <weld site1="bs" site2="w" torquescale=".3"/>
    <weld body1="g" body2="mo" solref="-100 -5" solimp=".8 .9 .01 .3 3"/>
  </equality>)";

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_CONSTRAINT_MODELS_H_
