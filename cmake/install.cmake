# Installation: headers, library, program, CMake packages `mujoco` and `sinew`, pkg-config files.
