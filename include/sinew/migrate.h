/* Model files of older releases of MuJoCo, rewritten for the present one (docs/how/mjcf.md). */
#ifndef SINEW_MIGRATE_H_
#define SINEW_MIGRATE_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads an MJCF file and writes it without the words that are gone, with files that it includes in place of their
   <include> and with paths relative to where it is written. `changes` takes a line for each change, and one that begins
   with "left: " for each word that a person must decide about; what does not fit is cut off. Returns the number of
   lines, or -1 and a text when the file is no XML or cannot be written. */
MJAPI int sinew_migrateXml(const char* filename, const char* output, const mjVFS* vfs, char* changes, int changes_sz,
                           char* error, int error_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_MIGRATE_H_ */
