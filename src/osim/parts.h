// What models of muscles have in common, whichever program has made them: settings, and how points, paths, contacts
// and bones are shown.
#ifndef SINEW_OSIM_PARTS_H_
#define SINEW_OSIM_PARTS_H_

#include <memory>
#include <span>
#include <string>

#include "osim/context.h"

namespace sinew::osim {

// Angles in radians, and steps for muscles with stiff tendons: implicit ones, which take constraints and muscles in one
// metric. Gravity is in ground, in which y is up.
void BecomeMuscleModel(mjSpec& spec, const Vec3<double>& gravity);

void ShowPathPoint(Site& site);
void ShowMuscle(Tendon& tendon);
void ShowContact(Geom& geom);
// It touches nothing and has no mass.
void ShowShape(Geom& geom);

// A mesh that is only seen: its file is beside the document, or in its folder Geometry. Null where it is not there,
// which is told.
const Mesh* AddShownMesh(ImportContext& context, const XmlNode& node, const std::string& file, const std::string& name,
                         const Vec3<double>& scale);

// Makes the specification of a document in the folder `folder`: read(context) fills it. Throws Error with all problems;
// what was dropped is in its warnings. `reasons`: of elements that are always dropped.
template <class ContextOf, class Read>
std::unique_ptr<Spec> ReadIntoSpec(const std::string& folder, const mjVFS* vfs,
                                   std::span<const mjcf::DropReason> reasons, const Read& read) {
  auto spec = std::make_unique<Spec>();
  *spec->modelfiledir = folder;
  mjcf::Problems problems;
  ContextOf context{{*spec, problems, mjcf::Dropped(reasons), folder, vfs}};
  read(context);
  problems.Throw();
  spec->warnings = context.dropped.Texts();
  return spec;
}

}  // namespace sinew::osim

#endif  // SINEW_OSIM_PARTS_H_
