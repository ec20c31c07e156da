#include "outbox/timestamp_text.h"

#include <absl/strings/str_cat.h>
#include <absl/time/civil_time.h>
#include <absl/time/time.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

namespace walpost::outbox {
namespace {

constexpr std::int64_t kDay = 86'400'000'000;

std::int64_t Timestamp(std::string_view text) {
  const absl::StatusOr<std::int64_t> micros = MicrosOfTimestamp(text);
  EXPECT_TRUE(micros.ok()) << text << ": " << micros.status();
  return micros.value_or(-1);
}

std::int64_t Interval(std::string_view text) {
  const absl::StatusOr<std::int64_t> micros = MicrosOfInterval(text);
  EXPECT_TRUE(micros.ok()) << text << ": " << micros.status();
  return micros.value_or(-1);
}

// A moment as the server writes it for a session with such an offset.
std::string ServerText(absl::Time moment, std::int64_t offset_seconds) {
  const std::string local = absl::FormatTime(
      "%E4Y-%m-%d %H:%M:%E*S", moment + absl::Seconds(offset_seconds), absl::UTCTimeZone());
  const std::int64_t size = std::abs(offset_seconds);
  std::string offset =
      absl::StrCat(offset_seconds < 0 ? "-" : "+", absl::Dec(size / 3600, absl::kZeroPad2));
  if (size % 3600 != 0) absl::StrAppend(&offset, ":", absl::Dec(size / 60 % 60, absl::kZeroPad2));
  if (size % 60 != 0) absl::StrAppend(&offset, ":", absl::Dec(size % 60, absl::kZeroPad2));
  return absl::StrCat(local, offset);
}

TEST(TimestampText, ReadsTheServersTimestamp) {
  EXPECT_EQ(Timestamp("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(Timestamp("1970-01-01 00:00:00.000001"), 1);
  EXPECT_EQ(Timestamp("1969-12-31 23:59:59.5"), -500'000);
  EXPECT_EQ(Timestamp("2024-02-29 12:34:56.789123"), 1'709'210'096'789'123);
  EXPECT_EQ(Timestamp("9999-12-31 23:59:59.999999"), 253'402'300'799'999'999);
  EXPECT_EQ(Timestamp("0001-01-01 00:00:00"), -62'135'596'800'000'000);
}

TEST(TimestampText, TakesTheOffsetAway) {
  EXPECT_EQ(Timestamp("2024-02-29 12:34:56.789123+00"), 1'709'210'096'789'123);
  EXPECT_EQ(Timestamp("2024-02-29 14:34:56.789123+02"), 1'709'210'096'789'123);
  EXPECT_EQ(Timestamp("2024-02-29 18:04:56.789123+05:30"), 1'709'210'096'789'123);
  EXPECT_EQ(Timestamp("2024-02-29 12:15:24.789123-00:19:32"), 1'709'210'096'789'123);
  EXPECT_EQ(Timestamp("1970-01-01 00:00:00+15:59:59"), -57'599'000'000);
}

TEST(TimestampText, CountsYearsBeforeChristWithoutAYearZero) {
  EXPECT_EQ(Timestamp("0001-12-31 23:59:59.999999 BC"), Timestamp("0001-01-01 00:00:00") - 1);
  EXPECT_EQ(Timestamp("4713-01-01 00:00:00 BC"), -210'863'520'000'000'000);
  EXPECT_EQ(Timestamp("0044-03-15 02:00:00+02 BC"), Timestamp("0044-03-15 00:00:00 BC"));
  EXPECT_EQ(DaysOfDate("0044-03-15 BC").value_or(0), -735'160);
  EXPECT_TRUE(DaysOfDate("0001-02-29 BC").ok()) << "1 BC is a leap year";
  EXPECT_FALSE(DaysOfDate("0000-01-01").ok());
}

TEST(TimestampText, ReadsTheServersDate) {
  EXPECT_EQ(DaysOfDate("1970-01-01").value_or(-1), 0);
  EXPECT_EQ(DaysOfDate("1969-12-31").value_or(0), -1);
  EXPECT_EQ(DaysOfDate("2024-02-29").value_or(0), 19'782);
  EXPECT_EQ(DaysOfDate("0001-01-01").value_or(0), -719'162);
  EXPECT_EQ(DaysOfDate("9999-12-31").value_or(0), 2'932'896);
  EXPECT_EQ(DaysOfDate("5874897-12-31").value_or(0), 2'145'042'905);
  EXPECT_FALSE(DaysOfDate("9999999-12-31").ok()) << "more days than fit";
}

TEST(TimestampText, KnowsWhichDaysThereAre) {
  for (const char* const day : {"2024-02-29", "2000-02-29", "2023-02-28", "2024-12-31"}) {
    EXPECT_TRUE(DaysOfDate(day).ok()) << day;
  }
  for (const char* const day : {"2023-02-29", "1900-02-29", "2024-02-30", "2024-04-31",
                                "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32"}) {
    EXPECT_FALSE(DaysOfDate(day).ok()) << day;
  }
}

TEST(TimestampText, GoesAsFarAsTheServer) {
  EXPECT_EQ(Timestamp("294247-01-10 04:00:54.775807"), INT64_MAX);
  EXPECT_FALSE(MicrosOfTimestamp("294247-01-10 04:00:54.775808").ok());
  EXPECT_FALSE(MicrosOfTimestamp("294276-12-31 23:59:59.999999").ok());
  const absl::StatusOr<Moment> last = MomentOfTimestamp("294276-12-31 23:59:59.999999");
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last->seconds, 9'224'318'015'999);
  EXPECT_EQ(last->micros, 999'999);
}

TEST(TimestampText, RefusesInfinityWithItsName) {
  for (const char* const text : {"infinity", "-infinity"}) {
    EXPECT_EQ(MicrosOfTimestamp(text).status().message(), "infinity, which is no finite value");
    EXPECT_EQ(DaysOfDate(text).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(MicrosOfInterval(text).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(TimestampText, ReadsTheServersTime) {
  EXPECT_EQ(MicrosOfTime("00:00:00").value_or(-1), 0);
  EXPECT_EQ(MicrosOfTime("12:34:56.789123").value_or(-1), 45'296'789'123);
  EXPECT_EQ(MicrosOfTime("12:34:56.7").value_or(-1), 45'296'700'000);
  EXPECT_EQ(MicrosOfTime("24:00:00").value_or(-1), kDay);
  for (const char* const text :
       {"24:00:01", "24:00:00.000001", "25:00:00", "12:60:00", "12:00:60", "12:34", "12:34:56.",
        "12:34:56.1234567", "12:34:56+00", "1:02:03"}) {
    EXPECT_FALSE(MicrosOfTime(text).ok()) << text;
  }
}

TEST(TimestampText, WrapsATimeWithZoneIntoTheDayAtUtc) {
  EXPECT_EQ(MicrosOfTimeTz("12:34:56.7-03:30").value_or(-1), 57'896'700'000);
  EXPECT_EQ(MicrosOfTimeTz("00:30:00+02").value_or(-1), 81'000'000'000);
  EXPECT_EQ(MicrosOfTimeTz("23:30:00-02").value_or(-1), 5'400'000'000);
  EXPECT_EQ(MicrosOfTimeTz("24:00:00+00").value_or(-1), 0);
  EXPECT_EQ(MicrosOfTimeTz("24:00:00-15:59:59").value_or(-1), 57'599'000'000);
  EXPECT_EQ(MicrosOfTimeTz("00:00:00+15:59:59").value_or(-1), kDay - 57'599'000'000);
  EXPECT_FALSE(MicrosOfTimeTz("12:34:56").ok());
  EXPECT_FALSE(MicrosOfTimeTz("12:34:56+16").ok());
}

TEST(TimestampText, AddsUpTheServersInterval) {
  EXPECT_EQ(Interval("00:00:00"), 0);
  EXPECT_EQ(Interval("1 day"), kDay);
  EXPECT_EQ(Interval("1 mon"), 2'629'800'000'000);
  EXPECT_EQ(Interval("1 year 2 mons 3 days 04:05:06.789"), 37'091'106'789'000);
  EXPECT_EQ(Interval("-01:00:00"), -3'600'000'000);
  EXPECT_EQ(Interval("-00:00:00.5"), -500'000);
  EXPECT_EQ(Interval("1 day -00:00:00.000001"), kDay - 1);
  EXPECT_EQ(Interval("-1 years -2 mons +3 days -04:05:06"), -36'572'706'000'000);
  EXPECT_EQ(Interval("-1 days +02:03:00"), -79'020'000'000);
  EXPECT_EQ(Interval("123456:00:00"), 444'441'600'000'000);
}

// What io.debezium.time.MicroDuration of Debezium 3.6.1 answered.
TEST(TimestampText, LosesTheMicrosecondsThatDebeziumLoses) {
  EXPECT_EQ(Interval("00:00:01.001"), 1'000'999);
  EXPECT_EQ(Interval("00:00:01.000001"), 1'000'000);
  EXPECT_EQ(Interval("00:00:04.000035"), 4'000'034);
  EXPECT_EQ(Interval("-01:02:03.0045"), -3'723'004'500);
  EXPECT_EQ(Interval("12:34:56.789123"), 45'296'789'123);
  EXPECT_EQ(Interval("-1 mons +5 days 00:00:02.000003"), -2'197'797'999'997);
}

TEST(TimestampText, RefusesAnIntervalThatIsNoneOrDoesNotFit) {
  for (const char* const text : {"",
                                 " ",
                                 "1",
                                 "1 ",
                                 "1 day ",
                                 " 1 day",
                                 "1 week",
                                 "1 day 1 mon",
                                 "1 mon 1 mon",
                                 "1 days1 mon",
                                 "00:00",
                                 "1:00:00",
                                 "00:60:00",
                                 "- 1 day",
                                 "--1 day",
                                 "+-1 day",
                                 "P1D",
                                 "@ 1 day",
                                 "1 day ago",
                                 "178956970 years",
                                 "9999999999 days",
                                 "99999999999:00:00",
                                 "2562047789:00:00"}) {
    EXPECT_FALSE(MicrosOfInterval(text).ok()) << text;
  }
}

TEST(TimestampText, GivesBackAnyMomentThatItsTextSays) {
  std::mt19937_64 random(1);
  const std::int64_t first =
      absl::ToUnixMicros(absl::FromCivil(absl::CivilYear(1), absl::UTCTimeZone()));
  const std::int64_t last =
      absl::ToUnixMicros(absl::FromCivil(absl::CivilYear(10000), absl::UTCTimeZone()));
  std::uniform_int_distribution<std::int64_t> moments(first + 2 * kDay, last - 2 * kDay);
  std::uniform_int_distribution<std::int64_t> offsets(-57'599, 57'599);
  constexpr std::int64_t kUnits[] = {1, 10, 1'000, 1'000'000, 60'000'000};
  for (int i = 0; i < 20'000; ++i) {
    std::int64_t micros = moments(random);
    micros -= micros % kUnits[i % 5];
    std::int64_t offset = offsets(random);
    if (i % 3 == 0) offset = 0;
    if (i % 3 == 1) offset -= offset % 1800;
    const std::string text = ServerText(absl::FromUnixMicros(micros), offset);
    ASSERT_EQ(Timestamp(text), micros) << text;
  }
}

TEST(TimestampText, GivesBackEveryDayFromBeforeTheCommonEraOn) {
  const absl::CivilDay epoch(1970, 1, 1);
  const absl::CivilDay last(2401, 1, 1);
  for (absl::CivilDay day(-399, 1, 1); day < last; ++day) {
    const bool before_christ = day.year() <= 0;
    const std::string text =
        absl::StrCat(absl::Dec(before_christ ? 1 - day.year() : day.year(), absl::kZeroPad4), "-",
                     absl::Dec(day.month(), absl::kZeroPad2), "-",
                     absl::Dec(day.day(), absl::kZeroPad2), before_christ ? " BC" : "");
    ASSERT_EQ(DaysOfDate(text).value_or(0), day - epoch) << text;
  }
}

TEST(TimestampText, RefusesWhatTheServerDoesNotWrite) {
  for (const char* const text : {"",
                                 " ",
                                 "now",
                                 "2024",
                                 "2024-02-29",
                                 "2024-02-29T12:34:56",
                                 "2024-02-29 12:34",
                                 "24-02-29 12:34:56",
                                 "2024-2-29 12:34:56",
                                 "2024-02-29 12:34:56 ",
                                 " 2024-02-29 12:34:56",
                                 "2024-02-29 12:34:56Z",
                                 "2024-02-29 12:34:56 +02",
                                 "2024-02-29 12:34:56+2",
                                 "2024-02-29 12:34:56+02:",
                                 "2024-02-29 12:34:56+0230",
                                 "2024-02-29 12:34:56+02:30:",
                                 "2024-02-29 12:34:56+02:60",
                                 "2024-02-29 12:34:56+16",
                                 "2024-02-29 12:34:56BC",
                                 "2024-02-29 12:34:56 BC BC",
                                 "2024-02-29 12:34:56 BC+02",
                                 "2024-02-29 12:34:56 CET",
                                 "2024-02-29 24:00:00",
                                 "0000-01-01 00:00:00",
                                 "-2024-02-29 12:34:56",
                                 "12345678-01-01 00:00:00",
                                 "2024-02-29 12:34:56.",
                                 "2024-02-29 12:34:56.1234567",
                                 "2023-02-29 12:34:56",
                                 "02/29/2024 12:34:56",
                                 "29.02.2024 12:34:56"}) {
    const absl::StatusOr<std::int64_t> micros = MicrosOfTimestamp(text);
    EXPECT_EQ(micros.status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(TimestampText, RefusesEveryTextThatIsCutShort) {
  const std::string text = "2024-02-29 12:34:56.789123+05:53:28 BC";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    const bool whole =
        size == 19 || (size > 20 && size <= 26) || size == 29 || size == 32 || size == 35;
    EXPECT_EQ(MicrosOfTimestamp(cut).ok(), whole) << cut;
  }
}

TEST(TimestampText, NeverRepeatsTheValueInAnError) {
  EXPECT_EQ(MicrosOfTimestamp("secret").status().message().find("secret"), absl::string_view::npos);
  EXPECT_EQ(MicrosOfInterval("secret").status().message().find("secret"), absl::string_view::npos);
}

TEST(TimestampText, SurvivesAnyShortText) {
  constexpr std::string_view kBytes = "0123459-+:. BCyearmonds\0\xFF/";
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> sizes(0, 40);
  std::uniform_int_distribution<std::size_t> picks(0, kBytes.size() - 1);
  const std::string good = "2024-02-29 12:34:56.789123+05:53:28 BC";
  for (int i = 0; i < 50'000; ++i) {
    std::string text = i % 2 == 0 ? good.substr(0, sizes(random)) : std::string();
    for (std::size_t size = i % 2 == 0 ? 2 : sizes(random); size > 0; --size) {
      if (i % 2 == 1 || text.empty()) {
        text.push_back(kBytes[picks(random)]);
      } else {
        text[sizes(random) % text.size()] = kBytes[picks(random)];
      }
    }
    const absl::StatusOr<std::int64_t> time = MicrosOfTime(text);
    EXPECT_LE(time.value_or(0), kDay) << text;
    const absl::StatusOr<std::int64_t> zoned = MicrosOfTimeTz(text);
    EXPECT_LT(zoned.value_or(0), kDay) << text;
    (void)MicrosOfTimestamp(text).ok();
    (void)DaysOfDate(text).ok();
    (void)MicrosOfInterval(text).ok();
  }
}

}  // namespace
}  // namespace walpost::outbox
