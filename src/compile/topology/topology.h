// Topology: what follows from who is whose parent, before any number of the model counts. Dof chains, kinematic trees,
// and the sparsity patterns of the matrices that mjData holds.
//
//     body tree ──> dofs, parents ──> M (lower), D (both triangles), B (body x dof)
//                └─> trees              └─> maps between the layouts
//     tendons, flexes, actuators ──> patterns and sizes of their Jacobians
#ifndef SINEW_COMPILE_TOPOLOGY_TOPOLOGY_H_
#define SINEW_COMPILE_TOPOLOGY_TOPOLOGY_H_

#include <vector>

#include "compile/draft.h"

namespace sinew::inline compile {

// Rows of columns in ascending order, compressed.
struct SparsePattern {
  std::vector<int> rownnz, rowadr, colind;

  void AddRow(const std::vector<int>& columns);
  int count() const { return static_cast<int>(colind.size()); }
};

struct Topology {
  struct BodyEntry {
    int root;                             // ancestor that is a child of the world
    int tree;                             // kinematic tree, -1: fixed to the world
    int mocap;                            // row in mocap_pos, -1: not a mocap body
    int jntadr, dofadr, dofnum, geomadr;  // addresses are -1 without parts
    int simple;                           // 0, 1 (diagonal block of the inertia matrix), 2 (only slides)
    int sameframe;                        // mjtSameFrame of the inertial frame
    int last_dof;                         // of the body or its nearest ancestor with dofs, -1: none
    int first_descendant, descendants;    // dofs of the bodies below it, which follow each other
  };
  struct DofEntry {
    int body, joint, parent, tree;
    int Madr;         // diagonal entry in the layout of qM
    int simplenum;    // length of the run of simple dofs that starts here
    int depth;        // number of its ancestors and itself
    int descendants;  // number of dofs below it; they follow it
  };
  struct TreeEntry {
    int bodyadr, bodynum, dofadr, dofnum;
  };
  struct TendonEntry {
    int treenum, treeid[2];
  };

  std::vector<BodyEntry> bodies;
  std::vector<DofEntry> dofs;
  std::vector<TreeEntry> trees;
  std::vector<TendonEntry> tendons;

  int nq = 0, nmocap = 0;
  mjtSize nM = 0, nC = 0, nD = 0, nB = 0;  // entries of qM, and of the patterns M, D, B (sparsity.h)
  int nJmom = 0;                           // bound of the nonzeros of the actuator Jacobian

  int nJfe = 0, nJfv = 0;  // nonzeros of the flex Jacobians; their patterns stay empty where nothing needs them

  SparsePattern tendon_jacobian;
  SparsePattern flexedge_jacobian, flexvert_jacobian;  // a row per edge, two rows per vertex

  int nv() const { return static_cast<int>(dofs.size()); }

  // The dofs that move a body, ascending.
  std::vector<int> Chain(int body) const;
};

// Patterns of the Jacobians of flexes (flex_topology.cc).
void AddFlexes(const Draft& draft, Topology& t);

Topology FindTopology(const Draft& draft);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TOPOLOGY_TOPOLOGY_H_
