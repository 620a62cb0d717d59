// The kinds of constraints, in the order of their rows. Each function adds the rows of all active constraints of its
// kind.
#ifndef SINEW_CONSTRAINT_KINDS_H_
#define SINEW_CONSTRAINT_KINDS_H_

#include "constraint/row_builder.h"
#include "model/kinds/motion.h"

namespace sinew::inline constraint {

// Equality `id`, by type.
void AddConnect(RowBuilder& build, int id);  // equality_bodies.cc
void AddWeld(RowBuilder& build, int id);
void AddJointEquality(RowBuilder& build, const JointCouplings& couplings, int id);  // equality_scalar.cc
void AddTendonEquality(RowBuilder& build, int id);
void AddFlexEdges(RowBuilder& build, int id);  // equality_flex.cc
void AddFlexVertices(RowBuilder& build, int id);
void AddFlexStrain(RowBuilder& build, int id);  // equality_strain.cc

void AddDofFriction(RowBuilder& build);  // friction_loss.cc
void AddTendonFriction(RowBuilder& build);
void AddTendonMetricRows(RowBuilder& build);
void AddFlexMetricRows(RowBuilder& build);

void AddJointLimits(RowBuilder& build);  // limit.cc
void AddTendonLimits(RowBuilder& build);

void AddContacts(RowBuilder& build);  // contact_rows.cc

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_KINDS_H_
