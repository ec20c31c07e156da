#ifndef WALPOST_TESTS_UNIT_POSTGRES_SERVER_FACTS_H_
#define WALPOST_TESTS_UNIT_POSTGRES_SERVER_FACTS_H_

#include "postgres/catalog.h"

namespace walpost::postgres {

// A server on which nothing stands in the way.
inline ServerFacts GoodServer() {
  ServerFacts server;
  server.version = 150004;
  server.database = "shop";
  server.wal_level = "logical";
  return server;
}

// A slot of its database that nobody uses.
inline SlotFacts GoodSlot() {
  SlotFacts slot;
  slot.type = "logical";
  slot.plugin = "pgoutput";
  slot.database = "shop";
  slot.wal_status = "reserved";
  slot.confirmed_flush = Lsn(0x100);
  return slot;
}

}  // namespace walpost::postgres

#endif  // WALPOST_TESTS_UNIT_POSTGRES_SERVER_FACTS_H_
