// Every n-th operation of a worker fails once (a statement of the database, a request, a command to
// the relay), as an error and as the end of the worker, until a run passes untouched. Whatever
// fails: each step is made once, and each effect has one key. CASEWORK_PROOF_EVERY=8 breaks every
// eighth statement only, other ones in each test.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { createChangeFeed } from '../../src/casework/changes/feed-changes.ts'
import { findCasesOfEvents } from '../../src/casework/events/event-store.ts'
import { readMailIdentity } from '../../src/casework/notices/mail-identity.ts'
import { openRelay } from '../../src/casework/notices/relay.ts'
import { createNoticeSender } from '../../src/casework/notices/send-notices.ts'
import { createRunWaker } from '../../src/casework/playbooks/runs/wake-runs.ts'
import { moveDueTokens } from '../../src/casework/playbooks/runs/worker.ts'
import { createDatabase } from '../../src/kernel/db/database.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createOutbound } from '../../src/kernel/outbound/outbound.ts'
import { type MailSink, openMailSink } from '../fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import { createActivePlaybook, createCases, query, workerDeps } from '../playbook-fixtures.ts'
import { type MailProxy, openMailProxy } from './mail-faults.ts'
import {
  assertEachOnce,
  type HttpSink,
  openHttpSink,
  storeHookSecret,
  writeEight,
} from './proof-kit.ts'
import { openStatementProxy, type StatementProxy } from './statement-faults.ts'

let app: TestApp
let token = ''
let http: HttpSink
let mail: MailSink
let mailProxy: MailProxy
let statements: StatementProxy

before(async () => {
  http = await openHttpSink()
  mail = await openMailSink()
  mailProxy = await openMailProxy(mail.port)
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://127.0.0.1:${mailProxy.port}`,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
      CASEWORK_MAIL_DOMAIN: 'in.provider.example',
      CASEWORK_OUTBOUND_ALLOW: `127.0.0.1:${http.port}`,
    },
  })
  token = await app.createToken()
  await storeHookSecret(app, token)
  statements = await openStatementProxy(app.connection)
})
after(async () => {
  await statements.close()
  await app.close()
  await mailProxy.close()
  await mail.close()
  await http.close()
})

/** A worker with connections of its own to everything it talks to. */
interface TestWorker {
  /** Does what is due: steps, mails, changes. Rejects when one of them fails. */
  readonly work: () => Promise<void>
  /** Ends its connections in the middle of whatever it does. */
  readonly die: () => void
  readonly close: () => Promise<void>
}

function openWorker(): TestWorker {
  const { config } = app.services.foundation
  const identity = readMailIdentity(config)
  assert.ok(identity)
  const database = createDatabase({
    connection: statements.connection,
    poolMax: 4,
    log: silentLog,
  })
  const outbound = createOutbound({ allow: [`127.0.0.1:${http.port}`], log: silentLog })
  const relay = openRelay(config, identity)
  const db = database.kysely
  const deps = { ...workerDeps(app), database, outbound, allowsPlainHttp: () => true }
  const sender = createNoticeSender({
    ...deps,
    db,
    mail: identity,
    relay,
    count: { inc: () => undefined },
    onOutcome: () => undefined,
  })
  const { feed } = createChangeFeed({
    db,
    log: silentLog,
    metrics: new Registry(),
    listeners: [createRunWaker({ findCasesOfEvents })],
  })
  return {
    async work() {
      await moveDueTokens(deps)
      await sender.sendDue()
      await feed(10)
    },
    die() {
      statements.cut()
      outbound.close()
      relay.close()
    },
    async close() {
      outbound.close()
      relay.close()
      await database.close()
    },
  }
}

// A worker needs some five passes, and each pass after a fault may meet a pause.
const PASSES_MAX = 40

/** Leases of the dead run out, and pauses end. */
async function letTimePass(): Promise<void> {
  await query(
    app,
    `update run_token set lease_until = now(), wake_at = least(wake_at, now()) where state = 'ready'`,
  )
  await query(
    app,
    `update notice set lease_until = null, lease_owner = null, wake_at = now() where state = 'waiting'`,
  )
  await query(app, 'update change set due_at = now()')
}

/** A worker that dies is replaced, and one that meets an error goes on. */
async function runToItsEnd(playbook: string, first: TestWorker): Promise<void> {
  let worker = first
  const isOver = async (): Promise<boolean> => {
    const active = `select id from run where playbook_id = $1 and state = 'active'`
    return (await query(app, active, [playbook])).length === 0
  }
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const hasFailed = await worker.work().then(
      () => false,
      () => true,
    )
    if (hasFailed) {
      await worker.close()
      statements.mend()
      worker = openWorker()
    }
    if (await isOver()) break
    await letTimePass()
  }
  await worker.close()
}

type Mode = 'error' | 'crash'

interface Channel {
  readonly faults: readonly string[]
  /** Breaks the operation with this number. */
  readonly arm: (nth: number, fault: string, onFault: () => void) => void
  /** True when an operation was broken. */
  readonly disarm: () => boolean
}

/** A channel whose proxy asks for each operation whether it shall break it. */
function createCounter<Fault extends string>(
  faults: readonly Fault[],
  install: (meet: (() => Fault | null) | null) => void,
): Channel {
  let isHit = false
  return {
    faults,
    arm(nth, fault, onFault) {
      let left = nth
      isHit = false
      install(() => {
        left -= 1
        if (left !== 0) return null
        isHit = true
        onFault()
        return faults.find((one) => one === fault) ?? null
      })
    },
    disarm() {
      install(null)
      return isHit
    },
  }
}

const CHANNELS: Readonly<Record<string, () => Channel>> = {
  statements: () => ({
    faults: ['lost', 'unanswered'],
    arm: (nth, fault, onFault) =>
      statements.arm(nth, fault === 'lost' ? 'lost' : 'unanswered', onFault),
    disarm: () => statements.disarm(),
  }),
  requests: () =>
    createCounter(['refused', 'lost', 'unanswered'] as const, (meet) => {
      http.meet = meet
    }),
  'mail commands': () =>
    createCounter(['refused', 'lost', 'unanswered'] as const, (meet) => {
      mailProxy.meet = meet
    }),
}

// Far beyond what a run needs; a run that never passes untouched fails here.
const OPERATIONS_MAX = 400
const EVERY = Number(process.env['CASEWORK_PROOF_EVERY'] ?? 1)

interface Breaking {
  readonly fault: string
  readonly mode: Mode
  /** The number of the first operation to break, and the way from one to the next. */
  readonly first: number
  readonly every: number
}

/** How many operations were broken, each in a run of its own. */
async function breakEach(
  channel: Channel,
  { fault, mode, first, every }: Breaking,
): Promise<number> {
  let broken = 0
  for (let nth = first; nth <= OPERATIONS_MAX; nth += every) {
    const playbook = await createActivePlaybook(app, token, writeEight(http.port))
    const caseIds = await createCases(app, 'default', playbook, 1)
    const [calls, mails] = [http.requests.length, mail.mails.length]
    const worker = openWorker()
    channel.arm(nth, fault, () => {
      if (mode === 'crash') worker.die()
    })
    await runToItsEnd(playbook, worker)
    const wasHit = channel.disarm()
    await assertEachOnce(app, playbook, caseIds, {
      http: http.requests.slice(calls),
      mails: mail.mails.slice(mails),
    })
    if (!wasHit) return broken
    broken += 1
  }
  assert.fail('no run passed untouched')
}

for (const [name, open] of Object.entries(CHANNELS)) {
  // A run sends few requests and mails, so each of them is broken.
  const every = name === 'statements' ? EVERY : 1
  describe(`one of the ${name} of a run fails`, () => {
    for (const [at, mode] of (['error', 'crash'] as const).entries()) {
      for (const [index, fault] of open().faults.entries()) {
        const first = 1 + ((at + 2 * index) % every)
        test(`as ${mode === 'error' ? 'an error' : 'the end of the worker'}, ${fault}: each step is made once`, async (t) => {
          const broken = await breakEach(open(), { fault, mode, first, every })
          assert.ok(broken > 0, 'no operation was broken')
          t.diagnostic(`${broken} operations were broken, one a run`)
        })
      }
    }
  })
}
