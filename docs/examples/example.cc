#include <sinew/sinew.h>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) try {
  const sinew::Model model = sinew::Model::FromXml(argc > 1 ? argv[1] : "models/humanoid.xml");
  sinew::Data data(model);
  data.ResetToKeyframe(model.Id(mjOBJ_KEY, "squat"));

  // full effort of every motor for the first half second, then none
  while (data.time() < 1) {
    std::ranges::fill(data.ctrl(), data.time() < 0.5 ? 1.0 : 0.0);
    data.Step();
  }
  std::printf("height %.4f m, %zu contacts\n", data->subtree_com[2], data.contacts().size());
} catch (const sinew::ModelError& error) {
  std::fprintf(stderr, "%s\n", error.what());  // file:line, element, and what would be right
  return 1;
}
