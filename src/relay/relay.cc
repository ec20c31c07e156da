#include "walpost/relay.h"

#include "relay/connection_loop.h"

namespace walpost {

class Relay::Impl {
 public:
  Impl(const RelayParts& parts, const RelayOptions& options)
      : parts_(parts), options_(options), loop_(parts_, options_) {}

  absl::Status Run() {
    absl::Status status = loop_.Run();
    parts_.metrics.state.store(RelayState::kStopped);
    return status;
  }

 private:
  const RelayParts parts_;
  const RelayOptions options_;
  ConnectionLoop loop_;
};

Relay::Relay(const RelayParts& parts, const RelayOptions& options)
    : impl_(std::make_unique<Impl>(parts, options)) {}

Relay::~Relay() = default;

absl::Status Relay::Run() { return impl_->Run(); }

}  // namespace walpost
