/* What this library offers in C beside the established interface. Names begin with sinew_. */
#ifndef SINEW_EXTENSIONS_H_
#define SINEW_EXTENSIONS_H_

#include <mujoco/mujoco.h>
#include <sinew/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, as "0.1.0"; SINEW_VERSION is that which a program was compiled with, and
   mj_versionString the interface's. */
MJAPI const char* sinew_versionString(void);

/* Types of actuators, sensors and integrators from here on are not those of the established interface. */
#define sinewFIRST_EXTENSION 1000

/* Integrators that control the error of their steps: values of mjOption.integrator. The model must be compiled for one,
   so that its worlds have their state. A number array of the model with this name holds accuracy, norm (1: largest, 0:
   root of the mean square), shortest and longest step (0: none, the time step). */
enum { sinewINT_MERSON = sinewFIRST_EXTENSION, sinewINT_RK3, sinewINT_EULER2 };
#define sinewACCURACY "sinew/accuracy"

/* Their state: the last numbers of mjData.history. */
typedef struct sinewErrorControl_ {
  double step;     /* that the last one suggests [s]; 0: none yet */
  double accepted; /* steps since the reset */
  double rejected;
  double forced; /* accepted although their error was too large, since they could not be shorter */
} sinewErrorControl;

/* Laws of compliant contacts (docs/how/compliant-contact.md): a number array of models that have any. Slip speed and
   mixing, then for each geom and for each pair: model (0: solver, 1: Hertz, 2: linear, 3: damped), modulus, stiffness,
   dissipation, static, dynamic and viscous friction, law of friction, curvature, slip speed, mixing. Programs may
   change them between steps. */
#define sinewCONTACTS "sinew/contacts"
enum { sinewNCONTACTHEAD = 2, sinewNCONTACTLAW = 11 };

/* Surfaces that move and that stick (docs/how/surfaces.md): a number array of models in which a geom or a pair says
   anything about it. For each geom the velocity of its surface, three numbers of a constant velocity [m/s] and three of
   an angular one [rad/s], in its frame, and its adhesion [N]; then the adhesion of each pair. Programs may change them
   between steps. */
#define sinewSURFACES "sinew/surfaces"
enum { sinewSURFACE_VELOCITY = 0, sinewSURFACE_ADHESION = 6, sinewNSURFACE = 7 };

/* What moves by functions of a coordinate (docs/how/function-joints.md): number arrays of models that have any. They
   begin with a number for each joint, site, step of all paths of tendons, or equality: where its own numbers begin in
   the array, or 0 where it has none. Programs may change these between steps. */
#define sinewMOTIONS "sinew/motions"
#define sinewPOINTS "sinew/points"
#define sinewRANGES "sinew/ranges"
#define sinewCOUPLINGS "sinew/couplings"

/* What a reader of URDF does beyond the common core of the format; all zero is what mj_parseXML does
 * (docs/models/urdf.md). */
typedef struct sinewUrdfOptions_ {
  int mimic;                /* <mimic> becomes an equality of two joints */
  int visuals;              /* shapes that are only seen are kept */
  int actuators;            /* transmissions become motors */
  int floatingbase;         /* links without a parent joint move freely */
  int meshpaths;            /* no effect: meshes are told apart by whole path and scale */
  const char* package_path; /* folders for package:// addresses, separated by colons; NULL: none */
} sinewUrdfOptions;

/* Reads a model as mj_parseXML does; the options count when it is a robot. NULL and a text when that fails. */
MJAPI mjSpec* sinew_parseUrdf(const char* filename, const sinewUrdfOptions* options, const mjVFS* vfs, char* error,
                              int error_sz);

/* Writes the schema of MJCF as an XML Schema document into a buffer; returns its length without the closing zero, also
   when the buffer is too short or NULL. */
MJAPI int sinew_printXsd(char* buffer, int buffer_sz);

/* What loading a model may cost, since a short file can ask for more than there is: bytes of memory for the model with
   a world of it, and seconds for reading and compiling. A load that goes beyond fails, and its error names the element
   that asks for it. Holds for loads of all threads that begin afterwards; 0 is the default, less than 0 no limit. By
   default, memory is half of what the machine has and the process may take, and time is ten minutes. */
MJAPI void sinew_setLoadLimits(double bytes, double seconds);

/* Files on disk are read below this folder alone, whatever "..", links and absolute paths in a model say: by loads that
   begin afterwards with this virtual file system, or, where it is NULL, by all loads of the process that have none of
   their own. NULL or "" lifts the bound; without any, all files may be read, as in MuJoCo 3.8.0, or those below
   SINEW_FILE_ROOT of the environment. Files in memory, and those of providers, are not restricted. */
MJAPI void sinew_setFileRoot(mjVFS* vfs, const char* folder);

/* Snapshots: the whole state of a world (mjSTATE_INTEGRATION, and which trees sleep) with a version and a checksum. A
   world that was made for a model of the same structure continues from one bit for bit. Memory that plugins keep for
   themselves is not part of it. */

/* Bytes of a snapshot of this model's worlds. */
MJAPI int sinew_snapshotSize(const mjModel* m);

/* Writes a snapshot and returns its bytes; an error when the buffer is too short. */
MJAPI int sinew_saveSnapshot(const mjModel* m, const mjData* d, void* buffer, int buffer_sz);

/* Takes the state of a snapshot; results that depend on it are not computed. Returns 0, or -1 and a text when the bytes
   are damaged, of another version, or of another model: then the world is untouched. */
MJAPI int sinew_loadSnapshot(const mjModel* m, mjData* d, const void* buffer, int buffer_sz, char* error, int error_sz);

/* "libc++" or "libstdc++": the C++ library whose strings and vectors specifications hold (mjString, mjDoubleVec, ...).
   Programs that fill them in C++, as the modules of the Python package do, need the same one. */
MJAPI const char* sinew_cxxLibrary(void);

/* Pictures of worlds, drawn on the processor: no display and no graphics driver (docs/how/rendering.md). */
typedef struct sinewRenderer_ sinewRenderer;

/* A renderer for worlds of a model. samples: rays of a pixel, 1 or 4, or 0 for four only where neighbours differ. NULL
   and a text for a size or a number of samples that is not possible. */
MJAPI sinewRenderer* sinew_makeRenderer(const mjModel* m, int width, int height, int samples, char* error,
                                        int error_sz);
MJAPI void sinew_freeRenderer(sinewRenderer* renderer);
MJAPI void sinew_rendererSize(const sinewRenderer* renderer, int* width, int* height);

/* Draws worlds, as they are after mj_forward, on all processors. Pictures follow one another, rows from top to bottom:
   rgb, 3 bytes a pixel; depth, along the camera's axis [m], infinite where there is nothing; segments, 2 numbers a
   pixel, mjtObj and id of what is nearest, -1 where there is nothing. What is NULL is left out. Returns 0, or -1 and a
   text. */
MJAPI int sinew_renderWorlds(sinewRenderer* renderer, const mjModel* m, mjData* const* worlds, int nworld,
                             const mjvOption* option, const mjvCamera* camera, unsigned char* rgb, float* depth,
                             int* segments, char* error, int error_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_EXTENSIONS_H_ */
