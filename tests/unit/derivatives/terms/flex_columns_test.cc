// Flexes: springs along edges, elasticity of elements, bending.
#include "tests/unit/derivatives/rollout_scalar.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated, are exact to rounding / eps.
constexpr double kTolerance = 1e-6, kEps = 1e-4;
constexpr int kIntegrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};

std::string Flexcomp(const std::string& attributes, const std::string& inner) {
  return "<flexcomp " + attributes + "><contact selfcollide='none' contype='0' conaffinity='0'/>" + inner +
         "</flexcomp>";
}
std::string Scene(const std::string& bodies) {
  return "<mujoco><option timestep='.002'/><worldbody>" + bodies + "</worldbody></mujoco>";
}

// A world in which everything is bent and strained, and moves.
World Shaken(const std::string& xml, int integrator, double size) {
  World w(ModelFromText(xml));
  w.m->opt.integrator = integrator;
  mj_forward(w.m.get(), w.d.get());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Numbers move(static_cast<size_t>(w.m->nv));
  for (double& x : move) x = size * uniform(random);
  mj_integratePos(w.m.get(), w.d->qpos, move.data(), 1);
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 10 * size * uniform(random);
  mj_forward(w.m.get(), w.d.get());
  return w;
}

void ExpectSteps(const std::string& xml, double size = 0.02) {
  for (int integrator : kIntegrators) {
    World w = Shaken(xml, integrator, size);
    EXPECT_NE(*std::max_element(w.d->qfrc_passive, w.d->qfrc_passive + w.m->nv), 0);
    ExpectSameDerivatives(w, kEps, kTolerance, "integrator " + std::to_string(integrator));
  }
}

// A rope between a vertex that is pinned and others that move by themselves, and one on bodies that turn.
constexpr const char* kRopes = R"(
  <mujoco><option timestep=".002"/><worldbody>
    <flexcomp name="rope" type="circle" count="6 1 1" spacing=".1 .1 .1" radius=".01" mass=".2" dim="1" pos="0 1 1">
      <edge stiffness="40" damping=".3"/><pin id="0"/><contact selfcollide="none" contype="0" conaffinity="0"/>
    </flexcomp>
    <body name="hand" pos="1 0 1"><freejoint/><geom size=".1"/>
      <body name="arm" pos=".2 0 0"><joint type="ball"/><geom size=".05" pos=".1 0 .1"/></body>
      <body name="slider" pos="0 .2 0"><joint type="slide" axis="1 1 0"/><joint axis="0 0 1"/><geom size=".05" pos=".1 0 .1"/>
      </body></body>
  </worldbody>
  <deformable><flex name="cord" dim="1" body="hand arm slider world" vertex=".1 0 0  .1 .1 0  0 .1 .1  .5 .5 1.5"
      element="0 1 1 2 2 0 2 3" radius=".01"><edge stiffness="30" damping=".4"/>
      <contact selfcollide="none" contype="0" conaffinity="0"/></flex></deformable>
  </mujoco>)";

TEST(FlexGradientsTest, Edges) { ExpectSteps(kRopes); }

TEST(FlexGradientsTest, ShellsThatStretchAndBend) {
  ExpectSteps(
      Scene(Flexcomp("name='cloth' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2' "
                     "pos='0 0 1'",
                     "<elasticity young='3e3' poisson='.2' thickness='.02' damping='.01' elastic2d='both'/>")));
}

// Bending of a shell in a body that slides is not felt by that body.
TEST(FlexGradientsTest, ShellsOnBodiesThatSlide) {
  ExpectSteps(Scene("<body name='hand' pos='0 0 1'><joint type='slide' axis='1 0 1'/><geom size='.1'/>" +
                    Flexcomp("name='cloth' type='grid' count='3 2 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2'",
                             "<elasticity young='3e3' poisson='.2' thickness='.02' damping='.01' elastic2d='both'/>") +
                    "</body>"));
}

TEST(FlexGradientsTest, Solids) {
  ExpectSteps(
      Scene(Flexcomp("name='block' type='grid' count='2 2 3' spacing='.1 .1 .1' radius='.01' mass='1' dim='3' "
                     "pos='0 0 1'",
                     "<elasticity young='1e3' poisson='.2' damping='.02'/>")));
}

// A sheet on bodies that turn.
TEST(FlexGradientsTest, ElementsOnBodiesThatTurn) {
  ExpectSteps(R"(<mujoco><option timestep=".002"/><worldbody>
    <body name="hand" pos="1 0 1"><freejoint/><geom size=".1"/>
      <body name="arm" pos=".2 0 0"><joint type="ball"/><geom size=".05" pos=".1 0 .1"/></body>
      <body name="slider" pos="0 .2 0"><joint type="slide" axis="1 1 0"/><joint axis="0 0 1"/>
        <geom size=".05" pos=".1 0 .1"/></body></body>
    <body name="other" pos=".8 .3 1.2"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom size=".05" pos=".1 0 .1"/></body>
  </worldbody>
  <deformable><flex name="sheet" dim="2" body="hand arm slider other" vertex=".1 0 0  .1 .1 0  0 .1 .1  .1 .05 .02"
      element="0 1 2 1 2 3" radius=".01"><elasticity young="2e3" poisson=".2" thickness=".03" damping=".01"
      elastic2d="stretch"/><contact selfcollide="none" contype="0" conaffinity="0"/></flex></deformable></mujoco>)");
}

// A shell whose vertices slide in a body that turns.
TEST(FlexGradientsTest, ShellsOnBodiesThatTurn) {
  ExpectSteps(
      Scene("<body pos='0 0 1'><freejoint/><geom size='.1'/><body name='hand' pos='.1 0 0'><joint type='ball'/>"
            "<geom size='.05' pos='.1 0 0'/>" +
            Flexcomp("name='cloth' type='grid' count='3 2 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2'",
                     "<edge damping='.1'/><elasticity young='3e3' poisson='.2' thickness='.02' "
                     "damping='.01' elastic2d='both'/>") +
            "</body></body>"));
}

// Edges that keep their lengths, on bodies that turn among others; by dense and by compressed rows.
TEST(FlexGradientsTest, EdgesThatAreHeld) {
  std::string xml = kRopes;
  for (const char* held : {"rope", "cord"}) {
    xml.insert(xml.find("</mujoco>"), std::string("<equality><flex flex='") + held + "' solref='.03 1'/></equality>");
  }
  for (const char* jacobian : {"dense", "sparse"}) {
    std::string with = xml;
    with.replace(with.find("<option"), 7, std::string("<option jacobian='") + jacobian + "'");
    World w = Shaken(with, mjINT_EULER, 0.01);
    EXPECT_EQ(w.d->ne, w.m->nflexedge);
    ExpectSameDerivatives(w, 1e-5, kTolerance, jacobian);
  }
}

// A shell that keeps its shape about each vertex.
TEST(FlexGradientsTest, VerticesThatAreHeld) {
  const std::string xml =
      Scene("<body name='hand' pos='0 0 1'><freejoint/><geom size='.1'/>" +
            Flexcomp("name='cloth' type='grid' count='3 2 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2'",
                     "<pin id='0'/><edge equality='vert' solref='.03 1'/>") +
            "</body>");
  for (int integrator : kIntegrators) {
    World w = Shaken(xml, integrator, 0.01);
    EXPECT_EQ(w.d->ne, 12);
    ExpectSameDerivatives(w, 1e-5, kTolerance, "integrator " + std::to_string(integrator));
  }
}

// Cells of both orders, in axes that turn with them, in the world and in a body that turns.
TEST(FlexGradientsTest, Cells) {
  const std::string block = Flexcomp(
      "name='block' type='grid' dof='trilinear' count='3 3 3' spacing='.1 .1 .15' radius='.01' mass='.5' dim='3' "
      "cellcount='2 1 1'",
      "<elasticity young='1e3' poisson='.2' damping='.01'/><pin id='0'/>");
  const std::string scenes[] = {
      Scene(block), Scene("<body name='hand' pos='0 0 1'><freejoint/><geom size='.1'/>" + block + "</body>"),
      Scene("<body name='hand' pos='0 0 1'><joint type='slide' axis='1 0 1'/><geom size='.1'/>" + block + "</body>"),
      Scene(Flexcomp("name='bean' type='ellipsoid' dof='quadratic' count='4 4 4' spacing='.1 .1 .1' radius='.01' "
                     "mass='.5' dim='3' pos='1 0 1' euler='0 0 30'",
                     "<elasticity young='10' poisson='.1' damping='.01'/>"))};
  for (const std::string& scene : scenes) {
    for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICITFAST}) {
      World w = Shaken(scene, integrator, 0.02);
      ExpectSameDerivatives(w, kEps, kTolerance, scene + std::to_string(integrator));
      if (integrator != mjINT_RK4 && w.m->nv < 80) ExpectGradientsOfDifferences(w, 4, scene);
    }
  }
}

// Modes of cells that are held, whose residuals change with the axes of the cell and whose rows do not.
TEST(FlexGradientsTest, CellsThatAreHeld) {
  const std::string brick = Flexcomp(
      "name='brick' type='grid' dof='trilinear' cellcount='2 1 1' count='3 2 2' spacing='.1 .13 .17' "
      "radius='.01' mass='.5' dim='3'",
      "<edge equality='strain' solref='.03 1'/>");
  for (const std::string& scene :
       {Scene(brick), Scene("<body name='hand' pos='0 0 1'><freejoint/><geom size='.1'/>" + brick + "</body>")}) {
    for (int integrator : kIntegrators) {
      World w = Shaken(scene, integrator, 0.005);
      EXPECT_GT(w.d->ne, 20);
      ExpectSameDerivatives(w, 1e-5, kTolerance, scene + std::to_string(integrator));
    }
  }
}

// Contacts with a body that lies on a flex, or with a flex that lies on the ground, after some steps.
struct Touching {
  const char *name, *bodies, *flex;
};
constexpr Touching kTouching[] = {
    {"vertices on a plane", "<geom type='plane' size='2 2 .1' pos='0 0 .5' euler='0 10 0'/>",
     "<flexcomp name='f' type='grid' count='3 2 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2' pos='0 0 .53'>"
     "<elasticity young='2e3' poisson='.2' thickness='.02' damping='.01' elastic2d='stretch'/><contact "
     "selfcollide='none'/></flexcomp>"},
    {"a sphere on triangles",
     "<body pos='.02 .01 1.058'><freejoint/><geom size='.05' mass='.2'/><site name='s' size='.2'/></body>",
     "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2' pos='0 0 1'>"
     "<elasticity young='2e3' poisson='.2' thickness='.02' damping='.01' elastic2d='stretch'/><contact "
     "selfcollide='none' condim='4'/><pin id='1 3 5 7'/></flexcomp>"},
    {"a capsule on segments",
     "<body pos='.02 .01 1.038'><freejoint/><geom type='capsule' size='.03 .1' euler='80 10 0' mass='.1'/></body>",
     "<flexcomp name='f' type='grid' count='5 1 1' spacing='.07 .1 .1' radius='.01' mass='.4' dim='1' pos='0 0 1'>"
     "<edge stiffness='80' damping='1'/><contact selfcollide='none'/></flexcomp>"},
    {"a box on tetrahedra",
     "<body pos='.02 .01 1.106' euler='20 12 0'><freejoint/><geom type='box' size='.04 .05 .03' mass='.2'/><site "
     "name='s' size='.2'/></body>",
     "<flexcomp name='f' type='grid' count='3 3 2' spacing='.1 .1 .1' radius='.01' mass='1' dim='3' pos='0 0 1'>"
     "<elasticity young='2e3' poisson='.2' damping='.01'/><contact selfcollide='none'/></flexcomp>"},
    {"a mesh on triangles",
     "<body pos='.02 .01 1.025' euler='170 12 0'><freejoint/><geom type='mesh' mesh='wedge' mass='.2'/></body>",
     "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2' pos='0 0 1'>"
     "<elasticity young='2e3' poisson='.2' thickness='.02' damping='.01' elastic2d='stretch'/><contact "
     "selfcollide='none'/></flexcomp>"},
    {"a sheet folded on itself", "",
     "<flexcomp name='f' type='direct' point='0 0 0 .1 0 0 0 .1 0 .02 .03 .017' element='0 1 2 1 2 3' radius='.01' "
     "mass='.1' dim='2' pos='0 0 1'><elasticity young='1e3' poisson='.2' thickness='.02' damping='.01' "
     "elastic2d='stretch'/><contact selfcollide='none' internal='true'/></flexcomp>"},
    {"a sphere on a soft block of cells", "<body pos='.02 .01 1.106'><freejoint/><geom size='.05' mass='.2'/></body>",
     "<flexcomp name='f' type='grid' dof='trilinear' cellcount='2 1 1' count='4 3 2' spacing='.1 .1 .1' radius='.01' "
     "mass='1' dim='3' pos='0 0 1'><elasticity young='100' poisson='.2' damping='.002'/>"
     "<contact selfcollide='none'/></flexcomp>"},
    {"a quadratic block of cells on a plane", "<geom type='plane' size='2 2 .1' pos='0 0 .94' euler='0 5 0'/>",
     "<flexcomp name='f' type='grid' dof='quadratic' count='3 3 2' spacing='.1 .1 .1' radius='.01' "
     "mass='1' dim='3' pos='0 0 1.02'><elasticity young='100' poisson='.2' damping='.002'/>"
     "<contact selfcollide='none'/></flexcomp>"},
    {"two ropes that cross",
     "<flexcomp name='g' type='grid' count='3 1 1' spacing='.08 .1 .1' radius='.01' mass='.1' dim='1' "
     "pos='0 .02 1.018' euler='0 0 80'><edge stiffness='80' damping='1'/><contact selfcollide='none'/></flexcomp>",
     "<flexcomp name='f' type='grid' count='4 1 1' spacing='.08 .1 .1' radius='.01' mass='.4' dim='1' pos='0 0 1'>"
     "<edge stiffness='80' damping='1'/><contact selfcollide='none'/></flexcomp>"},
};

TEST(FlexGradientsTest, Contacts) {
  for (const Touching& scene : kTouching) {
    const bool sensed = std::string(scene.bodies).find("name='s'") != std::string::npos;
    const std::string sensor = sensed ? "<sensor><touch site='s'/></sensor>" : "";
    for (const char* cone : {"pyramidal", "elliptic"}) {
      World w(ModelFromText(std::string("<mujoco><option timestep='.002' cone='") + cone +
                            "' gravity='0 0 -2'/><asset><mesh name='wedge' vertex='-.05 -.05 0 .06 -.05 0 0 .06 0 0 0 "
                            "-.09'/></asset><worldbody>" +
                            scene.bodies + scene.flex + "</worldbody>" + sensor + "</mujoco>"));
      for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] += 0.03 * std::sin(3 * i + 1);
      const std::string what = std::string(scene.name) + ", " + cone;
      int step = 0;
      for (; step < 60 && w.d->nefc == 0; ++step) mj_step(w.m.get(), w.d.get());
      for (int k = 0; k < 3; ++k) mj_step(w.m.get(), w.d.get());
      mj_forward(w.m.get(), w.d.get());
      EXPECT_GT(w.d->nefc, 0) << what;
      ExpectSameDerivatives(w, 2e-6, 2 * kTolerance, what, /*sensors=*/true);
      EXPECT_TRUE(!sensed || w.d->sensordata[0] > 0) << what;
    }
  }
}

// Contacts of flexes that are springs instead of rows.
TEST(FlexGradientsTest, PassiveContacts) {
  for (const char* scene : {
           "<geom type='plane' size='2 2 .1' pos='0 0 .992' euler='0 2 0'/>",
           "<body pos='.02 .01 1.055'><freejoint/><geom size='.05' mass='.2'/></body>",
       }) {
    const std::string xml = Scene(
        std::string(scene) +
        "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' mass='.4' dim='2' pos='0 0 1'>"
        "<elasticity young='2e3' poisson='.2' thickness='.02' damping='.01' elastic2d='stretch'/>"
        "<contact selfcollide='none' passive='true'/></flexcomp>");
    for (int integrator : {mjINT_EULER, mjINT_IMPLICITFAST}) {
      World w = Shaken(xml, integrator, 0.001);
      EXPECT_GT(w.d->ncon, 0);
      EXPECT_EQ(w.d->nefc, 0);
      ExpectSameDerivatives(w, 2e-6, 2 * kTolerance, scene + std::to_string(integrator));
    }
  }
}

// A sheet that slides down a plane whose friction decides, and its masses.
TEST(FlexGradientsTest, Parameters) {
  World w(ModelFromText(R"(<mujoco><option timestep=".002"/><worldbody>
    <geom type="plane" size="2 2 .1" euler="0 20 0" friction=".2" priority="1"/>
    <flexcomp name="f" type="grid" count="3 2 1" spacing=".1 .1 .1" radius=".01" mass=".4" dim="2" euler="0 20 0"
      pos=".003 0 .009"><elasticity young="2e3" poisson=".2" thickness=".02" damping=".01" elastic2d="stretch"/>
      <contact selfcollide="none"/></flexcomp></worldbody></mujoco>)"));
  w.m->opt.cone = mjCONE_ELLIPTIC;
  w.m->opt.tolerance = 0;
  for (int k = 0; k < 40; ++k) mj_step(w.m.get(), w.d.get());
  ASSERT_GT(w.d->ncon, 3);
  Scalar scalar(w, 8);
  Numbers friction(static_cast<size_t>(w.m->ngeom)), mass(static_cast<size_t>(w.m->nbody));
  sinewParameterGradients parameters = {};
  parameters.geom_friction = friction.data();
  parameters.body_mass = mass.data();
  GradientsOf(w, scalar, parameters);
  const double slope = scalar.SlopeBy(w.m->geom_friction[0], 1e-5);
  EXPECT_NE(slope, 0);
  ExpectRelative(slope, friction[0], std::abs(slope), "friction");
  // inertia of what slides alone is a constant of the model that follows from its mass
  for (int b = 1; b < w.m->nbody; ++b) {
    const double kept = w.m->body_mass[b];
    const auto set = [&](double e) {
      w.m->body_mass[b] = kept + e;
      std::fill_n(w.m->dof_M0 + w.m->body_dofadr[b], w.m->body_dofnum[b], kept + e);
    };
    const double by_mass = scalar.Slope(set, 1e-5);
    set(0);
    ExpectRelative(by_mass, mass[static_cast<size_t>(b)], std::abs(mass[1]), "mass " + std::to_string(b));
  }
}

TEST(FlexGradientsTest, Rollouts) {
  for (int integrator : kIntegrators) {
    World w = Shaken(kRopes, integrator, 0.02);
    ExpectGradientsOfDifferences(w, 6, "integrator " + std::to_string(integrator));
  }
}

}  // namespace
}  // namespace sinew
