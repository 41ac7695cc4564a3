// Cases with a running playbook for tests: made through the real endpoints and stores.

import assert from 'node:assert/strict'
import { markEventsResolved } from '../src/casework/events/event-moves-store.ts'
import { readMailIdentity } from '../src/casework/notices/mail-identity.ts'
import { startRunsForNewCases } from '../src/casework/playbooks/runs/run-store.ts'
import { moveDueTokens, type WorkerDeps } from '../src/casework/playbooks/runs/worker.ts'
import { noteItemsOfCases } from '../src/casework/sightings/sighting-change-store.ts'
import { inTransaction } from '../src/kernel/db/database.ts'
import { isOnCitus, type TestApp } from './harness.ts'
import { query as queryAsObserver } from './query.ts'

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly config?: Record<string, unknown>
  readonly paths?: Record<string, string>
}

/** start → ask (approve | reject); approve → work → note → done, reject → drop. */
export const APPROVAL: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'trigger',
    config: { paths: ['approve', 'reject'] },
    paths: { approve: 'work', reject: 'drop' },
  },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'note' } },
  { id: 'note', kind: 'comment', config: { text: 'Customer told.' }, paths: { next: 'done' } },
  { id: 'done', kind: 'resolve' },
  { id: 'drop', kind: 'end' },
]

export function workerDeps(app: TestApp): WorkerDeps {
  const { database, ids, clock, log, secrets, config, tracer } = app.services.foundation
  const { graphs, workerWakeUp, conditions, outbound, allowsPlainHttp } = app.services.casework
  return {
    database,
    ids,
    clock,
    log,
    wakeUp: workerWakeUp,
    graphs,
    markEventsResolved,
    noteWithdrawals: noteItemsOfCases,
    briefItem: conditions.briefItem,
    mail: readMailIdentity(config),
    outbound,
    allowsPlainHttp,
    secrets,
    tracer,
  }
}

/** Moves every due token of the database until each waits or has ended. */
export function runDueSteps(app: TestApp): Promise<void> {
  return moveDueTokens(workerDeps(app))
}

let names = 0

/** A playbook with version 1 active; its id. */
export async function createActivePlaybook(
  app: TestApp,
  token: string,
  nodes: readonly GraphNode[],
): Promise<string> {
  names += 1
  const made = await app.send('POST', '/beta/casework/playbooks', {
    token,
    json: { name: `Playbook ${names}`, nodes },
  })
  assert.equal(made.status, 201, made.text)
  const { id } = made.json()
  const path = `/beta/casework/playbooks/${id}/versions/1/activate`
  assert.equal((await app.send('POST', path, { token })).status, 200)
  return id
}

/**
 * New cases, each with a run of the playbook that is due; their ids. Written straight into the
 * tables, for tests that need many cases at once.
 */
export async function createCases(
  app: TestApp,
  tenantId: string,
  playbookId: string,
  count: number,
): Promise<readonly string[]> {
  const { database, ids } = app.services.foundation
  const caseIds = Array.from({ length: count }, () => `C-${ids.nextUuid().toUpperCase()}`)
  await inTransaction(database.kysely, async (tx) => {
    await startRunsForNewCases(
      tx,
      ids,
      { tenantId },
      caseIds.map((caseId) => ({ caseId, playbookId })),
    )
  })
  await database.pool.query(
    `insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id,
       first_event_date, last_event_date, event_count, event_types, event_ips, event_reporters, event_tags)
     select $1, id, 'default', sha256(id::bytea), 'NEW', now(), now(), 'customer', now(), now(), 1, '{}', '{}', '{}', '{}'
     from unnest($2::text[]) as id on conflict do nothing`,
    [tenantId, caseIds],
  )
  return caseIds
}

/** Triggers `node` by `path`, which must be accepted; returns the address of the run. */
export async function trigger(
  app: TestApp,
  token: string,
  caseId: string,
  choice: { readonly node: string; readonly path: string },
): Promise<string> {
  const path = `/beta/casework/cases/${caseId}/trigger-playbook`
  const answer = await app.send('POST', path, { token, json: choice })
  assert.equal(answer.status, 202, answer.text)
  return String(answer.headers['location'])
}

/**
 * Sends a statement as the program. An insert that selects its rows goes as the superuser on a
 * Citus cluster: Citus writes such rows by COPY, which row level security refuses to the program.
 */
export async function query<Row extends object>(
  app: TestApp,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const isCopied = isOnCitus() && /^\s*insert into [^;]*\sselect\s/.test(text)
  if (isCopied) return (await queryAsObserver(app.connection, text, values)) as readonly Row[]
  const result = await app.services.foundation.database.pool.query<Row>(text, [...values])
  return result.rows
}
