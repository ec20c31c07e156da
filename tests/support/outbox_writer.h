#ifndef WALPOST_TESTS_SUPPORT_OUTBOX_WRITER_H_
#define WALPOST_TESTS_SUPPORT_OUTBOX_WRITER_H_

#include <atomic>
#include <string>
#include <thread>

namespace walpost::support {

// An application that goes on inserting, one row a transaction, from its own thread, while the test
// does harm elsewhere. A server that is away is waited for: what counts is what the table holds at
// the end. Keys are k0 to k9 in turn; the payload is {"n": <count>}.
class OutboxWriter {
 public:
  // Begins at once, at `rows_per_second`.
  OutboxWriter(std::string conninfo, std::string aggregate_type, double rows_per_second);
  ~OutboxWriter();
  OutboxWriter(const OutboxWriter&) = delete;
  OutboxWriter& operator=(const OutboxWriter&) = delete;

  // Rows whose commit was reported so far.
  long written() const { return written_.load(); }
  // Ends after the current row.
  void Stop();

 private:
  void Work();

  const std::string conninfo_;
  const std::string aggregate_type_;
  const double rows_per_second_;
  std::atomic<long> written_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_OUTBOX_WRITER_H_
