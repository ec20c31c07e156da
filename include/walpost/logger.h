#ifndef WALPOST_LOGGER_H_
#define WALPOST_LOGGER_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace walpost {

enum class LogLevel {
  kDebug,
  kInfo,
  kWarn,
  // An operator must act.
  kError,
};

// One `key=value` of a log line. Never a payload, a column value, a conninfo or a secret.
struct LogField {
  std::string_view key;
  std::variant<std::string, std::int64_t, double, bool> value;

  LogField(std::string_view k, std::string v) : key(k), value(std::move(v)) {}
  LogField(std::string_view k, std::string_view v) : key(k), value(std::string(v)) {}
  LogField(std::string_view k, const char* v) : key(k), value(std::string(v)) {}
  LogField(std::string_view k, bool v) : key(k), value(v) {}
  LogField(std::string_view k, double v) : key(k), value(v) {}
  template <std::integral T>
  LogField(std::string_view k, T v) : key(k), value(static_cast<std::int64_t>(v)) {}
};

// Where log lines go. Implementations may be called from any thread.
class Logger {
 public:
  virtual ~Logger() = default;

  // `message` is a fixed lower-case sentence without values, so that it can be searched for; values
  // go into `fields`.
  virtual void Log(LogLevel level, std::string_view message, std::span<const LogField> fields) = 0;

  void Debug(std::string_view message, std::initializer_list<LogField> fields = {}) {
    Log(LogLevel::kDebug, message, {fields.begin(), fields.size()});
  }
  void Info(std::string_view message, std::initializer_list<LogField> fields = {}) {
    Log(LogLevel::kInfo, message, {fields.begin(), fields.size()});
  }
  void Warn(std::string_view message, std::initializer_list<LogField> fields = {}) {
    Log(LogLevel::kWarn, message, {fields.begin(), fields.size()});
  }
  void Error(std::string_view message, std::initializer_list<LogField> fields = {}) {
    Log(LogLevel::kError, message, {fields.begin(), fields.size()});
  }
};

}  // namespace walpost

#endif  // WALPOST_LOGGER_H_
