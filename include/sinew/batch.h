/* Many worlds of one model: what <mujoco/mjbatch.h> has, and statuses that name their cause, arrays by component,
   resets with random ranges, steps beside the caller, derivatives, pictures, contacts.

   Functions that can fail return -1 (or NULL) and write a text that names the argument; nothing has changed then.
   Others return how many worlds failed. Where worlds are selected by `mask`, it has a byte for each world; NULL: all;
   only zeros: none.
 */
#ifndef SINEW_BATCH_H_
#define SINEW_BATCH_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinewBatch_ sinewBatch;

enum { sinewDOUBLE = 0, sinewFLOAT = 1 };
enum { sinewFASTER = 0, sinewALWAYS = 1, sinewNEVER = 2 };

typedef struct sinewBatchConfig_ {
  int threads;              /* with the caller's; 0: one for each processor that the process may use */
  int persistent;           /* a mjData for each world; needed for models that sleep */
  int precision;            /* of steps in packs, where all steps that can run then; the rest stays double */
  unsigned int first_world; /* number of the first world among those of all batches, for random numbers */
  int packs;                /* whether steps that can run in packs do: where they are faster, always, or never */
} sinewBatchConfig;

/* What happened to a world since its last reset. */
enum {
  sinewRUNNING = 0,
  sinewDIVERGED = 1,   /* a position, velocity or acceleration is no number or huge; the world was reset */
  sinewBADCONTROL = 2, /* a control is; all controls counted as zero */
  sinewARENAFULL = 3,  /* contacts or constraint rows were left out */
  sinewSINGULAR = 4,   /* an inertia matrix is close to singular */
  sinewFAILED = 5,     /* an error was raised; the world is as it was before that call */
  sinewBADTIME = 6     /* the time is no number or huge; the world goes on */
};

/* An array over all worlds: `size` elements of a world, from world to world `stride` bytes further. */
typedef struct sinewBatchArray_ {
  void* data;
  long long stride;
  int size;
  int elemsize; /* bytes of an element */
  char type;    /* 'd' double, 'f' float, 'i' int, 'l' 64-bit integer, 'B' byte, 'c' char */
} sinewBatchArray;

/* All zero is the default. */
MJAPI sinewBatch* sinew_batch_make(const mjModel* m, int worlds, const sinewBatchConfig* config, char* error,
                                   int error_sz);
MJAPI void sinew_batch_delete(sinewBatch* b);
MJAPI int sinew_batch_count(const sinewBatch* b);
MJAPI int sinew_batch_threads(const sinewBatch* b);
MJAPI const mjModel* sinew_batch_model(const sinewBatch* b);

/* Why the worlds run one after the other and not in packs; NULL: they run in packs. */
MJAPI const char* sinew_batch_obstacle(const sinewBatch* b);

/* How well packs were used since the batch was made: shares of 1, or 0 where there was nothing to share. */
typedef struct sinewPackUse_ {
  double lanes;      /* lanes that had a world */
  double slots;      /* constraints of the worlds, of those that their packs went through */
  double iterations; /* of the solver: what worlds needed, of what their packs did */
  double alone;      /* worlds that had to run again, alone, since something was wrong with them */
  double work;       /* the same of their work in the solver: directions times columns squared */
} sinewPackUse;
MJAPI void sinew_batch_packUse(const sinewBatch* b, sinewPackUse* use);

/* A component of the state by name: time, qpos, qvel, act, ctrl, qfrc_applied, mocap_pos, ... Worlds lie one behind the
   other. What is written there is the state of the next call. eq_active has numbers here, not bytes. */
MJAPI int sinew_batch_state(sinewBatch* b, const char* name, sinewBatchArray* array, char* error, int error_sz);

/* An array or count of mjData, filled by each call, also where a step would compute it for sensors only (cfrc_ext,
 * ...). */
MJAPI int sinew_batch_output(sinewBatch* b, const char* name, sinewBatchArray* array, char* error, int error_sz);

/* An array of mjModel, "opt.name" or "stat.name" with values of its own in each world, which are checked before they
   are used; a world whose values no model may have fails, and its error names them. */
MJAPI int sinew_batch_parameter(sinewBatch* b, const char* name, sinewBatchArray* array, char* error, int error_sz);

/* mj_setConst of each world. */
MJAPI int sinew_batch_setConst(sinewBatch* b, const unsigned char* mask, char* error, int error_sz);

/* `steps` steps, then stages (mjtStage) at the new state. */
MJAPI int sinew_batch_step(sinewBatch* b, const unsigned char* mask, int steps, int stage, char* error, int error_sz);

/* Begins a step and returns 0; until sinew_batch_wait has returned its result, nothing of the batch may be touched. */
MJAPI int sinew_batch_stepAsync(sinewBatch* b, const unsigned char* mask, int steps, int stage, char* error,
                                int error_sz);
MJAPI int sinew_batch_wait(sinewBatch* b, char* error, int error_sz);

MJAPI int sinew_batch_forward(sinewBatch* b, const unsigned char* mask, int stage, char* error, int error_sz);

/* Resets, to keyframes if `keys` gives one for each world (-1: none), then draws random quantities anew. */
MJAPI int sinew_batch_reset(sinewBatch* b, const unsigned char* mask, const int* keys, int stage, char* error,
                            int error_sz);

/* How random quantities are drawn, and combined with the state after the reset or the parameter of the model. */
enum { sinewUNIFORM = 0, sinewLOGUNIFORM = 1, sinewNORMAL = 2 }; /* normal: mean and deviation for low and high */
enum { sinewSET = 0, sinewADD = 1, sinewSCALE = 2 };

/* Draws a component of the state or a parameter at each reset. `low` and `high` have `size` numbers: 1, or those of the
   field. Numbers follow from seed, number of the world, count of its resets, and place: not from threads or company. */
MJAPI int sinew_batch_randomize(sinewBatch* b, const char* name, const double* low, const double* high, int size,
                                int draw, int combine, char* error, int error_sz);
MJAPI void sinew_batch_clearRandomization(sinewBatch* b);
/* Begins the random numbers again. */
MJAPI int sinew_batch_seed(sinewBatch* b, unsigned long long seed, char* error, int error_sz);

/* Open loop: before each step takes controls (worlds x steps x nu; NULL: stay), after each keeps records. Worlds of a
   mask count one behind the other. */
typedef struct sinewBatchRecord_ {
  const char* field; /* array or count of mjData; NULL: a state */
  int signature;     /* parts of that state (mjtState) */
  void* data;        /* worlds x steps x size */
} sinewBatchRecord;
MJAPI int sinew_batch_rollout(sinewBatch* b, const unsigned char* mask, int steps, const double* control,
                              const sinewBatchRecord* records, int nrecord, char* error, int error_sz);
/* The same with any inputs. A world that fails repeats its last record until the end. */
typedef struct sinewBatchInputs_ {
  const double* data; /* worlds x steps x size; NULL: inputs stay */
  int signature;      /* parts of the state that they set (of mjSTATE_USER) */
  int shared;         /* not 0: steps x size, the same for all worlds */
  int* rows;          /* of each world: records up to its failure; NULL: not wanted */
} sinewBatchInputs;
MJAPI int sinew_batch_rolloutInputs(sinewBatch* b, const unsigned char* mask, int steps, const sinewBatchInputs* inputs,
                                    const sinewBatchRecord* records, int nrecord, char* error, int error_sz);

/* Worlds run on these models, one each with the layout of the batch's, which have to live until NULL is given. */
MJAPI int sinew_batch_setModels(sinewBatch* b, const mjModel* const* models, char* error, int error_sz);

/* For all worlds, since their last resets: what happened; and in words, for one. 0 if the buffer is long enough. */
MJAPI const int* sinew_batch_status(const sinewBatch* b);
MJAPI int sinew_batch_cause(const sinewBatch* b, int world, char* text, int text_sz);

/* A world after mj_forward with its own parameters: contacts, constraint rows, whatever mjData has. Valid until the
   next call; `m`, which may be NULL, becomes its model. NULL and a text when that fails. */
MJAPI const mjData* sinew_batch_world(sinewBatch* b, int world, const mjModel** m, char* error, int error_sz);

/* Finite differences of a step (mjd_transitionFD) of each selected world, one behind the other; NULL: not wanted. */
MJAPI int sinew_batch_transitionFD(sinewBatch* b, const unsigned char* mask, double eps, int centered, double* A,
                                   double* B, double* C, double* D, char* error, int error_sz);

/* Contacts of worlds, padded: rows behind those of a world are zero, and -1 in geom and flex. NULL: not wanted. */
typedef struct sinewBatchContacts_ {
  int* count;       /* worlds; all contacts, also those that have no row */
  int* geom;        /* worlds x capacity x 2; -1: a flex */
  int* flex;        /* worlds x capacity x 2; -1: a geom */
  int* dim;         /* worlds x capacity; 1, 3, 4 or 6 */
  double* dist;     /* worlds x capacity; negative: overlap */
  double* pos;      /* worlds x capacity x 3 */
  double* frame;    /* worlds x capacity x 9; its rows are the normal, which points from geom[0] to geom[1], and two
                       tangents */
  double* friction; /* worlds x capacity x 5 */
  double* force;    /* worlds x capacity x 6; force and torque on geom[1] in that frame: normal, tangents */
} sinewBatchContacts;

/* From now on, each call keeps the contacts that its worlds had when their outputs were computed; after steps, those of
   the last one, and after the stages of positions and velocities contacts without forces. 0: no longer. */
MJAPI int sinew_batch_keepContacts(sinewBatch* b, int keep, char* error, int error_sz);

/* Copies the contacts that the last call has kept, `capacity` rows for each selected world, and returns the most that a
   selected world has. With capacity 0, `contacts` may be NULL. */
MJAPI int sinew_batch_contacts(sinewBatch* b, const unsigned char* mask, int capacity,
                               const sinewBatchContacts* contacts, char* error, int error_sz);

/* Rays in the present states of worlds, in the frame of an element or of the world. */
typedef struct sinewBatchRays_ {
  int nray;                       /* of each world */
  const double* point;            /* worlds x nray x 3 */
  const double* direction;        /* worlds x nray x 3 */
  int objtype, id;                /* a body, geom or site whose frame this is; mjOBJ_UNKNOWN: the world */
  int upright;                    /* the frame's vertical axis is that of the world */
  const unsigned char* geomgroup; /* mjNGROUP flags; NULL: all */
  int skip_static;                /* geoms of bodies that are fixed to the world */
  int bodyexclude;                /* -1: none */
  double* dist;                   /* worlds x nray, in lengths of the direction; -1: nothing is met */
  int* geom;                      /* worlds x nray; -1 */
} sinewBatchRays;
MJAPI int sinew_batch_rays(sinewBatch* b, const unsigned char* mask, const sinewBatchRays* rays, char* error,
                           int error_sz);

/* Jacobians of a body, geom or site (mjtObj) in the present states of worlds, 3 x nv each: of its position, and of its
   rotation. NULL: not wanted. */
MJAPI int sinew_batch_jacobian(sinewBatch* b, const unsigned char* mask, int objtype, int id, double* jacp,
                               double* jacr, char* error, int error_sz);

/* Pictures of the selected worlds, one below the other (sinew_renderWorlds). */
MJAPI int sinew_batch_render(sinewBatch* b, sinewRenderer* renderer, const unsigned char* mask, const mjvOption* option,
                             const mjvCamera* camera, unsigned char* rgb, float* depth, int* segments, char* error,
                             int error_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_BATCH_H_ */
