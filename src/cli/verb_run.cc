#include <absl/status/status.h>

#include <memory>

#include "cli/option_flags.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "core/error_policy.h"

namespace walpost::cli {
namespace {

class RunVerb : public Verb {
 public:
  explicit RunVerb(CLI::App& root)
      : Verb(root, "run", "Streams, publishes and confirms until it is stopped: the daemon.",
             "Every option: walpost config reference. Example:\n"
             "  walpost run --conninfo 'host=127.0.0.1 dbname=shop user=postgres' "
             "--brokers 127.0.0.1:9092"),
        file_(parser()),
        flags_(parser(), config::kRun) {}

  int Run(const CliContext& context, const ConfigFileFlag& global) override {
    auto loaded = config::Load(RequestFor(context, global, file_, flags_.Values()));
    if (!loaded.ok()) return Report(loaded.status(), context.err);
    const absl::Status brokers = RequireBrokers(loaded->settings.kafka);
    if (!brokers.ok()) return Report(brokers, context.err);
    // The relay logs how it ended.
    return PolicyFor(context.jobs.run(loaded->settings).code()).exit_code;
  }

 private:
  ConfigFileFlag file_;
  OptionFlags flags_;
};

}  // namespace

absl::Status RequireBrokers(const config::KafkaSettings& kafka) {
  if (!kafka.brokers.empty() || kafka.properties.contains("bootstrap.servers") ||
      kafka.properties.contains("metadata.broker.list")) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "kafka.brokers is not set; hint: give --brokers HOST:PORT, or set brokers in [kafka], or "
      "WALPOST_KAFKA_BROKERS");
}

std::unique_ptr<Verb> MakeRunVerb(CLI::App& root) { return std::make_unique<RunVerb>(root); }

}  // namespace walpost::cli
