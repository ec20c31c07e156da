#include "core/topic_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace walpost {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::pair<std::string, std::int64_t>> Events(const TopicCounterTable& table) {
  std::vector<std::pair<std::string, std::int64_t>> result;
  table.Visit([&result](std::string_view topic, const TopicCounters& counters) {
    result.emplace_back(topic, counters.events.Get());
  });
  return result;
}

TEST(TopicCounterTable, IsEmptyAtFirst) { EXPECT_THAT(Events(TopicCounterTable()), IsEmpty()); }

TEST(TopicCounterTable, GivesTheSameCountersForTheSameTopic) {
  TopicCounterTable table;
  table.ForTopic("orders").events.Add(2);
  table.ForTopic("orders").events.Add(3);
  EXPECT_THAT(Events(table), ElementsAre(Pair("orders", 5)));
}

TEST(TopicCounterTable, KeepsTopicsApartAndInOrderOfName) {
  TopicCounterTable table;
  table.ForTopic("b").events.Add(2);
  table.ForTopic("a").events.Add(1);
  table.ForTopic("").events.Add(3);
  EXPECT_THAT(Events(table), ElementsAre(Pair("", 3), Pair("a", 1), Pair("b", 2)));
}

TEST(TopicCounterTable, KeepsCountersWhereTheyAreAsTopicsAreAdded) {
  TopicCounterTable table;
  TopicCounters& first = table.ForTopic("m");
  for (int i = 0; i < 1'000; ++i) table.ForTopic(std::to_string(i));
  EXPECT_EQ(&table.ForTopic("m"), &first);
}

TEST(TopicCounterTable, IsVisitedWhileTopicsAreAddedAndCounted) {
  TopicCounterTable table;
  std::thread writer([&table] {
    for (int i = 0; i < 500; ++i) table.ForTopic(std::to_string(i)).events.Add(1);
  });
  std::size_t seen = 0;
  while (seen < 500) {
    seen = Events(table).size();
    std::this_thread::yield();
  }
  writer.join();
  EXPECT_EQ(seen, 500u);
}

}  // namespace
}  // namespace walpost
