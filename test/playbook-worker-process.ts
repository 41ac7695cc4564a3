// A worker in a process of its own, for tests that kill it: `node test/playbook-worker-process.ts
// <connection as JSON>`. It says "ready" and works until it is killed, or ends cleanly on SIGTERM.

import { markEventsResolved } from '../src/casework/events/event-moves-store.ts'
import { createGraphCache } from '../src/casework/playbooks/graph-cache.ts'
import { startPlaybookWorker } from '../src/casework/playbooks/runs/worker.ts'
import { createWorkerWakeUp } from '../src/casework/playbooks/runs/worker-wake-up.ts'
import { noteItemsOfCases } from '../src/casework/sightings/sighting-change-store.ts'
import { EMPTY_BRIEF } from '../src/intel/lookup/item-brief.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { createDatabase } from '../src/kernel/db/database.ts'
import { createIdSource } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createOutbound } from '../src/kernel/outbound/outbound.ts'
import { createSecretCipher } from '../src/kernel/secrets/secret-cipher.ts'
import type { SocketConnection } from './harness.ts'

const connection = JSON.parse(process.argv[2] ?? '') as SocketConnection
const database = createDatabase({ connection, poolMax: 6, log: silentLog })
const worker = startPlaybookWorker({
  database,
  ids: createIdSource(),
  clock: systemClock,
  log: silentLog,
  wakeUp: createWorkerWakeUp(),
  graphs: createGraphCache(),
  markEventsResolved,
  noteWithdrawals: noteItemsOfCases,
  briefItem: () => EMPTY_BRIEF,
  mail: null,
  outbound: createOutbound({ allow: ['127.0.0.0/8'], log: silentLog }),
  allowsPlainHttp: () => true,
  secrets: createSecretCipher([]),
})
// The worker's timers do not hold the process.
const hold = setInterval(() => undefined, 60_000)
process.once('SIGTERM', () => {
  void worker
    .stop()
    .then(() => database.close())
    .finally(() => clearInterval(hold))
})
process.stdout.write('ready\n')
