#ifndef WALPOST_TESTS_UNIT_POSTGRES_SCRIPTED_SERVER_H_
#define WALPOST_TESTS_UNIT_POSTGRES_SCRIPTED_SERVER_H_

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/unique_fd.h"

namespace walpost::postgres {

// A server on a port of the loopback interface that takes one connection, answers its start and
// each query after it with the bytes that it was given, and then nothing more; and after the last
// answer repeats some for as long as the client takes them. Without an answer it is silent from the
// start. The client must be gone before it is.
// Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
class ScriptedServer {
 public:
  explicit ScriptedServer(std::deque<std::string> answers, std::string then_for_ever = "")
      : answers_(std::move(answers)), for_ever_(std::move(then_for_ever)) {
    listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_.get(), any, size), 0);
    EXPECT_EQ(::listen(listener_.get(), 4), 0);
    EXPECT_EQ(::getsockname(listener_.get(), any, &size), 0);
    port_ = ntohs(address.sin_port);
    if (!answers_.empty()) thread_ = std::thread([this] { Serve(); });
  }
  ~ScriptedServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string Conninfo() const {
    return "host=127.0.0.1 dbname=x user=x sslmode=disable gssencmode=disable port=" +
           std::to_string(port_);
  }

  static std::string Message(char type, std::string_view body) {
    const std::uint32_t length = htonl(static_cast<std::uint32_t>(body.size() + 4));
    std::string out(1, type);
    out.append(reinterpret_cast<const char*>(&length), sizeof length);
    return out.append(body);
  }
  static std::string Welcome() { return Message('R', std::string(4, '\0')) + Message('Z', "I"); }
  static std::string Done() {
    return Message('C', std::string("SELECT 0\0", 9)) + Message('Z', "I");
  }
  static std::string CopyBoth() { return Message('W', std::string(3, '\0')); }

 private:
  void Serve() {
    const UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (fd.get() < 0) return;
    std::string request(4096, '\0');
    // Each request of these tests fits a packet, and waits for its answer.
    while (!answers_.empty()) {
      if (::recv(fd.get(), request.data(), request.size(), 0) <= 0) break;
      Send(fd.get(), answers_.front());
      answers_.pop_front();
    }
    while (!for_ever_.empty() && Send(fd.get(), for_ever_)) {
    }
    while (::recv(fd.get(), request.data(), request.size(), 0) > 0) {
    }
  }
  static bool Send(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  std::deque<std::string> answers_;
  const std::string for_ever_;
  UniqueFd listener_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace walpost::postgres

#endif  // WALPOST_TESTS_UNIT_POSTGRES_SCRIPTED_SERVER_H_
