/* Limit forces of joints, ligaments along tendons and bushings between sites (docs/how/passive-elements.md). */
#ifndef SINEW_PASSIVE_ELEMENTS_H_
#define SINEW_PASSIVE_ELEMENTS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number arrays of models that have any. That of limit forces and ligaments begins with a number for each joint and
   each tendon: where its own numbers begin in the array, or 0 where it has none. Each bushing has the ids of its two
   sites, 36 numbers of stiffness and 6 of damping. Programs may change these between steps. */
#define sinewSPRINGLAWS "sinew/springlaws"
#define sinewBUSHINGS "sinew/bushings"

/* What follows makes them in a specification. Each call adds one; sinew_clear... takes all of an element away. They
   return an empty text, or what is wrong with the arguments; numbers are checked when the model is compiled. */

/* A force that holds a hinge or slide within a range of its coordinate [rad or m]: stiffness below and above the range
   and damping, which are complete behind the transition. */
MJAPI const char* sinew_addLimitForce(mjsJoint* joint, const double range[2], const double stiffness[2], double damping,
                                      double transition);
MJAPI const char* sinew_clearLimitForces(mjsJoint* joint);

/* A ligament along a spatial tendon, by the law of Blankevoort: slack length [m], stiffness [N per strain], the strain
   where the toe ends, damping [N s]. */
MJAPI const char* sinew_addLigament(mjsTendon* tendon, double slacklength, double stiffness, double transition,
                                    double damping);
/* One whose force is a force [N] times a function of the length in slack lengths, which is given as above. */
MJAPI const char* sinew_addLigamentCurve(mjsTendon* tendon, double slacklength, double force, int function,
                                         const double* numbers, int count);
MJAPI const char* sinew_clearLigaments(mjsTendon* tendon);

/* A spring and damper between this site and the one of a name: 6 or 36 numbers of stiffness, 6 of damping or NULL. */
MJAPI const char* sinew_addBushing(mjsSite* site, const char* other, const double* stiffness, int nstiffness,
                                   const double* damping);
MJAPI const char* sinew_clearBushings(mjsSite* site);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_PASSIVE_ELEMENTS_H_ */
