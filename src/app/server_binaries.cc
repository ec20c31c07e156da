#include "app/server_binaries.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/strings.h"

namespace walpost::app {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestMajor = 14;  // that a relay can work with

bool HoldsServer(const fs::path& folder) {
  return access((folder / "initdb").c_str(), X_OK) == 0 &&
         access((folder / "postgres").c_str(), X_OK) == 0;
}

void AddOnce(const fs::path& folder, std::vector<std::string>& out) {
  if (folder.empty() || !folder.is_absolute() || !HoldsServer(folder)) return;
  if (std::find(out.begin(), out.end(), folder.string()) == out.end()) {
    out.push_back(folder.string());
  }
}

// Within single quotes of a shell.
std::string ShellQuote(std::string_view text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string FirstLineOf(const std::string& command) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "re"), &pclose);
  std::array<char, 256> line{};
  if (pipe == nullptr || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return "";
  return line.data();
}

}  // namespace

std::optional<ServerBinaries> ParseServerVersion(std::string_view text) {
  constexpr std::string_view kBefore = "(PostgreSQL) ";
  const std::size_t found = text.find(kBefore);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view version = text.substr(found + kBefore.size());
  version = version.substr(0, version.find_first_of(" \t\r\n"));
  ServerBinaries out;
  const auto parsed = std::from_chars(version.data(), version.data() + version.size(), out.major);
  if (parsed.ec != std::errc() || out.major <= 0) return std::nullopt;
  out.version = version;
  return out;
}

std::vector<std::string> PackageRoots() { return {"/usr/lib/postgresql", "/usr"}; }

std::vector<std::string> ServerFolders(std::string_view path,
                                       const std::vector<std::string>& package_roots) {
  std::vector<std::string> out;
  for (absl::string_view folder : absl::StrSplit(ToAbsl(path), ':')) {
    AddOnce(fs::path(std::string(folder)), out);
  }
  for (const std::string& root : package_roots) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(root, ignored)) {
      const std::string name = entry.path().filename();
      // `15`, or `pgsql-15`.
      if (name.starts_with("pgsql-") || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
        AddOnce(entry.path() / "bin", out);
      }
    }
  }
  return out;
}

absl::StatusOr<ServerBinaries> NewestServer(const std::vector<std::string>& folders) {
  std::optional<ServerBinaries> newest;
  for (const std::string& folder : folders) {
    std::optional<ServerBinaries> found = ParseServerVersion(
        FirstLineOf(absl::StrCat(ShellQuote(folder + "/postgres"), " --version 2>/dev/null")));
    if (!found.has_value() || found->major < kOldestMajor) continue;
    found->folder = folder;
    if (!newest.has_value() || found->major > newest->major) newest = std::move(found);
  }
  if (newest.has_value()) return *std::move(newest);
  return absl::FailedPreconditionError(absl::StrCat(
      folders.empty() ? "no PostgreSQL server is installed (looked for initdb and postgres in PATH "
                        "and in /usr/lib/postgresql)"
                      : absl::StrCat("no PostgreSQL server of version ", kOldestMajor,
                                     " or later is installed"),
      "; hint: apt-get install postgresql-15, or name a server with --conninfo"));
}

}  // namespace walpost::app
