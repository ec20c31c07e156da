#ifndef WALPOST_CONFIG_REFERENCE_H_
#define WALPOST_CONFIG_REFERENCE_H_

#include <string>

namespace walpost::config {

// Every option with all that the table says of it, for people: Markdown that reads well in a
// terminal, at most 100 columns but for long examples.
std::string RenderReference();

// A configuration file with every option in it, each under its explanation. What has a default is
// set to it, the rest is commented out with an example (`#key = ...`), so the file as it is
// configures what no file configures. deploy/walpost.toml is this text.
std::string RenderSample();

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_REFERENCE_H_
