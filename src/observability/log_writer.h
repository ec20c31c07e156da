#ifndef WALPOST_OBSERVABILITY_LOG_WRITER_H_
#define WALPOST_OBSERVABILITY_LOG_WRITER_H_

#include <iosfwd>
#include <memory>

#include "walpost/logger.h"

namespace walpost::observability {

struct LogOptions {
  // Lines below it are dropped before anything is formatted.
  LogLevel level = LogLevel::kInfo;
  // JSON, one object a line, instead of logfmt.
  bool json = false;
  // Colours the level; logfmt only. For a terminal.
  bool color = false;
};

// Writes log lines to standard error; see log_line.h for their form. Any thread may log; a line is
// written whole and at once, so that the last one before a crash is seen. A write that fails is
// dropped: the log never stops the relay.
std::unique_ptr<Logger> MakeLogger(const LogOptions& options);

// The same into `out`, which must outlive the logger.
std::unique_ptr<Logger> MakeLogger(const LogOptions& options, std::ostream& out);

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_LOG_WRITER_H_
