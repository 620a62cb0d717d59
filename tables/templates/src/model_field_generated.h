#ifndef SINEW_MODEL_VIEW_MODEL_FIELD_GENERATED_H_
#define SINEW_MODEL_VIEW_MODEL_FIELD_GENERATED_H_

namespace sinew::inline model {

// Real fields, options and statistics of mjModel: what may differ between the worlds of a batch.
enum class ModelField : int {
@model_fields
  kCount
};

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_MODEL_FIELD_GENERATED_H_
