// mujoco.sensor.touch_grid: forces of contacts with a body, by the direction in which a site of the body sees them.
//
// The site looks along its -z axis, with x to the right and y up. A contact at p in its frame is seen at
//   azimuth a = atan2(x, -z),   elevation e = atan2(y, |(x, z)|)
// and counts for the cell of the grid that contains (a, e). Its force on the body, in the axes of the site, adds to the
// channels of the cell: force along z, x, y, then torque about z, x, y.
//   size       number of cells by azimuth and by elevation
//   fov        half of the angle that the grid covers, by azimuth (at most 180) and by elevation (at most 90) [degree]
//   gamma      foveation: edges of cells are at f(s) fov, f(s) = (1 - gamma) s + gamma s^5, s evenly from -1 to 1
//   nchannel   how many channels there are, 1 to 6
// Output: channel by channel, in each row by row from below, in each row from the left.
#include <algorithm>
#include <climits>
#include <cmath>
#include <memory>
#include <vector>

#include "math/mat3.h"
#include "plugin/first_party/config.h"
#include "plugin/first_party/first_party.h"
#include "plugin/first_party/instance.h"
#include "simd/functions.h"

namespace sinew::inline plugin {
namespace {

using Vector = Vec3<double>;

constexpr const char* kAttributes[] = {"nchannel", "size", "fov", "gamma"};
constexpr double kDegree = mjPI / 180;

struct Config {
  int nchannel = 1, columns = 0, rows = 0;
  double fov[2] = {0, 0}, gamma = 0;  // fov in radians

  int cells() const { return columns * rows; }
};

// Returns what is wrong, or null.
const char* ReadConfig(const mjModel* m, int instance, Config* config) {
  // three are asked for where two are allowed
  double nchannel = 1, size[3] = {}, fov[3] = {};
  const auto read = [&](const char* attribute, double* numbers) {
    return ReadNumbers(mj_getPluginConfig(m, instance, attribute), numbers, 3);
  };
  if (!ReadNumber(m, instance, "nchannel", &nchannel) || !(nchannel >= 1 && nchannel < 7)) {
    return "'nchannel' must be between 1 and 6";
  }
  if (read("size", size) != 2) return "'size' must be two numbers: cells by azimuth and by elevation";
  constexpr double kMaxCells = 1 << 24;
  if (!(size[0] >= 1 && size[1] >= 1 && size[0] * size[1] <= kMaxCells)) {
    return "'size' must be positive, with at most 2^24 cells";
  }
  if (read("fov", fov) != 2) return "'fov' must be two numbers: degrees by azimuth and by elevation";
  if (!(fov[0] > 0 && fov[0] <= 180)) return "'fov' by azimuth must be above 0, and at most 180 degrees";
  if (!(fov[1] > 0 && fov[1] <= 90)) return "'fov' by elevation must be above 0, and at most 90 degrees";
  if (!ReadNumber(m, instance, "gamma", &config->gamma) || !(config->gamma >= 0 && config->gamma <= 1)) {
    return "'gamma' must be a number from 0 to 1";
  }
  config->nchannel = static_cast<int>(nchannel);
  config->columns = static_cast<int>(size[0]);
  config->rows = static_cast<int>(size[1]);
  for (int k = 0; k < 2; ++k) config->fov[k] = fov[k] * kDegree;
  return nullptr;
}

// Edges of n cells that cover [-fov, fov], foveated.
std::vector<double> Edges(int n, double fov, double gamma) {
  std::vector<double> edges;
  for (int i = 0; i <= n; ++i) {
    const double s = (2.0 * i - n) / n;
    edges.push_back(fov * ((1 - gamma) * s + gamma * s * s * s * s * s));
  }
  return edges;
}

// The cell of an angle, -1 when the grid does not cover it. An angle on an edge belongs to the cell before it.
int CellOf(const std::vector<double>& edges, double angle) {
  if (angle < edges.front() || angle > edges.back()) return -1;
  const auto inner_end = edges.end() - 1;
  return static_cast<int>(std::lower_bound(edges.begin() + 1, inner_end, angle) - (edges.begin() + 1));
}

class TouchGrid {
 public:
  TouchGrid(const mjModel* m, int instance, const Config& config)
      : config_(config),
        azimuth_(Edges(config.columns, config.fov[0], config.gamma)),
        elevation_(Edges(config.rows, config.fov[1], config.gamma)),
        distance_(static_cast<size_t>(config.cells())) {
    for (int i = 0; i < m->nsensor; ++i) {
      if (m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance) sensors_.push_back(i);
    }
  }

  void Sense(const mjModel* m, mjData* d) const {
    for (int sensor : sensors_) {
      mjtNum* output = d->sensordata + m->sensor_adr[sensor];
      std::fill_n(output, m->sensor_dim[sensor], 0.0);
      ForEachContact(m, d, m->sensor_objid[sensor], [&](int cell, double, const Vector& force, const Vector& torque) {
        const double channel[] = {force.z, force.x, force.y, torque.z, torque.x, torque.y};
        for (int k = 0; k < config_.nchannel; ++k) output[k * config_.cells() + cell] += channel[k];
      });
    }
  }

  // A tile for each cell in touch, at the mean distance of its contacts, as bright as its share of the largest force.
  void Draw(const mjModel* m, const mjData* d, mjvScene* scene) {
    for (int sensor : sensors_) {
      std::vector<int> count(distance_.size());
      std::fill(distance_.begin(), distance_.end(), 0.0);
      const int site = m->sensor_objid[sensor];
      ForEachContact(m, d, site, [&](int cell, double distance, const Vector&, const Vector&) {
        distance_[static_cast<size_t>(cell)] += distance;
        ++count[static_cast<size_t>(cell)];
      });
      const mjtNum* force = d->sensordata + m->sensor_adr[sensor];
      double largest = mjMINVAL;
      for (int cell = 0; cell < config_.cells(); ++cell) largest = std::max(largest, std::fabs(force[cell]));
      for (int cell = 0; cell < config_.cells() && scene->ngeom < scene->maxgeom; ++cell) {
        const int contacts = count[static_cast<size_t>(cell)];
        if (contacts == 0 || force[cell] == 0) continue;
        DrawTile(d, site, cell, distance_[static_cast<size_t>(cell)] / contacts, std::fabs(force[cell]) / largest,
                 scene);
      }
    }
  }

 private:
  // The body to which a geom is welded; -1 for a flex.
  static int WeldOf(const mjModel* m, int geom) { return geom < 0 ? -1 : m->body_weldid[m->geom_bodyid[geom]]; }

  // Calls body(cell, distance, force, torque) for the contacts of geoms welded to the site's body, with the force on
  // them, in the axes of the site.
  template <class Body>
  void ForEachContact(const mjModel* m, const mjData* d, int site, const Body& body) const {
    const int weld = m->body_weldid[m->site_bodyid[site]];
    const Vector origin = LoadVec3(static_cast<const double*>(d->site_xpos) + 3 * site);
    const Mat3<double> axes = LoadMat3(static_cast<const double*>(d->site_xmat) + 9 * site);
    for (int i = 0; i < d->ncon; ++i) {
      const mjContact& contact = d->contact[i];
      const int weld1 = WeldOf(m, contact.geom[0]), weld2 = WeldOf(m, contact.geom[1]);
      if ((weld1 == weld) == (weld2 == weld) || contact.efc_address < 0) continue;

      const Vector p = MulTransposed(axes, LoadVec3(static_cast<const double*>(contact.pos)) - origin);
      const int column = CellOf(azimuth_, Atan2(p.x, -p.z));
      const int row = CellOf(elevation_, Atan2(p.y, std::sqrt(p.x * p.x + p.z * p.z)));
      if (column < 0 || row < 0) continue;

      // as in 3.8.0, signs are those of a contact whose geoms stand in the order of their bodies
      mjtNum wrench[6];
      mj_contactForce(m, d, i, wrench);
      const Mat3<double> frame = LoadMat3(static_cast<const double*>(contact.frame));
      const double sign = weld > (weld1 == weld ? weld2 : weld1) ? 1 : -1;
      const auto local = [&](const mjtNum* v) {
        return MulTransposed(axes, MulTransposed(frame, LoadVec3(static_cast<const double*>(v)))) * sign;
      };
      body(row * config_.columns + column, Norm(p), local(wrench), local(wrench + 3));
    }
  }

  void DrawTile(const mjData* d, int site, int cell, double distance, double brightness, mjvScene* scene) const {
    constexpr double kThickness = 0.02;  // half of it, in distances
    const size_t column = static_cast<size_t>(cell % config_.columns),
                 row = static_cast<size_t>(cell / config_.columns);
    const double a = (azimuth_[column] + azimuth_[column + 1]) / 2, e = (elevation_[row] + elevation_[row + 1]) / 2;

    // axes of the tile: right, up, towards the site
    const Vector right = {Cos(a), 0, Sin(a)}, away = {Cos(e) * Sin(a), Sin(e), -Cos(e) * Cos(a)};
    const Vector up = Cross(right, away);
    const Mat3<double> tile = {right.x, -up.x, -away.x, right.y, -up.y, -away.y, right.z, -up.z, -away.z};
    const Mat3<double> axes = LoadMat3(static_cast<const double*>(d->site_xmat) + 9 * site);
    const Mat3<double> world = axes * tile;
    const Vector center =
        LoadVec3(static_cast<const double*>(d->site_xpos) + 3 * site) + axes * away * (distance * (1 - kThickness));

    const double width = azimuth_[column + 1] - azimuth_[column], height = elevation_[row + 1] - elevation_[row];
    const mjtNum size[3] = {distance * width / 2, distance * height / 2, distance * kThickness};
    const mjtNum pos[3] = {center.x, center.y, center.z};
    const float light = static_cast<float>(brightness);
    const float rgba[4] = {light, light, light, 1};
    mjvGeom* geom = scene->geoms + scene->ngeom++;
    mjv_initGeom(geom, mjGEOM_BOX, size, pos, world.m, rgba);
    geom->category = mjCAT_DECOR;
    geom->segid = scene->ngeom - 1;
  }

  const Config config_;
  const std::vector<double> azimuth_, elevation_;  // edges of columns and rows
  std::vector<double> distance_;                   // scratch, by cell
  std::vector<int> sensors_;
};

int CountOutputs(const mjModel* m, int instance, int sensor) {
  Config config;
  const char* complaint = ReadConfig(m, instance, &config);
  if (!complaint && m->sensor_objtype[sensor] != mjOBJ_SITE) complaint = "the sensor must be attached to a site";
  if (complaint) {
    mju_error("mujoco.sensor.touch_grid: %s", complaint);
    return 0;
  }
  return config.nchannel * config.cells();
}

TouchGrid* MakeTouchGrid(const mjModel* m, int instance) {
  Config config;
  const char* complaint = ReadConfig(m, instance, &config);
  if (complaint) mju_warning("mujoco.sensor.touch_grid: %s", complaint);
  return complaint ? nullptr : new TouchGrid(m, instance, config);
}

}  // namespace

mjpPlugin TouchGridPlugin() {
  mjpPlugin plugin = PluginOf<MakeTouchGrid>("mujoco.sensor.touch_grid", kAttributes, mjPLUGIN_SENSOR);
  plugin.needstage = mjSTAGE_ACC;
  plugin.nsensordata = CountOutputs;
  plugin.compute = [](const mjModel* m, mjData* d, int instance, int) {
    InstanceOf<TouchGrid>(d, instance).Sense(m, d);
  };
  plugin.visualize = [](const mjModel* m, mjData* d, const mjvOption*, mjvScene* scene, int instance) {
    InstanceOf<TouchGrid>(d, instance).Draw(m, d, scene);
  };
  return plugin;
}

}  // namespace sinew::inline plugin
