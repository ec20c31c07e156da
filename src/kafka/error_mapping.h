#ifndef WALPOST_KAFKA_ERROR_MAPPING_H_
#define WALPOST_KAFKA_ERROR_MAPPING_H_

#include <absl/status/status.h>
#include <librdkafka/rdkafka.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace walpost::kafka {

// What an error is about, for its message; never a payload.
struct EventFacts {
  std::string_view topic;
  std::size_t bytes = 0;          // of key and value
  std::string max_message_bytes;  // the producer's own limit, as configured; of no other error
  std::string id;                 // the event's own, if it is known
};

// Why an event was not taken, for EventSink::Publish(): kInvalidArgument only where the event
// itself is at fault.
absl::Status PublishError(rd_kafka_resp_err_t error, const EventFacts& event);

// Why an event was not delivered, for DeliveryListener::OnFailed(). `alone` tells whether it was
// refused in a batch of its own: only then is a refusal its own fault for certain, and kDataLoss.
absl::Status DeliveryError(rd_kafka_resp_err_t error, const EventFacts& event, bool alone);

// Whether a broker refuses a whole batch with this error when one event in it, or their sum, is at
// fault.
bool RefusesBatch(rd_kafka_resp_err_t error);

// Whether a connection failed for its credentials or certificates.
bool IsAboutCredentials(rd_kafka_resp_err_t error);

// Whether the error is about a connection, not about what it carries.
bool IsAboutConnection(rd_kafka_resp_err_t error);

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_ERROR_MAPPING_H_
