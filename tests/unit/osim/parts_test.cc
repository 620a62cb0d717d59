// Paths, muscles, contacts, constraints and what is seen: what elements of a document become, and what is told.
#include <cmath>
#include <vector>

#include "model/storage/extension.h"
#include "osim/frames.h"
#include "tests/unit/osim/read_document.h"

namespace sinew::osim {
namespace {

int IdOf(const ModelPtr& m, mjtObj type, const char* name) {
  const int id = mj_name2id(m.get(), type, name);
  EXPECT_GE(id, 0) << name;
  return id;
}

DataPtr ForwardOf(const ModelPtr& m) {
  DataPtr d = WorldOf(m);
  mj_forward(m.get(), d.get());
  return d;
}

// ---- settings, bodies

TEST(OsimParts, UpIsZAndAnglesAreRadians) {
  const ModelPtr m = CompileDocument(Limb(""));
  EXPECT_EQ(m->opt.gravity[2], -9.81);
  EXPECT_EQ(m->opt.gravity[1], 0);
  EXPECT_EQ(std::string(m->names), "m");
}

TEST(OsimParts, BodiesHaveMassCentreAndMatrix) {
  const auto spec = ReadDocument(Limb(""));
  const Body* arm = spec->Find<Body>("arm");
  ASSERT_NE(arm, nullptr);
  EXPECT_EQ(arm->mass, 2);
  EXPECT_EQ(arm->ipos[2], 0.3);
  const double wanted[] = {1, 1.1, 1.2, 0.01, 0.02, 0.03};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(arm->fullinertia[i], wanted[i]);
}

TEST(OsimParts, ABodyThatMovesGetsMass) {
  const std::string document = DocumentOf(Set("BodySet", BodyOf("arm", "<mass>0</mass>")) +
                                          Set("JointSet", JointOf("PinJoint", "j", "ground", "arm")));
  EXPECT_NEAR(CompileDocument(document)->body_mass[1], 1e-6, 0);
  EXPECT_TRUE(Contains(WarningsOf(document), "m.osim:6: ")) << WarningsOf(document);
}

TEST(OsimParts, PlanarBodiesGetMomentsAboutAllAxes) {
  const std::string body = BodyOf("arm", "<mass>1</mass><inertia>0 0 0.4 0 0 0</inertia>");
  const std::string document =
      DocumentOf(Set("BodySet", body) + Set("JointSet", JointOf("PinJoint", "j", "ground", "arm")));
  const ModelPtr m = CompileDocument(document);
  EXPECT_NEAR(m->body_inertia[3] + m->body_inertia[4] + m->body_inertia[5], 0.8, 1e-12);
  EXPECT_TRUE(Contains(WarningsOf(document), "no moment of inertia about an axis"));
}

TEST(OsimParts, ABodyWithoutAJointIsFree) {
  const ModelPtr m = CompileDocument(DocumentOf(Set("BodySet", BodyOf("arm"))));
  EXPECT_EQ(m->nv, 6);
}

// ---- paths

std::string Muscle(const std::string& path, const std::string& content = "") {
  return "<Millard2012EquilibriumMuscle name='pull'>" + path +
         "<max_isometric_force>800</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length>"
         "<tendon_slack_length>0.3</tendon_slack_length>" +
         content + "</Millard2012EquilibriumMuscle>\n";
}

// The distance of both points, in ground.
TEST(OsimParts, APathIsAsLongAsItsPoints) {
  const std::string points =
      Point("a", "/ground", "0.5 0 0") + Point("b", "/ground", "0.5 0.3 0") + Point("c", "/ground", "0.5 0.3 -0.4");
  const ModelPtr m = CompileDocument(Limb(Muscle(PathOf(points))));
  EXPECT_NEAR(ForwardOf(m)->actuator_length[0], 0.7, 1e-12);
}

std::string Wrapped(const std::string& object, const std::string& range = "-1 -1") {
  const std::string points =
      Point("a", "/ground", "0.5 0.05 0") + Point("b", "/ground", "-0.5 0.05 0") + Point("c", "/ground", "-0.5 0.1 0");
  const std::string ground = "<Ground name='ground'>" + Set("WrapObjectSet", object) + "</Ground>\n";
  const std::string wrap = "<PathWrap name='w'><wrap_object>bone</wrap_object><range>" + range + "</range></PathWrap>";
  return Limb(Muscle(PathOf(points, wrap)), "", ground);
}

// The way over a circle of radius r between points at distance d from its axis, in a plane across it.
double OverCircle(double r, double x, double y, bool over) {
  const double d = std::hypot(x, y), turn = over ? mjPI - 2 * std::atan2(y, x) : mjPI + 2 * std::atan2(y, x);
  return 2 * std::sqrt(d * d - r * r) + r * (turn - 2 * std::acos(r / d));
}

TEST(OsimParts, PathsRunAroundObstacles) {
  const std::string pose = "<xyz_body_rotation>0 0 0</xyz_body_rotation><translation>0 0 0</translation>";
  const auto length = [&](const std::string& tag, const std::string& size, const std::string& side) {
    const std::string object =
        "<" + tag + " name='bone'>" + pose + "<quadrant>" + side + "</quadrant>" + size + "</" + tag + ">";
    return ForwardOf(CompileDocument(Wrapped(object)))->actuator_length[0] - 0.05;
  };
  const double shorter = OverCircle(0.1, 0.5, 0.05, true), longer = OverCircle(0.1, 0.5, 0.05, false);
  EXPECT_NEAR(length("WrapCylinder", "<radius>0.1</radius><length>1</length>", "all"), shorter, 1e-12);
  EXPECT_NEAR(length("WrapSphere", "<radius>0.1</radius>", "all"), shorter, 1e-12);
  EXPECT_NEAR(length("WrapCylinder", "<radius>0.1</radius><length>1</length>", "+y"), shorter, 1e-12);
  EXPECT_NEAR(length("WrapCylinder", "<radius>0.1</radius><length>1</length>", "-y"), longer, 1e-12);
  EXPECT_NEAR(length("WrapEllipsoid", "<dimensions>0.1 0.1 0.1</dimensions>", "all"), shorter, 1e-7);  // by steps
}

TEST(OsimParts, AnObstacleHoldsInItsRange) {
  const std::string object = "<WrapCylinder name='bone'><radius>0.1</radius><length>1</length></WrapCylinder>";
  const auto length = [&](const std::string& range) {
    return ForwardOf(CompileDocument(Wrapped(object, range)))->actuator_length[0];
  };
  EXPECT_GT(length("1 2"), 1.054);
  EXPECT_NEAR(length("2 3"), 1.05, 1e-12);
  EXPECT_TRUE(Contains(ErrorOf(Wrapped(object, "2 5")), "none of the path's 3 points"));
}

TEST(OsimParts, PointsMoveAndComeAndGo) {
  const std::string moving =
      "<MovingPathPoint name='m'><socket_parent_frame>/ground</socket_parent_frame><socket_x_coordinate>q"
      "</socket_x_coordinate><x_location><LinearFunction><coefficients>0.5 0.2</coefficients></LinearFunction>"
      "</x_location><y_location><Constant><value>0.3</value></Constant></y_location></MovingPathPoint>";
  const std::string sometimes =
      "<ConditionalPathPoint name='s'><socket_parent_frame>/ground</socket_parent_frame><location>0 1 0</location>"
      "<socket_coordinate>q</socket_coordinate><range>0.5 1</range></ConditionalPathPoint>";
  const std::string points = moving + sometimes + Point("e", "/ground", "0 0.3 0.4");
  const ModelPtr m =
      CompileDocument(Limb(Muscle(PathOf(points)), "<coordinates>" + CoordinateOf("q") + "</coordinates>"));
  const DataPtr d = WorldOf(m);
  mj_forward(m.get(), d.get());
  EXPECT_NEAR(d->actuator_length[0], std::hypot(0.2, 0.4), 1e-12);
  d->qpos[0] = 0.8;
  mj_forward(m.get(), d.get());
  EXPECT_NEAR(d->actuator_length[0], std::hypot(0.6, 0.7) + std::hypot(0.7, 0.4), 1e-12);
}

// ---- muscles

TEST(OsimParts, MusclesHaveTheirNumbers) {
  const std::string curve =
      "<TendonForceLengthCurve><strain_at_one_norm_force>0.06</strain_at_one_norm_force>"
      "</TendonForceLengthCurve>";
  const ModelPtr m =
      CompileDocument(Limb(Muscle(PathOf(kTwoPoints),
                                  "<pennation_angle_at_optimal>0.5</pennation_angle_at_optimal><fiber_damping>0.2"
                                  "</fiber_damping><minimum_activation>0.02</minimum_activation>" +
                                      curve)));
  ASSERT_EQ(m->nu, 1);
  const mjtNum* gain = m->actuator_gainprm;
  EXPECT_EQ(gain[kPeakForce], 800);
  EXPECT_EQ(gain[kFiberLength], 0.1);
  EXPECT_EQ(gain[kSlackLength], 0.3);
  EXPECT_NEAR(gain[kPennation], std::sin(0.5), 1e-15);
  EXPECT_EQ(gain[kLargestVelocity], 10);
  EXPECT_EQ(gain[kFiberDamping], 0.2);
  EXPECT_EQ(m->actuator_dynprm[kLeastActivation], 0.02);
  EXPECT_EQ(m->actuator_dynprm[kDeactivationTime], 0.04);
  EXPECT_EQ(m->key_act[1], 0.05);
}

// A property that a muscle does not give stands in <defaults>.
TEST(OsimParts, DefaultsHoldForTheirClass) {
  const std::string defaults =
      "<defaults><Millard2012EquilibriumMuscle name='default'><max_contraction_velocity>15"
      "</max_contraction_velocity><ignore_tendon_compliance>true</ignore_tendon_compliance>"
      "<max_isometric_force>1</max_isometric_force></Millard2012EquilibriumMuscle></defaults>";
  const ModelPtr m = CompileDocument(Limb(Muscle(PathOf(kTwoPoints)), "", defaults));
  EXPECT_EQ(m->actuator_gainprm[kLargestVelocity], 15);
  EXPECT_EQ(m->actuator_gainprm[kRigidTendon], 1);
  EXPECT_EQ(m->actuator_gainprm[kPeakForce], 800);
  EXPECT_EQ(m->na, 1);
}

TEST(OsimParts, WhatIsWrongHasALine) {
  const auto error = [](const std::string& content, const std::string& path = PathOf(kTwoPoints)) {
    return ErrorOf(Limb(Muscle(path, content)));
  };
  EXPECT_TRUE(Contains(error("<fiber_damping>much</fiber_damping>"), "'much' is not a number"));
  EXPECT_TRUE(Contains(error("<max_contraction_velocity>-1</max_contraction_velocity>"), "max_contraction_velocity"));
  EXPECT_TRUE(Contains(error("", ""), "the path is missing"));
  EXPECT_TRUE(Contains(error("", PathOf(Point("a", "/ground", "0 0 0"))), "the path has 1 points"));
  EXPECT_TRUE(Contains(error("", PathOf(Point("a", "/bodyset/leg", "0 0 0"))), "there is no frame '/bodyset/leg'"));
  EXPECT_TRUE(Contains(error("", PathOf(Point("a", "/ground", "0 0"))), "there are 2 numbers"));
  EXPECT_TRUE(Contains(error("", PathOf(Point("a", "/ground", "0 0"))), "m.osim:"));
}

// ---- other forces

TEST(OsimParts, ActuatorsAndSprings) {
  const std::string forces =
      "<CoordinateActuator name='motor'><coordinate>q</coordinate><optimal_force>30</optimal_force><min_control>-2"
      "</min_control><max_control>3</max_control></CoordinateActuator>"
      "<SpringGeneralizedForce name='spring'><coordinate>q</coordinate><stiffness>5</stiffness><rest_length>0.2"
      "</rest_length><viscosity>0.7</viscosity></SpringGeneralizedForce>"
      "<PathSpring name='band'>" +
      PathOf(kTwoPoints) +
      "<resting_length>0.3</resting_length><stiffness>90</stiffness>"
      "</PathSpring><PrescribedForce name='b'/>";
  const std::string document = Limb(forces, "<coordinates>" + CoordinateOf("q") + "</coordinates>");
  const ModelPtr m = CompileDocument(document);
  EXPECT_EQ(m->actuator_gear[0], 30);
  EXPECT_EQ(m->actuator_ctrlrange[1], 3);
  EXPECT_EQ(m->jnt_stiffness[0], 5);
  EXPECT_EQ(m->qpos_spring[0], 0.2);
  EXPECT_EQ(m->dof_damping[0], 0.7);
  EXPECT_EQ(m->tendon_stiffness[0], 90);
  EXPECT_EQ(m->tendon_lengthspring[0], 0);
  EXPECT_EQ(m->tendon_lengthspring[1], 0.3);
  EXPECT_TRUE(Contains(WarningsOf(document), "'PrescribedForce' is not used; forces over time"));
}

// Accelerations of an arm of unit mass and moments that is free, as OpenSim gives them for the same actuator; the arm
// is turned by 0.5 rad about OpenSim's z.
std::vector<double> AccelerationsBy(const std::string& actuator) {
  const std::string free =
      "<FreeJoint name='j'><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>"
      "/bodyset/arm</socket_child_frame></FreeJoint>";
  const std::string body = BodyOf("arm", "<mass>1</mass><inertia>1 1 1 0 0 0</inertia>");
  const ModelPtr m =
      CompileDocument(DocumentOf(Set("BodySet", body) + Set("JointSet", free) + Set("ForceSet", actuator)));
  m->opt.gravity[2] = 0;
  const DataPtr d = WorldOf(m);
  const Quat<double> pose = FromGround() * Quat<double>{std::cos(0.25), 0, 0, std::sin(0.25)};
  StoreQuat(pose, d->qpos + 3);
  d->ctrl[0] = 1;
  mj_forward(m.get(), d.get());
  // linear accelerations with the axes of ground, angular ones with those of the arm
  const Vec3<double> linear = Rotate(Conjugate(FromGround()), LoadVec3(d->qacc));
  return {linear.x, linear.y, linear.z, d->qacc[3], d->qacc[4], d->qacc[5]};
}

void ExpectNear(const std::vector<double>& found, const std::vector<double>& wanted) {
  constexpr double kRounding = 1e-13;
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], kRounding) << i;
}

TEST(OsimParts, TorquesActAboutAxesOfGroundOrOfBodyA) {
  const double c = std::cos(0.5), s = std::sin(0.5);
  const auto torque = [](const std::string& a, const std::string& b, const std::string& global) {
    return "<TorqueActuator name='t'><bodyA>" + a + "</bodyA><bodyB>" + b + "</bodyB><torque_is_global>" + global +
           "</torque_is_global><axis>2 0 0</axis><optimal_force>3</optimal_force></TorqueActuator>";
  };
  ExpectNear(AccelerationsBy(torque("arm", "ground", "true")), {0, 0, 0, 3 * c, -3 * s, 0});
  ExpectNear(AccelerationsBy(torque("ground", "arm", "true")), {0, 0, 0, -3 * c, 3 * s, 0});
  ExpectNear(AccelerationsBy(torque("arm", "ground", "false")), {0, 0, 0, 3, 0, 0});
  ExpectNear(AccelerationsBy(torque("ground", "arm", "false")), {0, 0, 0, -3 * c, 3 * s, 0});
}

TEST(OsimParts, ForcesActAtPoints) {
  const double c = std::cos(0.5), s = std::sin(0.5);
  const auto force = [](const std::string& global) {
    return "<PointActuator name='p'><body>arm</body><point>0.1 0 0</point><direction>0 5 0</direction>"
           "<force_is_global>" +
           global + "</force_is_global></PointActuator>";
  };
  ExpectNear(AccelerationsBy(force("true")), {0, 1, 0, 0, 0, 0.1 * c});
  ExpectNear(AccelerationsBy(force("false")), {-s, c, 0, 0, 0, 0.1});
  // along the line from the point of ground to that of the arm, which it drives apart
  ExpectNear(AccelerationsBy("<PointToPointActuator name='l'><bodyA>/ground</bodyA><bodyB>/bodyset/arm</bodyB><pointA>"
                             "0 0 -2</pointA><optimal_force>4</optimal_force></PointToPointActuator>"),
             {0, 0, 4, 0, 0, 0});
}

TEST(OsimParts, ActuatorsOfBodiesThatAreNoneAreTold) {
  const std::string two = Set("BodySet", BodyOf("a") + BodyOf("b"));
  const auto warnings = [&](const std::string& force) { return WarningsOf(DocumentOf(two + Set("ForceSet", force))); };
  EXPECT_TRUE(Contains(warnings("<TorqueActuator name='t'><bodyA>a</bodyA><bodyB>b</bodyB></TorqueActuator>"),
                       "'TorqueActuator' is not used; its axis is fixed in ground"));
  EXPECT_TRUE(Contains(
      warnings("<PointActuator name='t'><body>a</body><point_is_global>true</point_is_global></PointActuator>"),
      "its point is fixed in ground"));
  const auto error = [&](const std::string& force) { return ErrorOf(DocumentOf(two + Set("ForceSet", force))); };
  EXPECT_TRUE(
      Contains(error("<TorqueActuator name='t'><bodyA>a</bodyA></TorqueActuator>"), "name of a frame is missing"));
  EXPECT_TRUE(Contains(error("<PointActuator name='t'><body>a</body><direction>0 0 0</direction></PointActuator>"),
                       "direction has no direction"));
}

TEST(OsimParts, ForcesThatAreOffAreTold) {
  const std::string off = Muscle(PathOf(kTwoPoints), "<appliesForce>false</appliesForce>");
  EXPECT_EQ(CompileDocument(Limb(off))->nu, 0);
  EXPECT_TRUE(Contains(WarningsOf(Limb(off)), "it is switched off"));
}

// A sphere that sinks by x into a half space is pushed along its normal by 4/3 sqrt(R) (E / 2^1.5) x^1.5.
TEST(OsimParts, ContactsAreCompliant) {
  const std::string geometry =
      "<ContactHalfSpace name='floor'><socket_frame>/ground</socket_frame><location>0 0 0</location><orientation>0 0 "
      "-1.5707963267948966</orientation></ContactHalfSpace><ContactSphere name='ball'><socket_frame>/bodyset/arm"
      "</socket_frame><location>0 0 0</location><radius>0.1</radius></ContactSphere>";
  const std::string force =
      "<HuntCrossleyForce name='f'><HuntCrossleyForce::ContactParametersSet name='contact_parameters'><objects>"
      "<HuntCrossleyForce::ContactParameters><geometry>floor ball</geometry><stiffness>1e6</stiffness><dissipation>0.5"
      "</dissipation><static_friction>0.8</static_friction><dynamic_friction>0.4</dynamic_friction></"
      "HuntCrossleyForce::"
      "ContactParameters></objects></HuntCrossleyForce::ContactParametersSet><transition_velocity>0.1"
      "</transition_velocity></HuntCrossleyForce>";
  const ModelPtr m = CompileDocument(
      DocumentOf(Set("BodySet", BodyOf("arm")) + Set("ContactGeometrySet", geometry) + Set("ForceSet", force)));
  ASSERT_EQ(m->npair, 1);
  const DataPtr d = WorldOf(m);
  const double depth = 0.004;
  d->qpos[2] = 0.1 - depth;
  mj_forward(m.get(), d.get());
  ASSERT_EQ(d->ncon, 1);
  mjtNum wrench[6];
  mj_contactForce(m.get(), d.get(), 0, wrench);
  EXPECT_NEAR(wrench[0], 4.0 / 3 * std::sqrt(0.1) * 1e6 / std::pow(2, 1.5) * std::pow(depth, 1.5), 1e-6);
}

// ---- constraints, markers, shapes

TEST(OsimParts, CoordinatesAreCoupledByFunctions) {
  const std::string joints =
      JointOf("PinJoint", "j", "ground", "a", "<coordinates>" + CoordinateOf("p") + "</coordinates>") +
      JointOf("PinJoint", "k", "a", "b", "<coordinates>" + CoordinateOf("q") + "</coordinates>");
  const std::string coupler =
      "<CoordinateCouplerConstraint name='c'><coupled_coordinates_function><LinearFunction><coefficients>2 0.1"
      "</coefficients></LinearFunction></coupled_coordinates_function><independent_coordinate_names>p"
      "</independent_coordinate_names><dependent_coordinate_name>q</dependent_coordinate_name><scale_factor>0.5"
      "</scale_factor></CoordinateCouplerConstraint>";
  const ModelPtr m = CompileDocument(
      DocumentOf(Set("BodySet", BodyOf("a") + BodyOf("b")) + Set("JointSet", joints) + Set("ConstraintSet", coupler)));
  const DataPtr d = WorldOf(m);
  d->qpos[0] = 0.3;
  d->qpos[1] = 0.5 * (2 * 0.3 + 0.1);
  mj_forward(m.get(), d.get());
  ASSERT_EQ(d->ne, 1);
  EXPECT_NEAR(d->efc_pos[0], 0, 1e-14);
}

TEST(OsimParts, MarkersAndShapes) {
  const std::string body =
      BodyOf("arm", kMass +
                        "<attached_geometry><Sphere name='s'><radius>0.2</radius></Sphere>"
                        "<Mesh name='bone'><mesh_file>bone.ply</mesh_file></Mesh></attached_geometry>");
  const std::string marker =
      "<Marker name='wrist'><socket_parent_frame>/bodyset/arm</socket_parent_frame><location>0 0 1"
      "</location></Marker>";
  const std::string document = DocumentOf(Set("BodySet", body) + Set("MarkerSet", marker));
  const ModelPtr m = CompileDocument(document);
  EXPECT_EQ(m->site_pos[3 * IdOf(m, mjOBJ_SITE, "wrist") + 2], 1);
  EXPECT_EQ(m->geom_size[3 * IdOf(m, mjOBJ_GEOM, "s")], 0.2);
  EXPECT_EQ(m->ngeom, 1);
  EXPECT_EQ(m->body_mass[1], 2);
  EXPECT_TRUE(Contains(WarningsOf(document), "a mesh is not shown"));
}

// Files of bones stand in the folder Geometry beside a document.
TEST(OsimParts, BonesAreSeen) {
  const std::string bone =
      "<VTKFile type='PolyData'><PolyData><Piece><Points><DataArray>0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Polys>"
      "<DataArray Name='connectivity'>0 2 1 0 1 3 0 3 2 1 2 3</DataArray><DataArray Name='offsets'>3 6 9 12</DataArray>"
      "</Polys></Piece></PolyData></VTKFile>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  ASSERT_EQ(mj_addBufferVFS(&vfs, "Geometry/bone.vtp", bone.data(), static_cast<int>(bone.size())), 0);
  const std::string body =
      BodyOf("arm", kMass +
                        "<attached_geometry><Mesh name='bone'><mesh_file>bone.vtp</mesh_file><scale_factors>1 2 1"
                        "</scale_factors></Mesh></attached_geometry>");
  const auto spec = ReadXmlText(DocumentOf(Set("BodySet", body)), "m.osim", &vfs);
  const ModelPtr m = Compile(*spec, &vfs);
  mj_deleteVFS(&vfs);
  ASSERT_EQ(m->nmesh, 1);
  EXPECT_EQ(m->mesh_facenum[0], 4);
  EXPECT_EQ(m->geom_contype[0], 0);
  EXPECT_EQ(m->body_mass[1], 2);
}

TEST(OsimParts, OtherDocumentsAreRefused) {
  EXPECT_TRUE(Contains(ErrorOf("<OpenSimDocument Version='40000'><Storage/></OpenSimDocument>"), "no Model"));
  EXPECT_TRUE(Contains(ErrorOf(DocumentOf("", "10500")), "OpenSim 3 or later"));
  EXPECT_TRUE(Contains(ErrorOf("<OpenSimDocument><Model/></OpenSimDocument>"), "no Version"));
}

}  // namespace
}  // namespace sinew::osim
