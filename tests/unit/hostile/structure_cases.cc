// XML that is deep, long, circular, or no model at all.
#include "tests/unit/hostile/cases.h"

namespace sinew::hostile {
namespace {

const std::string kSphere = "<geom size='.1'/>";

void AddNesting(Cases& cases) {
  for (const int depth : {1000, 100000}) {
    const std::string id = "_" + std::to_string(depth);
    const auto nest = [&](const std::string& open, const std::string& inside, const std::string& close) {
      return Repeat(size_t(depth), open) + inside + Repeat(size_t(depth), close);
    };
    cases.push_back({"nested_bodies" + id, Outcome::kError, World(nest("<body>", kSphere, "</body>"))});
    cases.push_back({"nested_frames" + id, Outcome::kError, World(nest("<frame>", kSphere, "</frame>"))});
    cases.push_back({"nested_defaults" + id, Outcome::kError, Model(nest("<default class='a'>", "", "</default>"))});
    cases.push_back({"nested_replicates_of_one" + id, Outcome::kError,
                     World(nest("<replicate count='1'>", kSphere, "</replicate>"))});
    cases.push_back({"nested_unknown" + id, Outcome::kError, Model(nest("<x>", "", "</x>"))});
    cases.push_back({"unclosed_bodies" + id, Outcome::kError, "<mujoco><worldbody>" + Repeat(size_t(depth), "<body>")});
    cases.push_back({"closing_tags" + id, Outcome::kError, "<mujoco>" + Repeat(size_t(depth), "</body>")});
  }
}

void AddLength(Cases& cases) {
  const std::string megabyte(1 << 20, 'a');
  cases.push_back({"name_of_1MB", Outcome::kEither, World("<geom name='" + megabyte + "' size='1'/>")});
  cases.push_back(
      {"two_equal_names_of_1MB", Outcome::kError, World(Repeat(2, "<geom name='" + megabyte + "' size='1'/>"))});
  cases.push_back({"model_name_of_1MB", Outcome::kEither, "<mujoco model='" + megabyte + "'/>"});
  cases.push_back({"tag_of_1MB", Outcome::kError, Model("<" + megabyte + "/>")});
  cases.push_back({"attribute_of_1MB", Outcome::kError, Model("<option " + megabyte + "='1'/>")});
  cases.push_back({"keyword_of_1MB", Outcome::kError, World("<geom type='" + megabyte + "'/>")});
  cases.push_back({"class_of_1MB", Outcome::kError, World("<geom class='" + megabyte + "'/>")});
  cases.push_back({"reference_of_1MB", Outcome::kError, World("<geom size='1' material='" + megabyte + "'/>")});
  cases.push_back({"file_of_1MB", Outcome::kError, Asset("<mesh file='" + megabyte + ".stl'/>")});
  cases.push_back({"include_of_1MB", Outcome::kError, Model("<include file='" + megabyte + "'/>")});
  cases.push_back({"comment_of_1MB", Outcome::kLoads, "<mujoco><!--" + megabyte + "--></mujoco>"});
  cases.push_back(
      {"text_of_1MB", Outcome::kEither, Model("<custom><text name='t' data='" + megabyte + "'/></custom>")});
  cases.push_back({"number_of_1MB", Outcome::kError, World("<geom size='" + std::string(1 << 20, '1') + "x'/>")});
  cases.push_back({"a_million_sizes", Outcome::kError, World("<geom size='" + Repeat(1000000, "1 ") + "'/>")});
  cases.push_back({"a_million_gears", Outcome::kError,
                   Model("<actuator><motor gear='" + Repeat(1000000, "1 ") + "'/></actuator>")});
  cases.push_back(
      {"a_million_user_numbers", Outcome::kEither, World("<geom size='1' user='" + Repeat(1000000, "1 ") + "'/>")});
  cases.push_back(
      {"a_hundred_thousand_attributes", Outcome::kError, World("<geom " + Repeat(100000, "size='1' ") + "/>")});
  cases.push_back({"a_hundred_thousand_unknown_elements", Outcome::kError, Model(Repeat(100000, "<x/>"))});
  cases.push_back(
      {"a_hundred_thousand_unknown_attributes", Outcome::kError, World(Repeat(100000, "<geom size='1' x='1'/>"))});
  cases.push_back({"a_hundred_thousand_options", Outcome::kError, Model(Repeat(100000, "<option timestep='x'/>"))});
}

void AddEntities(Cases& cases) {
  std::string bomb = "<!DOCTYPE m [<!ENTITY a0 'aaaaaaaaaa'>";
  for (int i = 1; i < 30; ++i) {
    const std::string inner = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " '" + Repeat(10, inner) + "'>";
  }
  cases.push_back({"entity_bomb_in_an_attribute", Outcome::kEither, bomb + "]><mujoco model='&a29;'/>"});
  cases.push_back({"entity_bomb_in_a_number", Outcome::kError, bomb + "]>" + World("<geom size='&a29;'/>")});
  cases.push_back({"entity_of_itself", Outcome::kEither, "<!DOCTYPE m [<!ENTITY a '&a;'>]><mujoco model='&a;'/>"});
  cases.push_back({"entity_from_a_file", Outcome::kEither,
                   "<!DOCTYPE m [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><mujoco model='&a;'/>"});
  cases.push_back({"external_schema", Outcome::kEither, "<!DOCTYPE m SYSTEM 'http://127.0.0.1/x.dtd'><mujoco/>"});
  cases.push_back({"character_references", Outcome::kEither, "<mujoco model='" + Repeat(100000, "&#1114111;") + "'/>"});
  cases.push_back({"character_beyond_unicode", Outcome::kEither, "<mujoco model='&#99999999999999;'/>"});
  cases.push_back({"nested_doctype", Outcome::kError, Repeat(10000, "<!DOCTYPE m [") + "<mujoco/>"});
}

void AddTexts(Cases& cases) {
  const std::string nul(1, '\0');
  for (const std::string& text :
       {std::string(), std::string(" "), std::string("<"), std::string("<mujoco"), std::string("<mujoco/><mujoco"), nul,
        "<mujoco" + nul + "/>", std::string("\xff\xfe<\0m\0", 6), std::string("\xef\xbb\xbf"), std::string("hello"),
        std::string("<robot>"), std::string("<xml/>"), std::string("<?xml"), std::string("<![CDATA["),
        std::string("<!--"), Repeat(1000000, "<"), Repeat(1000000, "\n"), Repeat(1000000, "\xff"),
        std::string(1 << 20, '\0')}) {
    cases.push_back({"text_" + std::to_string(cases.size()), Outcome::kError, text});
  }
}

void AddCircles(Cases& cases) {
  cases.push_back({"class_in_itself", Outcome::kError, Model("<default class='a'><default class='a'/></default>")});
  cases.push_back({"tuple_of_itself", Outcome::kEither,
                   Model("<custom><tuple name='t'><element objtype='tuple' objname='t'/></tuple></custom>")});
  cases.push_back({"camera_that_watches_its_body", Outcome::kEither,
                   World("<body name='b'><camera mode='targetbody' target='b'/></body>")});
  cases.push_back({"sensor_of_a_sensor", Outcome::kError,
                   Model("<sensor><user name='u' objtype='sensor' objname='u' dim='2147483647'/></sensor>")});
  cases.push_back({"tendon_through_nothing", Outcome::kError,
                   Model("<tendon><spatial>" + Repeat(100000, "<pulley divisor='1'/>") + "</spatial></tendon>")});
  cases.push_back({"body_welded_to_itself", Outcome::kEither,
                   Model("<worldbody><body name='b'>" + kSphere +
                         "</body></worldbody><equality><weld body1='b' body2='b'/></equality>")});
}

}  // namespace

Cases StructureCases() {
  Cases cases;
  AddNesting(cases);
  AddLength(cases);
  AddEntities(cases);
  AddTexts(cases);
  AddCircles(cases);
  return cases;
}

}  // namespace sinew::hostile
