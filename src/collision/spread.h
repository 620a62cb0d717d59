// Farthest-point sampling of contacts, where there are more than a pair may have (T. Gonzalez, Clustering to minimize
// the maximum intercluster distance, Theoretical Computer Science 38, 1985).
#ifndef SINEW_COLLISION_SPREAD_H_
#define SINEW_COLLISION_SPREAD_H_

#include <algorithm>
#include <utility>

#include "collision/stack_list.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew {

// Brings the squared distances of column[3] up to date with the item that was chosen last, at `from`; returns the first
// of those that are now farthest.
int FarthestAfterChoice(const double (&from)[3], double* const (&column)[4], int total);

// Coordinates of items, and their squared distances to the nearest chosen one: negative for those chosen.
struct SpreadColumns {
  SpreadColumns(StackFrame& frame, int total) {
    for (double*& c : column) c = frame.Doubles(total);
  }
  // Returns the first of the deepest items; all are infinitely far from those chosen.
  template <class Item>
  int Fill(StackList<Item>& items) {
    int deepest = 0;
    for (int i = 0; i < items.size(); ++i) {
      const Vec3<double> pos = items[i].pos;
      for (int k = 0; k < 3; ++k) column[k][i] = pos[k];
      column[3][i] = kInfinity;
      if (items[i].dist < items[deepest].dist) deepest = i;
    }
    return deepest;
  }
  void MarkChosen(int i) { column[3][i] = -1; }
  bool IsChosen(int i) const { return column[3][i] < 0; }
  int FarthestAfter(int choice, int total) {
    const double from[3] = {column[0][choice], column[1][choice], column[2][choice]};
    return FarthestAfterChoice(from, column, total);
  }

  double* column[4];
};

// Keeps `count` items that lie as far from each other as possible: starting from the deepest, the one that is farthest
// from those chosen is chosen next. They keep their order. An item has `dist` and `pos`. Without scratch memory, the
// first are kept.
template <class Item>
void KeepSpread(StackList<Item>& items, StackFrame& frame, int count) {
  const int total = items.size();
  SpreadColumns columns(frame, total);
  if (frame.full()) return items.Truncate(count);
  int next = columns.Fill(items);
  for (int chosen = 0; chosen < count; ++chosen) {
    columns.MarkChosen(next);
    next = columns.FarthestAfter(next, total);
  }
  int kept = 0;
  for (int i = 0; i < total; ++i) {
    if (columns.IsChosen(i)) items[kept++] = items[i];
  }
  items.Truncate(count);
}

// The same as MuJoCo 3.8.0 does it for flexes: what is chosen changes places with an item at the front, but marks and
// distances belong to places. So an item that came to a place that was chosen before is never chosen, while others are
// chosen twice and leave the front again; the last choice does not move. Contacts of flexes are equal to its only if
// this is so, too.
template <class Item>
void KeepSpreadByExchange(StackList<Item>& items, StackFrame& frame, int count) {
  const int total = items.size();
  SpreadColumns columns(frame, total);
  if (frame.full()) return items.Truncate(count);
  int choice = columns.Fill(items);
  columns.MarkChosen(choice);
  for (int front = 0; front + 1 < count; ++front) {
    const int next = columns.FarthestAfter(choice, total);
    std::swap(items[front], items[choice]);
    for (int k = 0; k < 3; ++k) std::swap(columns.column[k][front], columns.column[k][choice]);
    if (next != front) choice = next;  // otherwise it has just come to the place of the last choice
    columns.MarkChosen(choice);
  }
  items.Truncate(count);
}

}  // namespace sinew

#endif  // SINEW_COLLISION_SPREAD_H_
