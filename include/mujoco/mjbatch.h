/* Many simulations of one model on a pool of threads: the functions mjb_* of later releases of this interface, with the
   layouts of 3.8.0. What goes beyond them is in <sinew/batch.h>.

   A simulation is a row of numbers: its state (mjSTATE_INTEGRATION), in the order of mj_getState. A call takes each
   selected row into a mjData, computes, and writes the row back. `ids` holds `nid` sorted numbers of simulations (none,
   where nid is 0), or is NULL for all. Calls return how many simulations failed: those keep the state that they had. An
   argument that is wrong is an error (mju_error), and nothing is run. Arrays that the batch gives stay where they are
   until it is deleted. */
#ifndef MUJOCO_MJBATCH_H_
#define MUJOCO_MJBATCH_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mjBatch_ mjBatch;

/* What mjb_apply runs on a simulation. */
typedef void (*mjfBatchFunc)(const mjModel* m, mjData* d, int sim, void* arg);

typedef struct mjBatchConfig_ {
  int nthread;        /* threads, the caller's among them; 0 or less: one for each processor that may be used */
  mjtByte persistent; /* whether each simulation has a mjData of its own, and not each thread */
} mjBatchConfig;

/* What mjb_rollout keeps of each step. */
typedef struct mjBatchRecord_ {
  const char* field; /* array or count of mjData; NULL: a state */
  int spec;          /* parts of that state (mjtState) */
  void* buf;         /* simulations x steps x size, of the field's type */
} mjBatchRecord;

/* Sets the values that a batch has unless they are changed. */
MJAPI void mjb_defaultConfig(mjBatchConfig* config);

/* A batch of nsim simulations of a copy of m, which start from its initial state. NULL and a text when that is not
   possible. `config` and `error` may be NULL. */
MJAPI mjBatch* mjb_makeBatch(const mjModel* m, int nsim, const mjBatchConfig* config, char* error, int error_sz);

/* Frees a batch and its arrays; NULL is allowed. */
MJAPI void mjb_deleteBatch(mjBatch* b);

/* Numbers in a row; the rows; where a component (one bit of mjtState) begins in the first row, and its size. */
MJAPI int mjb_nstate(const mjBatch* b);
MJAPI mjtNum* mjb_state(mjBatch* b);
MJAPI mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size);

/* Counters of warnings, mjNWARNING a simulation; they are part of what a call takes and writes back. */
MJAPI mjWarningStat* mjb_warning(mjBatch* b);

/* nstep calls of mj_step, then the stages of mj_forward up to `stage` (mjtStage) at the new state. */
MJAPI int mjb_step(mjBatch* b, const int* ids, int nid, int nstep, int stage);

/* The stages of mj_forward up to `stage`. */
MJAPI int mjb_forward(mjBatch* b, const int* ids, int nid, int stage);

/* Resets, each to its keyframe in `key` (-1, or NULL: to the model's initial state), then stages as above. */
MJAPI int mjb_reset(mjBatch* b, const int* ids, int nid, const int* key, int stage);

/* Of the latest call on each simulation: 1 where an error was raised, and its text ("" for none). */
MJAPI const int* mjb_status(const mjBatch* b);
MJAPI const char* mjb_error(const mjBatch* b, int sim);

/* From now on, each call but mjb_apply copies this array or count of mjData to the memory returned, which has `size`
   elements of `elemsize` bytes a simulation. NULL for names that are none, and for parts of the state. */
MJAPI void* mjb_output(mjBatch* b, const char* name, int* size, int* elemsize);

/* Gives an array of mjModel, or "opt.name", values of its own in each simulation, which are checked before they are
   used. NULL for names that are none and for assets. mjb_expanded looks without giving: NULL where there are none. */
MJAPI void* mjb_expand(mjBatch* b, const char* name, int* size, int* elemsize);
MJAPI const void* mjb_expanded(mjBatch* b, const char* name, int* size, int* elemsize);

/* mj_setConst for each simulation; what it derives then differs from simulation to simulation as well. */
MJAPI int mjb_setConst(mjBatch* b, const int* ids, int nid);

/* Runs simulation i on models[i], which must have the layout of the batch's model; NULL: on that model again. */
MJAPI void mjb_setModels(mjBatch* b, const mjModel* const* models);

/* nstep calls of mj_step. Before each, the parts `control_spec` of the state are taken from `control` (simulations x
   nstep x size; NULL: left as they are); after each, records are kept. A simulation that warns stops, and its last
   records are repeated. */
MJAPI int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control, int control_spec,
                      const mjBatchRecord* record, int nrecord);

/* Runs a function on each simulation, on the threads of the batch; with `save`, keeps the state that it leaves. */
MJAPI int mjb_apply(mjBatch* b, const int* ids, int nid, mjfBatchFunc func, void* arg, int save);

/* Model and data of one simulation, copied to those of the caller, which must have the same sizes. Data have results of
   mj_forward, or with a persistent batch those of the latest call. */
MJAPI void mjb_getModel(mjBatch* b, int sim, mjModel* m);
MJAPI void mjb_getData(mjBatch* b, int sim, mjData* d);

MJAPI int mjb_nsim(const mjBatch* b);
MJAPI int mjb_nthread(const mjBatch* b);
MJAPI int mjb_persistent(const mjBatch* b);
MJAPI const mjModel* mjb_model(const mjBatch* b);

#ifdef __cplusplus
}
#endif

#endif /* MUJOCO_MJBATCH_H_ */
