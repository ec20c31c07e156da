#ifndef WALPOST_BASE_STATUS_MACROS_H_
#define WALPOST_BASE_STATUS_MACROS_H_

// Ends the function with the status of `expr` unless it is OK.
#define WALPOST_RETURN_IF_ERROR(expr)                  \
  do {                                                 \
    auto walpost_status_ = (expr);                     \
    if (!walpost_status_.ok()) return walpost_status_; \
  } while (false)

// Evaluates a StatusOr; ends the function with its status, or assigns its value to `lhs`.
#define WALPOST_ASSIGN_OR_RETURN(lhs, expr) \
  WALPOST_ASSIGN_OR_RETURN_IMPL_(WALPOST_CONCAT_(walpost_or_, __LINE__), lhs, expr)
#define WALPOST_ASSIGN_OR_RETURN_IMPL_(tmp, lhs, expr) \
  auto tmp = (expr);                                   \
  if (!tmp.ok()) return tmp.status();                  \
  lhs = *std::move(tmp)
#define WALPOST_CONCAT_(a, b) WALPOST_CONCAT_INNER_(a, b)
#define WALPOST_CONCAT_INNER_(a, b) a##b

#endif  // WALPOST_BASE_STATUS_MACROS_H_
