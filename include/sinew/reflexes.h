/* Reflexes: what delayed sensors add to the controls of actuators (docs/how/reflexes.md). */
#ifndef SINEW_REFLEXES_H_
#define SINEW_REFLEXES_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number array of models that have any. It begins with a number for each actuator: where its own numbers begin in
   the array, or 0 where it has none. There stand the count of its reflexes, and sinewNREFLEX numbers for each. Programs
   may change them between steps. */
#define sinewREFLEXES "sinew/reflexes"
enum {
  sinewREFLEX_SENSOR,
  sinewREFLEX_GAIN,
  sinewREFLEX_REFERENCE,
  sinewREFLEX_OFFSET,
  sinewREFLEX_RECTIFY, /* 1: nothing below the reference */
  sinewREFLEX_FACTOR,  /* a sensor, or -1 */
  sinewREFLEX_PHASES,  /* how many of the phases that follow count: sensor, lower and upper end for each */
  sinewREFLEX_FIRST_PHASE,
  sinewMAX_REFLEX_PHASES = 4,
  sinewNREFLEX = sinewREFLEX_FIRST_PHASE + 3 * sinewMAX_REFLEX_PHASES
};

/* A reflex of an actuator in a specification: offset + gain (s - reference), the difference not below zero where it is
   rectified, times the value of a second sensor where one is named (NULL or "": none). Phases are of the last reflex
   that was added: it acts while all their sensors are within their ranges. They return an empty text, or what is wrong
   with the arguments; names and numbers are checked when the model is compiled. */
MJAPI const char* sinew_addReflex(mjsActuator* actuator, const char* sensor, double gain, double reference,
                                  double offset, int rectify, const char* factor);
MJAPI const char* sinew_addReflexPhase(mjsActuator* actuator, const char* sensor, const double range[2]);
MJAPI const char* sinew_clearReflexes(mjsActuator* actuator);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_REFLEXES_H_ */
