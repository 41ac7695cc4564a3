import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { createCases, query } from '../../../test/playbook-fixtures.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { markEventsResolved } from '../events/event-moves-store.ts'
import { noteItemsOfCases } from '../sightings/sighting-change-store.ts'
import { type CaseMoveRequestOfBatch, moveCases } from './case-batch-store.ts'
import { moveCase } from './case-move-store.ts'

const NO_PLAYBOOK = '00000000-0000-7000-8000-000000000001'
const SCOPE = { tenantId: 'default' }

const app = withApp()

const ORIGIN = {
  actor: { kind: 'run' as const, id: 'run:node', name: 'Playbook' },
  at: new Date('2026-02-01T00:00:00.000Z'),
  causeId: 'run:1:2',
}

// What is written directly, in the form a case of that state has.
const SETUPS = {
  open: `state = 'NEW'`,
  working: `state = 'IN_PROGRESS'`,
  resolved: `state = 'RESOLVED', resolution = 'fixed', resolved_at = '2026-01-01', ended_at = '2026-01-01'`,
  closed: `state = 'CLOSED', close_reason = 'expired', ended_at = '2026-01-01'`,
  merged: `state = 'CLOSED', close_reason = 'merged', ended_at = '2026-01-01'`,
}
type Setup = keyof typeof SETUPS

/**
 * A case in that state with its slot if it is open, and one event before and one after the move.
 */
async function createCase(setup: Setup): Promise<string> {
  const [caseId] = await createCases(app, 'default', NO_PLAYBOOK, 1)
  assert.ok(caseId)
  await query(
    app,
    `update abuse_case set updated_at = '2026-01-01', ${SETUPS[setup]} where id = $1`,
    [caseId],
  )
  await query(
    app,
    `insert into case_slot select tenant_id, case_group_id, key_hash, id from abuse_case
     where id = $1 and ended_at is null`,
    [caseId],
  )
  await query(
    app,
    `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, case_id, event_subtypes, tags)
     select 'default', gen_random_uuid(), now(), date, 'LoginAttack', 'reporter@example.com', $1, '{}', '{}'
     from unnest(array['2026-01-15', '2026-02-15']::timestamptz[]) as date on conflict do nothing`,
    [caseId],
  )
  return caseId
}

/** Everything a move may change, apart from ids. */
async function readAll(caseId: string): Promise<unknown> {
  const [row] = await query(
    app,
    `select state, version, updated_at, resolution, close_reason, resolved_at, ended_at, reopen_count
     from abuse_case where id = $1`,
    [caseId],
  )
  const history = await query(
    app,
    `select at, kind, actor_kind, actor, from_state, to_state, reason, cause_id, changes
     from case_history where case_id = $1 order by id`,
    [caseId],
  )
  const events = await query(
    app,
    'select event_date, resolved from event where case_id = $1 order by event_date',
    [caseId],
  )
  const slots = await query(app, 'select 1 from case_slot where case_id = $1', [caseId])
  return { row, history, events, slots: slots.length }
}

type Move = Pick<CaseMoveRequestOfBatch, 'target' | 'resolution' | 'closeReason'>
const MOVES: readonly Move[] = [
  { target: 'IN_PROGRESS' },
  { target: 'RESOLVED', resolution: 'mitigated' },
  { target: 'RESOLVED' },
  { target: 'CLOSED', closeReason: 'not_ours' },
  { target: 'CLOSED', closeReason: 'false_positive' },
  { target: 'NEW' },
]

test('many moves together do what each does alone, from every state to every state', async () => {
  const pairs: { alone: string; together: string; move: Move }[] = []
  for (const setup of Object.keys(SETUPS) as Setup[]) {
    for (const move of MOVES) {
      pairs.push({ alone: await createCase(setup), together: await createCase(setup), move })
    }
  }
  const { database, ids } = app.services.foundation
  const expected: unknown[] = []
  for (const { alone, move } of pairs) {
    const result = await inTransaction(database.kysely, (tx) =>
      moveCase(tx, { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases }, SCOPE, {
        caseId: alone,
        ...move,
        expectedVersion: null,
        ...ORIGIN,
      }),
    )
    expected.push('case' in result ? { kind: result.kind } : result)
  }
  const outcomes = await inTransaction(database.kysely, (tx) =>
    moveCases(
      tx,
      { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases },
      SCOPE,
      pairs.map(({ together, move }) => ({ caseId: together, ...move, ...ORIGIN })),
    ),
  )
  assert.deepEqual(outcomes, expected)
  assert.ok(outcomes.filter((outcome) => outcome.kind === 'moved').length >= 12)
  for (const { alone, together } of pairs) {
    assert.deepEqual(await readAll(together), await readAll(alone))
  }
})

test('a case that is moved twice in one batch ends where the second move leads', async () => {
  const caseId = await createCase('open')
  const { database, ids } = app.services.foundation
  const outcomes = await inTransaction(database.kysely, (tx) =>
    moveCases(tx, { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases }, SCOPE, [
      { caseId, target: 'IN_PROGRESS', ...ORIGIN },
      { caseId, target: 'RESOLVED', resolution: 'fixed', ...ORIGIN },
    ]),
  )
  assert.deepEqual(outcomes, [{ kind: 'moved' }, { kind: 'moved' }])
  const [row] = await query(app, 'select state, version from abuse_case where id = $1', [caseId])
  assert.deepEqual(row, { state: 'RESOLVED', version: 3 })
})

test('a case that is reopened and closed in one batch ends closed', async () => {
  const caseId = await createCase('resolved')
  const { database, ids } = app.services.foundation
  const outcomes = await inTransaction(database.kysely, (tx) =>
    moveCases(tx, { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases }, SCOPE, [
      { caseId, target: 'IN_PROGRESS', ...ORIGIN },
      { caseId, target: 'CLOSED', closeReason: 'expired', ...ORIGIN },
    ]),
  )
  assert.deepEqual(outcomes, [{ kind: 'moved' }, { kind: 'moved' }])
  const [row] = await query(app, 'select state, reopen_count from abuse_case where id = $1', [
    caseId,
  ])
  assert.deepEqual(row, { state: 'CLOSED', reopen_count: 1 })
})

test('a case whose key has another open case is not opened again, and one of another tenant is not found', async () => {
  const ended = await createCase('resolved')
  const open = await createCase('open')
  await query(
    app,
    `update abuse_case set key_hash = (select key_hash from abuse_case where tenant_id = 'default' and id = $2)
     where tenant_id = 'default' and id = $1`,
    [ended, open],
  )
  const { database, ids } = app.services.foundation
  const requests = [{ caseId: ended, target: 'IN_PROGRESS' as const, ...ORIGIN }]
  const move = (tenantId: string) =>
    inTransaction(database.kysely, (tx) =>
      moveCases(
        tx,
        { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases },
        { tenantId },
        requests,
      ),
    )
  assert.deepEqual(await move('default'), [{ kind: 'key_has_open_case', openCaseId: open }])
  assert.deepEqual(await move('other'), [{ kind: 'not_found' }])
})
