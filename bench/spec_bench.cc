// How the cost of editing a specification grows with the number of its bodies.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <string>

namespace sinew {
namespace {

std::string Name(const char* what, int i) { return what + std::to_string(i); }

// A body with a hinge, a shape, a motor and a sensor, all with names.
void AddBody(mjSpec* s, int i) {
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), nullptr);
  mjs_setName(body->element, Name("body", i).c_str());
  body->pos[0] = i;
  mjs_setName(mjs_addJoint(body, nullptr)->element, Name("joint", i).c_str());
  mjs_addGeom(body, nullptr)->size[0] = 0.1;
  mjsActuator* motor = mjs_addActuator(s, nullptr);
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, Name("joint", i).c_str());
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = mjSENS_JOINTPOS;
  sensor->objtype = mjOBJ_JOINT;
  mjs_setString(sensor->objname, Name("joint", i).c_str());
}

mjSpec* Build(int count) {
  mjSpec* s = mj_makeSpec();
  for (int i = 0; i < count; ++i) AddBody(s, i);
  return s;
}

// Finds each body by its name and edits it; then each by a walk.
void EditAll(mjSpec* s, int count) {
  for (int i = 0; i < count; ++i) mjs_findBody(s, Name("body", i).c_str())->pos[1] = 1;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_BODY); e; e = mjs_nextElement(s, e)) mjs_asBody(e)->pos[2] = 1;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_GEOM); e; e = mjs_nextElement(s, e)) mjs_asGeom(e)->size[0] = 0.2;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_SENSOR); e; e = mjs_nextElement(s, e)) mjs_asSensor(e)->cutoff = 1;
}

void Edit(benchmark::State& state, bool compile) {
  const int count = static_cast<int>(state.range(0));
  for (auto _ : state) {
    mjSpec* s = Build(count);
    EditAll(s, count);
    if (compile) mj_deleteModel(mj_compile(s, nullptr));
    mj_deleteSpec(s);
  }
  state.SetComplexityN(count);
}
BENCHMARK_CAPTURE(Edit, alone, false)
    ->RangeMultiplier(2)
    ->Range(500, 4000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_CAPTURE(Edit, and_compile, true)
    ->RangeMultiplier(2)
    ->Range(500, 4000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

// Every second body, with what refers to it.
void Delete(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    mjSpec* s = Build(count);
    state.ResumeTiming();
    for (int i = 0; i < count; i += 2) mjs_delete(s, mjs_findBody(s, Name("body", i).c_str())->element);
    state.PauseTiming();
    mj_deleteSpec(s);
    state.ResumeTiming();
  }
  state.SetComplexityN(count);
}
BENCHMARK(Delete)->RangeMultiplier(2)->Range(500, 4000)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace
}  // namespace sinew
