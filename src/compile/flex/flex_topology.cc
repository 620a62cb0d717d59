// Which dofs move the edges and the vertices of flexes.
#include <algorithm>
#include <array>
#include <vector>

#include "compile/topology/topology.h"

namespace sinew::inline compile {
namespace {

// Patterns have each column once, in ascending order.
std::vector<int> Sorted(std::vector<int> columns) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

void Append(const std::vector<int>& more, std::vector<int>& columns) {
  columns.insert(columns.end(), more.begin(), more.end());
}

// Adds `count` equal rows; one that is not needed has no place in the Jacobian, and address 0.
void AddRows(const std::vector<int>& columns, bool needed, int count, SparsePattern& pattern) {
  for (int i = 0; i < count; ++i) {
    if (needed) {
      pattern.AddRow(columns);
    } else {
      pattern.rownnz.push_back(0);
      pattern.rowadr.push_back(0);
    }
  }
}

// An edge changes with the dofs of its two ends; the constraint at a vertex with those of the vertex and its neighbors.
// Memory is set aside whether the patterns are needed or not, but not for a flex that is rigid or moved by nodes.
void AddFlex(const FlexDraft& flex, Topology& t) {
  std::vector<std::vector<int>> chains;
  for (const int body : flex.bodies) chains.push_back(flex.moved_by_vertices() ? t.Chain(body) : std::vector<int>());
  std::vector<std::vector<int>> around = chains;
  for (const auto& [a, b] : flex.simplices.edges) {
    const std::vector<int>&chain_a = chains[static_cast<size_t>(a)], &chain_b = chains[static_cast<size_t>(b)];
    Append(chain_b, around[static_cast<size_t>(a)]);
    Append(chain_a, around[static_cast<size_t>(b)]);
    std::vector<int> columns = chain_a;
    Append(chain_b, columns);
    columns = Sorted(std::move(columns));
    t.nJfe += static_cast<int>(columns.size());
    AddRows(columns, flex.needs_edges(), 1, t.flexedge_jacobian);
  }
  // As in MuJoCo 3.8.0, the vertex behind a flex with such constraints has the address where their rows end.
  SparsePattern& pattern = t.flexvert_jacobian;
  const bool is_constrained = flex.has_vertex_strains();
  const bool is_behind = !is_constrained && !pattern.rownnz.empty() && pattern.rownnz.back() > 0;
  const size_t first = pattern.rowadr.size();
  for (std::vector<int>& columns : around) {
    columns = Sorted(std::move(columns));
    t.nJfv += static_cast<int>(columns.size());
    AddRows(columns, is_constrained, 2, pattern);
  }
  if (is_behind && pattern.rowadr.size() > first) pattern.rowadr[first] = pattern.count();
}

}  // namespace

void AddFlexes(const Draft& draft, Topology& t) {
  for (const FlexDraft& flex : draft.flexes) AddFlex(flex, t);
}

}  // namespace sinew::inline compile
