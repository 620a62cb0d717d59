/* Elements of a specification that MuJoCo 3.8.0 does not have, made by a program without XML (docs/how/extensions.md).
 */
#ifndef SINEW_ELEMENTS_BEYOND_H_
#define SINEW_ELEMENTS_BEYOND_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of a muscle with a tendon (docs/how/musculotendon.md) in gainprm of an actuator, and in dynprm. */
enum {
  sinewMUSCLE_FORCE = 0,   /* peak force [N]; to be given */
  sinewMUSCLE_FIBERLENGTH, /* optimal [m]; to be given */
  sinewMUSCLE_SLACKLENGTH, /* of the tendon [m]; to be given */
  sinewMUSCLE_PENNATION,   /* in a specification the angle, in the unit of its compiler settings; in a model the sine */
  sinewMUSCLE_VMAX,        /* optimal fibre lengths per second; 10 */
  sinewMUSCLE_FIBERDAMPING,   /* 0.1 */
  sinewMUSCLE_STIFFNESSSCALE, /* of passive and tendon forces; 1 */
  sinewMUSCLE_CURVES,         /* 0: Millard's, 1: Hyfydy's, 2: De Groote's, 3: Thelen's, 4: Geyer's */
  sinewMUSCLE_RIGIDTENDON     /* 1: rigid, 0: elastic */
};
enum {
  sinewMUSCLE_TIMEACT = 0, /* 0.01 s */
  sinewMUSCLE_TIMEDEACT,   /* 0.04 s */
  sinewMUSCLE_TAUSMOOTH,   /* 0 */
  sinewMUSCLE_MINACT,      /* 0.01 */
  sinewMUSCLE_MASS,        /* [kg], of metabolic power; 0: by peak force and fibre length */
  sinewMUSCLE_SLOWSHARE    /* of slow twitch fibres, of metabolic power; 0.5 */
};

/* Makes a muscle with a tendon of an actuator, or of the actuator of a default class: the parameters that are not to be
   given are the usual ones. The number of activations follows from the tendon when the model is compiled. Functions
   such as mjs_setToMotor make another kind of it. Returns an empty text, or what is wrong. */
MJAPI const char* sinew_setToMusculotendon(mjsActuator* actuator);

/* Damping in proportion to the force [s/rad or s/m] of the limit force that was added to a joint last
   (sinew/passive_elements.h). Returns an empty text, or what is wrong. */
MJAPI const char* sinew_dampLimitForce(mjsJoint* joint, double forcedamping);

/* Curves of Millard's or Thelen's set with a shape of their own. */
enum { sinewCURVE_ACTIVE = 0, sinewCURVE_VELOCITY, sinewCURVE_PASSIVE, sinewCURVE_TENDON };

/* The numbers of activecurve, velcurve, passivecurve or tendoncurve; none: the published shape. Returns an empty text,
   or what is wrong. */
MJAPI const char* sinew_setMuscleCurve(mjsActuator* actuator, int curve, const double* numbers, int count);

/* What sensors of a muscle with a tendon measure. */
enum {
  sinewSENS_FIBERLENGTH = 1000, /* m */
  sinewSENS_FIBERVELOCITY,      /* m/s */
  sinewSENS_FIBERFORCE,         /* N, along the fibre */
  sinewSENS_PENNATION,          /* rad */
  sinewSENS_TENDONSTRAIN,
  sinewSENS_FIBERACTIVEFORCE,  /* N, along the fibre */
  sinewSENS_FIBERPASSIVEFORCE, /* N, along the fibre, with its damping */
  sinewSENS_FIBERPOWER,        /* W, positive where the fibre shortens */
  sinewSENS_TENDONENERGY,      /* J */
  sinewSENS_UMBERGERPOWER,     /* W, metabolic power by Umberger (2010) */
  sinewSENS_BHARGAVAPOWER      /* W, metabolic power by Bhargava (2004) */
};

/* Makes such a sensor, of the actuator of this name. Returns an empty text, or what is wrong. */
MJAPI const char* sinew_setToMuscleSensor(mjsSensor* sensor, int type, const char* actuator);

/* Functions of a coordinate (docs/how/function-joints.md), and the numbers that they are given by. */
enum {
  sinewFUNCTION_POLYNOMIAL = 0, /* up to 12 coefficients, ascending; none: the coordinate itself */
  sinewFUNCTION_SPLINE,         /* natural cubic; x of all points, which ascend, then their y */
  sinewFUNCTION_SIMMSPLINE,     /* the same, of OpenSim's SimmSpline */
  sinewFUNCTION_POLYLINE        /* the same, straight between the points */
};
enum { sinewMOTION_ROTATION = 0, sinewMOTION_TRANSLATION };

/* Makes a hinge or slide turn or shift its body by a function of its coordinate [rad or m]; at most three rotations and
   three translations. The joint then moves by these alone. The axis is in the frame that contains the joint. Returns an
   empty text, or what is wrong. */
MJAPI const char* sinew_addJointMotion(mjsJoint* joint, int motion, const double axis[3], int function,
                                       const double* numbers, int count);

/* Takes all of them away. */
MJAPI const char* sinew_clearJointMotions(mjsJoint* joint);

/* Shifts a site in its body by a function of the coordinate of the hinge or slide of this name; at most three times.
   The axis is in the frame that the position of the site is in. Returns an empty text, or what is wrong. */
MJAPI const char* sinew_addSiteMotion(mjsSite* site, const char* joint, const double axis[3], int function,
                                      const double* numbers, int count);
MJAPI const char* sinew_clearSiteMotions(mjsSite* site);

/* A point of a path counts while the coordinate of the hinge or slide of this name is in a range [rad or m], and is
   passed by otherwise; a joint of NULL or "": always. Returns an empty text, or what is wrong. */
MJAPI const char* sinew_setPathRange(mjsWrap* wrap, const char* joint, double lower, double upper);

/* Holds the coordinate of the first joint of an equality at a function of that of the second, in the place of its
   polynomial. A negative kind of function brings the polynomial back. Returns an empty text, or what is wrong. */
MJAPI const char* sinew_setJointCoupling(mjsEquality* equality, int function, const double* numbers, int count);

/* The law of compliant contacts of a geom or a pair, or of that of a default class (docs/how/compliant-contact.md):
   sinewNCONTACTLAW numbers, in the order that sinew/extensions.h gives. NaN: not given. NULL for a null pointer. */
MJAPI double* sinew_geomContactLaw(mjsGeom* geom);
MJAPI double* sinew_pairContactLaw(mjsPair* pair);

/* The surface of a geom, or of the geoms of a default class (docs/how/surfaces.md): sinewNSURFACE numbers, velocity and
   adhesion, in the order that sinew/extensions.h gives; and the adhesion of a pair, one number. NaN: not given. NULL
   for a null pointer. */
MJAPI double* sinew_geomSurface(mjsGeom* geom);
MJAPI double* sinew_pairAdhesion(mjsPair* pair);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_ELEMENTS_BEYOND_H_ */
