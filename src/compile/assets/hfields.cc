// Height fields, from numbers or files: elevations are scaled to [0, 1], and the sizes of the field give them metres.
#include <algorithm>

#include "compile/assets/asset_file.h"
#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "spec/lists.h"

namespace sinew::inline compile {
namespace {

// Numbers come in rows of increasing y; without numbers the field is flat.
Elevation FromNumbers(const HField& source) {
  const size_t count = CheckedGridSize(source.nrow, source.ncol);
  Elevation elevation = {source.nrow, source.ncol, *source.userdata};
  if (elevation.data.empty()) elevation.data.resize(count);
  CheckLists(source);
  NormalizeElevation(elevation.data);
  return elevation;
}

// The number of rows and columns is that of the file.
Elevation FromFile(const HField& source, const mjVFS* vfs) {
  const auto file = OpenAssetFile(source, *source.compiler().meshdir, *source.file, vfs);
  Elevation elevation;
  InFile(*source.file, [&] {
    elevation = LoadHField(ContentOf(*file), *source.content_type, *source.file);
    NormalizeElevation(elevation.data);
  });
  return elevation;
}

}  // namespace

void DraftHFields(Draft& draft) {
  for (auto& hfield : draft.spec.List<HField>()) {
    hfield->id = static_cast<int>(draft.hfields.size());
    At(*hfield, [&] {
      for (const double size : hfield->size) {
        if (!(size > 0)) throw Error("the sizes of a height field must be positive", "set all four");
      }
      const bool numbers = hfield->file->empty();
      draft.hfields.push_back({hfield.get(), numbers ? FromNumbers(*hfield) : FromFile(*hfield, draft.vfs)});
    });
  }
}

void WriteHFields(const Draft& draft, mjModel* m) {
  int adr = 0;
  for (const HFieldDraft& hfield : draft.hfields) {
    const Elevation& elevation = hfield.elevation;
    const int id = hfield.source->id;
    PutRow(m->hfield_size, id, hfield.source->size);
    m->hfield_nrow[id] = elevation.nrow;
    m->hfield_ncol[id] = elevation.ncol;
    m->hfield_adr[id] = adr;
    std::copy(elevation.data.begin(), elevation.data.end(), m->hfield_data + adr);
    adr += static_cast<int>(elevation.data.size());
  }
}

}  // namespace sinew::inline compile
