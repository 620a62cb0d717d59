// The parts of a scene, in the order in which UpdateScene adds them; a file holds a family of them.
#ifndef SINEW_SCENE_PARTS_H_
#define SINEW_SCENE_PARTS_H_

#include "scene/builder.h"

namespace sinew::inline scene {

// ---- what the model consists of

void AddModelGeoms(SceneBuilder& scene);    // model_shapes.cc
void AddSites(SceneBuilder& scene);         // model_shapes.cc
void AddTendons(SceneBuilder& scene);       // tendons.cc
void AddSliderCranks(SceneBuilder& scene);  // tendons.cc
void AddFlexes(SceneBuilder& scene);        // deformables.cc
void AddSkins(SceneBuilder& scene);         // deformables.cc

// ---- decoration

void AddGeomFrames(SceneBuilder& scene);     // bodies.cc
void AddSiteFrames(SceneBuilder& scene);     // bodies.cc
void AddBodyVolumes(SceneBuilder& scene);    // volumes.cc
void AddFlexVolumes(SceneBuilder& scene);    // volumes.cc
void AddMeshVolumes(SceneBuilder& scene);    // volumes.cc
void AddInertias(SceneBuilder& scene);       // bodies.cc
void AddPerturbation(SceneBuilder& scene);   // selection.cc
void AddBodyFrames(SceneBuilder& scene);     // bodies.cc
void AddSelectedPoint(SceneBuilder& scene);  // selection.cc
void AddBodyLabels(SceneBuilder& scene);     // bodies.cc
void AddJoints(SceneBuilder& scene);         // joints.cc
void AddActuators(SceneBuilder& scene);      // actuators.cc
void AddIslandLabels(SceneBuilder& scene);   // bodies.cc
void AddCameras(SceneBuilder& scene);        // devices.cc
void AddLights(SceneBuilder& scene);         // devices.cc
void AddCentresOfMass(SceneBuilder& scene);  // bodies.cc
void AddConnections(SceneBuilder& scene);    // joints.cc
void AddRangefinders(SceneBuilder& scene);   // sensors.cc
void AddPerturbForces(SceneBuilder& scene);  // selection.cc
void AddEqualities(SceneBuilder& scene);     // contacts.cc
void AddContacts(SceneBuilder& scene);       // contacts.cc

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_PARTS_H_
