#include "step/moved_bodies.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collision/broad/bounds.h"
#include "collision/broad/filter.h"
#include "collision/distance.h"
#include "constraint/equality_pose.h"
#include "model/kinds/spring_law.h"
#include "model/state/awake.h"
#include "model/view/wrap_types.h"

namespace sinew::inline step {
namespace {

bool IsStatic(const mjModel* m, int body) { return m->body_treeid[body] < 0; }

// Whether a row of two arrays differs in any bit.
bool Differs(const mjtNum* a, const mjtNum* b, int row, int width) {
  return std::memcmp(a + row * width, b + row * width, static_cast<size_t>(width) * sizeof(mjtNum)) != 0;
}

using Moved = StaticPoses::Moved;

// Finds the sleeping trees that moved things touch.
class Touch {
 public:
  Touch(const mjModel* m, mjData* d, StackFrame& frame, const Moved& moved, bool* touched)
      : m_(m), d_(d), moved_(moved), touched_(touched), state_(frame.Ints(m->nbody)) {
    // what moves, as a whole or in part, is awake to the filters
    std::copy_n(d->body_awake, m->nbody, state_);
    for (int body = 0; body < m->nbody; ++body) {
      if (HasMovedGeoms(body)) d->body_awake[body] = mjS_AWAKE;
    }
  }
  ~Touch() { std::copy_n(state_, m_->nbody, d_->body_awake); }
  Touch(const Touch&) = delete;
  Touch& operator=(const Touch&) = delete;

  // By the geoms where they are.
  void MarkByGeoms() {
    if (m_->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) return;
    StackFrame frame(d_);
    const BodyFilter filter(m_, d_, frame);
    for (int body = 0; body < m_->nbody; ++body) {
      if (HasMovedGeoms(body) && IsCollidable(m_, body)) MarkByBody(filter, body);
    }
    for (int pair = 0; pair < m_->npair; ++pair) {
      const int geom1 = m_->pair_geom1[pair], geom2 = m_->pair_geom2[pair];
      if (moved_.geom[geom1]) MarkIfNear(geom1, geom2, m_->pair_margin[pair]);
      if (moved_.geom[geom2]) MarkIfNear(geom2, geom1, m_->pair_margin[pair]);
    }
  }

  // Flexes are not looked at part by part.
  void MarkByFlexes() {
    for (int flex = 0; flex < m_->nflex; ++flex) {
      const bool is_moved = AnyCarrier(flex, [this](int body) { return moved_.body[body]; });
      for (int body = 0; body < m_->nbody; ++body) {
        if (!MasksMatch(m_->flex_contype[flex], m_->flex_conaffinity[flex], m_->body_contype[body],
                        m_->body_conaffinity[body])) {
          continue;
        }
        if (is_moved) Mark(body);
        if (HasMovedGeoms(body)) MarkCarriers(flex);
      }
    }
  }

  void MarkByEqualities() {
    for (int id = 0; id < m_->neq; ++id) {
      if (!d_->eq_active[id] || (m_->eq_type[id] != mjEQ_CONNECT && m_->eq_type[id] != mjEQ_WELD)) continue;
      const bool of_sites = m_->eq_objtype[id] == mjOBJ_SITE;
      const bool* const moved = of_sites ? moved_.site : moved_.body;
      const auto [body1, body2] = EqualityBodies(m_, id);
      if (moved[m_->eq_obj1id[id]]) Mark(body2);
      if (moved[m_->eq_obj2id[id]]) Mark(body1);
    }
  }

  void MarkByTendons() {
    for (int tendon = 0; tendon < m_->ntendon; ++tendon) {
      if (CanPull(tendon) && AnyWrap(tendon, [](const Wrap& wrap) { return wrap.moved; })) {
        AnyWrap(tendon, [this](const Wrap& wrap) {
          Mark(wrap.body);
          return false;
        });
      }
    }
  }

 private:
  bool IsSleeper(int body) const { return state_[body] == mjS_ASLEEP; }
  void Mark(int body) {
    if (IsSleeper(body)) touched_[m_->body_treeid[body]] = true;
  }

  // ---- geoms

  bool HasMovedGeoms(int body) const {
    const bool* const first = moved_.geom + m_->body_geomadr[body];
    return m_->body_geomnum[body] > 0 &&
           std::find(first, first + m_->body_geomnum[body], true) != first + m_->body_geomnum[body];
  }
  void MarkByBody(const BodyFilter& filter, int body) {
    for (int other = 0; other < m_->nbody; ++other) {
      if (!IsSleeper(other) || touched_[m_->body_treeid[other]] || !filter(body, other)) continue;
      MarkByGeomsOf(body, other);
    }
  }

  void MarkByGeomsOf(int body, int other) {
    const int begin = m_->body_geomadr[body], end = begin + m_->body_geomnum[body];
    const int first = m_->body_geomadr[other], last = first + m_->body_geomnum[other];
    for (int geom = begin; geom < end; ++geom) {
      for (int asleep = first; moved_.geom[geom] && asleep < last; ++asleep) {
        const auto [low, high] = InOrderOfTypes(geom, asleep);
        if (GeomsMayCollide(m_, d_, low, high)) MarkIfNear(geom, asleep, PairMargin(m_, geom, asleep));
      }
    }
  }

  std::pair<int, int> InOrderOfTypes(int geom1, int geom2) const {
    return m_->geom_type[geom1] <= m_->geom_type[geom2] ? std::pair{geom1, geom2} : std::pair{geom2, geom1};
  }

  // Contacts of a body at rest may be open by rounding: distances up to a millionth of the body's size count.
  void MarkIfNear(int geom, int asleep, double margin) {
    const int body = m_->geom_bodyid[asleep];
    if (!IsSleeper(body) || touched_[m_->body_treeid[body]]) return;
    const double limit = margin + 1e-6 * m_->geom_rbound[asleep];
    const auto [low, high] = InOrderOfTypes(geom, asleep);
    if (SpheresOverlap(m_, d_, low, high, limit) && GeomDistance(m_, d_, low, high, limit, nullptr) < limit) Mark(body);
  }

  // ---- flexes

  // Whether a predicate holds for any body that carries vertices or nodes of a flex.
  template <class F>
  bool AnyCarrier(int flex, F&& holds) const {
    const auto any = [&](const int* body, int first, int count) {
      return std::any_of(body + first, body + first + count, [&](int b) { return b >= 0 && holds(b); });
    };
    return any(m_->flex_vertbodyid, m_->flex_vertadr[flex], m_->flex_vertnum[flex]) ||
           any(m_->flex_nodebodyid, m_->flex_nodeadr[flex], m_->flex_nodenum[flex]);
  }
  void MarkCarriers(int flex) {
    AnyCarrier(flex, [this](int body) {
      Mark(body);
      return false;
    });
  }

  // ---- tendons

  // Whether the tendon exerts forces at some length or velocity.
  bool CanPull(int tendon) const {
    const auto any = [tendon](const mjtNum* x, int width) {
      return std::any_of(x + tendon * width, x + (tendon + 1) * width, [](mjtNum value) { return value != 0; });
    };
    return m_->tendon_limited[tendon] || any(m_->tendon_stiffness, 1) || any(m_->tendon_damping, 1) ||
           any(m_->tendon_frictionloss, 1) || any(m_->tendon_stiffnesspoly, mjNPOLY) ||
           any(m_->tendon_dampingpoly, mjNPOLY) || m_->tendon_actuatorid[tendon] != -1 ||
           SpringLaws(m_).OfTendon(tendon);
  }

  struct Wrap {
    int body;
    bool moved;
  };
  // Whether a predicate holds for any site or geom that the tendon runs over.
  template <class F>
  bool AnyWrap(int tendon, F&& holds) const {
    const int begin = m_->tendon_adr[tendon], end = begin + m_->tendon_num[tendon];
    for (int w = begin; w < end; ++w) {
      const int id = m_->wrap_objid[w];
      if (m_->wrap_type[w] == mjWRAP_SITE && holds(Wrap{m_->site_bodyid[id], moved_.site[id]})) return true;
      if (IsWrapGeom(m_->wrap_type[w]) && holds(Wrap{m_->geom_bodyid[id], moved_.geom[id]})) return true;
    }
    return false;
  }

  const mjModel* m_;
  mjData* d_;
  const Moved& moved_;
  bool* touched_;
  int* state_;  // of bodies, before those that move were marked as awake
};

// Calls f(id) for the geoms or sites of static bodies.
template <class F>
void ForStatic(const mjModel* m, mjtSize count, const int* bodyid, F&& f) {
  for (int id = 0; id < count; ++id) {
    if (IsStatic(m, bodyid[id])) f(id);
  }
}

// Rows of static things, the others uninitialized.
mjtNum* CopyStatic(const mjModel* m, const mjtNum* from, mjtSize count, const int* bodyid, int width,
                   StackFrame& frame) {
  mjtNum* const to = frame.Doubles(width * count);
  ForStatic(m, count, bodyid, [&](int id) { std::copy_n(from + width * id, width, to + width * id); });
  return to;
}

}  // namespace

StaticPoses::StaticPoses(const mjModel* m, const mjData* d, StackFrame& frame)
    : xpos_(frame.Doubles(3 * m->nbody)),
      xquat_(frame.Doubles(4 * m->nbody)),
      geom_xpos_(CopyStatic(m, d->geom_xpos, m->ngeom, m->geom_bodyid, 3, frame)),
      geom_xmat_(CopyStatic(m, d->geom_xmat, m->ngeom, m->geom_bodyid, 9, frame)),
      site_xpos_(CopyStatic(m, d->site_xpos, m->nsite, m->site_bodyid, 3, frame)),
      site_xmat_(CopyStatic(m, d->site_xmat, m->nsite, m->site_bodyid, 9, frame)) {
  std::copy_n(d->xpos, 3 * m->nbody, xpos_);
  std::copy_n(d->xquat, 4 * m->nbody, xquat_);
}

void StaticPoses::SwapGeoms(const mjModel* m, mjData* d) const {
  ForStatic(m, m->ngeom, m->geom_bodyid, [&](int geom) {
    std::swap_ranges(geom_xpos_ + 3 * geom, geom_xpos_ + 3 * geom + 3, d->geom_xpos + 3 * geom);
    std::swap_ranges(geom_xmat_ + 9 * geom, geom_xmat_ + 9 * geom + 9, d->geom_xmat + 9 * geom);
  });
}

bool StaticPoses::FindMoved(const mjModel* m, const mjData* d, const Moved& moved) const {
  bool any = false;
  for (int body = 0; body < m->nbody; ++body) {
    moved.body[body] = IsStatic(m, body) && (Differs(d->xpos, xpos_, body, 3) || Differs(d->xquat, xquat_, body, 4));
    any |= moved.body[body];
  }
  std::fill_n(moved.geom, m->ngeom, false);
  ForStatic(m, m->ngeom, m->geom_bodyid, [&](int geom) {
    moved.geom[geom] = Differs(d->geom_xpos, geom_xpos_, geom, 3) || Differs(d->geom_xmat, geom_xmat_, geom, 9);
    any |= moved.geom[geom];
  });
  std::fill_n(moved.site, m->nsite, false);
  ForStatic(m, m->nsite, m->site_bodyid, [&](int site) {
    moved.site[site] = Differs(d->site_xpos, site_xpos_, site, 3) || Differs(d->site_xmat, site_xmat_, site, 9);
    any |= moved.site[site];
  });
  return any;
}

void StaticPoses::MarkTouched(const mjModel* m, mjData* d, bool* touched) const {
  StackFrame frame(d);
  const Moved moved = {frame.Alloc<bool>(m->nbody), frame.Alloc<bool>(m->ngeom), frame.Alloc<bool>(m->nsite)};
  if (!FindMoved(m, d, moved)) return;
  Touch touch(m, d, frame, moved, touched);
  touch.MarkByEqualities();
  touch.MarkByTendons();
  touch.MarkByFlexes();
  touch.MarkByGeoms();
  SwapGeoms(m, d);
  touch.MarkByGeoms();
  SwapGeoms(m, d);
}

}  // namespace sinew::inline step
