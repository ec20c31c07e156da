#include <gtest/gtest.h>

#include "integration/servers.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  walpost::integration::Servers::Get();
  return RUN_ALL_TESTS();
}
