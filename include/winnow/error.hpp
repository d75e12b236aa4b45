// The one exception type for a caller's mistakes. Bugs of our own hit assertions instead.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace winnow {

class Error : public std::invalid_argument {
 public:
  // `argument` names what was wrong ("boxes", "threads", "leaf_capacity"); `index` which element of it, if
  // one.
  Error(std::string argument, const std::string& message, std::optional<std::size_t> index = std::nullopt)
      : std::invalid_argument(message), argument_(std::move(argument)), index_(index) {}

  const std::string& argument() const noexcept { return argument_; }
  std::optional<std::size_t> index() const noexcept { return index_; }

 private:
  std::string argument_;
  std::optional<std::size_t> index_;
};

}  // namespace winnow
