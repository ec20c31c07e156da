#ifndef WALPOST_OUTBOX_HEADER_COLUMNS_H_
#define WALPOST_OUTBOX_HEADER_COLUMNS_H_

#include <absl/status/status.h>

#include "outbox/header_list.h"
#include "pgoutput/message.h"

// Columns that hold several headers each. Errors are kInvalidArgument, without the row's name.
namespace walpost::outbox {

// Adds one header for each member of the JSON object in the column, in its order: texts without
// their quotes, numbers with each digit, objects and arrays as JSON, null as a header without a
// value. NULL adds none. Error: no JSON object, or a member called `id`, which would hide the id
// that consumers recognise repeated events by.
absl::Status AddObjectHeaders(const pgoutput::ColumnValue& column, HeaderList& headers);

// Adds traceparent, tracestate and baggage, as far as the text in the format of
// java.util.Properties has them, unchanged. NULL adds none.
// Source: https://www.w3.org/TR/trace-context/
absl::Status AddTracingHeaders(const pgoutput::ColumnValue& column, HeaderList& headers);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_HEADER_COLUMNS_H_
