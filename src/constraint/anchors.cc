#include "constraint/anchors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "constraint/contact_rows.h"
#include "constraint/impedance.h"
#include "constraint/row_velocity.h"
#include "constraint/wrench.h"
#include "core/stack.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/kinds/stick.h"
#include "model/state/awake.h"

namespace sinew::inline constraint {
namespace {

using Vector = Vec3<double>;

// ---- whose anchor

// A point in the frame of a geom.
Vector InGeom(const mjData* d, int geom, const Vector& point) {
  return MulTransposed(LoadMat3(d->geom_xmat + 9 * geom), point - LoadVec3(d->geom_xpos + 3 * geom));
}

bool IsOf(const Anchor& anchor, const mjContact& contact) {
  return anchor.geom[0] == contact.geom[0] + 1 && anchor.geom[1] == contact.geom[1] + 1;
}
bool IsEmpty(const Anchor& anchor) { return anchor.geom[0] == 0 && anchor.geom[1] == 0; }

// The squared distance of two points in the frames of both geoms: the smaller one.
double DistanceOf(const Anchor& anchor, const Vector (&point)[2]) {
  const Vector first = point[0] - LoadVec3(anchor.point[0]), second = point[1] - LoadVec3(anchor.point[1]);
  return std::min(Dot(first, first), Dot(second, second));
}

// For each contact that holds its point its number among the anchors, kNew for one that has none yet, or kNone.
class AnchorsOfContacts {
 public:
  static constexpr int kNone = -2, kNew = -1;

  AnchorsOfContacts(const mjModel* m, mjData* d, StackFrame& frame) : d_(d), anchors_(AnchorsOf(m, d)) {
    const StickSettings settings(m);
    of_contact_ = frame.Ints(d->ncon);
    is_taken_ = frame.Ints(static_cast<ptrdiff_t>(anchors_.size()));
    std::fill_n(is_taken_, anchors_.size(), 0);
    for (int id = 0; id < d->ncon; ++id) {
      const mjContact& contact = d->contact[id];
      of_contact_[id] = contact.efc_address >= 0 && settings.Holds(contact) ? kNew : kNone;
    }
    while (used_ < anchors_.size() && !IsEmpty(anchors_[used_])) ++used_;
    // Contacts of a pair of geoms follow one another, and so do their anchors, mostly in the order of the last step.
    for (int first = 0; first < d->ncon;) {
      int end = first + 1;
      while (end < d->ncon && IsSamePair(d->contact[first], d->contact[end])) ++end;
      MatchPair(first, end);
      first = end;
    }
  }

  int operator[](int contact) const { return of_contact_[contact]; }
  bool IsTaken(int anchor) const { return is_taken_[anchor] != 0; }

 private:
  static bool IsSamePair(const mjContact& a, const mjContact& b) {
    return a.geom[0] == b.geom[0] && a.geom[1] == b.geom[1];
  }

  // Looks for the anchors of a pair where those of the pair before have ended, then from the front.
  bool FindAnchors(const mjContact& contact) {
    begin_ = end_;
    for (size_t passed = 0; passed < used_; ++passed, ++begin_) {
      if (begin_ >= used_) begin_ = 0;
      if (!IsOf(anchors_[begin_], contact)) continue;
      end_ = begin_ + 1;
      while (end_ < used_ && IsOf(anchors_[end_], contact)) ++end_;
      return true;
    }
    return false;
  }

  // Gives the anchors of a pair to its contacts, the nearest ones first.
  void MatchPair(int first, int end) {
    const bool any = std::any_of(of_contact_ + first, of_contact_ + end, [](int number) { return number == kNew; });
    if (!any || !FindAnchors(d_->contact[first])) return;
    StackFrame frame(d_);
    const auto rows = static_cast<size_t>(end - first), columns = end_ - begin_;
    double* distance = frame.Doubles(static_cast<ptrdiff_t>(rows * columns));
    for (size_t i = 0; i < rows; ++i) {
      const mjContact& contact = d_->contact[first + static_cast<int>(i)];
      const Vector at = LoadVec3(contact.pos);
      const Vector point[2] = {InGeom(d_, contact.geom[0], at), InGeom(d_, contact.geom[1], at)};
      for (size_t k = 0; k < columns; ++k) distance[i * columns + k] = DistanceOf(anchors_[begin_ + k], point);
    }
    while (TakeNearest(first, rows, distance)) {
    }
  }

  // False: no anchor or no contact is left.
  bool TakeNearest(int first, size_t rows, const double* distance) {
    const size_t columns = end_ - begin_;
    double least = std::numeric_limits<double>::infinity();
    size_t row = 0, column = 0;
    for (size_t i = 0; i < rows; ++i) {
      if (of_contact_[first + static_cast<int>(i)] != kNew) continue;
      for (size_t k = 0; k < columns; ++k) {
        if (is_taken_[begin_ + k] || !(distance[i * columns + k] < least)) continue;
        least = distance[i * columns + k];
        row = i;
        column = k;
      }
    }
    if (!(least < std::numeric_limits<double>::infinity())) return false;
    of_contact_[first + static_cast<int>(row)] = static_cast<int>(begin_ + column);
    is_taken_[begin_ + column] = 1;
    return true;
  }

  mjData* d_;
  std::span<Anchor> anchors_;
  size_t used_ = 0;             // those before the first that is empty
  size_t begin_ = 0, end_ = 0;  // of the pair at hand
  int *of_contact_, *is_taken_;
};

// ---- the displacement of a contact

// Rotates by the smallest turn that takes one unit vector to another.
Vector TurnAlong(const Vector& from, const Vector& to, const Vector& v) {
  const Vector axis = Cross(from, to);
  const double c = Dot(from, to);
  if (c <= -1 + 1e-9) return v;  // half a turn has no axis; what lies in the plane stays there
  return v * c + Cross(axis, v) + axis * (Dot(axis, v) / (1 + c));
}

// Sliding and turning of the surfaces of a contact since they took hold, in world axes.
struct Displacement {
  Vector slide = Zero3<double>(), turn = Zero3<double>();

  // That of an anchor, turned into the present frame of its contact.
  static Displacement Of(const Anchor& anchor, const Vector& normal) {
    const Vector before = LoadVec3(anchor.normal);
    const Vector slide = TurnAlong(before, normal, LoadVec3(anchor.slide));
    return {slide - normal * Dot(normal, slide), TurnAlong(before, normal, LoadVec3(anchor.turn))};
  }
  // Along direction k of the contact's frame.
  double Along(const ContactAxes<double>& axes, int k) const {
    return k < 3 ? Dot(axes.axis[k % 3], slide) : Dot(axes.axis[k % 3], turn);
  }
  void Add(const ContactAxes<double>& axes, int k, double by) {
    if (k < 3) {
      slide += axes.axis[k % 3] * by;
    } else {
      turn += axes.axis[k % 3] * by;
    }
  }
  Displacement operator*(double scale) const { return {slide * scale, turn * scale}; }
};

ContactAxes<double> AxesOf(const mjContact& contact) {
  return {{LoadVec3(contact.frame), LoadVec3(contact.frame + 3), LoadVec3(contact.frame + 6)}};
}

// The stiffness k of a contact's friction: K d / R.
struct Spring {
  double K, R, stiffness;

  Spring(const mjModel* m, const mjData* d, const mjContact& contact) {
    const int first = contact.efc_address;
    K = d->efc_KBIP[4 * first];
    R = d->efc_R[first + (IsPyramidal(m, contact) ? 0 : 1)];
    stiffness = std::max(0.0, K * d->efc_KBIP[4 * first + 2] / R);
  }
  // The position term that a unit of displacement gives the reference, with the largest k of the contact's life. Where
  // the contact has little of its load, R is large, and its frequency is bounded by twice that of the normal.
  double Gain(double largest) const { return std::min(largest * R, 4 * std::max(0.0, K)); }
};

// ---- the end of the step

// The normal force at which springs of the stiffness k alone lie on the friction cone.
double ForceAtCone(const mjModel* m, const mjContact& contact, const Displacement& at, double k) {
  const ContactAxes<double> axes = AxesOf(contact);
  const bool pyramidal = IsPyramidal(m, contact);
  const double mu = contact.friction[0];
  double sum = 0;
  for (int i = 1; i < contact.dim; ++i) {
    const double share = k * contact.friction[i - 1] * at.Along(axes, i) / (pyramidal ? 1 : mu * mu);
    sum += pyramidal ? std::abs(share) : share * share;
  }
  return pyramidal ? sum : std::sqrt(sum);
}

// Velocity of the contact's directions, from that of its rows.
double SpeedAlong(const mjModel* m, const mjContact& contact, const double* of_rows, int k) {
  if (!IsPyramidal(m, contact)) return of_rows[contact.efc_address + k];
  const double* edge = of_rows + contact.efc_address + 2 * (k - 1);
  return 0.5 * (edge[0] - edge[1]) / contact.friction[k - 1];
}

double NormalForce(const mjModel* m, const mjData* d, const mjContact& contact) {
  const double* force = d->efc_force + contact.efc_address;
  if (!IsPyramidal(m, contact)) return force[0];
  double sum = 0;
  for (int r = 0; r < RowCountOf(m, contact); ++r) sum += force[r];
  return sum;
}

// The mean spin of both bodies about the normal.
double MeanSpin(const mjModel* m, const mjData* d, const mjContact& contact) {
  const Vector normal = LoadVec3(contact.frame);
  double sum = 0;
  for (const int geom : contact.geom) sum += Dot(normal, LoadVec3(d->cvel + 6 * m->geom_bodyid[geom]));
  return 0.5 * sum;
}

// Turns a vector about a unit axis.
Vector TurnAbout(const Vector& axis, double angle, const Vector& v) {
  if (angle == 0) return v;
  const double c = std::cos(angle), s = std::sin(angle);
  return v * c + Cross(axis, v) * s + axis * (Dot(axis, v) * (1 - c));
}

// Moves an anchor, or begins a new one (null), in a step at whose end rows have the velocities `speed`.
Anchor Moved(const mjModel* m, const mjData* d, const mjContact& contact, const Anchor* before, const double* speed) {
  const ContactAxes<double> axes = AxesOf(contact);
  const double h = m->opt.timestep;
  const Spring spring(m, d, contact);
  Displacement at;
  double k = spring.stiffness;
  if (before) {
    at = Displacement::Of(*before, axes.axis[0]);
    k = std::max(k, before->stiffness);
    if (before->stiffness < k) at = at * (before->stiffness / k);  // the force stays
  }
  for (int i = 1; i < contact.dim; ++i) at.Add(axes, i, h * SpeedAlong(m, contact, speed, i));
  const double needed = ForceAtCone(m, contact, at, spring.Gain(k) / spring.R), force = NormalForce(m, d, contact);
  if (!(needed <= force)) at = force > 0 && std::isfinite(needed) ? at * (force / needed) : Displacement();
  const double spin = h * MeanSpin(m, d, contact);

  Anchor after = {};
  for (int side = 0; side < 2; ++side) {
    after.geom[side] = contact.geom[side] + 1;
    StoreVec3(InGeom(d, contact.geom[side], LoadVec3(contact.pos)), after.point[side]);
  }
  StoreVec3(TurnAbout(axes.axis[0], spin, at.slide), after.slide);
  StoreVec3(TurnAbout(axes.axis[0], spin, at.turn), after.turn);
  StoreVec3(axes.axis[0], after.normal);
  after.stiffness = k;
  return after;
}

// Whether an anchor lies between bodies that sleep, whose contacts are not looked for.
bool Sleeps(const mjModel* m, const mjData* d, const Anchor& anchor) {
  if (!SleepEnabled(m) || IsEmpty(anchor)) return false;
  bool any_asleep = false;
  for (const double number : anchor.geom) {
    if (!(number >= 1 && number <= static_cast<double>(m->ngeom))) return false;
    const int geom = static_cast<int>(number) - 1;
    const int tree = m->body_treeid[m->geom_bodyid[geom]];
    if (tree >= 0 && d->tree_awake[tree]) return false;
    any_asleep |= tree >= 0;
  }
  return any_asleep;
}

}  // namespace

void AddAnchorReference(const mjModel* m, mjData* d) {
  const std::span<Anchor> anchors = AnchorsOf(m, d);
  if (anchors.empty() || d->nefc == 0 || IsEmpty(anchors.front())) return;
  StackFrame frame(d);
  const AnchorsOfContacts of(m, d, frame);
  for (int id = 0; id < d->ncon; ++id) {
    if (of[id] < 0) continue;
    const mjContact& contact = d->contact[id];
    const Anchor& anchor = anchors[static_cast<size_t>(of[id])];
    const ContactAxes<double> axes = AxesOf(contact);
    const Displacement at = Displacement::Of(anchor, axes.axis[0]);
    const double gain = Spring(m, d, contact).Gain(anchor.stiffness);
    double* aref = d->efc_aref + contact.efc_address;
    for (int k = 1; k < contact.dim; ++k) {
      const double pull = gain * at.Along(axes, k);
      if (IsPyramidal(m, contact)) {
        aref[2 * k - 2] -= contact.friction[k - 1] * pull;
        aref[2 * k - 1] += contact.friction[k - 1] * pull;
      } else {
        aref[k] -= pull;
      }
    }
  }
}

void MoveAnchors(const mjModel* m, mjData* d) {
  const std::span<Anchor> anchors = AnchorsOf(m, d);
  if (anchors.empty()) return;
  StackFrame frame(d);
  auto* next = frame.Alloc<Anchor>(static_cast<ptrdiff_t>(anchors.size()));
  size_t count = 0;
  const AnchorsOfContacts of(m, d, frame);
  if (d->nefc > 0) {
    double* speed = frame.Doubles(d->nefc);
    RowVelocities(m, d, speed);
    for (int id = 0; id < d->ncon && count < anchors.size(); ++id) {
      if (of[id] == AnchorsOfContacts::kNone) continue;
      const Anchor* before = of[id] >= 0 ? &anchors[static_cast<size_t>(of[id])] : nullptr;
      next[count++] = Moved(m, d, d->contact[id], before, speed);
    }
  }
  for (size_t i = 0; i < anchors.size() && count < anchors.size(); ++i) {
    if (!of.IsTaken(static_cast<int>(i)) && Sleeps(m, d, anchors[i])) next[count++] = anchors[i];
  }
  std::copy_n(next, count, anchors.begin());
  std::fill(anchors.begin() + static_cast<ptrdiff_t>(count), anchors.end(), Anchor{});
}

}  // namespace sinew::inline constraint
