#include "kafka/library_version.h"

#include <librdkafka/rdkafka.h>

namespace walpost::kafka {

std::string LibraryVersion() { return rd_kafka_version_str(); }

}  // namespace walpost::kafka
