// The skin is a flat tube: two sheets of `rows` x `columns` vertices, the second behind the first, joined at their
// borders. Rows go along the cable, columns across it. Bones stand on a coarser grid; each vertex hangs on the up to
// 4 x 4 bones around it with the weights of bicubic interpolation, so that the skin stays smooth as the cable bends.
#include "mjcf/macros/composite_skin.h"

#include <algorithm>
#include <array>

namespace sinew::mjcf {
namespace {

// Catmull-Rom weights of `count` equidistant knots at the position cell + t; knots beyond the ends are extrapolated
// linearly.
std::vector<double> CubicWeights(int count, int cell, double t) {
  const std::array<double, 4> cubic = {((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1,
                                       ((-1.5 * t + 2) * t + 0.5) * t, (0.5 * t - 0.5) * t * t};
  std::vector<double> weights(static_cast<size_t>(count), 0.0);
  const auto add = [&](int knot, double weight) { weights[static_cast<size_t>(knot)] += weight; };
  for (int k = 0; k < 4; ++k) {
    const int knot = cell - 1 + k;
    const double weight = cubic[static_cast<size_t>(k)];
    if (knot < 0) {
      add(0, 2 * weight);
      add(1, -weight);
    } else if (knot >= count) {
      add(count - 1, 2 * weight);
      add(count - 2, -weight);
    } else {
      add(knot, weight);
    }
  }
  return weights;
}

// Counts: bones stand in rows along the cable, one more than edges, and in 2 or 3 columns across it.
class CableSkin {
 public:
  CableSkin(const SkinnedCable& cable, int subgrid, mjsSkin* skin)
      : cable_(cable),
        step_(1 + std::max(0, subgrid)),
        bone_rows_(static_cast<int>(cable.bodies.size()) + 1),
        bone_columns_(subgrid > 0 ? 3 : 2),
        rows_((bone_rows_ - 1) * step_ + 1),
        columns_((bone_columns_ - 1) * step_ + 1),
        skin_(*skin) {}

  // Positions of vertices stay zero, because they follow from the bones at run time; texture runs from 0 to 1 along and
  // across.
  void AddVertices(bool texcoord) {
    skin_.vert->assign(static_cast<size_t>(2 * 3 * rows_ * columns_), 0.0f);
    if (!texcoord) return;
    for (int vertex = 0; vertex < 2 * rows_ * columns_; ++vertex) {
      const int row = vertex / columns_ % rows_, column = vertex % columns_;
      skin_.texcoord->push_back(static_cast<float>(row) / static_cast<float>(rows_ - 1));
      skin_.texcoord->push_back(static_cast<float>(column) / static_cast<float>(columns_ - 1));
    }
  }

  // The sheets, then the borders, all seen from outside.
  void AddFaces() {
    const int back = rows_ * columns_;
    const auto at = [this](int row, int column) { return row * columns_ + column; };
    for (const bool front : {true, false}) {
      for (int i = 0; i + 1 < rows_; ++i) {
        for (int j = 0; j + 1 < columns_; ++j) {
          const int o = front ? 0 : back;
          const int a = at(i, j) + o, b = at(i + 1, j) + o, c = at(i + 1, j + 1) + o, d = at(i, j + 1) + o;
          AddFace(a, front ? b : c, front ? c : b);
          AddFace(a, front ? c : d, front ? d : c);
        }
      }
    }
    for (int i = 0; i + 1 < rows_; ++i) AddBorder(at(i, 0), at(i + 1, 0), back, false);
    for (int i = 0; i + 1 < rows_; ++i) AddBorder(at(i, columns_ - 1), at(i + 1, columns_ - 1), back, true);
    for (int j = 0; j + 1 < columns_; ++j) AddBorder(at(0, j), at(0, j + 1), back, true);
    for (int j = 0; j + 1 < columns_; ++j) AddBorder(at(rows_ - 1, j), at(rows_ - 1, j + 1), back, false);
  }

  // A bone sits at the start of an edge; those of the last row, at the end of the last one.
  void AddBones() {
    for (int row = 0; row < bone_rows_; ++row) {
      for (int column = 0; column < bone_columns_; ++column) {
        const bool at_end = row == bone_rows_ - 1;
        skin_.bodyname->push_back(cable_.bodies[static_cast<size_t>(at_end ? row - 1 : row)]);
        const double across = 2.0 * column / (bone_columns_ - 1) - 1;
        skin_.bindpos->push_back(at_end ? static_cast<float>(-2 * cable_.half_size[0]) : 0.0f);
        skin_.bindpos->push_back(static_cast<float>(across * cable_.half_size[1]));
        skin_.bindpos->push_back(0.0f);
        skin_.bindquat->insert(skin_.bindquat->end(), {1.0f, 0.0f, 0.0f, 0.0f});
      }
    }
    const size_t bones = static_cast<size_t>(bone_rows_ * bone_columns_);
    skin_.vertid->resize(bones);
    skin_.vertweight->resize(bones);
    for (int row = 0; row + 1 < bone_rows_; ++row) {
      for (int column = 0; column + 1 < bone_columns_; ++column) WeighCell(row, column);
    }
  }

 private:
  void AddFace(int a, int b, int c) { skin_.face->insert(skin_.face->end(), {a, b, c}); }

  // The strip between an edge of the front sheet and the same edge of the back one.
  void AddBorder(int a, int b, int back, bool forward) {
    if (forward) {
      AddFace(a, b, b + back);
      AddFace(a, b + back, a + back);
    } else {
      AddFace(a, b + back, b);
      AddFace(a, a + back, b + back);
    }
  }

  // Hangs the vertices in the cell between four bones on the bones; those on its far borders are of the next cell.
  void WeighCell(int bone_row, int bone_column) {
    const int row_end = step_ + (bone_row + 2 == bone_rows_), column_end = step_ + (bone_column + 2 == bone_columns_);
    for (int i = 0; i < row_end; ++i) {
      const std::vector<double> along = CubicWeights(bone_rows_, bone_row, static_cast<double>(i) / step_);
      for (int j = 0; j < column_end; ++j) {
        const std::vector<double> across = CubicWeights(bone_columns_, bone_column, static_cast<double>(j) / step_);
        HangVertex((bone_row * step_ + i) * columns_ + bone_column * step_ + j, along, across);
      }
    }
  }

  // Both sheets hang on the same bones: the vertex of the back one has the same place plus one sheet.
  void HangVertex(int vertex, const std::vector<double>& along, const std::vector<double>& across) {
    size_t bone = 0;
    for (const double a : along) {
      for (const double b : across) {
        if (a * b != 0) {
          const auto weight = static_cast<float>(a * b);
          auto& ids = (*skin_.vertid)[bone];
          ids.insert(ids.end(), {vertex, vertex + rows_ * columns_});
          auto& weights = (*skin_.vertweight)[bone];
          weights.insert(weights.end(), {weight, weight});
        }
        ++bone;
      }
    }
  }

  const SkinnedCable& cable_;
  int step_;  // vertices from one bone to the next
  int bone_rows_, bone_columns_, rows_, columns_;
  mjsSkin& skin_;
};

}  // namespace

void MakeCableSkin(const SkinnedCable& cable, bool texcoord, int subgrid, mjsSkin* skin) {
  // The sheets lie in one plane; inflation makes the tube as thick as the boxes.
  skin->inflate = static_cast<float>(2 * cable.half_size[2]);
  CableSkin maker(cable, subgrid, skin);
  maker.AddVertices(texcoord);
  maker.AddFaces();
  maker.AddBones();
}

}  // namespace sinew::mjcf
