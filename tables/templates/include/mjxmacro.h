// Lists of fields as X macros: define X (and XVEC, XNV where they occur), expand a list, undefine
// X.
//
//     #define X(type, name, rows, columns) visit(#name, m->name, (rows), (columns));
//     MJMODEL_POINTERS
//     #undef X
//
// XVEC stands for members that are arrays. XNV stands for fields that building an mjvScene does not
// read; it is X unless it is defined otherwise after this header.
#ifndef SINEW_MUJOCO_MJXMACRO_H_
#define SINEW_MUJOCO_MJXMACRO_H_

// ---- mjOption: X(type, name, count)

@xmacros options

// ---- mjStatistic: X(name, count), all mjtNum

@xmacros statistic

// ---- mjVisual: X(type, name) or X(name); the quality list is int, the map and scale lists are
// float, the rgba list is float[4]

@xmacros visual

// ---- mjModel, sizes: X(name), all mjtSize, in the order of the struct

@xmacros sizes

// Column counts of MJMODEL_POINTERS that are sizes of the model: declares them as local variables.
@xmacros preamble

// ---- mjModel, arrays: X(type, name, rows, columns), in the order of the struct and of MJB files

// Wraps counts that are members of mjModel, MJ_D those that are members of mjData; redefine them to
// prefix the model or the data.
#define MJ_M(n) n
#define MJ_D(n) n

@xmacros model

// ---- mjData, arrays of the main buffer: X(type, name, rows, columns)

@xmacros buffer

// ---- mjData, arrays of the arena: X(type, name, rows, columns)

@xmacros arena

// ---- mjData, members that are no arrays: X(type, name)

@xmacros scalars

// ---- mjData, arrays of fixed size: X(type, name, rows, columns)

@xmacros vectors

#define XNV X

#endif  // SINEW_MUJOCO_MJXMACRO_H_
