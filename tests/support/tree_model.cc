#include "tests/support/tree_model.h"

#include <algorithm>
#include <set>

#include "model/storage/defaults.h"

namespace sinew::testing {
namespace {

int DofCount(int type) { return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1; }
int QposCount(int type) { return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1; }

// Dofs that move a body, ascending.
std::vector<int> Chain(const mjModel* m, int body) {
  std::vector<int> dofs;
  for (int b = body; b > 0; b = m->body_parentid[b]) {
    for (int i = m->body_dofnum[b] - 1; i >= 0; --i) dofs.push_back(m->body_dofadr[b] + i);
  }
  return {dofs.rbegin(), dofs.rend()};
}

// Numbers bodies, joints and dofs; without arrays, only counts.
struct Numbering {
  int nq = 0, nv = 0, njnt = 0, nM = 0, ntree = 0;
  std::vector<int> first_joint, first_dof, depth;  // by body; depth: dofs from the world, included

  explicit Numbering(const TreeSpec& spec) : first_joint(1, 0), first_dof(1, 0), depth(1, 0) {
    for (const BodySpec& body : spec.bodies) {
      first_joint.push_back(njnt);
      first_dof.push_back(nv);
      int chain = depth[body.parent];
      if (chain == 0 && !body.joints.empty()) ++ntree;
      for (const JointSpec& joint : body.joints) {
        ++njnt;
        nq += QposCount(joint.type);
        for (int i = 0; i < DofCount(joint.type); ++i) nM += ++chain;
        nv += DofCount(joint.type);
      }
      depth.push_back(chain);
    }
  }
};

mjModel SizesOf(const TreeSpec& spec, const Numbering& number) {
  mjModel sizes{};
  sizes.nbody = static_cast<mjtSize>(spec.bodies.size()) + 1;
  sizes.nq = number.nq;
  sizes.nv = number.nv;
  sizes.njnt = number.njnt;
  sizes.ntree = number.ntree;
  sizes.nM = sizes.nC = number.nM;
  sizes.nsite = static_cast<mjtSize>(spec.sites.size());
  sizes.ntendon = static_cast<mjtSize>(spec.tendons.size());
  for (const TendonSpec& tendon : spec.tendons) sizes.nwrap += static_cast<mjtSize>(tendon.path.size());
  sizes.nJten = sizes.ntendon * sizes.nv;
  sizes.nu = static_cast<mjtSize>(spec.actuators.size());
  sizes.nJmom = sizes.nu * sizes.nv;
  sizes.narena = 1 << 20;
  return sizes;
}

void FillBody(mjModel* m, const BodySpec& spec, int b, const Numbering& number) {
  const int parent = b == 0 ? 0 : spec.parent, joints = static_cast<int>(spec.joints.size());
  m->body_parentid[b] = parent;
  m->body_rootid[b] = parent == 0 ? b : m->body_rootid[parent];
  m->body_weldid[b] = joints > 0 || b == 0 ? b : m->body_weldid[parent];
  m->body_mocapid[b] = -1;
  m->body_jntnum[b] = joints;
  m->body_jntadr[b] = joints ? number.first_joint[b] : -1;
  m->body_dofadr[b] = joints ? number.first_dof[b] : -1;
  m->body_treeid[b] = -1;
  m->body_geomadr[b] = -1;
  m->body_plugin[b] = -1;
  m->body_mass[b] = b == 0 ? 0 : spec.mass;
  StoreVec3(spec.pos, m->body_pos + 3 * b);
  StoreQuat(spec.quat, m->body_quat + 4 * b);
  StoreVec3(spec.ipos, m->body_ipos + 3 * b);
  StoreQuat(spec.iquat, m->body_iquat + 4 * b);
  if (b > 0) StoreVec3(spec.inertia, m->body_inertia + 3 * b);
}

void FillJoint(mjModel* m, const BodySpec& body, const JointSpec& spec, int b, int joint, int qpos, int dof) {
  m->jnt_type[joint] = spec.type;
  m->jnt_qposadr[joint] = qpos;
  m->jnt_dofadr[joint] = dof;
  m->jnt_bodyid[joint] = b;
  m->jnt_actuatorid[joint] = -2;  // look for them
  StoreVec3(spec.pos, m->jnt_pos + 3 * joint);
  StoreVec3(Normalized(spec.axis), m->jnt_axis + 3 * joint);
  m->jnt_stiffness[joint] = spec.stiffness;
  if (spec.type == mjJNT_FREE) StoreVec3(body.pos, m->qpos0 + qpos);
  if (spec.type == mjJNT_FREE) StoreQuat(body.quat, m->qpos0 + qpos + 3);
  if (spec.type == mjJNT_BALL) StoreQuat(kNoRotation, m->qpos0 + qpos);
  if (DofCount(spec.type) == 1) m->qpos0[qpos] = spec.qpos0;
}

void FillDofs(mjModel* m, const JointSpec& spec, int b, int joint) {
  for (int i = 0; i < DofCount(spec.type); ++i) {
    const int dof = m->jnt_dofadr[joint] + i;
    m->dof_bodyid[dof] = b;
    m->dof_jntid[dof] = joint;
    m->dof_armature[dof] = spec.armature;
    m->dof_damping[dof] = spec.damping;
  }
}

// Joints and dofs of all bodies, then what follows from the tree: parents of dofs, patterns of M, masses of subtrees.
void FillTree(mjModel* m, const TreeSpec& spec, const Numbering& number) {
  FillBody(m, BodySpec{}, 0, number);
  m->body_treeid[0] = -1;
  int qpos = 0, joint = 0, dof = 0, tree = 0;
  for (int b = 1; b < m->nbody; ++b) {
    const BodySpec& body = spec.bodies[b - 1];
    FillBody(m, body, b, number);
    for (const JointSpec& joint_spec : body.joints) {
      FillJoint(m, body, joint_spec, b, joint, qpos, dof);
      FillDofs(m, joint_spec, b, joint);
      qpos += QposCount(joint_spec.type);
      dof += DofCount(joint_spec.type);
      m->body_dofnum[b] += DofCount(joint_spec.type);
      ++joint;
    }
    const bool begins = m->body_weldid[body.parent] == 0 && !body.joints.empty();
    m->body_treeid[b] = begins ? tree++ : m->body_treeid[body.parent];
  }
  int adr = 0;
  for (int i = 0; i < m->nv; ++i) {
    std::vector<int> chain = Chain(m, m->dof_bodyid[i]);
    chain.resize(std::find(chain.begin(), chain.end(), i) - chain.begin() + 1);
    const int count = static_cast<int>(chain.size());
    m->dof_parentid[i] = count > 1 ? chain[count - 2] : -1;
    m->dof_treeid[i] = m->body_treeid[m->dof_bodyid[i]];
    m->dof_Madr[i] = m->M_rowadr[i] = adr;
    m->M_rownnz[i] = count;
    for (int k = 0; k < count; ++k) {
      m->M_colind[adr + k] = chain[k];
      m->mapM2M[adr + k] = adr + count - 1 - k;
    }
    adr += count;
  }
  for (int b = 0; b < m->nbody; ++b) m->body_subtreemass[b] = m->body_mass[b];
  for (int b = static_cast<int>(m->nbody) - 1; b > 0; --b) {
    m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
  }
}

void FillTendon(mjModel* m, const TendonSpec& spec, int tendon, int first_wrap) {
  m->tendon_adr[tendon] = first_wrap;
  m->tendon_num[tendon] = static_cast<int>(spec.path.size());
  m->tendon_actuatorid[tendon] = -2;
  m->tendon_armature[tendon] = spec.armature;
  m->tendon_stiffness[tendon] = spec.stiffness;
  m->tendon_damping[tendon] = spec.damping;
  std::set<int> dofs;
  int wrap = first_wrap;
  for (const PathStep& step : spec.path) {
    m->wrap_type[wrap] = step.type;
    m->wrap_objid[wrap] = step.id;
    m->wrap_prm[wrap++] = step.parameter;
    if (step.type == mjWRAP_JOINT) dofs.insert(m->jnt_dofadr[step.id]);
    if (step.type == mjWRAP_SITE) {
      for (int dof : Chain(m, m->site_bodyid[step.id])) dofs.insert(dof);
    }
  }
  const int adr = tendon == 0 ? 0 : m->ten_J_rowadr[tendon - 1] + m->ten_J_rownnz[tendon - 1];
  m->ten_J_rowadr[tendon] = adr;
  m->ten_J_rownnz[tendon] = static_cast<int>(dofs.size());
  std::copy(dofs.begin(), dofs.end(), m->ten_J_colind + adr);
}

void FillActuator(mjModel* m, const ActuatorSpec& spec, int u) {
  m->actuator_trntype[u] = spec.trntype;
  m->actuator_trnid[2 * u] = spec.id;
  m->actuator_trnid[2 * u + 1] = spec.second_id;
  std::copy(spec.gear.begin(), spec.gear.end(), m->actuator_gear + 6 * u);
  m->actuator_cranklength[u] = spec.cranklength;
  m->actuator_armature[u] = spec.armature;
  m->actuator_gainprm[mjNGAIN * u] = spec.gain;
  m->actuator_actadr[u] = m->actuator_historyadr[u] = m->actuator_plugin[u] = -1;
}

}  // namespace

ModelPtr MakeTree(const TreeSpec& spec) {
  const Numbering number(spec);
  ModelPtr model(MakeModel(SizesOf(spec, number)));
  mjModel* m = model.get();
  DefaultOption(&m->opt);
  StoreVec3(spec.gravity, m->opt.gravity);
  FillTree(m, spec, number);
  for (int s = 0; s < m->nsite; ++s) {
    m->site_bodyid[s] = spec.sites[s].body;
    StoreVec3(spec.sites[s].pos, m->site_pos + 3 * s);
    StoreQuat(spec.sites[s].quat, m->site_quat + 4 * s);
  }
  int wrap = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    FillTendon(m, spec.tendons[t], t, wrap);
    wrap += m->tendon_num[t];
  }
  for (int u = 0; u < m->nu; ++u) FillActuator(m, spec.actuators[u], u);
  std::copy(m->qpos0, m->qpos0 + m->nq, m->qpos_spring);
  return model;
}

TreeSpec RandomTree(std::mt19937& random, int bodies) {
  TreeSpec spec;
  std::vector<int> scalar_joints;
  int joints = 0;
  std::vector<int> open = {0};  // the branch that grows, from the world
  for (int b = 1; b <= bodies; ++b) {
    open.resize(1 + random() % open.size());  // depth-first: continue anywhere on the current branch
    BodySpec body;
    body.parent = open.back();
    body.pos = RandomVector(random);
    body.quat = RandomRotation(random);
    body.mass = Uniform(random, 0.1, 2);
    body.inertia = {Uniform(random, 0.1, 1), Uniform(random, 0.1, 1), Uniform(random, 0.1, 1)};
    body.ipos = RandomVector(random) * 0.2;
    body.iquat = RandomRotation(random);
    const int kind = static_cast<int>(random() % 6);  // 0: none, 1: free or ball, 2: ball, others: one to three scalars
    const int count = kind == 0 ? 0 : kind <= 2 ? 1 : kind - 2;
    for (int j = 0; j < count; ++j) {
      JointSpec joint;
      joint.type = kind == 1 && body.parent == 0 ? mjJNT_FREE
                   : kind <= 2                   ? mjJNT_BALL
                   : random() % 2                ? mjJNT_HINGE
                                                 : mjJNT_SLIDE;
      joint.axis = RandomVector(random);
      if (random() % 2 && joint.type != mjJNT_FREE) joint.pos = RandomVector(random) * 0.3;
      joint.armature = Uniform(random, 0, 0.1);
      joint.damping = Uniform(random, 0, 1);
      joint.stiffness = joint.type == mjJNT_FREE ? 0 : Uniform(random, 0, 5);
      if (DofCount(joint.type) == 1) scalar_joints.push_back(joints);
      body.joints.push_back(joint);
      ++joints;
    }
    spec.bodies.push_back(body);
    spec.sites.push_back({b, RandomVector(random) * 0.3, RandomRotation(random)});
    open.push_back(b);
  }
  for (size_t k = 0; k + 1 < scalar_joints.size(); k += 2) {
    spec.tendons.push_back({{{mjWRAP_JOINT, scalar_joints[k], 1.5}, {mjWRAP_JOINT, scalar_joints[k + 1], -0.7}},
                            Uniform(random, 0, 0.1),
                            Uniform(random, 0, 3),
                            Uniform(random, 0, 1)});
    spec.actuators.push_back({mjTRN_TENDON, static_cast<int>(k / 2), -1, {2, 0, 0, 0, 0, 0}, 0, 0.05, 3});
  }
  for (int j = 0; j < joints; ++j) {
    const int type = random() % 2 ? mjTRN_JOINT : mjTRN_JOINTINPARENT;
    spec.actuators.push_back({type, j, -1, {1, -0.5, 2, 0.3, -1, 0.7}, 0, random() % 3 ? 0 : 0.02, 2});
  }
  return spec;
}

void RandomState(const mjModel& m, mjData* d, std::mt19937& random) {
  for (int j = 0; j < m.njnt; ++j) {
    double* q = d->qpos + m.jnt_qposadr[j];
    const int type = m.jnt_type[j];
    if (type == mjJNT_FREE) StoreVec3(RandomVector(random), q);
    if (type == mjJNT_FREE) StoreQuat(RandomRotation(random), q + 3);
    if (type == mjJNT_BALL) StoreQuat(RandomRotation(random), q);
    if (DofCount(type) == 1) *q = Uniform(random, -2, 2);
  }
  for (int i = 0; i < m.nv; ++i) {
    d->qvel[i] = Uniform(random, -3, 3);
    d->qfrc_applied[i] = Uniform(random);
    d->qacc[i] = Uniform(random, -10, 10);
  }
  for (int u = 0; u < m.nu; ++u) d->ctrl[u] = Uniform(random);
  for (int b = 1; b < m.nbody; ++b) {
    for (int k = 0; k < 6 && random() % 2; ++k) d->xfrc_applied[6 * b + k] = Uniform(random);
  }
}

double Uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vector RandomVector(std::mt19937& random) {
  const double x = Uniform(random), y = Uniform(random), z = Uniform(random);
  return {x, y, z};
}

Rotation RandomRotation(std::mt19937& random) {
  Rotation q;
  for (int i = 0; i < 4; ++i) q[i] = Uniform(random);
  return Normalized(q);
}

}  // namespace sinew::testing
