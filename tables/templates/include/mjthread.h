// Thread pools and the tasks that they execute.
#ifndef SINEW_MUJOCO_MJTHREAD_H_
#define SINEW_MUJOCO_MJTHREAD_H_

@constants

@enums

@types

#endif  // SINEW_MUJOCO_MJTHREAD_H_
