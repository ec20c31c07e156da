#include "observability/log_writer.h"

#include <absl/time/clock.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "observability/log_line.h"

namespace walpost::observability {
namespace {

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

class LogWriter final : public Logger {
 public:
  LogWriter(const LogOptions& options, spdlog::sink_ptr sink)
      : options_(options), logger_("walpost", std::move(sink)) {
    // The line is whole when spdlog gets it.
    logger_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%v", spdlog::pattern_time_type::utc, std::string("\n")));
    logger_.set_level(ToSpdlog(options.level));
    logger_.flush_on(spdlog::level::trace);
    // Standard error is where a failure would be told, and it is what failed.
    logger_.set_error_handler([](const std::string&) {});
  }

  void Log(LogLevel level, std::string_view message, std::span<const LogField> fields) override {
    if (!logger_.should_log(ToSpdlog(level))) return;
    absl::Time now = absl::Now();
    std::string line = options_.json ? JsonLine(now, level, message, fields)
                                     : LogfmtLine(now, level, message, fields, options_.color);
    logger_.log(ToSpdlog(level), spdlog::string_view_t(line.data(), line.size()));
  }

 private:
  const LogOptions options_;
  spdlog::logger logger_;
};

}  // namespace

std::unique_ptr<Logger> MakeLogger(const LogOptions& options) {
  return std::make_unique<LogWriter>(options, std::make_shared<spdlog::sinks::stderr_sink_mt>());
}

std::unique_ptr<Logger> MakeLogger(const LogOptions& options, std::ostream& out) {
  return std::make_unique<LogWriter>(options,
                                     std::make_shared<spdlog::sinks::ostream_sink_mt>(out, true));
}

}  // namespace walpost::observability
