#ifndef WALPOST_OUTBOX_JAVA_NUMBER_H_
#define WALPOST_OUTBOX_JAVA_NUMBER_H_

#include <string>

namespace walpost::outbox {

// Appends a number as Java's Double.toString() writes it since JDK 19: the fewest digits that give
// the same value back, at least one on each side of the point, and an exponent below 1e-3 and from
// 1e7 on: `100000.0`, `0.001`, `1.0E-4`, `1.0E7`, `4.9E-324`, `-0.0`, `NaN`, `Infinity`,
// `-Infinity`. Older JDKs now and then write a digit more (2e23 as 1.9999999999999998E23).
// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Double.html
void AppendJavaDouble(double value, std::string& out);

// The same of Float.toString().
void AppendJavaFloat(float value, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JAVA_NUMBER_H_
