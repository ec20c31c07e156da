#include "postgres/pg_replication_stream.h"

#include <absl/strings/str_cat.h>
#include <poll.h>

#include <array>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/qualified_name.h"
#include "postgres/sql_session.h"
#include "postgres/sql_state.h"
#include "postgres/standby_status.h"

namespace walpost::postgres {
namespace {

// The server opens the slot and answers; it decodes only after that.
constexpr absl::Duration kStartLimit = absl::Seconds(30);

std::string StartCommand(const StreamNames& names) {
  // 0/0 is the slot's own position. Any later one would be taken, and rows skipped.
  return absl::StrCat("START_REPLICATION SLOT ", QuoteIdentifier(names.slot),
                      " LOGICAL 0/0 (proto_version '1', publication_names ",
                      QuoteLiteral(QuoteIdentifier(names.publication)),
                      names.messages ? ", messages 'true')" : ")");
}

}  // namespace

PgReplicationStream::PgReplicationStream(std::unique_ptr<Connection> connection, StreamInfo info,
                                         StreamNames names, const Clock& clock, Logger& logger)
    : connection_(std::move(connection)),
      info_(std::move(info)),
      names_(std::move(names)),
      clock_(clock),
      logger_(logger) {
  connection_->set_notice_handler([this](const Connection::Notice& notice) { OnNotice(notice); });
}

absl::StatusOr<std::unique_ptr<PgReplicationStream>> PgReplicationStream::Start(
    std::unique_ptr<Connection> connection, StreamInfo info, StreamNames names, const Clock& clock,
    Logger& logger) {
  std::unique_ptr<PgReplicationStream> stream(new PgReplicationStream(
      std::move(connection), std::move(info), std::move(names), clock, logger));
  absl::Status started =
      stream->connection_->Execute(StartCommand(stream->names_), kStartLimit).status();
  if (absl::IsCancelled(started)) return started;
  if (!started.ok()) return StatusOfStreamError(started, stream->names_);
  return stream;
}

int PgReplicationStream::fd() const {
  return connection_ == nullptr ? -1 : PQsocket(connection_->get());
}

void PgReplicationStream::OnNotice(const Connection::Notice& notice) {
  // PostgreSQL 18 does not fail over a missing publication: it warns, leaves out the rows, and lets
  // keepalives carry the slot past them. The text may be in any language, so the state decides.
  if (notice.sql_state == "55000") {
    fatal_notice_ = StatusOfSkippedPublication(names_);
    return;
  }
  logger_.Warn(
      "the server gave a warning",
      {{"slot", names_.slot}, {"sqlstate", notice.sql_state}, {"warning", notice.message}});
}

absl::Status PgReplicationStream::Fail(absl::Status error) {
  ended_ = std::move(error);
  return ended_;
}

absl::StatusOr<std::string_view> PgReplicationStream::NextBuffered() {
  char* raw = nullptr;
  int size = PQgetCopyData(conn(), &raw, /*async=*/1);
  buffer_.reset(raw);
  // Before anything that came after it: that must never be published nor confirmed.
  if (!fatal_notice_.ok()) return Fail(fatal_notice_);
  if (size > 0) return std::string_view(buffer_.get(), static_cast<std::size_t>(size));
  if (size == 0) return std::string_view();
  return Fail(size == -1 ? ReasonOfEnd() : StatusOfStreamError(connection_->LastError(), names_));
}

absl::Status PgReplicationStream::ReasonOfEnd() {
  PgResultPtr result(PQgetResult(conn()));
  if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR && result != nullptr) {
    return StatusOfStreamError(Connection::ErrorOf(result.get()), names_);
  }
  return absl::UnavailableError(absl::StrCat("stream of slot ", QuoteIdentifier(names_.slot),
                                             " ended: the server closed it, as it does when it "
                                             "shuts down"));
}

absl::StatusOr<std::string_view> PgReplicationStream::Read() {
  if (!ended_.ok()) return ended_;
  absl::StatusOr<std::string_view> frame = NextBuffered();
  // Only once libpq has nothing left, otherwise its buffer would grow with the backlog.
  if (!frame.ok() || !frame->empty()) return frame;
  // An encrypted packet may leave bytes behind that poll(2) does not see; it has at most 16 KiB,
  // and each call takes at least 8.
  const bool encrypted = PQsslInUse(conn()) != 0 || PQgssEncInUse(conn()) != 0;
  for (int looks = encrypted ? 3 : 1; looks > 0; --looks) {
    if (PQconsumeInput(conn()) == 0) {
      return Fail(StatusOfStreamError(connection_->LastError(), names_));
    }
    frame = NextBuffered();
    if (!frame.ok() || !frame->empty()) break;
  }
  return frame;
}

absl::Status PgReplicationStream::SendStatus(const StandbyStatus& status) {
  if (!ended_.ok()) return ended_;
  bool reply_requested =
      status.reply_requested || (pending_status_.has_value() && pending_status_->reply_requested);
  pending_status_ = status;
  pending_status_->reply_requested = reply_requested;
  return Flush();
}

absl::Status PgReplicationStream::PutPendingStatus() {
  if (!pending_status_.has_value()) return absl::OkStatus();
  auto bytes = EncodeStandbyStatus(*pending_status_, clock_.Now());
  int taken = PQputCopyData(conn(), bytes.data(), static_cast<int>(bytes.size()));
  if (taken < 0) return Fail(StatusOfStreamError(connection_->LastError(), names_));
  if (taken > 0) pending_status_.reset();
  return absl::OkStatus();
}

absl::Status PgReplicationStream::Flush() {
  if (!ended_.ok()) return ended_;
  WALPOST_RETURN_IF_ERROR(PutPendingStatus());
  int left = PQflush(conn());
  if (left < 0) return Fail(StatusOfStreamError(connection_->LastError(), names_));
  wants_write_ = left > 0 || pending_status_.has_value();
  return absl::OkStatus();
}

absl::Status PgReplicationStream::EndCopy(const Deadline& deadline) {
  NeverStop never;
  bool ended = false;
  while (!ended) {
    WALPOST_RETURN_IF_ERROR(Flush());
    if (!wants_write_) {
      int taken = PQputCopyEnd(conn(), nullptr);
      if (taken < 0) return connection_->LastError();
      ended = taken > 0;
    }
    if (ended) break;
    WALPOST_RETURN_IF_ERROR(WaitForSocket(fd(), POLLIN | POLLOUT, deadline, never));
    if (PQconsumeInput(conn()) == 0) return connection_->LastError();
  }
  return connection_->FlushAll(deadline, never);
}

absl::Status PgReplicationStream::DrainCopy(const Deadline& deadline) {
  NeverStop never;
  while (true) {
    // A server that goes on sending would never let the wait below end.
    if (deadline.passed()) return absl::DeadlineExceededError("the server has not ended the copy");
    char* raw = nullptr;
    int size = PQgetCopyData(conn(), &raw, /*async=*/1);
    buffer_.reset(raw);
    if (size == -1) break;
    if (size < -1) return connection_->LastError();
    if (size > 0) continue;
    WALPOST_RETURN_IF_ERROR(WaitForSocket(fd(), POLLIN, deadline, never));
    if (PQconsumeInput(conn()) == 0) return connection_->LastError();
  }
  connection_->ExpectResults();
  return connection_->Receive(deadline.Left(), never).status();
}

absl::Status PgReplicationStream::Finish(absl::Duration limit) {
  if (!ended_.ok()) {
    connection_.reset();
    return ended_;
  }
  Deadline deadline(limit);
  absl::Status done = EndCopy(deadline);
  if (done.ok()) done = DrainCopy(deadline);
  ended_ = absl::UnavailableError(
      absl::StrCat("stream of slot ", QuoteIdentifier(names_.slot), " was finished"));
  buffer_.reset();
  pending_status_.reset();
  wants_write_ = false;
  connection_.reset();
  if (!absl::IsDeadlineExceeded(done)) return done;
  return absl::UnavailableError(absl::StrCat("stream of slot ", QuoteIdentifier(names_.slot),
                                             " did not end within ", absl::FormatDuration(limit),
                                             "; disconnected"));
}

}  // namespace walpost::postgres
