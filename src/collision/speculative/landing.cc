#include "collision/speculative/landing.h"

#include <algorithm>

#include "collision/analytic/analytic.h"
#include "collision/contact.h"
#include "model/kinds/contact_exclude.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

constexpr double kSlow = 0.25;      // of the half thickness of fast geoms: an approach in a step that contacts can stop
constexpr double kDeep = 0.5;       // of both half thicknesses: a depth from which one gets out on the right side
constexpr double kMostOfArc = 0.5;  // of the gap
constexpr double kFarther = 2;      // than both sweeps: how far a point may get that another contact makes faster

// Half the thickness of the thinner one of those that are fast.
double ThicknessOfFast(const mjModel* m, const StepMotions& motions, const ItemPair& pair) {
  double thickness = kInfinity;
  for (const int geom : {pair.first.id, pair.second.id}) {
    if (motions.IsFast(geom)) thickness = std::min(thickness, HalfThickness(m, geom));
  }
  return thickness;
}

// How deep one of two geoms may get into the other before it is nearer to get out on the wrong side. Planes and height
// fields have one side, on which only fast geoms count. Contacts of signed distance fields are no deeper than the
// thinner one is thick.
double ThicknessToPass(const mjModel* m, const StepMotions& motions, int geom1, int geom2) {
  const bool is_flat = IsFlat(m->geom_type[geom1]);
  if (is_flat && !motions.IsFast(geom2)) return kInfinity;
  const double half1 = HalfThickness(m, geom1), half2 = HalfThickness(m, geom2);
  const bool is_field = m->geom_type[geom1] == mjGEOM_SDF || m->geom_type[geom2] == mjGEOM_SDF;
  return is_field ? std::min(half1, half2) : half1 + half2;
}

// How far the second geom comes nearer to the first in a step, at a point of both.
double ClosingOf(const StepMotions& motions, int geom1, int geom2, const Vec3<double>& pos,
                 const Vec3<double>& normal) {
  return Dot(normal, motions.ShiftOf(geom1, pos) - motions.ShiftOf(geom2, pos));
}

// In how many steps the damping of a contact takes its velocity: 1 / (B h), where B is 2 / (dwidth timeconst).
double StepsToStop(const mjOption& option, const mjContact& contact) {
  return 0.5 * std::max(contact.solref[0], 2 * option.timestep) / option.timestep;
}

// A point that a rotation brings down goes along an arc. Above the centre of its geom, it goes deeper than along the
// tangent: by about half of the height times the square of the angle.
double DescentOfArc(const Vec3<double>& arm, const Vec3<double>& away, double gap) {
  const double height = Dot(arm, away), lever = Norm(arm - away * height);
  if (!(height > 0)) return 0;
  const double angle = gap < lever ? gap / lever : 1;
  return std::min(0.5 * height * angle * angle, kMostOfArc * gap);
}

bool Bounces(const mjContact& contact) { return contact.solref[0] == 0 && contact.solref[1] < 0; }

// With B = 1/h and K d = 1/h^2 the reference is -(v + gap/h) / h: it leads to the velocity -gap/h. The regularization
// is the least that there is.
void LandApart(double timestep, mjContact& contact) {
  contact.exclude = contact_exclude::kActive;
  if (Bounces(contact)) return;
  contact.solimp[0] = contact.solimp[1] = mjMAXIMP;
  contact.solref[0] = -mjMAXIMP / (timestep * timestep);
  contact.solref[1] = -mjMAXIMP / timestep;
}

// With K d = 1 / (h timeconst), it leads to the velocity depth / timeconst.
void LandTouching(double timestep, mjContact& contact) {
  const double time = std::max(contact.solref[0], 2 * timestep);
  contact.solimp[0] = contact.solimp[1] = mjMAXIMP;
  contact.solref[0] = -mjMAXIMP / (timestep * time);
  contact.solref[1] = -mjMAXIMP / timestep;
}

}  // namespace

void LandTouchingContacts(const mjModel* m, mjData* d, const StepMotions& motions) {
  int geom1 = -1, geom2 = -1;
  double limit = 0, sweeps = 0;  // of that pair
  for (int i = 0; i < d->ncon; ++i) {
    mjContact& contact = d->contact[i];
    if (contact.exclude != contact_exclude::kActive || contact.solref[0] <= 0) continue;
    if (contact.geom[0] != geom1 || contact.geom[1] != geom2) {
      geom1 = contact.geom[0], geom2 = contact.geom[1];
      limit = kDeep * ThicknessToPass(m, motions, geom1, geom2);
      sweeps = motions.SweepOf(geom1) + motions.SweepOf(geom2);
    }
    const double steps = 1 + StepsToStop(m->opt, contact), depth = contact.includemargin - contact.dist;
    if (depth + steps * sweeps <= limit) continue;
    const double stop = steps * ClosingOf(motions, geom1, geom2, LoadVec3(contact.pos), LoadVec3(contact.frame));
    if (stop > kSlow * limit && depth + stop > limit) LandTouching(m->opt.timestep, contact);
  }
}

Landings::Landings(const mjModel* m, mjData* d, const StepMotions& motions, const ItemPair& pair)
    : m_(m),
      d_(d),
      motions_(motions),
      pair_(pair),
      first_(motions.Of(pair.first.id)),
      second_(motions.Of(pair.second.id)),
      margin_(IncludeMargin(m, pair)),
      slow_(kSlow * ThicknessOfFast(m, motions, pair)) {}

double Landings::ClosingAt(const Vec3<double>& pos, const Vec3<double>& normal) const {
  return ClosingOf(motions_, pair_.first.id, pair_.second.id, pos, normal);
}

// A point that both geoms have at a part of the step, where it is at the start: as each of them carries it, by how far
// they go.
Vec3<double> Landings::AtStart(double part, const Vec3<double>& pos) const {
  const double first = first_.Sweep(), second = second_.Sweep(), weight = first / (first + second);
  return pos - (first_.shift * weight + second_.shift * (1 - weight)) * part;
}

void Landings::AddPoint(double part, const Vec3<double>& on_first, const Vec3<double>& on_second,
                        const Vec3<double>& normal) {
  if (count_ == kMost) return;
  Landing& landing = landing_[count_++];
  landing.pos = AtStart(part, (on_first + on_second) * 0.5);
  landing.normal = normal;
  const double closing = ClosingAt(landing.pos, normal), apart = Dot(normal, on_second - on_first) - margin_;
  const double gap = std::max(std::max(apart, 0.0) + part * closing, 0.0);
  const DataView<double> d = ViewOf(d_);
  const double arc = DescentOfArc(on_first - d.geom_xpos(pair_.first.id) - first_.shift * part, -normal, gap) +
                     DescentOfArc(on_second - d.geom_xpos(pair_.second.id) - second_.shift * part, normal, gap);
  landing.gap = std::max(gap - arc, 0.0);
  lands_ |= closing > std::max(gap, slow_);
}

// Once a contact takes a part of the approach, all other points may become faster.
void Landings::Finish() {
  const double reach = kFarther * (first_.Sweep() + second_.Sweep());
  for (int i = 0; i < count_ && lands_; ++i) {
    const auto& [pos, normal, gap] = landing_[i];
    if (gap > reach) continue;
    mjContact contact;
    WriteContactPoint({margin_ + gap, pos, normal}, Zero3<double>(), contact);
    CompleteParameters(m_, pair_, &contact, 1);
    CompleteFrame(contact.frame);
    LandApart(m_->opt.timestep, contact);
    AddContact(d_, contact);
  }
}

}  // namespace sinew::inline collision
