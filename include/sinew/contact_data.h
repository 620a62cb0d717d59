/* Fields of contact sensors that are not in mjtConDataField (docs/models/sensors.md). */
#ifndef SINEW_CONTACT_DATA_H_
#define SINEW_CONTACT_DATA_H_

#include <mujoco/mujoco.h>

/* Bits of the first number of a contact sensor (mjModel.sensor_intprm), with the values and the meaning that they have
   from MuJoCo 3.16 on: velocity [m/s] of the second object at the contact relative to the first, and its relative
   rotation [rad/s], both in the frame of the contact (3 numbers each). The motion of surfaces is not in it. Not with a
   reduction to the net force. */
enum { sinewCONDATA_LINVEL = 7, sinewCONDATA_ANGVEL = 8, sinewNCONDATA = 9 };

#endif /* SINEW_CONTACT_DATA_H_ */
