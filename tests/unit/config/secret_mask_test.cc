#include "config/secret_mask.h"

#include <gtest/gtest.h>

#include <string>

namespace walpost::config {
namespace {

TEST(MaskConninfo, LeavesAConninfoWithoutASecretReadable) {
  EXPECT_EQ(MaskConninfo("host=db dbname=shop user=walpost"), "host=db dbname=shop user=walpost");
  EXPECT_EQ(MaskConninfo("postgresql://u@db:5432/shop?sslmode=require"),
            "postgresql://u@db:5432/shop?sslmode=require");
  EXPECT_EQ(MaskConninfo("postgresql:///shop"), "postgresql:///shop");
  EXPECT_EQ(MaskConninfo(""), "");
}

TEST(MaskConninfo, HidesPasswordsInTheKeywordForm) {
  EXPECT_EQ(MaskConninfo("host=db password=hunter2 user=u"), "host=db password=*** user=u");
  EXPECT_EQ(MaskConninfo("password = 'hun ter\\'2' host=db"), "password=*** host=db");
  EXPECT_EQ(MaskConninfo("PASSWORD=hunter\\ 2 sslpassword=hunter2"),
            "PASSWORD=*** sslpassword=***");
  EXPECT_EQ(MaskConninfo("oauth_client_secret=hunter2"), "oauth_client_secret=***");
}

TEST(MaskConninfo, HidesPasswordsInTheUriForm) {
  EXPECT_EQ(MaskConninfo("postgresql://u:hunter2@db/shop"), "postgresql://u:***@db/shop");
  EXPECT_EQ(MaskConninfo("postgres://u:hunter2@a:1,b:2/shop?x=1"),
            "postgres://u:***@a:1,b:2/shop?x=1");
  EXPECT_EQ(MaskConninfo("postgresql://db/shop?user=u&password=hunter2&sslmode=require"),
            "postgresql://db/shop?user=u&password=***&sslmode=require");
  EXPECT_EQ(MaskConninfo("postgresql://db/shop?sslpassword=hunter2"),
            "postgresql://db/shop?sslpassword=***");
}

TEST(MaskConninfo, HidesTheSecretOfAMalformedConninfo) {
  for (const char* conninfo : {
           "hunter2",
           "host=db password='hunter2",
           "host=db password hunter2",
           "dbname=postgres://u:hunter2@db/shop",
           "dbname='host=x password=hunter2'",
           "postgresql://u:p@hunter2@db/shop",
           "postgresql://u:p/hunter2@db/shop",
           "postgresql://u:p?hunter2@db/shop",
           "postgresql://u?x:hunter2@db/shop",
           "postgresql://db/shop?pass%77ord=hunter2",
           "postgresql://db/shop?password=hunter2:b@c",
           "postgresql://db/shop?hunter2",
       }) {
    EXPECT_EQ(MaskConninfo(conninfo).find("hunter2"), std::string::npos) << conninfo;
  }
}

TEST(IsSecretProperty, KnowsTheSecretsOfLibrdkafka) {
  for (const char* name :
       {"sasl.password", "ssl.key.password", "ssl.keystore.password", "ssl.key.pem",
        "sasl.oauthbearer.config", "sasl.oauthbearer.client.secret", "sasl.jaas.config"}) {
    EXPECT_TRUE(IsSecretProperty(name)) << name;
  }
  for (const char* name : {"security.protocol", "sasl.username", "ssl.ca.location", "linger.ms"}) {
    EXPECT_FALSE(IsSecretProperty(name)) << name;
  }
}

}  // namespace
}  // namespace walpost::config
