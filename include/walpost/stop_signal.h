#ifndef WALPOST_STOP_SIGNAL_H_
#define WALPOST_STOP_SIGNAL_H_

namespace walpost {

// Says that the relay is to drain and end. Requested once, for good.
class StopSignal {
 public:
  virtual ~StopSignal() = default;

  // Whether a stop was requested. Cheap enough for every turn of the loop. Relay thread only.
  virtual bool requested() const = 0;

  // Becomes readable no later than requested() turns true, so that a poll(2) wakes; -1 when there
  // is nothing to wait for.
  virtual int fd() const = 0;
};

}  // namespace walpost

#endif  // WALPOST_STOP_SIGNAL_H_
