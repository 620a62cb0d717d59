// Names of objects and of their kinds (mjtObj). Ids are -1 and names null where there is none.
#include "model/kinds/names.h"
#include "capi/arguments.h"

#include <mujoco/mujoco.h>

// Names are looked up in the hash table that the compiler has put into the model.
int mj_name2id(const mjModel* m, int type, const char* name) {
  SINEW_CHECK(mj_name2id);
  return sinew::Name2Id(*m, type, name);
}
const char* mj_id2name(const mjModel* m, int type, int id) {
  SINEW_CHECK(mj_id2name);
  return sinew::Id2Name(*m, type, id);
}
// Names of kinds are those of elements and attributes in MJCF.
const char* mju_type2Str(int type) { return sinew::TypeToString(type); }
int mju_str2Type(const char* str) { return sinew::StringToType(str); }
