// Spec: a model that is edited, then compiled.
//
//   sinew::Spec spec;
//   mjsBody* ball = spec.AddBody(spec.world(), "ball");
//   mjs_addFreeJoint(ball);
//   mjsGeom* geom = mjs_addGeom(ball, nullptr);
//   geom->size[0] = 0.1;
//   sinew::Model model = spec.Compile();
//
// Elements are those of the C interface: they belong to the specification, and all of mjs_* works on them.
#ifndef SINEW_SPEC_H_
#define SINEW_SPEC_H_

#include <mujoco/mujoco.h>
#include <sinew/data.h>
#include <sinew/model.h>

namespace sinew {
inline namespace face {

class Spec {
 public:
  // Empty but for the world body.
  Spec() : Spec(Checked([] { return mj_makeSpec(); }), "a specification could not be made") {}

  // Reads an MJCF or URDF file, or text, without compiling it. Throws ModelError.
  static Spec FromXml(const std::string& path, const LoadOptions& options = {}) {
    return Spec(detail::Parse(path, options).release(), "");
  }
  static Spec FromXmlText(const std::string& text, const Files* files = nullptr) {
    return Spec(detail::ParseText(text, files).release(), "");
  }

  Spec Copy() const { return Spec(mj_copySpec(s_.get()), "a specification could not be copied"); }

  // Throws ModelError, which names the element. The specification may be edited and compiled again.
  Model Compile(const Files* files = nullptr) { return Model::Compile(s_.get(), files); }

  // The same into an existing model and its data, whose state is kept for the elements that remain.
  void Recompile(Model& model, Data& data) {
    if (data.model() != static_cast<const mjModel*>(model)) throw EngineError("the data is of another model");
    const int failed = Checked([&] { return mj_recompile(s_.get(), nullptr, model.mutable_get(), data); });
    if (failed != 0) throw ModelError(Error());
  }

  // The specification as MJCF; it must have been compiled.
  std::string ToXml() const {
    char error[1000] = "";
    std::string text(1, '\0');
    int missing = mj_saveXMLString(s_.get(), text.data(), 1, error, sizeof(error));
    if (missing > 0) {
      text.resize(static_cast<size_t>(missing) + 1);
      missing = mj_saveXMLString(s_.get(), text.data(), static_cast<int>(text.size()), error, sizeof(error));
    }
    if (missing < 0) throw ModelError(error);
    text.resize(text.find('\0'));
    return text;
  }

  // ---- elements

  mjsBody* world() { return mjs_findBody(s_.get(), "world"); }

  mjsBody* AddBody(mjsBody* parent, const std::string& name) {
    mjsBody* body = mjs_addBody(parent, nullptr);
    mjs_setName(body->element, name.c_str());
    return body;
  }

  // Throws NameError, which suggests a name that exists.
  mjsBody* FindBody(const std::string& name) { return mjs_asBody(Find(mjOBJ_BODY, name)); }
  mjsElement* Find(mjtObj type, const std::string& name) {
    mjsElement* element = mjs_findElement(s_.get(), type, name.c_str());
    if (element) return element;
    std::vector<std::string> known;
    for (mjsElement* e = mjs_firstElement(s_.get(), type); e; e = mjs_nextElement(s_.get(), e)) {
      known.push_back(mjs_getString(mjs_getName(e)));
    }
    throw NameError(std::string("the specification has no ") + mju_type2Str(type) + " named '" + name + "'" +
                    Suggestion(name, known));
  }

  // Puts a copy of another specification's bodies into a frame of this one, with names between prefix and suffix.
  // Throws ModelError.
  void Attach(mjsFrame* frame, Spec& child, const std::string& prefix, const std::string& suffix = "") {
    if (!mjs_attach(frame->element, child->element, prefix.c_str(), suffix.c_str())) throw ModelError(Error());
  }

  operator mjSpec*() & { return s_.get(); }             // NOLINT: passes as the C pointer
  operator const mjSpec*() const& { return s_.get(); }  // NOLINT
  operator const mjSpec*() const&& = delete;
  mjSpec* operator->() { return s_.get(); }
  const mjSpec* operator->() const { return s_.get(); }

 private:
  Spec(mjSpec* s, const std::string& error) : s_(s) {
    if (!s) throw ModelError(error);
  }
  std::string Error() const { return mjs_getError(s_.get()); }

  detail::SpecPointer s_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_SPEC_H_
