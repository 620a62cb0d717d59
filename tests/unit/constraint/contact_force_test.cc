#include "constraint/contact_force.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Pyramid, SharesTheNormalForce) {
  const double force[3] = {10, 3, -8}, friction[2] = {.5, .5};
  double pyramid[4];
  EncodePyramid(pyramid, force, friction, 3);
  // tangential forces are clamped from above only: 3 / 0.5 > 10 / 2, -8 / 0.5 stays
  const double expected[4] = {5, 0, -5.5, 10.5};
  for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(pyramid[i], expected[i]);
}

TEST(Pyramid, DecodesWhatWasEncoded) {
  const double force[6] = {10, .3, -.4, .001, -.02, .01}, friction[5] = {.7, .6, .02, .1, .1};
  double pyramid[10], decoded[6];
  for (int dim : {3, 4, 6}) {
    EncodePyramid(pyramid, force, friction, dim);
    DecodePyramid(decoded, pyramid, friction, dim);
    for (int i = 0; i < dim; ++i) EXPECT_NEAR(decoded[i], force[i], 1e-14);
  }
}

TEST(Pyramid, OfOneDimensionIsTheNormal) {
  const double edge = 3;
  double force = 0;
  DecodePyramid(&force, &edge, nullptr, 1);
  EXPECT_EQ(force, 3);
}

// A world with two contacts, of which the first has rows.
class ContactForceTest : public testing::Test {
 protected:
  ContactForceTest() {
    d_.ncon = 2;
    d_.nefc = 4;
    d_.contact = contact_;
    d_.efc_force = force_;
    contact_[0].dim = 3;
    contact_[0].friction[0] = contact_[0].friction[1] = .5;
    contact_[1].dim = 3;
    contact_[1].efc_address = -1;
  }
  mjModel m_ = {};
  mjData d_ = {};
  mjContact contact_[2] = {};
  double force_[4] = {1, 2, 3, 4};
  double result_[6];
};

TEST_F(ContactForceTest, DecodesPyramids) {
  m_.opt.cone = mjCONE_PYRAMIDAL;
  ContactForce(&m_, &d_, 0, result_);
  const double expected[6] = {10, -.5, -.5, 0, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(result_[i], expected[i]);
}

TEST_F(ContactForceTest, CopiesEllipticRows) {
  m_.opt.cone = mjCONE_ELLIPTIC;
  ContactForce(&m_, &d_, 0, result_);
  const double expected[6] = {1, 2, 3, 0, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(result_[i], expected[i]);
}

TEST_F(ContactForceTest, IsZeroWithoutRows) {
  for (int id : {-1, 1, 2}) {
    ContactForce(&m_, &d_, id, result_);
    for (double f : result_) EXPECT_EQ(f, 0) << "contact " << id;
  }
}

}  // namespace
}  // namespace sinew
