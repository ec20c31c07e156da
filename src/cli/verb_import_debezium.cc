#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "base/unique_fd.h"
#include "cli/connector_file.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "config/debezium_import.h"
#include "config/file_text.h"
#include "core/error_policy.h"

namespace walpost::cli {
namespace {

using config::DebeziumImport;
using config::ImportedProperty;
using config::ImportOutcome;

absl::StatusOr<config::NamedTexts> ReadProperties(const std::string& file) {
  absl::StatusOr<std::string> text = config::ReadFileText(file);
  if (!text.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        file, ": cannot be read: ", text.status().message(), "; hint: check the name"));
  }
  return ParseConnectorFile(*text, file);
}

absl::Status CannotWrite(const std::string& file) {
  return absl::UnavailableError(
      absl::StrCat(file, ": cannot be written: ", std::generic_category().message(errno)));
}

absl::Status WriteAll(int fd, std::string_view text, const std::string& file) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return CannotWrite(file);
    }
  }
  return absl::OkStatus();
}

// Leaves a file that is there as it is.
absl::Status WriteNewFile(const std::string& file, std::string_view text) {
  UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (fd.get() < 0 && errno == EEXIST) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": is there already; hint: remove it, or choose another --output"));
  }
  if (fd.get() < 0) return CannotWrite(file);
  return WriteAll(fd.get(), text, file);
}

// Finds what only the options themselves know to be wrong: an expression that Java takes and we do
// not, a slot that cannot be. Error: kFailedPrecondition, as of a file called `name`.
absl::Status CheckLoads(const std::string& toml, const std::string& name, const Jobs& jobs) {
  UniqueFd fd(::memfd_create("walpost.toml", MFD_CLOEXEC));
  if (fd.get() < 0) return CannotWrite(name);
  WALPOST_RETURN_IF_ERROR(WriteAll(fd.get(), toml, name));
  const std::string path = absl::StrCat("/proc/self/fd/", fd.get());
  const absl::Status status =
      config::Load(
          {.file = path, .check_outbox = jobs.check_outbox, .check_kafka = jobs.check_kafka})
          .status();
  if (status.ok()) return status;
  return absl::FailedPreconditionError(absl::StrReplaceAll(status.message(), {{path, name}}));
}

void List(const DebeziumImport& import, ImportOutcome outcome, std::string_view title,
          std::ostream& err) {
  bool first = true;
  for (const ImportedProperty& one : import.properties) {
    if (one.outcome != outcome) continue;
    if (first) err << "walpost: " << title << '\n';
    first = false;
    err << "  " << one.name << ": " << one.text << '\n';
  }
}

class ImportDebeziumVerb : public Verb {
 public:
  explicit ImportDebeziumVerb(CLI::App& parent)
      : Verb(parent, "import-debezium",
             "Translates the configuration of a Debezium outbox connector.",
             "FILE is the connector's JSON, as Connect's REST API takes and gives it, or "
             ".properties.\n"
             "Exit code 3 when consumers may see a difference. Example:\n"
             "  walpost config import-debezium connector.json --output walpost.toml") {
    AddText(parser(), "FILE", "FILE", files_, "the connector's configuration");
    AddText(parser(), "--worker", "FILE", workers_, "the properties of its Connect worker");
    AddText(parser(), "--output", "FILE", outputs_, "write to this new file, not to the output");
  }

  int Run(const CliContext& context, const ConfigFileFlag&) override {
    absl::StatusOr<DebeziumImport> import = Import();
    if (!import.ok()) return Report(import.status(), context.err);
    if (outputs_.empty()) {
      context.out << import->toml;
    } else if (absl::Status written = WriteNewFile(outputs_.back(), import->toml); !written.ok()) {
      return Report(written, context.err);
    }
    List(*import, ImportOutcome::kUnknown, "unknown properties:", context.err);
    List(*import, ImportOutcome::kAssumed, "assumed; check it:", context.err);
    List(*import, ImportOutcome::kDropped,
         "cannot be honoured; consumers see no difference:", context.err);
    List(*import, ImportOutcome::kChangesEvents,
         "cannot be honoured, and consumers may see it:", context.err);
    const absl::Status loads =
        CheckLoads(import->toml, outputs_.empty() ? "the output" : outputs_.back(), context.jobs);
    if (!loads.ok()) return Report(loads, context.err);
    return import->changes_events() ? kExitPrecondition : kExitOk;
  }

 private:
  absl::StatusOr<DebeziumImport> Import() const {
    if (files_.size() != 1) {
      return absl::InvalidArgumentError(
          "import-debezium takes one FILE; hint: walpost config import-debezium connector.json");
    }
    WALPOST_ASSIGN_OR_RETURN(const config::NamedTexts connector, ReadProperties(files_[0]));
    config::NamedTexts worker;
    if (!workers_.empty()) {
      WALPOST_ASSIGN_OR_RETURN(worker, ReadProperties(workers_.back()));
    }
    absl::StatusOr<DebeziumImport> import = config::ImportDebezium(connector, worker, files_[0]);
    if (import.ok()) return import;
    return absl::InvalidArgumentError(absl::StrCat(files_[0], ": ", import.status().message()));
  }

  std::vector<std::string> files_;
  std::vector<std::string> workers_;
  std::vector<std::string> outputs_;
};

}  // namespace

std::unique_ptr<Verb> MakeImportDebeziumVerb(CLI::App& parent) {
  return std::make_unique<ImportDebeziumVerb>(parent);
}

}  // namespace walpost::cli
