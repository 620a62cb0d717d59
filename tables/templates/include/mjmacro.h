// Small helper macros. Those that test options expect a variable `m` of type mjModel* in scope.
#ifndef SINEW_MUJOCO_MJMACRO_H_
#define SINEW_MUJOCO_MJMACRO_H_

// The larger and the smaller of two numbers; an argument may be evaluated twice.
#define mjMAX(a, b) (((a) > (b)) ? (a) : (b))
#define mjMIN(a, b) (((a) < (b)) ? (a) : (b))

// Nonzero when any of the flags x (mjtDisableBit, mjtEnableBit) is set in m->opt.
#define mjDISABLED(x) (m->opt.disableflags & (x))
#define mjENABLED(x)  (m->opt.enableflags & (x))

// Nonzero when the group of actuator i is switched off by m->opt.disableactuator.
#define mjACTUATORDISABLED(i) (m->opt.disableactuator & (1 << m->actuator_group[i]))

// Lets the compiler check variadic arguments, the first of which is parameter m, against the format
// string, which is parameter n.
#ifndef mjPRINTFLIKE
  #if defined(__GNUC__)
    #define mjPRINTFLIKE(n, m) __attribute__((format(printf, n, m)))
  #else
    #define mjPRINTFLIKE(n, m)
  #endif
#endif

#endif  // SINEW_MUJOCO_MJMACRO_H_
