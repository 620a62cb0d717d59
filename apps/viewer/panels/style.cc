#include "viewer/panels/style.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace sinew {
namespace {

// Where systems have a font that is read well in small sizes.
constexpr const char* kFonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/System/Library/Fonts/Supplemental/Arial.ttf",
    "C:/Windows/Fonts/segoeui.ttf",
};

// Characters that names in models have: Latin, Greek, Cyrillic, dashes and quotation marks, arrows.
constexpr ImWchar kRanges[] = {0x20, 0x17f, 0x370, 0x52f, 0x2010, 0x205e, 0x2190, 0x2193, 0};

void LoadFont(float pixels) {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  for (const char* path : kFonts) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(path, failed) && fonts.AddFontFromFileTTF(path, pixels, nullptr, kRanges)) {
      return;
    }
  }
  ImFontConfig config;
  constexpr float kOwnPixels = 13;  // that font consists of squares and is clear in multiples of its size alone
  config.SizePixels = kOwnPixels * std::max(std::round(pixels / kOwnPixels), 1.0f);
  fonts.AddFontDefault(&config);
}

}  // namespace

std::span<const char* const> ColourNames() {
  static constexpr const char* kNames[] = {"dark", "light", "classic"};
  return kNames;
}

void ApplyLook(const Look& look) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  switch (look.colours) {
    case Colours::kDark:
      ImGui::StyleColorsDark();
      break;
    case Colours::kLight:
      ImGui::StyleColorsLight();
      break;
    case Colours::kClassic:
      ImGui::StyleColorsClassic();
      break;
  }
  style.Colors[ImGuiCol_WindowBg].w = 0.88f;
  style.WindowRounding = 4;
  style.FrameRounding = 2;
  const float scale = static_cast<float>(std::clamp(look.text_percent, kLeastText, kMostText)) / 100;
  style.ScaleAllSizes(scale);
  LoadFont(std::round(kTextPixels * scale));
}

int UsualTextPercent(float content_scale, int screen_rows) {
  constexpr float kUsualRows = 1080;
  const float scale = content_scale > 1 ? content_scale : static_cast<float>(screen_rows) / kUsualRows;
  const int steps = static_cast<int>(std::lround(scale * 100 / kTextStep));
  return std::clamp(steps * kTextStep, 100, kMostText);
}

}  // namespace sinew
