// Custom numbers, texts and tuples.
#include <algorithm>
#include <cmath>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "core/real_text.h"
#include "model/storage/error_control.h"
#include "model/storage/extension.h"
#include "spec/lists.h"

namespace sinew::inline compile {
namespace {

// References of a tuple to ids. Objects of any kind may stand in it, so it comes after all kinds have ids.
TupleDraft DraftTuple(Tuple& source, const Spec& spec) {
  TupleDraft tuple = {&source, {}};
  const size_t count = source.objtype->size();
  if (count == 0) throw Error("a tuple is empty", "add elements");
  CheckLists(source);
  for (size_t i = 0; i < count; ++i) {
    tuple.objid.push_back(Require(spec, static_cast<mjtObj>((*source.objtype)[i]), (*source.objname)[i]).id);
  }
  return tuple;
}

// The size counts when it is given; data fill it from the front, the rest is zero.
void CheckNumeric(const Numeric& numeric) {
  if (numeric.name.starts_with(kExtensionPrefix) && !IsOfOption(numeric)) {
    throw Error(std::string("names that begin with '") + kExtensionPrefix + "' belong to the compiler", "rename it");
  }
  CheckLists(numeric);
  if (NumericSize(numeric) == 0) throw Error("there are no data", "give data or a size");
}

// Throws with the value in the text, as it is usually what is wrong.
void Demand(bool holds, const char* name, double value, const char* remedy) {
  if (!holds) throw Error(std::string(name) + " is " + TextOfReal(value), remedy);
}

// Numbers of an integrator that controls its error, as the option element has given them.
void CheckErrorControl(const Numeric& given) {
  const std::vector<double>& numbers = *given.data;
  CheckLists(given);
  const double longest = numbers[kMaxStep];
  Demand(numbers[kAccuracy] > 0 && std::isfinite(numbers[kAccuracy]), "accuracy", numbers[kAccuracy],
         "give a positive number, as 1e-3");
  Demand(numbers[kMinStep] >= 0, "minstep", numbers[kMinStep], "give a number of at least 0");
  Demand(longest >= 0, "maxstep", longest, "give a positive number, or 0 for the time step");
  Demand(longest == 0 || numbers[kMinStep] <= longest, "minstep", numbers[kMinStep], "make it smaller than maxstep");
}

}  // namespace

int NumericSize(const Numeric& numeric) {
  return numeric.size > 0 ? numeric.size : static_cast<int>(numeric.data->size());
}

// Ids are given here, because kinds without a draft have no list to stand in.
void DraftCustom(Draft& draft) {
  ErrorList errors;
  if (Numeric* given = draft.spec.Find<Numeric>(kErrorControlArray)) {
    errors.At(*given, [&] { CheckErrorControl(*given); });
  } else if (IsErrorControlled(draft.spec.option.integrator)) {
    draft.extensions.push_back({kErrorControlArray, {1e-3, 0, 0, 0}});
  }
  if (const Level level = EffectiveLevel(draft.spec); level > kFirstLevel) {
    draft.extensions.push_back({kLevelArray, {static_cast<double>(level / 100), static_cast<double>(level % 100)}});
  }
  int id = 0;
  for (auto& numeric : draft.spec.List<Numeric>()) {
    numeric->id = id++;
    errors.At(*numeric, [&] { CheckNumeric(*numeric); });
  }
  id = 0;
  for (auto& text : draft.spec.List<Text>()) {
    text->id = id++;
    errors.At(*text, [&] {
      if (text->data->empty()) throw Error("a text is empty", "give data");
    });
  }
  // Tuples may hold tuples: all ids come first.
  id = 0;
  for (auto& tuple : draft.spec.List<Tuple>()) tuple->id = id++;
  id = 0;
  for (auto& key : draft.spec.List<Key>()) key->id = id++;
  for (auto& tuple : draft.spec.List<Tuple>()) {
    errors.At(*tuple, [&] { draft.tuples.push_back(DraftTuple(*tuple, draft.spec)); });
  }
  errors.Throw();
}

// Each kind has one array, in which its elements follow one another: an address and a size apiece.
void WriteCustom(const Draft& draft, mjModel* m) {
  int adr = 0;
  for (const auto& numeric : draft.spec.List<Numeric>()) {
    m->numeric_adr[numeric->id] = adr;
    m->numeric_size[numeric->id] = NumericSize(*numeric);
    std::copy(numeric->data->begin(), numeric->data->end(), m->numeric_data + adr);
    adr += NumericSize(*numeric);
  }
  size_t added = draft.spec.List<Numeric>().size();
  for (const ExtensionArray& array : draft.extensions) {
    m->numeric_adr[added] = adr;
    m->numeric_size[added++] = static_cast<int>(array.data.size());
    std::copy(array.data.begin(), array.data.end(), m->numeric_data + adr);
    adr += static_cast<int>(array.data.size());
  }
  adr = 0;
  for (const auto& text : draft.spec.List<Text>()) {
    m->text_adr[text->id] = adr;
    // The terminator counts; the array starts as zeros.
    m->text_size[text->id] = static_cast<int>(text->data->size()) + 1;
    std::copy(text->data->begin(), text->data->end(), m->text_data + adr);
    adr += m->text_size[text->id];
  }
  adr = 0;
  for (const TupleDraft& tuple : draft.tuples) {
    const int id = tuple.source->id;
    m->tuple_adr[id] = adr;
    m->tuple_size[id] = static_cast<int>(tuple.objid.size());
    std::copy(tuple.source->objtype->begin(), tuple.source->objtype->end(), m->tuple_objtype + adr);
    std::copy(tuple.objid.begin(), tuple.objid.end(), m->tuple_objid + adr);
    std::copy(tuple.source->objprm->begin(), tuple.source->objprm->end(), m->tuple_objprm + adr);
    adr += m->tuple_size[id];
  }
}

}  // namespace sinew::inline compile
