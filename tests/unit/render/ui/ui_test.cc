// User interfaces: definitions, and what the mouse and keys change, through the functions of the interface.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "render/ui/definitions.h"
#include "render/ui/layout.h"

namespace sinew {
namespace {

// A window of 300 x 400 pixels with an interface at its left, drawn on the processor.
class Ui : public testing::Test {
 protected:
  Ui() {
    setenv("SINEW_RENDER", "cpu", 1);
    mjr_defaultContext(con.get());
    mjr_makeContext(nullptr, con.get(), mjFONTSCALE_100);
    mjr_resizeOffscreen(300, 400, con.get());
    ui->spacing = mjui_themeSpacing(0);
    ui->color = mjui_themeColor(0);
    ui->rectid = 1;
    state->nrect = 2;
    state->rect[0] = {0, 0, 300, 400};
    state->rect[1] = {0, 0, 280, 400};
    const mjuiDef definitions[] = {{mjITEM_SECTION, "First", mjSECT_OPEN, nullptr, "CF", 0},
                                   {mjITEM_BUTTON, "push", 1, nullptr, " P", 7},
                                   {mjITEM_CHECKINT, "check", 1, &check, "A#290", 0},
                                   {mjITEM_CHECKBYTE, "byte", 2, &byte, "", 0},
                                   {mjITEM_SEPARATOR, "more", 1, nullptr, "", 0},
                                   {mjITEM_RADIO, "radio", 1, &radio, "a\nb\nc", 0},
                                   {mjITEM_SELECT, "select", 1, &select, "x\ny\nz", 0},
                                   {mjITEM_SLIDERINT, "int", 1, &whole, "0 10", 0},
                                   {mjITEM_SLIDERNUM, "num", 1, &number, "-1 1 4", 0},
                                   {mjITEM_EDITINT, "edit", 1, pair, "2 0 9", 0},
                                   {mjITEM_EDITTXT, "text", 1, text, "", 0},
                                   {mjITEM_SECTION, "Second", mjSECT_CLOSED, nullptr, "", 0},
                                   {mjITEM_STATIC, "note", 1, nullptr, "one\ntwo", 0},
                                   {mjITEM_END, "", 0, nullptr, "", 0}};
    mjui_add(ui.get(), definitions);
    mjui_resize(ui.get(), con.get());
    mjui_update(-1, -1, ui.get(), state.get(), con.get());
  }
  ~Ui() override {
    mjr_freeContext(con.get());
    unsetenv("SINEW_RENDER");
  }

  mjuiItem& Item(const char* name) {
    for (int i = 0; i < ui->nsect; ++i) {
      for (int k = 0; k < ui->sect[i].nitem; ++k) {
        if (!std::strcmp(ui->sect[i].item[k].name, name)) return ui->sect[i].item[k];
      }
    }
    ADD_FAILURE() << name;
    return ui->sect[0].item[0];
  }

  // share: of the width, from the left; places are those of the picture, which begins at the top of the window
  mjuiItem* Mouse(int type, const mjrRect& r, double share = 0.5) {
    state->type = type;
    state->button = mjBUTTON_LEFT;
    state->left = type != mjEVENT_RELEASE;
    state->x = r.left + share * r.width;
    state->y = r.bottom + 0.5 * r.height - ui->maxheight + ui->scroll + 400;
    return mjui_event(ui.get(), state.get(), con.get());
  }
  mjuiItem* Press(const mjrRect& r, double share = 0.5) { return Mouse(mjEVENT_PRESS, r, share); }
  mjuiItem* Key(int key) {
    state->type = mjEVENT_KEY;
    state->key = key;
    return mjui_event(ui.get(), state.get(), con.get());
  }
  void Type(const std::string& keys) {
    for (const char c : keys) Key(c);
  }

  std::unique_ptr<mjrContext> con = std::make_unique<mjrContext>();
  std::unique_ptr<mjUI> ui = std::make_unique<mjUI>();
  std::unique_ptr<mjuiState> state = std::make_unique<mjuiState>();
  int check = 0, radio = 0, select = 0, whole = 3, pair[2] = {1, 2};
  mjtByte byte = 0;
  mjtNum number = 0;
  char text[mjMAXUINAME] = "old";
};

TEST_F(Ui, PlacesItemsBelowEachOtherInTheirSection) {
  const mjrRect content = ui->sect[0].rcontent;
  EXPECT_EQ(ui->width, 270);
  EXPECT_GT(ui->maxheight, ui->height) << "the second section is closed";
  int last = content.bottom + content.height;
  for (const char* name : {"push", "more", "radio", "select", "int", "num", "edit", "text"}) {
    const mjrRect r = Item(name).rect;
    EXPECT_LE(r.bottom + r.height, last) << name;
    EXPECT_GE(r.bottom, content.bottom) << name;
    last = r.bottom;
  }
  EXPECT_EQ(Item("push").rect.bottom, Item("check").rect.bottom) << "two small ones in a line";
}

TEST_F(Ui, ThePressOfAButtonAndOfChecksIsReported) {
  EXPECT_EQ(Press(Item("push").rect), &Item("push"));
  EXPECT_EQ(Item("push").userid, 7);
  EXPECT_EQ(Press(Item("check").rect), &Item("check"));
  EXPECT_EQ(check, 1);
  EXPECT_EQ(Press(Item("byte").rect), &Item("byte"));
  EXPECT_EQ(byte, 1);
}

TEST_F(Ui, ItemsOfDisabledCategoriesDoNothing) {
  ui->predicate = [](int category, void*) { return category == 2 ? 0 : 1; };
  EXPECT_EQ(Press(Item("byte").rect), nullptr);
  EXPECT_EQ(byte, 0);
  EXPECT_EQ(Press(Item("push").rect), &Item("push")) << "state 1 asks nobody";
}

TEST_F(Ui, ChoicesAndSlidersFollowTheMouse) {
  EXPECT_EQ(Press(ChoiceOf(*ui, Item("radio"), 2, *con)), &Item("radio"));
  EXPECT_EQ(radio, 2);
  EXPECT_EQ(Press(FieldOf(*ui, Item("select"), *con)), nullptr);
  EXPECT_EQ(Mouse(mjEVENT_RELEASE, ChoiceOf(*ui, Item("select"), 1, *con)), &Item("select"));
  EXPECT_EQ(select, 1);
  EXPECT_EQ(Press(FieldOf(*ui, Item("int"), *con), 0.71), &Item("int"));
  EXPECT_EQ(whole, 7);
  EXPECT_EQ(Press(FieldOf(*ui, Item("num"), *con), 0.74), &Item("num"));
  EXPECT_EQ(number, 0.5) << "the nearest of four steps";
  EXPECT_EQ(Mouse(mjEVENT_MOVE, FieldOf(*ui, Item("num"), *con), 5), &Item("num"));
  EXPECT_EQ(number, 1);
  EXPECT_EQ(Mouse(mjEVENT_MOVE, FieldOf(*ui, Item("num"), *con), 6), nullptr) << "no change";
  Mouse(mjEVENT_RELEASE, FieldOf(*ui, Item("num"), *con));
  EXPECT_EQ(Mouse(mjEVENT_MOVE, FieldOf(*ui, Item("num"), *con), 0), nullptr) << "let go";
}

TEST_F(Ui, FieldsTakeNumbersThatFitAndKeepKeysToThemselves) {
  const mjrRect field = FieldOf(*ui, Item("edit"), *con);
  Press(field);
  EXPECT_STREQ(ui->edittext, "1  2");
  Key(mjKEY_BACKSPACE);
  Type("5");
  EXPECT_EQ(state->key, 0) << "swallowed";
  EXPECT_EQ(Key(mjKEY_ENTER), &Item("edit"));
  EXPECT_EQ(pair[1], 5);
  Press(field);
  Type(" 3");
  EXPECT_EQ(Key(mjKEY_ENTER), nullptr) << "three numbers";
  EXPECT_GT(ui->editsect, 0) << "still open";
  Key(mjKEY_ESCAPE);
  EXPECT_EQ(ui->editsect, 0);
  Press(field);
  Key(mjKEY_HOME);
  Type("5");  // 51: beyond 9
  EXPECT_EQ(Press(Item("push").rect), &Item("push"));
  EXPECT_EQ(pair[0], 1) << "given up";
  EXPECT_EQ(ui->editchanged, nullptr);
}

TEST_F(Ui, AClickElsewhereTakesTextOver) {
  Press(FieldOf(*ui, Item("text"), *con));
  Type("AB");
  Key(mjKEY_LEFT);
  Key(mjKEY_DELETE);
  state->control = 1;
  Key(mjKEY_LEFT);
  state->control = 0;
  Type("X");
  Press(Item("push").rect);
  EXPECT_EQ(ui->editchanged, &Item("text"));
  EXPECT_STREQ(text, "xolda");
}

TEST_F(Ui, SectionsAndSeparatorsOpenAndClose) {
  EXPECT_EQ(Press(ui->sect[1].rtitle), nullptr);
  EXPECT_EQ(ui->sect[1].state, mjSECT_OPEN);
  Press(Item("more").rect);
  EXPECT_TRUE(Item("radio").skip);
  EXPECT_FALSE(Item("push").skip);
  Press(Item("more").rect);
  EXPECT_FALSE(Item("radio").skip);
  state->control = 1;
  EXPECT_EQ(Key('F'), nullptr);
  EXPECT_EQ(ui->sect[1].state, mjSECT_CLOSED) << "its shortcut leaves only the first section open";
}

TEST_F(Ui, ShortcutsReachItems) {
  EXPECT_EQ(Key('P'), &Item("push"));
  state->alt = 1;
  EXPECT_EQ(Key(290), &Item("check"));
  EXPECT_EQ(check, 1);
  EXPECT_EQ(Key('P'), nullptr) << "with Alt";
}

TEST_F(Ui, TheWheelScrollsWithinTheContent) {
  state->rect[1] = {0, 0, 280, 60};
  state->type = mjEVENT_SCROLL;
  state->x = state->y = 30;
  state->sy = -100;
  mjui_event(ui.get(), state.get(), con.get());
  EXPECT_EQ(ui->scroll, ui->height - 60);
  state->sy = 100;
  mjui_event(ui.get(), state.get(), con.get());
  EXPECT_EQ(ui->scroll, 0);
}

TEST_F(Ui, IsSeenInItsRectangle) {
  mjui_render(ui.get(), state.get(), con.get());
  std::vector<unsigned char> rgb(3 * 300 * 400);
  mjr_readPixels(rgb.data(), nullptr, {0, 0, 300, 400}, con.get());
  const auto red = [&](int x, int y) { return rgb[3 * static_cast<size_t>(y * 300 + x)]; };
  EXPECT_EQ(red(1, 1), 64) << "the ground below the sections: a quarter of white";
  EXPECT_EQ(red(290, 200), 0) << "beside it";
  int bright = 0;
  for (int x = 0; x < 270; ++x) bright += red(x, 400 - 8 - 8) > 200;
  EXPECT_GT(bright, 3) << "letters of the first title";
}

TEST(UiDefinitions, TellWhatIsWrong) {
  int number = 0;
  const auto problem = [](std::vector<mjuiDef> list) -> std::string {
    const auto ui = std::make_unique<mjUI>();
    list.push_back({mjITEM_END, "", 0, nullptr, "", 0});
    try {
      AddDefinitions(list.data(), *ui);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const mjuiDef section = {mjITEM_SECTION, "s", 1, nullptr, "", 0};
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(problem({{mjITEM_BUTTON, "b", 1, nullptr, "", 0}}), "in no section"));
  EXPECT_TRUE(has(problem({section, {mjITEM_BUTTON, "b", 1, nullptr, "Q", 0}}), "shortcut 'Q'"));
  EXPECT_TRUE(has(problem({section, {mjITEM_BUTTON, "b", 1, &number, "", 0}}), "does not show"));
  EXPECT_TRUE(has(problem({section, {mjITEM_CHECKINT, "c", 1, nullptr, "", 0}}), "has no data"));
  EXPECT_TRUE(has(problem({section, {mjITEM_SLIDERINT, "i", 1, &number, "3 1", 0}}), "without a range"));
  EXPECT_EQ(problem({section, {mjITEM_SLIDERINT, "i", 1, &number, "0 0", 0}}), "") << "nothing to choose from";
  EXPECT_TRUE(has(problem({section, {mjITEM_EDITINT, "e", 1, &number, "8", 0}}), "8 numbers"));
  EXPECT_TRUE(has(problem({section, {99, "u", 1, &number, "", 0}}), "unknown type"));
  EXPECT_TRUE(has(problem(std::vector<mjuiDef>(mjMAXUISECT + 1, section)), "one section too many"));
}

TEST(UiDefinitions, PreservedStatesStay) {
  const auto ui = std::make_unique<mjUI>();
  const mjuiDef list[] = {{mjITEM_SECTION, "s", mjPRESERVE + 1, nullptr, "", 0},
                          {mjITEM_SEPARATOR, "p", mjPRESERVE + 1, nullptr, "", 0},
                          {mjITEM_END, "", 0, nullptr, "", 0}};
  AddDefinitions(list, *ui);
  ui->sect[0].state = mjSECT_OPEN;
  ui->sect[0].item[0].state = mjSEPCLOSED + 1;
  ui->nsect = 0;
  AddDefinitions(list, *ui);
  EXPECT_EQ(ui->sect[0].state, mjSECT_OPEN);
  EXPECT_EQ(ui->sect[0].item[0].state, mjSEPCLOSED + 1);
}

}  // namespace
}  // namespace sinew
