// The audit log: what an act costs in its transaction, and how fast a whole verification is, with
// the values beside the chain. The goal of a verification: 100,000 entries/s.

import { createAuditLog } from '../src/access/audit/audit-log.ts'
import { verifyChains } from '../src/access/audit/read-chain.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { createDatabase, type Database } from '../src/kernel/db/database.ts'
import { inInstance } from '../src/kernel/db/instance-acts.ts'
import { inTenant } from '../src/kernel/db/row-scope.ts'
import { withRequestOrigin } from '../src/kernel/http/request-origin.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createSecretCipher } from '../src/kernel/secrets/secret-cipher.ts'
import { DEFAULT_TENANT_ID } from '../src/vocabulary/caller.ts'
import { measureRoundTrips } from './lib/calibrations.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian } from './lib/statistics.ts'

const ENTRIES = readCount('BENCH_AUDIT_ENTRIES', 100_000)
// Each entry of a transaction leaves an old version of the row with the end of the chain: with many
// more, reading those would be measured.
const ENTRIES_A_TRANSACTION = 50
// A page of a verification.
const ENTRIES_A_PAGE = 2_000
const ROUNDS = 7
const TENANT = { tenantId: DEFAULT_TENANT_ID }
const SECRETS = createSecretCipher([{ id: 'bench', bytes: Buffer.alloc(32, 'key of the bench') }])

export async function benchAudit(stage: Stage): Promise<void> {
  await stage.makeTables()
  const database = createDatabase({
    connection: { connectionString: stage.databaseUrl },
    poolMax: 2,
    log: silentLog,
  })
  try {
    const append = await measureAppend(database)
    await stage.pool.query('vacuum analyze audit_entry, audit_detail')
    const verification = await measureVerification(stage, database)
    printFigures(`The audit log, ${ENTRIES.toLocaleString('en')} entries with values`, [
      append,
      verification,
    ])
  } finally {
    await database.close()
  }
}

/** As a request of a token has it. */
const ORIGIN = {
  caller: {
    tokenId: 'tok_0123456789abcdef',
    name: 'bench',
    tenantId: DEFAULT_TENANT_ID,
    scopes: new Set<never>(),
    roles: [],
    owner: null,
    networks: null,
    contactEmail: null,
    expiresAt: null,
  },
  remoteAddress: '192.0.2.10',
  requestId: '0f8fad5b-d9cd-469f-a165-70867728950e',
}

/** A change of a customer, with its values before and after. */
function changeOf(at: number): {
  readonly id: string
  readonly before: object
  readonly after: object
} {
  const value = (version: number): object => ({
    name: `Customer ${at} Example Ltd.`,
    contact_email: `abuse-${version}@customer-${at}.example`,
    languages: ['en', 'de'],
    labels: { version: String(version), desk: 'north' },
  })
  return { id: `customer-${at}`, before: value(at), after: value(at + 1) }
}

async function measureAppend({ kysely: db, pool }: Database): Promise<Figure> {
  const log = createAuditLog({ clock: systemClock, secrets: SECRETS })
  const samples: number[] = []
  for (let first = 0; first < ENTRIES; first += ENTRIES_A_TRANSACTION) {
    await withRequestOrigin(ORIGIN, () =>
      inTenant(TENANT, () =>
        db.transaction().execute(async (tx) => {
          for (let at = first; at < first + ENTRIES_A_TRANSACTION; at += 1) {
            const change = changeOf(at)
            const startedMs = performance.now()
            await log.record(tx, 'customer.change', { ...TENANT, ...change })
            samples.push(performance.now() - startedMs)
          }
        }),
      ),
    )
  }
  const ours = findMedian(samples)
  // One statement locks the end of the chain, and another one adds the entry.
  const bare = await measureRoundTrips(pool, 2)
  return {
    name: 'an act in its transaction, without the commit',
    ours: `${ours.toFixed(3)} ms`,
    calibration: `select 1, twice ${bare.toFixed(3)} ms`,
    ratio: ours / bare,
  }
}

/** A verification and a bare reading of the same rows, in turns. */
async function measureVerification(stage: Stage, database: Database): Promise<Figure> {
  const rates: number[] = []
  const bareRates: number[] = []
  let programMs = 0
  let databaseMs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const [own, theirs] = [process.cpuUsage(), stage.readDatabaseCpuSeconds()]
    rates.push(await measureRate(() => verify(database)))
    const { user, system } = process.cpuUsage(own)
    programMs += (user + system) / 1_000
    databaseMs += (stage.readDatabaseCpuSeconds() - theirs) * 1_000
    bareRates.push(await measureRate(() => readRows(stage)))
  }
  const [ours, bare] = [findMedian(rates), findMedian(bareRates)]
  return {
    name: 'a whole verification, with the values',
    ours: `${formatRate(ours, 'entries/s')}; ${perEntry(programMs)} of the program and ${perEntry(databaseMs)} of the database an entry`,
    calibration: `the same rows read in pages, ${formatRate(bare, 'entries/s')}`,
    ratio: ours / bare,
  }
}

/** `ms`: of all rounds together. */
function perEntry(ms: number): string {
  return `${((1_000 * ms) / (ROUNDS * ENTRIES)).toFixed(1)} µs`
}

/** Entries a second. */
async function measureRate(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (1_000 * ENTRIES) / (performance.now() - startedMs)
}

async function verify({ kysely: db }: Database): Promise<void> {
  const request = { chain: TENANT.tenantId, keptHead: null, trustedKeys: [] }
  const [report] = await inInstance('keep the audit log', () => verifyChains(db, SECRETS, request))
  const { faults, values } = report ?? {}
  if (faults?.length !== 0 || values === undefined || values.intact < ENTRIES) {
    throw new Error(`the chain was not verified: ${JSON.stringify(report)}`)
  }
}

/** Every column as it is stored, in pages of a verification. */
async function readRows({ pool }: Stage): Promise<void> {
  let last = 0
  for (;;) {
    const { rows } = await pool.query<{ seq: string }>(
      `select e.*, d.salt, d.object_name, d.actor_name, d.address, d.before, d.after, d.erased_at
       from audit_entry as e left join audit_detail as d on d.tenant_id = e.tenant_id and d.seq = e.seq
       where e.tenant_id = $1 and e.seq > $2 order by e.seq limit $3`,
      [TENANT.tenantId, last, ENTRIES_A_PAGE],
    )
    last = Number(rows.at(-1)?.seq ?? 0)
    if (rows.length < ENTRIES_A_PAGE) return
  }
}
