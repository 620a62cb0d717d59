// The work that packs do one world at a time: the worlds of the lanes, and the constraint rows that scalar code finds
// for them, put into the slots that all lanes share.
//
// Files for larger instruction sets see plain structs and functions here (batch/plan/lane_ops.h). Numbers of lanes lie
// side by side, as in a pack: number i of lane l is x[i * width + l]. They are doubles, whatever the precision of the
// pack (lane_numbers_kernel.h).
#ifndef SINEW_BATCH_FALLBACK_LANE_WORLDS_H_
#define SINEW_BATCH_FALLBACK_LANE_WORLDS_H_

#include <mujoco/mujoco.h>

#include "batch/plan/lane_ops.h"
#include "batch/plan/lane_span.h"
#include "collision/analytic/formula_pairs.h"
#include "collision/analytic/mesh_feet.h"
#include "collision/convex/hull_lists_kernel.h"
#include "solve/slots.h"

namespace sinew::inline batch {

struct ModelParameter;  // batch/plan/worlds_fields.h

// A contact of the union whose rows are made in lanes (contact_slots_kernel.h).
struct LaneContact {
  // Places in `geometry`; lanes without the contact have zeros.
  static constexpr int kDistance = 0, kPoint = 1, kFrame = 4, kPresent = 13, kNumbers = 14;

  int slot;                     // its place in the union
  const mjContact* parameters;  // a contact of some lane: friction, impedance and margin are the same in all
  int body[2], root[2];         // both bodies, and the roots of their trees
  const int* is_second;         // of each column: 1 where its dof moves the second body, 0 the first
  double weight;                // of the first row (constraint/contact_rows.h)
  double* geometry;

  // Places in `own`, where lanes have parameters of their own (own_contacts_kernel.h); null: those above.
  static constexpr int kWeight = 0, kFriction = 1, kMargin = 6, kSolref = 7, kSolrefFriction = 9, kSolimp = 11;
  static constexpr int kOwnNumbers = 16;
  double* own;
  int explicit_pair;  // -1: none

  // Places in `anchor`, of contacts that hold their point, in the precision of the pack; null: it does not. Of the
  // anchor (zeros: none), then of the contact: its point in the frames of both geoms, and its spring
  // (constraint/anchor_kernel.h).
  static constexpr int kSlide = 0, kTurn = 3, kNormal = 6, kStiffness = 9;
  static constexpr int kPointInGeom = 10, kSpringK = 16, kSpringR = 17, kSpringStiffness = 18, kAnchorNumbers = 19;
  double* anchor;
};

// A constraint of the union that is no contact, made in lanes: an equality, friction loss, or a limit at one end of a
// range (joint_rows_kernel.h).
struct LaneJointRow {
  int slot;
  int type;        // mjtConstraint
  int id, side;    // of the equality, dof, joint or tendon; 0: lower end, 1: upper
  unsigned lanes;  // bit for each that has it
};

// Data of an equality that all lanes share, and room for its numbers, which lanes compute before the union exists: the
// Jacobian (dim x ncol), reference and D (equality_rows_kernel.h).
struct LaneEquality {
  int dim;
  LaneSpan<const int> dof;  // of each column, ascending
  LaneSpan<const int>
      side;  // of connect and weld, of each column: which bodies it moves, bit 1 the first, bit 2 the second
  LaneSpan<double> numbers;
};

// Which numbers of rows may differ between lanes: impedance and reference of equalities, joints and tendons; of
// contacts; and margins and gaps of pairs of geoms.
struct OwnLaws {
  bool rows, contacts, distances;
};

// The union of the lanes' slots, in the order of rows of a world (efc_*): kind, object, pair of geoms, ordinal.
struct LaneSlots {
  int directions, weights, cones;  // numbers of them in all slots
  int of_lanes;                    // slots of all lanes together
  bool compressed;                 // Jacobians of worlds alone
  bool in_lanes;                   // worlds have made no rows
  OwnLaws own;
  SlotPattern pattern;

  LaneSpan<const Slot> slot;
  LaneSpan<const unsigned> lanes;         // of each slot: a bit for each lane that has it
  LaneSpan<int> live, open;               // room for a number for each slot
  LaneSpan<double* const> jacobian;       // of each slot: dim x ncol
  LaneSpan<const LaneContact> contacts;   // those whose slots lanes have still to fill
  LaneSpan<const LaneJointRow> rows;      // the same
  LaneSpan<const LaneEquality> equality;  // of the model, by id

  // Numbers of lanes: of each direction; one; and room for those of a SlotProblem (TakeSlotMemory).
  LaneSpan<double> aref, D, scale, bound;
  LaneSpan<double> present;  // 1 when the lane's world has rows
  LaneSpan<double> scratch;
};

// Numbers of lanes that a pack has computed, in its precision.
struct LaneNumbers {
  const void* data;
  bool is_single;
};

// Directions along which a pair of geoms was found to be apart: unit vectors in the frame of the base, towards the
// other geom, and the support of the base along them if it is a mesh. Lanes move those that separate to the front.
struct LaneSeparation {
  static constexpr int kDirections = 4;
  struct Direction {
    double axis[3], reach;
  };

  int base, other;             // geoms
  const HullLists* base_hull;  // of meshes, or null
  const HullLists* other_hull;
  int known;
  Direction direction[kDirections];
};

// A mesh on a plane in each lane, as numbers of lanes: where the plane is in the frame of the mesh, and the vertices
// that are contacts with it (collision/analytic/plane_mesh.h).
struct LaneFeet {
  static constexpr int kDown = 0, kCentre = 3, kMargin = 4, kRadius = 5, kQueryNumbers = 6;
  static constexpr int kMost = kMaxFeet;

  double* query;          // kQueryNumbers
  double* vertex;         // 3 of each of kMost; zeros where a lane has fewer
  unsigned lanes[kMost];  // of each, a bit for each lane that has it
};

// All pairs of geoms that may collide, in the order of contacts; and, written by lanes, those that are near in some
// lane, with a bit for each lane where they are.
struct LanePairs {
  bool have_boxes_of_model;  // whether bounds are those of the model in all lanes
  bool own_distances;        // whether margins or gaps may differ

  // Of each pair.
  LaneSpan<const int> geom1, geom2;     // in the order of their types
  LaneSpan<const int> explicit_pair;    // -1: none
  LaneSpan<const double> reach;         // of their bounding spheres, with the margin; empty: lanes have their own
  LaneSpan<const double> margin;        // empty: lanes have their own
  LaneSpan<const bool> is_plane;        // the first one is: the height of the other counts
  LaneSpan<const PairFormula> formula;  // kNone: the world of each lane where the pair is near finds its contacts, but
  LaneSpan<const bool> is_mesh_on_plane;       // where lanes find their feet and do the rest
  LaneSpan<const bool> compares_boxes;         // before the formula
  LaneSpan<const bool> keeps_first;            // of the contacts of the formula, the first alone counts
  LaneSpan<LaneSeparation* const> separation;  // of pairs of convex geoms without a formula; others have null

  LaneSpan<const int> alone;  // geoms of pairs whose contacts worlds find

  // Written by lanes, with room for every pair: the first *near_count have the pairs that are near.
  LaneSpan<int> near;
  LaneSpan<unsigned> lanes;
  int* near_count;
};

// Whether worlds of the model may have constraint rows.
bool MayHaveRows(const mjModel& m);

// How the rows of a pack are solved. Each way gives the numbers of a world alone.
enum class LaneSolver : int {
  kSlots,   // Newton's method in lanes, where a world alone takes slots for one problem
  kSweeps,  // projected Gauss-Seidel: sweeps in lanes, one world at a time before and after
  kAlone    // one world at a time
};
LaneSolver SolverOfLanes(const mjModel& m);

// Rows of the lanes, each lane's in its world's order, for projected Gauss-Seidel (solve/pgs_kernel.h).
struct LaneRows {
  int count;           // of the lane that has most
  LaneSpan<double> A;  // count x count
  LaneSpan<double> diagonal, inverse, low, high, weight, force, residual;
  LaneSpan<double> present;  // of each lane: 1 when it has rows to sweep

  // Input from which lanes compute A, diagonal, inverse and residual (solve/dual_kernel.h), in the precision of the
  // pack; empty where the worlds have computed them.
  LaneSpan<double> J, columns, b, R, in_fours, whole_fours, island;
  int islands;  // of the lane that has most
};
inline constexpr int kMaxSweptRows = 64;  // of a lane: a matrix of all lanes should stay in the cache
inline constexpr int kMaxSweptDofs = 64;  // of a matrix that lanes make

// Input of touch sensors: poses of sites, and forces of the union's directions (null: no lane has contacts).
struct LaneTouch {
  LaneNumbers site_xpos, site_xmat, force;
};

// The worlds of the lanes of a pack. Stages call this class by its table of functions, so that files for larger
// instruction sets hold none of them.
class LaneWorlds {
 public:
  virtual ~LaneWorlds();
  LaneWorlds(const LaneWorlds&) = delete;
  LaneWorlds& operator=(const LaneWorlds&) = delete;

  // They have the model's initial state at first.
  virtual int width() const = 0;
  virtual mjData* World(int lane) const = 0;
  virtual const mjModel& Model(int lane) const = 0;
  // A lane's model has this row of a parameter from now on; `parameter` gives its place. The row must stay where it
  // is.
  virtual void SetParameter(int lane, const ModelParameter& parameter, const void* row) = 0;
  // Sets the initial state, as mj_step does for a world that has gone bad, and raises its warning.
  virtual void Reset(int lane, int warning, int index) = 0;

  // Of each geom, whether steps read its pose: it may collide, or a sensor or a tendon refers to it, or it is in a
  // medium. Those of the others, which are there to be seen, are computed on demand.
  virtual const bool* GeomsThatStepsRead() const = 0;

  // ---- contacts

  // Null where a world looks for pairs by itself: there are very many.
  virtual const LanePairs* StaticPairs() const = 0;
  // Whether pairs that are known to be apart have no contacts: a program may have other functions for them.
  virtual bool MayTellApart() const = 0;

  // Forgets the contacts of the last step. False where worlds have to find all. `is_single`: the precision of the pack.
  virtual bool BeginContacts(bool is_single) = 0;
  // Whether some pair that is near has no formula.
  virtual bool IsAnyPairAlone() const = 0;
  // Finds the contacts of these pairs in the lanes' worlds, from the poses of their geoms.
  virtual void CollideAlone() = 0;
  // Contacts are added in the order of pairs: those that worlds have found of one pair at its turn, and each that lanes
  // have found, with a bit for each lane that has it, and for each that has rows for it. The place for its geometry
  // (LaneContact), to be written whole, is null where no lane has rows.
  virtual void AddContactsAlone(int pair) = 0;
  virtual double* AddContact(unsigned lanes, unsigned with_rows) = 0;
  virtual double IncludeMargin(int pair) = 0;
  // Whether worlds make the rows, and take the geometry of all that lanes have.
  virtual bool KeepsWholeContacts() const = 0;
  // Finds the feet of a pair of a plane and a mesh in some lanes; returns how many the lane has that has most.
  virtual int FindFeet(int pair, unsigned lanes, LaneFeet& feet) = 0;
  // False where a lane may lack room for them: worlds have to find them then.
  virtual bool EndContacts() = 0;

  // ---- rows

  // Whether rows are made in lanes: of contacts, and of all else that the model has. The latter are added in the order
  // of rows, before contacts.
  virtual bool AreRowsInLanes() const = 0;
  virtual void BeginJointRows() = 0;
  virtual void AddJointRow(int type, int id, int side, unsigned lanes) = 0;
  virtual LaneSpan<const LaneEquality> Equalities() const = 0;
  virtual OwnLaws Own() const = 0;
  // Whether the Jacobians of worlds are sparse; dense otherwise.
  virtual bool AreRowsCompressed() const = 0;

  // Contacts, unless lanes have found them, rows and their references, from poses and velocities in the lanes' worlds;
  // and, where worlds solve them alone, the islands or dual matrix of each world.
  virtual void FindRows(bool contacts_are_found) = 0;
  // Their union. Null when memory is short.
  virtual const LaneSlots* MergeRows() = 0;

  // ---- anchors of contacts that hold their point, which are in the lanes' worlds

  virtual bool HaveAnchors() const = 0;
  // Gives the contacts of the union their anchors, and takes them back at the end of a step; those that no contact has
  // are forgotten. `any`: false where there is no union.
  virtual void TakeAnchors(bool is_single) = 0;
  virtual void KeepAnchors(bool is_single, bool any) = 0;

  // ---- sweeps

  // Whether the dual matrix of the rows that worlds have found is made in lanes. Where it is not, FinishRows makes it
  // in the worlds, with the factors of their inertia.
  virtual bool IsDualInLanes() const = 0;
  virtual void FinishRows() = 0;
  // The rows of all lanes with the forces that they start from, or null where memory is short. Then PushRows gives each
  // world its forces, and qfrc_constraint follows from these.
  virtual const LaneRows* GatherRows(bool is_single) = 0;
  virtual void PushRows(const LaneNumbers& force, const LaneNumbers& sweeps) = 0;
  // Solves the rows of each world alone but for the sweeps of those that are returned; null where there are none. Then
  // FinishSweeps does the rest with their forces, and each world has its accelerations. `sweeps`: of each lane, how
  // many there were.
  virtual const LaneRows* SolveUpToSweeps() = 0;
  virtual void FinishSweeps(const LaneNumbers& force, const LaneNumbers& sweeps) = 0;

  // ---- what a step leaves

  // Islands of each world, where the solver of its pack has done without them.
  virtual void MakeIslands() = 0;
  // Returns an array that has a mark for each sensor.
  virtual bool* SensorMarks() = 0;
  // Touch sensors, before their cutoff, where rows of all contacts are made in lanes: sensordata of the lanes' worlds.
  virtual void EvaluateTouches(const LaneTouch& touch) = 0;
  // Contacts and constraint rows of a lane in the last step, wherever they were made. A world whose contacts were found
  // in lanes has their number only.
  virtual int Contacts(int lane) = 0;
  virtual int Rows(int lane) const = 0;
  // The constraints of a lane in the last step, for the order of worlds; and the work of all so far.
  virtual LaneConstraints Constraints(int lane) = 0;
  virtual void AddWork(PackUse* use) const = 0;
  // Whether a lane may have lacked room in the arena since it was last asked: lanes take less of it than a world alone.
  virtual bool TakeShortage(int lane) = 0;
  // Writes contacts, rows, their forces and states into the lanes' worlds, from the residuals of the union's directions
  // (null: none). Those made in lanes are first made in the worlds, from poses, velocities and motion axes.
  virtual void WriteForces(const LaneNumbers& residual) = 0;

 protected:
  LaneWorlds() = default;
};

// Null when memory is short.
LaneWorlds* MakeLaneWorlds(const mjModel& m, int width);
void FreeLaneWorlds(LaneWorlds* worlds);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FALLBACK_LANE_WORLDS_H_
