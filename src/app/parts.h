#ifndef WALPOST_APP_PARTS_H_
#define WALPOST_APP_PARTS_H_

#include "config/settings.h"
#include "kafka/producer_options.h"
#include "observability/log_writer.h"
#include "postgres/connection_options.h"

// From what was configured to what each module takes. Pure.
namespace walpost::app {

postgres::ConnectionOptions ConnectionOptionsFrom(const config::Settings& settings);
kafka::ProducerOptions ProducerOptionsFrom(const config::Settings& settings);
observability::LogOptions LogOptionsFrom(const config::Settings& settings);

}  // namespace walpost::app

#endif  // WALPOST_APP_PARTS_H_
