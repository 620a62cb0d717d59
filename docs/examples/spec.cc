// A model that is built, edited and compiled again: a chain of links that grows while it swings.
#include <sinew/sinew.h>

#include <cstdio>
#include <string>

namespace {

mjsBody* AddLink(sinew::Spec& spec, mjsBody* parent, int number) {
  mjsBody* link = spec.AddBody(parent, "link" + std::to_string(number));
  link->pos[0] = number == 0 ? 0 : 0.2;
  mjsJoint* joint = mjs_addJoint(link, nullptr);
  joint->axis[1] = 1;
  joint->axis[2] = 0;
  mjsGeom* geom = mjs_addGeom(link, nullptr);
  geom->type = mjGEOM_CAPSULE;
  const double fromto[6] = {0, 0, 0, 0.2, 0, 0};
  for (int k = 0; k < 6; ++k) geom->fromto[k] = fromto[k];
  geom->size[0] = 0.03;
  return link;
}

}  // namespace

int main() try {
  sinew::Spec spec;
  mjsBody* end = AddLink(spec, spec.world(), 0);
  end = AddLink(spec, end, 1);
  sinew::Model model = spec.Compile();
  sinew::Data data(model);
  while (data.time() < 0.5) data.Step();

  AddLink(spec, end, 2);
  spec.Recompile(model, data);  // the first two links keep their state
  std::printf("%d links, the first at %.3f rad\n", model.nv(), data.qpos()[0]);
  while (data.time() < 1) data.Step();
  std::printf("%s", spec.ToXml().c_str());
} catch (const std::exception& error) {  // ModelError, NameError, EngineError
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
