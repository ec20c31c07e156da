#include "observability/admin_server.h"

#include <absl/strings/str_cat.h>
#include <civetweb.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "base/unique_fd.h"
#include "observability/listen_address.h"
#include "observability/metrics_page.h"

namespace walpost::observability {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain; charset=utf-8";

struct Answer {
  int status = 200;
  std::string_view content_type;
  std::string body;
};

std::string_view StatusText(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

std::string Head(const Answer& answer) {
  return absl::StrCat("HTTP/1.1 ", answer.status, " ", ToAbsl(StatusText(answer.status)),
                      "\r\nContent-Type: ", ToAbsl(answer.content_type),
                      "\r\nContent-Length: ", answer.body.size(),
                      answer.status == 405 ? "\r\nAllow: GET, HEAD" : "",
                      "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n");
}

// Counted by the library: the last one to go frees its globals.
class Library {
 public:
  Library() { ::mg_init_library(MG_FEATURES_DEFAULT); }
  ~Library() { ::mg_exit_library(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

// The library's accept loop looks at its stop flag only when poll(2) returns, up to two seconds
// later. A connection wakes it; the flag may not be set yet, hence again and again.
void WakeUntil(const std::atomic<bool>& stopped, const ListenAddress& address) {
  while (!stopped.load()) {
    UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (fd.get() >= 0) {
      (void)::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage),
                      address.length);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void StopQuickly(mg_context* context, const ListenAddress& address) {
  std::atomic<bool> stopped{false};
  std::thread waker;
  try {
    waker = std::thread([&] { WakeUntil(stopped, address); });
  } catch (const std::system_error&) {
    // Without it the stop is slow, and still right.
  }
  ::mg_stop(context);
  stopped.store(true);
  if (waker.joinable()) waker.join();
}

}  // namespace

class AdminServer::Impl {
 public:
  Impl(const AdminOptions& options, const ListenAddress& address, const RelayMetrics& metrics,
       const TopicCounterTable& topics, const Clock& clock)
      : options_(options), address_(address), metrics_(metrics), topics_(topics), clock_(clock) {}

  ~Impl() {
    if (context_ != nullptr) StopQuickly(context_, address_);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  absl::Status Start() {
    if (address_.is_ipv6() && ::mg_check_feature(MG_FEATURES_IPV6) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("admin.listen (--admin-listen) '", options_.listen,
                       "' is IPv6, and the civetweb library of this system was built without it; "
                       "hint: give an IPv4 address"));
    }
    mg_callbacks callbacks = {};
    callbacks.begin_request = &Impl::OnRequest;
    // Nothing of the library's goes to standard error by itself. A callback for accesses would make
    // its threads race in localtime(); without one, and without a file, it writes none.
    callbacks.log_message = [](const mg_connection*, const char*) { return 1; };
    std::string where = address_.ToString();
    // clang-format off
    const std::array<const char*, 15> settings = {
        "listening_ports", where.c_str(),
        "num_threads", "2",
        "enable_keep_alive", "no",
        "enable_auth_domain_check", "no",
        "max_request_size", "8192",
        "request_timeout_ms", "500",
        "linger_timeout_ms", "100",
        nullptr};
    // clang-format on
    context_ = ::mg_start(&callbacks, this, const_cast<const char**>(settings.data()));
    if (context_ == nullptr) return WhyNotStarted();
    mg_server_port bound = {};
    if (::mg_get_server_ports(context_, 1, &bound) != 1) {
      return absl::InternalError("the admin server does not know its own port");
    }
    port_ = bound.port;
    address_ = address_.WithPort(port_);
    return absl::OkStatus();
  }

  int port() const { return port_; }

 private:
  // The library answers yes or no; the reason is found by trying again without it.
  absl::Status WhyNotStarted() const {
    WALPOST_RETURN_IF_ERROR(ProbeListen(options_.listen, address_));
    return absl::FailedPreconditionError(
        absl::StrCat("cannot listen on admin.listen (--admin-listen) '", options_.listen,
                     "'; hint: see that the process may open sockets and start threads"));
  }

  // Called by the library's threads. No exception may pass through its C frames.
  static int OnRequest(mg_connection* connection) {
    const mg_request_info* request = ::mg_get_request_info(connection);
    std::string_view method = request->request_method;
    try {
      const auto* self = static_cast<const Impl*>(request->user_data);
      Answer answer = self->AnswerTo(method, request->local_uri);
      std::string out = Head(answer);
      if (method != "HEAD") out.append(answer.body);
      ::mg_write(connection, out.data(), out.size());
      return answer.status;
    } catch (const std::exception&) {
      return 500;
    }
  }

  Answer AnswerTo(std::string_view method, const char* uri) const {
    if (method != "GET" && method != "HEAD") return {405, kText, "only GET and HEAD\n"};
    std::string_view path = uri == nullptr ? "" : uri;
    if (path == "/metrics") {
      return {200, kMetricsContentType,
              RenderMetricsPage(metrics_, topics_, clock_, options_.version)};
    }
    if (path == "/healthz") {
      HealthReport report = Evaluate(metrics_, clock_, options_.limits);
      return {report.live ? 200 : 503, kJson, report.LiveJson() + "\n"};
    }
    if (path == "/readyz") {
      HealthReport report = Evaluate(metrics_, clock_, options_.limits);
      return {report.ready ? 200 : 503, kJson, report.ReadyJson() + "\n"};
    }
    if (path == "/") return {200, kText, "walpost\n/metrics\n/healthz\n/readyz\n"};
    return {404, kText, "not found; see /\n"};
  }

  const AdminOptions options_;
  ListenAddress address_;
  const RelayMetrics& metrics_;
  const TopicCounterTable& topics_;
  const Clock& clock_;
  Library library_;
  mg_context* context_ = nullptr;
  int port_ = 0;
};

absl::StatusOr<std::unique_ptr<AdminServer>> AdminServer::Start(const AdminOptions& options,
                                                                const RelayMetrics& metrics,
                                                                const TopicCounterTable& topics,
                                                                const Clock& clock) {
  WALPOST_ASSIGN_OR_RETURN(ListenAddress address, ListenAddress::Parse(options.listen));
  auto impl = std::make_unique<Impl>(options, address, metrics, topics, clock);
  WALPOST_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<AdminServer>(new AdminServer(std::move(impl)));
}

AdminServer::AdminServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AdminServer::~AdminServer() = default;

int AdminServer::port() const { return impl_->port(); }

}  // namespace walpost::observability
