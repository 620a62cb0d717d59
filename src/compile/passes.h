// The passes of the compiler, in the order in which compile.cc runs them. A pass fills its part of the draft; the
// `Write` passes copy the finished draft into the model.
#ifndef SINEW_COMPILE_PASSES_H_
#define SINEW_COMPILE_PASSES_H_

#include "compile/draft.h"
#include "compile/topology/topology.h"

namespace sinew::inline compile {

// ---- names

// Names given twice, and assets without a name: these get the stem of their file.
void CheckNames(Spec& spec);

// ---- assets

void DraftAssets(Draft& draft);
void DraftMeshes(Draft& draft);
void DraftHFields(Draft& draft);
void DraftTextures(Draft& draft);
void WriteAssets(const Draft& draft, mjModel* m);
void WriteMeshes(const Draft& draft, mjModel* m);
void WriteHFields(const Draft& draft, mjModel* m);
void WriteTextures(const Draft& draft, mjModel* m);
void WriteSkins(const Draft& draft, mjModel* m);

// ---- plugins

// Numbers the instances. Then elements say which they use (-1: none), and the instances get their values.
void DraftPlugins(Draft& draft);
int UsePlugin(Draft& draft, const mjsPlugin& use, mjtPluginCapabilityBit capability);
void ConfigurePlugins(Draft& draft);

// Asks plugins for the sizes of their states and of the output of their sensors. They may read a model that is complete
// but for these sizes. True when there are plugins, and the model has to be written again.
bool AskPlugins(const mjModel& m, Draft& draft);
void WritePlugins(const Draft& draft, mjModel* m);

// ---- the tree

// Bodies with their parts, frames resolved, shapes and inertias computed.
void DraftTree(Draft& draft);

// Inertia of one body, from its own values or its geoms. Returns whether it is from its own values.
bool ResolveInertial(BodyDraft& body);

// Inertia of two bodies as one; both frames are in the frame of the result.
Inertial CombineInertials(const Inertial& a, const Inertial& b);

// Compiler options that change the tree.
void AlignFreeBodies(Draft& draft);
void FuseStaticBodies(Draft& draft);
void DiscardVisuals(Draft& draft);

// Scales all masses to the total of the compiler settings.
void SetTotalMass(Draft& draft);

// Ids of everything in the tree, in depth-first order.
void NumberTree(Draft& draft);

// Bodies that move must have mass and inertia.
void CheckMovingMass(const Draft& draft);

void WriteTree(const Draft& draft, const Topology& topology, mjModel* m);

// ---- flexes

// Vertices on numbered bodies, and what follows from the shape.
void DraftFlexes(Draft& draft);
void WriteFlexes(const Draft& draft, const Topology& topology, mjModel* m);

// ---- what refers to the tree

void DraftSkins(Draft& draft);
void DraftContacts(Draft& draft);
void DraftEqualities(Draft& draft);
void DraftTendons(Draft& draft);
void DraftActuators(Draft& draft);
void DraftSensors(Draft& draft);
void DraftContactLaws(Draft& draft);
void DraftSurfaces(Draft& draft);
void DraftTriangleMeshes(Draft& draft);
void DraftStick(Draft& draft);
int StickStates(const Draft& draft);  // numbers of mjData.history that anchors take
// Warns when the time step is too long for a compliant contact.
void CheckContactSteps(const Draft& draft, const mjModel* m);
// The functions by which joints and points move with a coordinate, in number arrays (model/kinds/motion.h).
void DraftMotions(Draft& draft);
// Limit forces, ligaments and bushings, in number arrays (model/kinds/spring_law.h, bushing.h).
void DraftPassiveElements(Draft& draft);

// Reflexes of actuators, which refer to sensors (model/kinds/reflex.h).
void DraftReflexes(Draft& draft);
void DraftCustom(Draft& draft);
int SensorDim(const Sensor& sensor);  // numbers that it delivers
int NumericSize(const Numeric& numeric);
int KeyCount(const Spec& spec);  // with fillers, which hold the reference configuration
void WriteContacts(const Draft& draft, mjModel* m);
void WriteEqualities(const Draft& draft, mjModel* m);
void WriteTendons(const Draft& draft, const Topology& topology, mjModel* m);
void WriteActuators(const Draft& draft, mjModel* m);
void WriteSensors(const Draft& draft, mjModel* m);
void WriteCustom(const Draft& draft, mjModel* m);
void WriteKeys(const Draft& draft, mjModel* m);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_PASSES_H_
