/* Derivatives of steps, analytically, also through contacts (docs/how/gradients.md). */
#ifndef SINEW_GRADIENTS_H_
#define SINEW_GRADIENTS_H_

#include <mujoco/mujoco.h>
#include <sinew/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The matrices of mjd_transitionFD, in its layout, without finite steps: y' = A dy + B du, s = C dy + D du, with
   y = (qpos, qvel, act), positions in the tangent space, and s = sensordata. NULL: not wanted. They are one-sided
   derivatives of the constraints that act. Some sensors have none (docs/how/gradients.md): an error that names the
   first, unless C and D are NULL. The state is left as it was; what a step computes from it is that of mj_forward.
   Returns 0, or -1 and a text where there are no derivatives: what the model has is not supported, a number of the
   state is bad, the solver has not converged, the dynamics are singular. Matrices are not written then. */
MJAPI int sinew_transition(const mjModel* m, mjData* d, double* A, double* B, double* C, double* D, char* error,
                           int error_sz);

/* A and B of the step with smoothed constraints, near a change of modes, where one-sided derivatives of what acts tell
   little: what is about to act has a part, and what hardly acts loses some. Rows feel noise of `width` in their
   velocity after the step, of the logistic distribution, and exert the mean of their forces (docs/how/gradients.md).
   The matrices are the derivatives of that step; width 0 is sinew_transition. [m/s, rad/s] */
MJAPI int sinew_smoothTransition(const mjModel* m, mjData* d, double width, double* A, double* B, char* error,
                                 int error_sz);

/* The matrices of mjd_inverseFD for forces, in its layout (a row for each dof that is moved): of qfrc_inverse, at the
   accelerations in qacc, or of qfrc_inverse - qfrc_actuator with flg_actuation. NULL: not wanted. Returns 0, or -1 and
   a text. */
MJAPI int sinew_inverse(const mjModel* m, mjData* d, int flg_actuation, double* DfDq, double* DfDv, double* DfDa,
                        char* error, int error_sz);

/* Why steps of the model have no analytic derivatives, or "" if they have: written to a buffer; returns its length. */
MJAPI int sinew_transitionObstacle(const mjModel* m, char* buffer, int buffer_sz);

/* Gradients by parameters of the model, which are added to: arrays of the model's sizes, but for gains and biases (nu x
   3) and friction (ngeom, of sliding). NULL: not wanted. What the compiler has derived from them (inverse weights,
   ranges of lengths; masses and inertias of sizes) is held constant, but for the inertia of simple bodies (dof_M0),
   which follows theirs. */
typedef struct sinewParameterGradients_ {
  double* body_mass;
  double* body_inertia;
  double* dof_damping;
  double* dof_armature;
  double* dof_frictionloss;
  double* jnt_stiffness;
  double* actuator_gainprm;
  double* actuator_biasprm;
  double* geom_friction;
  double* geom_size;
} sinewParameterGradients;

/* The gradient of a scalar of a rollout of nstep steps (mj_step) from the present state, with controls ctrl (nstep x
   nu): given its slopes by the state (qpos, qvel, act) after each step, by_states (nstep x (nq + nv + na)), writes
   those by the state at the start, by_start (nq + nv + na), and by controls, by_ctrl (nstep x nu), and adds those by
   parameters. Results may be NULL. Slopes by a quaternion are those by its rotation, and orthogonal to it. Memory grows
   with the root of nstep; the state of the world is put back. Returns 0, or -1 and a text. */
MJAPI int sinew_rolloutGradient(const mjModel* m, mjData* d, int nstep, const double* ctrl, const double* by_states,
                                double* by_start, double* by_ctrl, const sinewParameterGradients* by_parameters,
                                char* error, int error_sz);

/* The same with smoothed constraints in the derivative of each step, from the states of the rollout as it is. */
MJAPI int sinew_smoothRolloutGradient(const mjModel* m, mjData* d, double width, int nstep, const double* ctrl,
                                      const double* by_states, double* by_start, double* by_ctrl,
                                      const sinewParameterGradients* by_parameters, char* error, int error_sz);

/* The same for the selected worlds of a batch, on its threads: matrices of the worlds follow one another. Each world
   has the bits that it has alone. A world without derivatives fails (sinew_batch_cause), and its matrices are not
   written. -1 and a text where no world can have any; else how many worlds failed. */
MJAPI int sinew_batch_transition(sinewBatch* b, const unsigned char* mask, double* A, double* B, double* C, double* D,
                                 char* error, int error_sz);

/* Gradients of a rollout of each selected world from its present state, as sinew_rolloutGradient has them: ctrl (worlds
   x nstep x nu), by_states (worlds x nstep x (nq + nv + na)), by_start, by_ctrl, and each array of by_parameters
   (worlds x size) likewise. Worlds stay where they are. */
MJAPI int sinew_batch_rolloutGradient(sinewBatch* b, const unsigned char* mask, int nstep, const double* ctrl,
                                      const double* by_states, double* by_start, double* by_ctrl,
                                      const sinewParameterGradients* by_parameters, char* error, int error_sz);

/* Both with smoothed constraints. */
MJAPI int sinew_batch_smoothTransition(sinewBatch* b, const unsigned char* mask, double width, double* A, double* B,
                                       char* error, int error_sz);
MJAPI int sinew_batch_smoothRolloutGradient(sinewBatch* b, const unsigned char* mask, double width, int nstep,
                                            const double* ctrl, const double* by_states, double* by_start,
                                            double* by_ctrl, const sinewParameterGradients* by_parameters, char* error,
                                            int error_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_GRADIENTS_H_ */
