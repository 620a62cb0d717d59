// Counts that a few bytes of text ask for.
#include "tests/unit/hostile/cases.h"

namespace sinew::hostile {
namespace {

const std::string kSphere = "<geom size='.1'/>";

void AddReplicates(Cases& cases) {
  const auto replicate = [](const std::string& count, const std::string& inside) {
    return "<replicate count='" + count + "' offset='1 0 0'>" + inside + "</replicate>";
  };
  for (const char* count : {"1000000000", "2147483647", "99999999999", "1e9", "nan"}) {
    cases.push_back({"replicate_" + std::to_string(cases.size()), Outcome::kError, World(replicate(count, kSphere))});
  }
  cases.push_back({"replicate_of_negative_count", Outcome::kLoads, World(replicate("-1", kSphere))});
  for (const char* count : {"1000000000", "2147483647"}) {
    const std::string id = "_" + std::to_string(cases.size());
    cases.push_back({"replicate_of_nothing" + id, Outcome::kEither, World(replicate(count, ""))});
    cases.push_back({"replicate_of_bodies" + id, Outcome::kError,
                     World(replicate(count, "<body><freejoint/>" + kSphere + "</body>"))});
    cases.push_back({"replicate_in_a_body" + id, Outcome::kError,
                     World("<body name='b'>" + replicate(count, "<site/>") + kSphere + "</body>")});
  }
  std::string nested = kSphere;
  for (int depth = 1; depth <= 10; ++depth) {
    nested = replicate("10000", nested);
    if (depth > 1) {
      cases.push_back({"replicates_nested_" + std::to_string(depth), Outcome::kError, World(nested)});
    }
  }
  std::string twos = kSphere;
  for (int depth = 0; depth < 60; ++depth) twos = replicate("2", twos);
  cases.push_back({"replicates_of_two_nested_60", Outcome::kError, World(twos)});
}

void AddComposites(Cases& cases) {
  for (const char* type : {"cable", "grid", "cloth", "particle", "rope", "box", "nonsense"}) {
    for (const char* count : {"1000000000 1 1", "100000 100000 1", "2147483647 2147483647 2147483647", "-5 1 1"}) {
      cases.push_back(
          {std::string("composite_") + type + "_" + std::to_string(cases.size()), Outcome::kError,
           World("<body name='b'><composite prefix='c' type='" + std::string(type) + "' count='" + count +
                 "' offset='0 0 1' size='1 0 0' curve='s'><geom type='capsule' size='.01'/></composite></body>")});
    }
  }
}

// Small files that take long, or much memory, where nothing looks wrong.
void AddCosts(Cases& cases) {
  for (const char* count : {"2001", "5001", "20001"}) {
    cases.push_back({std::string("cable_of_") + count, Outcome::kError,
                     World(std::string("<composite type='cable' curve='s' count='") + count +
                           " 1 1' size='50 1 1'><geom type='capsule' size='.002'/></composite>")});
  }
  for (const char* settings : {"inttotal='1e6' timestep='1e-6'", "inttotal='inf'", "timestep='1e-300'"}) {
    cases.push_back(
        {"length_range_" + std::to_string(cases.size()), Outcome::kError,
         Model(std::string("<compiler><lengthrange ") + settings + "/></compiler><worldbody><body>" +
               "<joint name='j'/>" + kSphere + "</body></worldbody>" + "<actuator><muscle joint='j'/></actuator>")});
  }
  std::string textures;
  for (int i = 0; i < 200; ++i) {
    textures += "<texture name='t" + std::to_string(i) + "' type='cube' builtin='flat' width='2000' height='2000'/>";
  }
  cases.push_back({"textures_of_14_GB", Outcome::kError, Asset(textures)});
  std::string classes;
  for (int i = 0; i < 20000; ++i) classes += "<default class='c" + std::to_string(i) + "'/>";
  cases.push_back({"classes_20000", Outcome::kLoads, Model("<default>" + classes + "</default>")});
}

void AddFlexcomps(Cases& cases) {
  for (const char* type : {"grid", "box", "ellipsoid", "cylinder", "disc", "circle", "square"}) {
    for (const char* count : {"1000000000 2 2", "100000 100000 2", "2147483647 2147483647 2147483647"}) {
      cases.push_back({std::string("flexcomp_") + type + "_" + std::to_string(cases.size()), Outcome::kError,
                       World("<body name='b'><flexcomp name='f' type='" + std::string(type) + "' dim='2' count='" +
                             count + "' spacing='.1 .1 .1' radius='.001' mass='1'/></body>")});
    }
  }
}

std::string Direct(int dim, const std::string& points, const std::string& elements, const std::string& rest = "") {
  return World("<body name='b'><flexcomp name='f' type='direct' radius='.01' mass='1' dim='" + std::to_string(dim) +
               "' point='" + points + "' element='" + elements + "'>" + rest + "</flexcomp></body>");
}

// Triangles between vertices on bodies of their own. Where all lie in one place, every pair of them is near.
std::string ManyTriangles(size_t count, int vertices) {
  std::string bodies, names, elements;
  for (int i = 0; i < vertices; ++i) {
    const std::string name = "b" + std::to_string(i);
    bodies += "<body name='" + name + "' pos='" + std::to_string(i % 10) + " " + std::to_string(i / 10) +
              " 0'><joint type='slide'/>" + kSphere + "</body>";
    names += name + " ";
  }
  for (size_t i = 0; i < count; ++i) {
    const size_t n = static_cast<size_t>(vertices);
    for (const size_t offset : {0, 7, 31}) elements += std::to_string((i + offset) % n) + " ";
  }
  return Model("<worldbody>" + bodies + "</worldbody><deformable><flex name='f' dim='2' radius='.01' body='" + names +
               "' element='" + elements + "'><contact selfcollide='auto'/></flex></deformable>");
}

void AddFlexes(Cases& cases) {
  const std::string triangle = "0 0 0  1 0 0  0 1 0", corners = triangle + "  0 0 1";
  const std::string elastic = "<elasticity young='1e4' poisson='.1' damping='.1'/>";
  cases.push_back({"flex_without_such_vertex", Outcome::kError, Direct(2, triangle, "0 1 3")});
  cases.push_back({"flex_with_negative_vertex", Outcome::kError, Direct(2, triangle, "0 1 -1")});
  cases.push_back({"flex_with_a_vertex_twice", Outcome::kError, Direct(2, triangle, "0 1 1")});
  cases.push_back({"flex_with_a_vertex_nowhere", Outcome::kError, Direct(2, "nan 0 0  1 0 0  0 1 0", "0 1 2")});
  cases.push_back({"flex_with_a_vertex_at_infinity", Outcome::kError, Direct(2, "inf 0 0  1 0 0  0 1 0", "0 1 2")});
  cases.push_back({"flex_inside_out", Outcome::kLoads, Direct(3, corners, "0 2 1 3", elastic)});
  cases.push_back({"flex_half_inside_out", Outcome::kLoads, Direct(3, corners + " 1 1 1", "0 1 2 3 1 3 2 4", elastic)});
  cases.push_back({"flex_without_volume", Outcome::kError, Direct(3, triangle + "  1 1 0", "0 1 2 3", elastic)});
  cases.push_back(
      {"flex_in_one_point", Outcome::kEither, Direct(2, "0 0 0 0 0 0 0 0 0 0 0 0", "0 1 2 1 2 3", elastic)});
  cases.push_back({"flex_with_edges_of_no_length", Outcome::kEither,
                   Direct(2, "0 0 0 0 0 0 0 0 0 0 0 0", "0 1 2 1 2 3", "<edge equality='true'/>")});
  cases.push_back(
      {"flex_of_raw_elements_without_vertices", Outcome::kError,
       Model("<worldbody><body name='b'><joint/>" + std::string(kSphere) + "</body></worldbody><deformable>" +
             "<flex name='f' dim='2' body='b b b' vertex='" + triangle + "' element='0 1 2147483647'/></deformable>")});
  cases.push_back({"flex_with_100000_elements_in_one_place", Outcome::kLoads, ManyTriangles(100'000, 100)});
}

void AddTextures(Cases& cases) {
  for (const char* type : {"2d", "cube", "skybox"}) {
    for (const char* builtin : {"gradient", "checker", "flat"}) {
      for (const char* size :
           {"width='100000' height='100000'", "width='2147483647' height='2147483647'", "width='-1' height='-1'"}) {
        cases.push_back(
            {"texture_" + std::to_string(cases.size()), Outcome::kError,
             Asset("<texture name='t' type='" + std::string(type) + "' builtin='" + builtin + "' " + size + "/>")});
      }
    }
  }
  for (const char* grid : {"2147483647 1", "65536 65536", "0 0", "-1 -12"}) {
    cases.push_back({"texture_grid_" + std::to_string(cases.size()),
                     Outcome::kError,
                     Asset("<texture name='t' type='cube' file='a.bin' gridsize='" + std::string(grid) + "'/>"),
                     {{"a.bin", Bytes(1, 6) + Repeat(18, "x")}}});
  }
  cases.push_back({"texture_with_many_channels", Outcome::kError,
                   Asset("<texture name='t' type='2d' builtin='flat' width='1' height='1' nchannel='1000000000'/>")});
}

void AddHeightFields(Cases& cases) {
  for (const char* size : {"nrow='100000' ncol='100000'", "nrow='2147483647' ncol='2147483647'",
                           "nrow='1' ncol='2147483647'", "nrow='-1' ncol='5'", "nrow='65536' ncol='65536'"}) {
    cases.push_back({"hfield_" + std::to_string(cases.size()), Outcome::kError,
                     Asset("<hfield name='h' size='1 1 1 1' " + std::string(size) + "/>")});
    cases.push_back({"hfield_with_elevation_" + std::to_string(cases.size()), Outcome::kError,
                     Asset("<hfield name='h' size='1 1 1 1' elevation='1 2' " + std::string(size) + "/>")});
  }
}

void AddSizes(Cases& cases) {
  for (const char* size : {"memory='16E'", "memory='99999999999999999999'", "memory='9E'", "njmax='2147483647'",
                           "nconmax='2147483647'", "nstack='2147483647'", "nuserdata='2147483647'", "nkey='2147483647'",
                           "nuser_body='2147483647'", "nuser_geom='2147483647'"}) {
    cases.push_back({"size_" + std::to_string(cases.size()), Outcome::kError,
                     Model("<size " + std::string(size) + "/><worldbody>" + kSphere + "</worldbody>")});
  }
  cases.push_back({"numeric_of_two_billion", Outcome::kError,
                   Model("<custom><numeric name='n' size='2147483647' data='1'/></custom>")});
  for (const char* delay : {"nsample='2147483647'", "nsample='1000000000'"}) {
    cases.push_back({"sensor_history_" + std::to_string(cases.size()), Outcome::kError,
                     Model("<sensor><clock " + std::string(delay) + " interval='.1'/></sensor>")});
  }
  for (const char* mesh :
       {"builtin='sphere' params='12'", "builtin='sphere' params='1000000000'",
        "builtin='supersphere' params='100000 1 1'", "builtin='hemisphere' params='1000000000'",
        "builtin='cone' params='1000000000 1'", "builtin='supertorus' params='1000000000 .5 1 1'",
        "builtin='wedge' params='100000 100000 90 90 0'", "builtin='plate' params='100000 100000'"}) {
    cases.push_back({"builtin_mesh_" + std::to_string(cases.size()), Outcome::kError,
                     Model("<asset><mesh name='m' " + std::string(mesh) +
                           "/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>")});
  }
}

}  // namespace

Cases CountCases() {
  Cases cases;
  AddReplicates(cases);
  AddComposites(cases);
  AddCosts(cases);
  AddFlexcomps(cases);
  AddFlexes(cases);
  AddTextures(cases);
  AddHeightFields(cases);
  AddSizes(cases);
  return cases;
}

}  // namespace sinew::hostile
