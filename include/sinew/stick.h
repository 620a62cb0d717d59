/* Contacts that hold their point (docs/how/stick.md). */
#ifndef SINEW_STICK_H_
#define SINEW_STICK_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number array of models in which any contact does: the number of anchors that a world has room for, 1 or 0 for
   contacts of which geoms and pairs say nothing, then for each geom and for each pair 1 (enable), 0 (disable) or -1
   (nothing). Programs may change all but the first between steps. */
#define sinewSTICK "sinew/stick"

/* The anchor of a contact. Those of a world are the last numbers of mjData.history, which resets clear and state
   vectors carry; what is all zero is none. */
typedef struct sinewAnchor_ {
  double geom[2];     /* 1 + their ids */
  double point[2][3]; /* of the contact, in the frames of both geoms [m] */
  double slide[3];    /* of the second surface on the first since they took hold, in world axes [m] */
  double turn[3];     /* likewise [rad] */
  double normal[3];
  double stiffness; /* of the first tangent [N/m] */
} sinewAnchor;

/* Whether contacts of a geom, of the geoms of a default class, or of a pair hold their point: 1, 0, or -1 for not
   given. NULL for a null pointer. */
MJAPI int* sinew_geomStick(mjsGeom* geom);
MJAPI int* sinew_pairStick(mjsPair* pair);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_STICK_H_ */
