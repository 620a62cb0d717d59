#include <mujoco/mujoco.h>
#include <stdio.h>

int main(int argc, char** argv) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(argc > 1 ? argv[1] : "models/humanoid.xml", NULL, error, sizeof(error));
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);
  while (d->time < 1) mj_step(m, d);
  printf("height after a second: %.4f m\n", d->subtree_com[2]);
  mj_deleteData(d);
  mj_deleteModel(m);
}
