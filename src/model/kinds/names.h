// Names of the objects of a model, and the hash table in it that finds them.
//
// names_map has a block for each kind of object (docs/how/mjb.md), twice as many slots as there are objects, with open
// addressing: an object stands in the first free slot from hash mod slots on; -1 marks a free slot.
#ifndef SINEW_MODEL_KINDS_NAMES_H_
#define SINEW_MODEL_KINDS_NAMES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// The id of a named object (mjtObj), -1 if there is none. Bodies are found as mjOBJ_BODY and as mjOBJ_XBODY.
int Name2Id(const mjModel& m, int type, const char* name);

// The name of an object, nullptr if it has none or does not exist.
const char* Id2Name(const mjModel& m, int type, int id);

// The MJCF name of a kind of object, nullptr if it has none, and the reverse: mjOBJ_UNKNOWN if there is no such kind.
const char* TypeToString(int type);
int StringToType(const char* name);

// Objects of a kind; 0 for kinds without names.
int ObjectCount(const mjModel& m, int type);

// Slots that the names of all objects take: nnames_map.
mjtSize NamesMapSize(const mjModel& m);

// Fills names_map from the names.
void BuildNamesMap(mjModel* m);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_NAMES_H_
