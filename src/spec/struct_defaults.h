// Initial values of the public structs of mjspec.h: what an element has before its default class and the user speak.
// Everything that is not named in struct_defaults.cc is zero, and pointers are null: the caller binds them.
// A NaN means "not given": the compiler then derives the value.
#ifndef SINEW_SPEC_STRUCT_DEFAULTS_H_
#define SINEW_SPEC_STRUCT_DEFAULTS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline spec {

void SetDefaults(mjSpec* spec);
void SetDefaults(mjsOrientation* orientation);
void SetDefaults(mjsPlugin* plugin);
void SetDefaults(mjsBody* body);
void SetDefaults(mjsFrame* frame);
void SetDefaults(mjsJoint* joint);
void SetDefaults(mjsGeom* geom);
void SetDefaults(mjsSite* site);
void SetDefaults(mjsCamera* camera);
void SetDefaults(mjsLight* light);
void SetDefaults(mjsFlex* flex);
void SetDefaults(mjsMesh* mesh);
void SetDefaults(mjsHField* hfield);
void SetDefaults(mjsSkin* skin);
void SetDefaults(mjsTexture* texture);
void SetDefaults(mjsMaterial* material);
void SetDefaults(mjsPair* pair);
void SetDefaults(mjsExclude* exclude);
void SetDefaults(mjsEquality* equality);
void SetDefaults(mjsTendon* tendon);
void SetDefaults(mjsWrap* wrap);
void SetDefaults(mjsActuator* actuator);
void SetDefaults(mjsSensor* sensor);
void SetDefaults(mjsNumeric* numeric);
void SetDefaults(mjsText* text);
void SetDefaults(mjsTuple* tuple);
void SetDefaults(mjsKey* key);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_STRUCT_DEFAULTS_H_
