#include "observability/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "unit/observability/manual_clock.h"

namespace walpost::observability {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MetricsPage : public ::testing::Test {
 protected:
  // Begins and ends with a newline, so that a test can look for a whole line.
  std::string Page() const { return "\n" + RenderMetricsPage(metrics_, topics_, clock_, "1.2.3"); }

  RelayMetrics metrics_;
  TopicCounterTable topics_;
  ManualClock clock_;
};

TEST_F(MetricsPage, HasEveryNameOfTheContractWithHelpAndType) {
  std::string page = Page();
  for (const char* line :
       {"walpost_events_published_total counter", "walpost_bytes_published_total counter",
        "walpost_events_in_flight gauge", "walpost_bytes_in_flight gauge",
        "walpost_commit_to_ack_seconds histogram", "walpost_received_lsn gauge",
        "walpost_confirmed_lsn gauge", "walpost_lag_bytes gauge", "walpost_lag_seconds gauge",
        "walpost_reconnects_total counter", "walpost_poison_events_total counter",
        "walpost_build_info gauge", "walpost_rows_ignored_total counter",
        "walpost_updates_ignored_total counter", "walpost_truncates_ignored_total counter",
        "walpost_broker_up gauge", "walpost_state gauge"}) {
    std::string name(line, std::string_view(line).find(' '));
    EXPECT_THAT(page, HasSubstr("\n# TYPE " + std::string(line) + "\n"));
    EXPECT_THAT(page, HasSubstr("\n# HELP " + name + " "));
  }
}

TEST_F(MetricsPage, GivesEachFamilyOnce) {
  std::istringstream page(Page());
  std::set<std::string> seen;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("# TYPE ")) continue;
    EXPECT_TRUE(seen.insert(line).second) << line;
  }
  EXPECT_EQ(seen.size(), 17u);
}

TEST_F(MetricsPage, CountsPublishedEventsAndBytesForEachTopic) {
  topics_.ForTopic("outbox.event.order").events.Add(7);
  topics_.ForTopic("outbox.event.order").bytes.Add(1'400);
  topics_.ForTopic("outbox.event.invoice").events.Add(1);
  std::string page = Page();
  EXPECT_THAT(page,
              HasSubstr("\nwalpost_events_published_total{topic=\"outbox.event.order\"} 7\n"));
  EXPECT_THAT(page,
              HasSubstr("\nwalpost_bytes_published_total{topic=\"outbox.event.order\"} 1400\n"));
  EXPECT_THAT(page,
              HasSubstr("\nwalpost_events_published_total{topic=\"outbox.event.invoice\"} 1\n"));
}

TEST_F(MetricsPage, EscapesALabelSoThatItCannotForgeARow) {
  topics_.ForTopic("a\"} 1\nforged 2\\").events.Add(3);
  EXPECT_THAT(Page(), HasSubstr("{topic=\"a\\\"} 1\\nforged 2\\\\\"} 3\n"));
}

TEST_F(MetricsPage, TellsWhatIsInFlight) {
  metrics_.events_in_flight.Set(12);
  metrics_.bytes_in_flight.Set(16'777'216);
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_events_in_flight 12\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_bytes_in_flight 16777216\n"));
}

TEST_F(MetricsPage, LosesNoDigitOfAnLsn) {
  for (std::int64_t lsn : {std::int64_t{12'345'678'901}, std::int64_t{0x16'B374'D848},
                           std::int64_t{999'999'999'999'999}, (std::int64_t{1} << 53) - 1}) {
    metrics_.received_lsn.Set(lsn);
    metrics_.confirmed_lsn.Set(lsn);
    EXPECT_THAT(Page(), HasSubstr("\nwalpost_received_lsn " + std::to_string(lsn) + "\n"));
    EXPECT_THAT(Page(), HasSubstr("\nwalpost_confirmed_lsn " + std::to_string(lsn) + "\n"));
  }
}

TEST_F(MetricsPage, MeasuresLagFromTheConfirmedPositionToTheServersEnd) {
  metrics_.confirmed_lsn.Set(1'000);
  metrics_.received_lsn.Set(1'500);
  metrics_.server_wal_end.Set(3'000);
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_lag_bytes 2000\n"));
}

TEST_F(MetricsPage, HasNoNegativeLag) {
  metrics_.confirmed_lsn.Set(3'000);
  metrics_.server_wal_end.Set(1'000);
  metrics_.oldest_unacked_commit_us.Set(absl::ToUnixMicros(clock_.Now() + absl::Seconds(5)));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_lag_bytes 0\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_lag_seconds 0\n"));
}

TEST_F(MetricsPage, HasNoLagBeforeThePositionIsKnown) {
  metrics_.server_wal_end.Set(1'000'000);
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_lag_bytes 0\n"));
}

TEST_F(MetricsPage, MeasuresLagFromTheOldestUnackedCommit) {
  metrics_.oldest_unacked_commit_us.Set(absl::ToUnixMicros(clock_.Now()));
  clock_.Advance(absl::Milliseconds(2'500));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_lag_seconds 2.5\n"));
  metrics_.oldest_unacked_commit_us.Set(0);
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_lag_seconds 0\n"));
}

TEST_F(MetricsPage, HasACumulativeHistogramThatEndsAtInfinity) {
  metrics_.commit_to_ack.Observe(0.0004, 3);
  metrics_.commit_to_ack.Observe(0.02, 4);
  metrics_.commit_to_ack.Observe(1'000, 1);
  std::string page = Page();
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_bucket{le=\"0.0005\"} 3\n"));
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_bucket{le=\"0.01\"} 3\n"));
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_bucket{le=\"0.025\"} 7\n"));
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_bucket{le=\"300\"} 7\n"));
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_bucket{le=\"+Inf\"} 8\n"));
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_count 8\n"));
  EXPECT_THAT(page, HasSubstr("\nwalpost_commit_to_ack_seconds_sum 1000.08"));
}

TEST_F(MetricsPage, CountsReconnectsOfEachPeer) {
  metrics_.reconnects_postgres.Add(2);
  metrics_.reconnects_kafka.Add(1);
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_reconnects_total{peer=\"postgres\"} 2\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_reconnects_total{peer=\"kafka\"} 1\n"));
}

TEST_F(MetricsPage, CountsPoisonEventsByReasonAndAction) {
  metrics_.PoisonEvents(PoisonReason::kTopic, PoisonAction::kHalt).Add(1);
  metrics_.PoisonEvents(PoisonReason::kRefused, PoisonAction::kDeadLetter).Add(7);
  metrics_.PoisonEvents(PoisonReason::kUpdate, PoisonAction::kSkip).Add(9);
  const std::string page = Page();
  for (const char* row :
       {R"({reason="topic",action="halt"} 1)", R"({reason="refused",action="dead-letter"} 7)",
        R"({reason="update",action="skip"} 9)"}) {
    EXPECT_THAT(page, HasSubstr("\nwalpost_poison_events_total" + std::string(row) + "\n"));
  }
}

TEST_F(MetricsPage, HasARowForEachReasonAndActionBeforeTheFirstPoisonEvent) {
  const std::string page = Page();
  for (PoisonReason reason : kPoisonReasons) {
    for (PoisonAction action : kPoisonActions) {
      EXPECT_THAT(page, HasSubstr("\nwalpost_poison_events_total{reason=\"" +
                                  std::string(PoisonReasonName(reason)) + "\",action=\"" +
                                  std::string(PoisonActionName(action)) + "\"} 0\n"));
    }
  }
}

TEST_F(MetricsPage, CountsWhatIsNotAnEvent) {
  metrics_.rows_ignored.Add(2);
  metrics_.updates_ignored.Add(3);
  metrics_.truncates_ignored.Add(4);
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_rows_ignored_total 2\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_updates_ignored_total 3\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_truncates_ignored_total 4\n"));
}

TEST_F(MetricsPage, TellsTheVersionTheBrokerAndTheState) {
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_build_info{version=\"1.2.3\"} 1\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_broker_up 0\n"));
  metrics_.broker_up = true;
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_broker_up 1\n"));
  metrics_.state = RelayState::kStandby;
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_state{state=\"standby\"} 1\n"));
  EXPECT_THAT(Page(), HasSubstr("\nwalpost_state{state=\"streaming\"} 0\n"));
  EXPECT_THAT(Page(), Not(HasSubstr("\nwalpost_state{state=\"starting\"} 1\n")));
}

}  // namespace
}  // namespace walpost::observability
