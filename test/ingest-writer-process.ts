// Writers in a process of their own, for the test that lets many of them burst at once: `node
// test/ingest-writer-process.ts <plan as JSON>`. It says "ready", starts at the first line on its
// standard input, and ends when all of its batches are stored.

import { once } from 'node:events'
import { ingest } from '../src/casework/events/ingest.ts'
import { createConditionWork } from '../src/casework/rules/condition-work.ts'
import { EMPTY_BRIEF } from '../src/intel/lookup/item-brief.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { createDatabase, inTransaction } from '../src/kernel/db/database.ts'
import { inTenant } from '../src/kernel/db/row-scope.ts'
import { createIdSource } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { buildBurst, type WriterPlan } from './ingest-burst.ts'

const plan = JSON.parse(process.argv[2] ?? '') as WriterPlan
const { connection, writers, batches } = plan
const database = createDatabase({ connection, poolMax: writers.length, log: silentLog })
const deps = {
  ids: createIdSource(),
  briefItem: () => EMPTY_BRIEF,
  conditionWork: createConditionWork(systemClock),
}
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
await Promise.all(
  writers.map(async (writer) => {
    for (let batch = 0; batch < batches; batch += 1) {
      const arrivals = buildBurst(writer, batch)
      const scope = { tenantId: plan.tenantId }
      await inTenant(scope, () =>
        inTransaction(database.kysely, (tx) => ingest(tx, deps, scope, arrivals, new Date())),
      )
    }
  }),
)
await database.close()
