// The options of a model: every field of mjOption.
#include <imgui.h>
#include <sinew/extensions.h>

#include <algorithm>
#include <string>
#include <vector>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

struct Integrator {
  int value;
  const char* name;
};

// A model keeps the state of error control only if it was compiled for it.
std::vector<Integrator> Integrators(const mjModel* m) {
  constexpr int kDiscrete = 4;  // as MuJoCo has it since release 3.13
  std::vector<Integrator> all = {{mjINT_EULER, "Euler"},
                                 {mjINT_RK4, "RK4"},
                                 {mjINT_IMPLICIT, "implicit"},
                                 {mjINT_IMPLICITFAST, "implicitfast"},
                                 {kDiscrete, "discrete"}};
  if (mj_name2id(m, mjOBJ_NUMERIC, sinewACCURACY) >= 0 || m->opt.integrator >= sinewFIRST_EXTENSION) {
    all.insert(all.end(), {{sinewINT_MERSON, "merson"}, {sinewINT_RK3, "rk3"}, {sinewINT_EULER2, "euler2"}});
  }
  return all;
}

void ChooseIntegrator(mjModel* m) {
  const std::vector<Integrator> all = Integrators(m);
  const auto now = std::ranges::find(all, m->opt.integrator, &Integrator::value);
  if (!ImGui::BeginCombo("integrator", now == all.end() ? "" : now->name)) return;
  for (const Integrator& one : all) {
    if (ImGui::Selectable(one.name, one.value == m->opt.integrator)) m->opt.integrator = one.value;
  }
  ImGui::EndCombo();
}

void DrawAlgorithms(mjOption& opt) {
  Choice("cone", &opt.cone, {"pyramidal", "elliptic"});
  Choice("jacobian", &opt.jacobian, {"dense", "sparse", "auto"});
  Choice("solver", &opt.solver, {"PGS", "CG", "Newton"});
  if (Number("timestep [s]", &opt.timestep)) opt.timestep = std::max(opt.timestep, 1e-6);
  Count("iterations", &opt.iterations);
  Number("tolerance", &opt.tolerance, "%.2e");
  Count("ls iterations", &opt.ls_iterations);
  Number("ls tolerance", &opt.ls_tolerance, "%.2e");
  Count("noslip iterations", &opt.noslip_iterations);
  Number("noslip tolerance", &opt.noslip_tolerance, "%.2e");
  Count("ccd iterations", &opt.ccd_iterations);
  Number("ccd tolerance [m]", &opt.ccd_tolerance, "%.2e");
  Count("sdf iterations", &opt.sdf_iterations);
  Count("sdf initpoints", &opt.sdf_initpoints);
  Number("sleep tolerance", &opt.sleep_tolerance, "%.2e");
}

void DrawSurroundings(mjOption& opt) {
  Number("impratio", &opt.impratio);
  Numbers("gravity", opt.gravity, 3);
  Numbers("wind [m/s]", opt.wind, 3);
  Numbers("magnetic", opt.magnetic, 3);
  Number("density", &opt.density);
  Number("viscosity", &opt.viscosity);
}

// One set of contact parameters for all contacts.
void DrawOverride(mjOption& opt) {
  CheckBit("on", &opt.enableflags, mjENBL_OVERRIDE);
  Number("margin [m]", &opt.o_margin);
  Numbers("solref", opt.o_solref, mjNREF);
  Numbers("solimp", opt.o_solimp, mjNIMP);
  Numbers("friction", opt.o_friction, 5);
}

template <size_t N>
void DrawBits(const char* (&names)[N], int* bits) {
  for (size_t i = 0; i < N; ++i) CheckBit(names[i], bits, 1 << i);
}

template <class Draw>
void Fold(const char* name, Draw draw) {
  if (!ImGui::TreeNode(name)) return;
  draw();
  ImGui::TreePop();
}

}  // namespace

void DrawPhysics(mjModel* m) {
  mjOption& opt = m->opt;
  ChooseIntegrator(m);
  DrawAlgorithms(opt);
  DrawSurroundings(opt);
  Fold("Contact override", [&] { DrawOverride(opt); });
  Fold("Disable", [&] { DrawBits(mjDISABLESTRING, &opt.disableflags); });
  Fold("Enable", [&] { DrawBits(mjENABLESTRING, &opt.enableflags); });
  Fold("Actuator groups off", [&] {
    for (int i = 0; i < mjNGROUP; ++i) CheckBit(("group " + std::to_string(i)).c_str(), &opt.disableactuator, 1 << i);
  });
}

}  // namespace sinew
