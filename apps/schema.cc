#include "schema.h"

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "output_file.h"
#include "schema_entry.h"

namespace sinew {
namespace {

std::string Print(const std::string& format) {
  if (format == "xsd") {
    std::string text(static_cast<std::size_t>(sinew_printXsd(nullptr, 0)), ' ');
    sinew_printXsd(text.data(), static_cast<int>(text.size()) + 1);
    return text;
  }
  const int html = format == "html";
  std::string text(static_cast<std::size_t>(mj_printSchema(nullptr, nullptr, 0, html, html)), ' ');
  mj_printSchema(nullptr, text.data(), static_cast<int>(text.size()) + 1, html, html);
  return text;
}

}  // namespace

void AddSchema(CLI::App& app) {
  struct Options {
    std::string format = "text", output, element, attribute;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("schema", "Print the elements and attributes of MJCF");
  CLI::Option* element = command->add_option(
      "element", options->element, "What it and its attributes mean: geom, body/geom, or an attribute, condim");
  command->add_option("attribute", options->attribute, "Only this attribute of it");
  CLI::Option* format = command->add_option("-f,--format", options->format, "text, html or xsd (XML Schema)")
                            ->check(CLI::IsMember({"text", "html", "xsd"}))
                            ->capture_default_str();
  element->excludes(format);
  command->add_option("-o,--output", options->output, "File to write; without it the schema is printed");
  command->callback([options] {
    const std::string text = options->element.empty() ? Print(options->format)
                                                      : SchemaEntry(Print("xsd"), options->element, options->attribute);
    if (options->output.empty()) {
      std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
      WriteToFile(options->output, text);
    }
  });
}

}  // namespace sinew
