// Short documents of OpenSim for the tests of the reader.
#ifndef SINEW_TESTS_UNIT_OSIM_READ_DOCUMENT_H_
#define SINEW_TESTS_UNIT_OSIM_READ_DOCUMENT_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "compile/compile.h"
#include "core/error.h"
#include "model/storage/data.h"
#include "read/read_xml.h"

namespace sinew::osim {

inline const std::string kMass =
    "<mass>2</mass><mass_center>0.1 0.2 0.3</mass_center><inertia>1 1.1 1.2 0.01 0.02 0.03</inertia>";

inline std::string BodyOf(const std::string& name, const std::string& content = kMass) {
  return "<Body name='" + name + "'>" + content + "</Body>\n";
}

inline std::string Frame(const std::string& name, const std::string& parent, const std::string& translation,
                         const std::string& orientation) {
  return "<PhysicalOffsetFrame name='" + name + "'><socket_parent>" + parent + "</socket_parent><translation>" +
         translation + "</translation><orientation>" + orientation + "</orientation></PhysicalOffsetFrame>";
}

// A joint between frames that are neither at the origins of their bodies nor parallel to them.
inline const std::string kParentPosition = "0.1 -0.2 0.3", kParentAngles = "0.2 0.4 -0.3";
inline const std::string kChildPosition = "-0.05 0.02 0.07", kChildAngles = "-0.1 0.3 0.5";

inline std::string JointOf(const std::string& type, const std::string& name, const std::string& parent,
                           const std::string& child, const std::string& content = "") {
  return "<" + type + " name='" + name + "'><socket_parent_frame>" + parent +
         "_offset</socket_parent_frame><socket_child_frame>" + child + "_offset</socket_child_frame><frames>" +
         Frame(parent + "_offset", parent == "ground" ? "/ground" : "/bodyset/" + parent, kParentPosition,
               kParentAngles) +
         Frame(child + "_offset", "/bodyset/" + child, kChildPosition, kChildAngles) + "</frames>" + content + "</" +
         type + ">\n";
}

inline std::string CoordinateOf(const std::string& name, const std::string& content = "") {
  return "<Coordinate name='" + name + "'>" + content + "</Coordinate>";
}

inline std::string Set(const std::string& tag, const std::string& objects) {
  return "<" + tag + "><objects>\n" + objects + "</objects><groups/></" + tag + ">\n";
}

inline std::string DocumentOf(const std::string& content, const std::string& version = "40000") {
  return "<?xml version='1.0'?>\n<OpenSimDocument Version='" + version + "'>\n<Model name='m'>\n" +
         "<gravity>0 -9.81 0</gravity>\n" + content + "</Model>\n</OpenSimDocument>\n";
}

inline std::unique_ptr<Spec> ReadDocument(const std::string& document) {
  return ReadXmlText(document, "m.osim", nullptr);
}
inline ModelPtr CompileDocument(const std::string& document) { return Compile(*ReadDocument(document), nullptr); }

inline DataPtr WorldOf(const ModelPtr& m) { return DataPtr(MakeData(*m)); }

inline std::string ErrorOf(const std::string& document) {
  try {
    CompileDocument(document);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// All warnings, one a line.
inline std::string WarningsOf(const std::string& document) {
  std::string all;
  const auto spec = ReadDocument(document);
  for (const std::string& warning : spec->warnings) all += warning + "\n";
  return all;
}

inline bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A body on a pin joint in ground, and a path of a muscle of some class between both.
inline std::string Limb(const std::string& forces, const std::string& joint_content = "",
                        const std::string& rest = "") {
  return DocumentOf(Set("BodySet", BodyOf("arm")) +
                    Set("JointSet", JointOf("PinJoint", "elbow", "ground", "arm", joint_content)) +
                    Set("ForceSet", forces) + rest);
}

inline std::string Point(const std::string& name, const std::string& frame, const std::string& location) {
  return "<PathPoint name='" + name + "'><socket_parent_frame>" + frame + "</socket_parent_frame><location>" +
         location + "</location></PathPoint>\n";
}

inline std::string PathOf(const std::string& points, const std::string& wraps = "") {
  return "<GeometryPath name='path'>" + Set("PathPointSet", points) + Set("PathWrapSet", wraps) + "</GeometryPath>\n";
}

inline const std::string kTwoPoints = Point("a", "/ground", "0.5 0 0") + Point("b", "/bodyset/arm", "0.1 0.1 0");

}  // namespace sinew::osim

#endif  // SINEW_TESTS_UNIT_OSIM_READ_DOCUMENT_H_
