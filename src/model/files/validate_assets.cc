// Checks assets of a model from a file: height fields, textures, meshes with their hulls, facets and octrees, skins,
// flexes, and trees of bounding boxes. Indices within an asset count from its first element.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "math/element_edges.h"
#include "model/files/validate.h"
#include "model/kinds/bvh.h"
#include "model/kinds/chain.h"
#include "model/kinds/flex_equality.h"
#include "model/storage/check.h"

namespace sinew::inline model {
namespace {

// Sizes are multiplied in 64 bits: a product that overflows would pass the comparison.
void CheckImages(const mjModel& m) {
  for (int i = 0; i < m.nhfield; ++i) {
    if (m.hfield_nrow[i] < 0) ThrowInvalid("hfield_nrow", i, m.hfield_nrow[i]);
    if (m.hfield_ncol[i] < 0) ThrowInvalid("hfield_ncol", i, m.hfield_ncol[i]);
    const mjtSize points = static_cast<mjtSize>(m.hfield_nrow[i]) * m.hfield_ncol[i];
    CheckBlock("hfield_adr", m.hfield_adr, i, points, m.nhfielddata);
  }
  for (int i = 0; i < m.ntex; ++i) {
    CheckValue("tex_nchannel", m.tex_nchannel, i, 0, 5);
    if (m.tex_height[i] < 0) ThrowInvalid("tex_height", i, m.tex_height[i]);
    if (m.tex_width[i] < 0) ThrowInvalid("tex_width", i, m.tex_width[i]);
    const mjtSize pixels = static_cast<mjtSize>(m.tex_height[i]) * m.tex_width[i];
    if (pixels > m.ntexdata) ThrowInvalid("tex_height", i, m.tex_height[i]);
    CheckBlock("tex_adr", m.tex_adr, i, pixels * m.tex_nchannel[i], m.ntexdata);
  }
}

// A convex hull in mesh_graph: counts of vertices and faces; for each vertex the start of its neighbours; for each
// vertex its number in the mesh; neighbours, each list ended by -1; faces.
void CheckHull(const mjModel& m, int mesh) {
  if (m.mesh_graphadr[mesh] < 0) return;
  CheckBlock("mesh_graphadr", m.mesh_graphadr, mesh, 2, m.nmeshgraph);
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  const mjtSize vertices = graph[0], faces = graph[1];
  if (vertices < 1 || faces < 0) ThrowInvalid("mesh_graph", m.mesh_graphadr[mesh], vertices);
  const mjtSize edges = vertices + 3 * faces;
  CheckBlock("mesh_graphadr", m.mesh_graphadr, mesh, 2 + 2 * vertices + edges + 3 * faces, m.nmeshgraph);
  const int* start = graph + 2;
  const int* number = start + vertices;
  const int* neighbour = number + vertices;
  const int* face = neighbour + edges;
  CheckValues("mesh_graph", start, vertices, 0, edges);
  CheckValues("mesh_graph", number, vertices, 0, m.mesh_vertnum[mesh]);
  CheckValues("mesh_graph", neighbour, edges, kNone, vertices);
  CheckValues("mesh_graph", face, 3 * faces, 0, m.mesh_vertnum[mesh]);
  if (neighbour[edges - 1] != kNone) ThrowInvalid("mesh_graph", m.mesh_graphadr[mesh], neighbour[edges - 1]);
}

// Facets and vertices refer to each other by numbers within the mesh.
void CheckFacets(const mjModel& m, int mesh) {
  for (int p = 0; p < m.mesh_polynum[mesh]; ++p) {
    const int facet = m.mesh_polyadr[mesh] + p;
    CheckValues("mesh_polyvert", m.mesh_polyvert + m.mesh_polyvertadr[facet], m.mesh_polyvertnum[facet], 0,
                m.mesh_vertnum[mesh]);
  }
  for (int v = 0; v < m.mesh_vertnum[mesh]; ++v) {
    const int vertex = m.mesh_vertadr[mesh] + v;
    CheckValues("mesh_polymap", m.mesh_polymap + m.mesh_polymapadr[vertex], m.mesh_polymapnum[vertex], 0,
                m.mesh_polynum[mesh]);
  }
}

// A child comes behind its parent, so that descending always ends.
void CheckOctree(const mjModel& m, int mesh) {
  const int count = m.mesh_octnum[mesh];
  for (int k = 0; k < count; ++k) {
    const int* child = m.oct_child + 8 * (m.mesh_octadr[mesh] + k);
    for (int c = 0; c < 8; ++c) {
      if (child[c] != kNone && (child[c] <= k || child[c] >= count)) ThrowInvalid("oct_child", k, child[c]);
    }
  }
}

// Normals and texture coordinates have indices of their own at each corner of a face.
void CheckMeshes(const mjModel& m) {
  for (int i = 0; i < m.nmesh; ++i) {
    const mjtSize first = 3 * static_cast<mjtSize>(m.mesh_faceadr[i]);
    const mjtSize corners = 3 * static_cast<mjtSize>(m.mesh_facenum[i]);
    if (corners > 0) {
      CheckValues("mesh_face", m.mesh_face + first, corners, 0, m.mesh_vertnum[i]);
      CheckValues("mesh_facenormal", m.mesh_facenormal + first, corners, 0, m.mesh_normalnum[i]);
      if (m.mesh_texcoordnum[i] > 0) {
        CheckValues("mesh_facetexcoord", m.mesh_facetexcoord + first, corners, 0, m.mesh_texcoordnum[i]);
      }
    }
    CheckHull(m, i);
    CheckFacets(m, i);
    CheckOctree(m, i);
  }
}

// Bones name vertices of their skin, and faces corners of it.
void CheckSkins(const mjModel& m) {
  for (int i = 0; i < m.nskin; ++i) {
    if (m.skin_facenum[i] > 0) {
      CheckValues("skin_face", m.skin_face + 3 * static_cast<mjtSize>(m.skin_faceadr[i]),
                  3 * static_cast<mjtSize>(m.skin_facenum[i]), 0, m.skin_vertnum[i]);
    }
    if (m.skin_texcoordadr[i] != kNone) {
      CheckBlock("skin_texcoordadr", m.skin_texcoordadr, i, m.skin_vertnum[i], m.nskintexvert);
    }
    for (int b = m.skin_boneadr[i]; b < m.skin_boneadr[i] + m.skin_bonenum[i]; ++b) {
      if (m.skin_bonevertnum[b] == 0) continue;
      CheckValues("skin_bonevertid", m.skin_bonevertid + m.skin_bonevertadr[b], m.skin_bonevertnum[b], 0,
                  m.skin_vertnum[i]);
    }
  }
}

// `count` numbers of a flex in [lowest, end), which begin at address[flex] of an array with `size` numbers.
void CheckPart(const char* array, const int* values, const int* address, int flex, mjtSize count, mjtSize size,
               mjtSize lowest, mjtSize end) {
  CheckBlock(array, address, flex, count, size);
  if (count > 0) CheckValues(array, values + address[flex], count, lowest, end);
}

// Whether an array of ascending columns has all dofs that move a body.
bool HasChain(const mjModel& m, const int* columns, int count, int body) {
  for (int dof = LastDof(&m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    if (!std::binary_search(columns, columns + count, dof)) return false;
  }
  return true;
}

// Rows of Jacobians of edges and vertices that are in use have columns for all dofs that move their ends, and each of
// these once: constraints have room for as many as there are dofs.
void CheckFlexJacobians(const mjModel& m, int flex) {
  const int vertices = m.flex_vertadr[flex], first = m.flex_edgeadr[flex];
  const bool uses_vertices = HasVertexStrains(&m, flex);
  const bool uses_edges = UsesEdges(&m, flex);
  for (int row = 2 * vertices; uses_vertices && row < 2 * (vertices + m.flex_vertnum[flex]); ++row) {
    CheckAscend("flexvert_J_colind", m.flexvert_J_colind, m.flexvert_J_rowadr[row], m.flexvert_J_rownnz[row], 1);
  }
  for (int e = first; e < first + m.flex_edgenum[flex]; ++e) {
    if (uses_edges) {
      CheckAscend("flexedge_J_colind", m.flexedge_J_colind, m.flexedge_J_rowadr[e], m.flexedge_J_rownnz[e], 1);
    }
    for (int end = 0; end < 2; ++end) {
      const int vertex = vertices + m.flex_edge[2 * e + end], other = vertices + m.flex_edge[2 * e + 1 - end];
      const auto has = [&](const int* colind, int address, int count) {
        return HasChain(m, colind + address, count, m.flex_vertbodyid[other]) &&
               HasChain(m, colind + address, count, m.flex_vertbodyid[vertex]);
      };
      if (uses_edges && !has(m.flexedge_J_colind, m.flexedge_J_rowadr[e], m.flexedge_J_rownnz[e])) {
        ThrowInvalid("flexedge_J_rownnz", e, m.flexedge_J_rownnz[e]);
      }
      for (int row = 2 * vertex; uses_vertices && row < 2 * vertex + 2; ++row) {
        if (!has(m.flexvert_J_colind, m.flexvert_J_rowadr[row], m.flexvert_J_rownnz[row])) {
          ThrowInvalid("flexvert_J_rownnz", row, m.flexvert_J_rownnz[row]);
        }
      }
    }
  }
}

// A flex that nodes move has a lattice of them, and a matrix of stiffness for each cell; another one has numbers for
// each element.
void CheckFlexElasticity(const mjModel& m, int flex) {
  constexpr mjtSize kElementNumbers = 21;
  mjtSize numbers = m.flex_dim[flex] > 1 ? kElementNumbers * m.flex_elemnum[flex] : 0;
  CheckValue("flex_interp", m.flex_interp, flex, 0, 3);
  if (const mjtSize order = m.flex_interp[flex]; order > 0) {
    const mjtSize width = 3 * (order + 1) * (order + 1) * (order + 1);
    mjtSize nodes = 1, cells = 1;
    for (int k = 0; k < 3; ++k) {
      CheckValue("flex_cellnum", m.flex_cellnum, 3 * flex + k, 1, m.nflexnode + 1);
      nodes *= m.flex_cellnum[3 * flex + k] * order + 1;
      cells *= m.flex_cellnum[3 * flex + k];
      if (nodes > m.nflexnode) ThrowInvalid("flex_cellnum", 3 * flex + k, m.flex_cellnum[3 * flex + k]);
    }
    if (nodes != m.flex_nodenum[flex]) ThrowInvalid("flex_nodenum", flex, m.flex_nodenum[flex]);
    numbers = cells * width * width;
  }
  CheckBlock("flex_stiffnessadr", m.flex_stiffnessadr, flex, numbers, m.nflexstiffness);
}

// Elements, edges and shells have their own address arrays, since their sizes depend on the dimension of the flex.
void CheckFlexes(const mjModel& m) {
  for (int i = 0; i < m.nflex; ++i) {
    CheckValue("flex_dim", m.flex_dim, i, 1, 4);
    const int dim = m.flex_dim[i];
    const mjtSize vertices = m.flex_vertnum[i], edges = m.flex_edgenum[i], elements = m.flex_elemnum[i];
    CheckPart("flex_elem", m.flex_elem, m.flex_elemdataadr, i, elements * (dim + 1), m.nflexelemdata, 0, vertices);
    CheckPart("flex_elemedge", m.flex_elemedge, m.flex_elemedgeadr, i, elements * kElementEdges[dim], m.nflexelemedge,
              0, edges);
    CheckPart("flex_shell", m.flex_shell, m.flex_shelldataadr, i, static_cast<mjtSize>(m.flex_shellnum[i]) * dim,
              m.nflexshelldata, 0, vertices);
    if (edges > 0) {
      const mjtSize first = 2 * static_cast<mjtSize>(m.flex_edgeadr[i]);
      CheckValues("flex_edge", m.flex_edge + first, 2 * edges, 0, vertices);
      CheckValues("flex_edgeflap", m.flex_edgeflap + first, 2 * edges, kNone, vertices);
    }
    for (int k = 0; k < m.flex_evpairnum[i]; ++k) {
      const int* pair = m.flex_evpair + 2 * (m.flex_evpairadr[i] + k);
      CheckValue("flex_evpair", pair, 0, 0, elements);
      CheckValue("flex_evpair", pair, 1, 0, vertices);
    }
    CheckFlexElasticity(m, i);
    // Vertices that no nodes move are carried by bodies.
    if (m.flex_interp[i] == 0 && vertices > 0) {
      CheckValues("flex_vertbodyid", m.flex_vertbodyid + m.flex_vertadr[i], vertices, 0, m.nbody);
    }
    if (m.flex_nodenum[i] > 0) {
      CheckValues("flex_nodebodyid", m.flex_nodebodyid + m.flex_nodeadr[i], m.flex_nodenum[i], 0, m.nbody);
    }
    for (int v = 0; v < vertices; ++v) {
      const int vertex = m.flex_vertadr[i] + v;
      if (m.flex_vertedgenum[vertex] > 0) {
        CheckValues("flex_vertedge", m.flex_vertedge + m.flex_vertedgeadr[vertex], m.flex_vertedgenum[vertex], 0,
                    edges);
      }
    }
    if (m.flex_interp[i] == 0 && !m.flex_rigid[i]) CheckFlexJacobians(m, i);
  }
}

// A tree of boxes in pre-order, so that children follow their parent, no deeper than the traversal's stack; what its
// leaves hold is numbered up to `contents`.
void CheckHierarchy(const mjModel& m, int address, int count, mjtSize contents) {
  std::vector<int> depth(static_cast<size_t>(count), 0);
  for (int k = 0; k < count; ++k) {
    const int node = address + k;
    const int* child = m.bvh_child + 2 * static_cast<mjtSize>(node);
    if (depth[k] > mjMAXTREEDEPTH) throw Error("Invalid model: bounding volume hierarchy is too deep");
    CheckValue("bvh_nodeid", m.bvh_nodeid, node, IsBvhLeaf(&m, node) ? 0 : kNone, contents);
    for (int c = 0; c < 2; ++c) {
      if (child[c] == kNone) continue;
      if (child[c] <= k || child[c] >= count) ThrowInvalid("bvh_child", node, child[c]);
      depth[child[c]] = depth[k] + 1;
    }
  }
}

// Boxes of bodies and meshes are in the model, those of flexes in the world, so each has its part of the nodes.
void CheckHierarchies(const mjModel& m) {
  if (m.nbvhstatic + m.nbvhdynamic != m.nbvh) throw Error("Invalid model: nbvh is not nbvhstatic + nbvhdynamic");
  for (int b = 0; b < m.nbody; ++b) {
    CheckBlock("body_bvhadr", m.body_bvhadr, b, m.body_bvhnum[b], m.nbvhstatic);
    CheckHierarchy(m, m.body_bvhadr[b], m.body_bvhnum[b], m.ngeom);
  }
  for (int i = 0; i < m.nmesh; ++i) {
    CheckBlock("mesh_bvhadr", m.mesh_bvhadr, i, m.mesh_bvhnum[i], m.nbvhstatic);
    CheckHierarchy(m, m.mesh_bvhadr[i], m.mesh_bvhnum[i], m.mesh_facenum[i]);
  }
  for (int i = 0; i < m.nflex; ++i) {
    if (m.flex_bvhnum[i] > 0 && m.flex_bvhadr[i] < m.nbvhstatic) ThrowInvalid("flex_bvhadr", i, m.flex_bvhadr[i]);
    CheckHierarchy(m, m.flex_bvhadr[i], m.flex_bvhnum[i], m.flex_elemnum[i]);
  }
}

}  // namespace

bool HasWholeHull(const mjModel& m, int mesh) {
  try {
    CheckBlock("mesh_vertadr", m.mesh_vertadr, mesh, m.mesh_vertnum[mesh], m.nmeshvert);
    CheckHull(m, mesh);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void ValidateAssets(const mjModel& m) {
  CheckImages(m);
  CheckMeshes(m);
  CheckSkins(m);
  CheckFlexes(m);
  CheckHierarchies(m);
}

}  // namespace sinew::inline model
