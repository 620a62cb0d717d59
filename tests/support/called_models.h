// Small models that between them have every kind of element, for tests that call every function on each.
#ifndef SINEW_TESTS_SUPPORT_CALLED_MODELS_H_
#define SINEW_TESTS_SUPPORT_CALLED_MODELS_H_

namespace sinew::testing {

inline constexpr const char* kCalledModels[] = {
    "<mujoco/>",
    R"(<mujoco model="arm"><compiler autolimits="true"/><option sdf_initpoints="5"/><size memory="200K"/>
      <visual><global offwidth="64" offheight="48"/></visual>
      <asset><material name="m" texture="t"/><texture name="t" type="2d" builtin="flat" width="4" height="4"/>
      <mesh name="s" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/><hfield name="h" nrow="3" ncol="3" size="2 2 .2 .1"
      elevation="0 1 0 1 0 1 0 1 0"/></asset>
      <worldbody><light pos="0 0 3"/><camera name="c" pos="0 -3 1"/><geom name="floor" type="plane" size="3 3 .1"/>
      <geom name="land" type="hfield" hfield="h" pos="0 0 -.3"/>
      <body name="a" pos="0 0 .5"><joint name="j" damping="1" range="-1 1" frictionloss=".1"/><geom name="g" size=".1"/>
      <site name="p"/><body name="b" pos="0 0 .3"><joint name="k" type="slide"/><geom name="i" type="mesh" mesh="s" material="m"/>
      <site name="q" pos=".1 0 0"/><body name="e" pos="0 .1 0"><joint name="l" type="ball"/><geom type="capsule" size=".02 .1"/>
      <camera name="ce" mode="trackcom"/></body></body></body>
      <body name="f" pos="0 1 .1"><freejoint name="r"/><geom name="box" type="box" size=".1 .1 .1"/></body>
      <body name="o" mocap="true" pos="1 1 1"><geom type="cylinder" size=".1 .1"/></body></worldbody>
      <contact><exclude name="x" body1="a" body2="f"/><pair name="u" geom1="g" geom2="box" condim="6"/></contact>
      <tendon><fixed name="fixed" limited="true" range="-1 1"><joint joint="j" coef="1"/></fixed>
      <spatial name="path" frictionloss=".1"><site site="p"/><geom geom="g"/><site site="q"/><pulley divisor="2"/><site site="p"/>
      <site site="q"/></spatial></tendon>
      <equality><joint name="v" joint1="j" joint2="k"/><weld body1="f" body2="o"/></equality>
      <actuator><position name="w" joint="j" kp="3" nsample="4" delay=".004"/><motor tendon="path"/><muscle joint="j" lengthrange="0 1"/>
      <adhesion body="f" ctrlrange="0 1" gain="2"/><motor joint="l" gear="1 0 0"/><intvelocity joint="k" kp="1" actrange="-1 1"/></actuator>
      <sensor><jointpos joint="j" nsample="3" interval=".004"/><framepos objtype="site" objname="q" reftype="body" refname="f"/><touch site="p"/>
      <accelerometer site="q"/><rangefinder site="p"/><distance geom1="g" geom2="box" cutoff="1"/><contact geom1="box" num="2" data="found force"/>
      <subtreelinvel body="a"/><tendonpos tendon="path"/><actuatorfrc actuator="w"/></sensor>
      <custom><numeric name="n" data="1 2"/><text name="t" data="x"/><tuple name="u"><element objtype="body" objname="a"/></tuple></custom>
      <keyframe><key name="z"/></keyframe></mujoco>)",
    R"(<mujoco model="cloth"><extension><plugin plugin="mujoco.elasticity.cable"/></extension><size nuserdata="2"/>
      <visual><global offwidth="64" offheight="48"/></visual>
      <worldbody><geom type="plane" size="2 2 .1"/><body name="a" pos="0 0 .3"><flexcomp name="x" type="grid" count="3 3 1"
      spacing=".1 .1 .1" radius=".01" mass="1"><edge equality="true"/></flexcomp></body>
      <body name="o" pos="1 0 1"><joint name="j" type="ball"/><geom name="g" type="capsule" size=".01 .1"/>
      <plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1"/></plugin>
      <body name="b"><joint name="k"/><geom type="ellipsoid" size=".1 .1 .2"/></body></body></worldbody>
      <deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="o" bindpos="0 0 0" bindquat="1 0 0 0"
      vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>)",
    R"(<mujoco model="asleep"><option><flag sleep="enable" multiccd="enable" energy="enable"/></option>
      <asset><mesh name="s" builtin="sphere" params="1" scale=".1 .1 .1"/></asset>
      <worldbody><geom type="plane" size="2 2 .1"/><body name="a" pos="0 0 .1"><freejoint/><geom name="g" type="sdf" mesh="s"/></body>
      <body name="b" pos=".5 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body name="c" pos="0 0 2"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>)"};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_CALLED_MODELS_H_
