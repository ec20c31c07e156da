#ifndef WALPOST_TESTS_SUPPORT_KAFKA_BROKER_H_
#define WALPOST_TESTS_SUPPORT_KAFKA_BROKER_H_

#include <absl/status/status.h>
#include <sys/types.h>

#include <string>

#include "support/process.h"
#include "support/temp_dir.h"

namespace walpost::support {

// A real Kafka broker on a free port, made by kafka.sh. Killed and removed with its data when it
// goes out of scope.
class KafkaBroker {
 public:
  // Why none can be started here (no Java, no Maven), or "".
  static std::string WhyNot();

  KafkaBroker();
  ~KafkaBroker();
  KafkaBroker(const KafkaBroker&) = delete;
  KafkaBroker& operator=(const KafkaBroker&) = delete;

  // Also after Stop or Kill: the same port and the same data.
  absl::Status Start();
  void Stop();
  void Kill();
  // SIGSTOP and SIGCONT: connections stay, nothing answers.
  void Pause() const;
  void Resume() const;

  std::string bootstrap() const;
  // Waits until the topic can be written.
  absl::Status CreateTopic(const std::string& name, int partitions) const;
  // Sets one property of a topic, and all others back to the broker's.
  absl::Status ConfigureTopic(const std::string& name, const char* property,
                              const char* value) const;

 private:
  Finished Script(const std::string& command);
  pid_t Pid() const;

  TempDir dir_;
  int port_;
  Environment environment_;
  Epilogue epilogue_;
};

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_KAFKA_BROKER_H_
