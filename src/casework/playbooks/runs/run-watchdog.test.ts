// The watchdog finds every way in which a run could stand still unseen, in rows that were broken by
// hand, and nothing in an engine that is well.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { type Log, silentLog } from '../../../kernel/log.ts'
import { createRunWatchdog } from './run-watchdog.ts'
import { findStuckTokens } from './stuck-token-store.ts'

const app = withApp()
const SCOPE = { tenantId: 'default' }
const END: GraphNode = { id: 'done', kind: 'end' }
const BEGIN = (next: string): GraphNode => ({ id: 'begin', kind: 'start', paths: { next } })
const ASK: GraphNode = {
  id: 'ask',
  kind: 'trigger',
  config: { paths: ['go'], timeout: 'P1D' },
  paths: { go: 'done' },
}

async function openRun(nodes: readonly GraphNode[]): Promise<string> {
  const playbook = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string }>(
    app,
    'select id from run where case_id = $1 and parent_run_id is null',
    [caseId],
  )
  return run?.id ?? ''
}

async function find(limit = 1_000): Promise<readonly string[]> {
  const found: string[] = []
  let after: string | null = null
  do {
    const page = await findStuckTokens(app.services.foundation.database.kysely, SCOPE, after, limit)
    found.push(...page.stuck.map(({ runId, tokenId, fault }) => `${runId} ${tokenId} ${fault}`))
    after = page.last
  } while (after !== null)
  return found
}

test('a healthy engine has no stuck run, and each broken row is found, in pages of any size', async () => {
  const child = await createActivePlaybook(app, app.token, [BEGIN('ask'), ASK, END])
  const parent = [
    BEGIN('call'),
    { id: 'call', kind: 'sub_playbook', config: { playbook: child }, paths: { next: 'done' } },
    END,
  ]
  const fork = [
    BEGIN('split'),
    { id: 'split', kind: 'fork', config: { paths: ['a', 'b'] }, paths: { a: 'ask', b: 'join' } },
    { ...ASK, paths: { go: 'join' } },
    { id: 'join', kind: 'join', paths: { next: 'done' } },
    END,
  ]
  const nap = { id: 'nap', kind: 'delay', config: { duration: 'P1D' }, paths: { next: 'done' } }
  const until = {
    id: 'until',
    kind: 'wait_until',
    config: { condition: "case.severity == 'critical'" },
    paths: { met: 'done' },
  }
  const waiting = [BEGIN('ask'), ASK, END]
  const napping = [BEGIN('nap'), nap, END]
  const [orphan, forked, leased, late, asleep, hungry, paused, failed, ended] = [
    await openRun(parent),
    await openRun(fork),
    await openRun(waiting),
    await openRun(napping),
    await openRun(napping),
    await openRun([BEGIN('until'), until, END]),
    await openRun(waiting),
    await openRun(waiting),
    await openRun(waiting),
  ]
  const tokenless = await openRun(waiting)
  assert.deepEqual(await find(), [])
  assert.deepEqual(await find(2), [])
  const breakRow = (text: string, runId: string) => query(app, text, [runId])
  await breakRow("update run set state = 'failed' where parent_run_id = $1", orphan)
  await breakRow(
    "update run_token set state = 'done' where run_id = (select id from run where parent_run_id = $1)",
    orphan,
  )
  await breakRow("update run_token set state = 'done' where run_id = $1 and node = 'ask'", forked)
  await breakRow(
    "update run_token set state = 'ready', lease_until = now() - interval '2 minutes' where run_id = $1",
    leased,
  )
  await breakRow(
    "update run_token set timer_at = now() - interval '6 minutes' where run_id = $1",
    late,
  )
  await breakRow('update run_token set timer_at = null where run_id = $1', asleep)
  await breakRow('update run_token set watches_case = false where run_id = $1', hungry)
  await breakRow("update run set state = 'paused' where id = $1", paused)
  await breakRow("update run_token set state = 'dead' where run_id = $1", failed)
  await breakRow("update run set state = 'ended' where id = $1", ended)
  await breakRow("update run_token set state = 'done' where run_id = $1", tokenless)
  const [joined] = await query<{ id: number }>(
    app,
    "select id from run_token where run_id = $1 and node = 'join'",
    [forked],
  )
  const expected = [
    `${orphan} 1 child_gone`,
    `${forked} ${joined?.id} waits_for_nothing`,
    `${leased} 1 lease_expired`,
    `${late} 1 timer_overdue`,
    `${asleep} 1 waits_for_nothing`,
    `${hungry} 1 waits_for_nothing`,
    `${paused} 1 state_mismatch`,
    `${failed} null no_live_token`,
    `${failed} 1 state_mismatch`,
    `${ended} 1 state_mismatch`,
    `${tokenless} null no_live_token`,
  ].toSorted()
  assert.deepEqual((await find()).toSorted(), expected)
  assert.deepEqual((await find(2)).toSorted(), expected)

  const metrics = new Registry()
  const logged: string[] = []
  const error = (text: string): void => void logged.push(text)
  const log: Log = { ...silentLog, error }
  const watchdog = createRunWatchdog({ log, metrics })
  assert.equal(watchdog.check().state, 'ok')
  await watchdog.look(app.services.foundation.database.kysely)
  assert.match(await metrics.metrics(), /casework_runs_stuck\{fault="waits_for_nothing"\} 3/)
  assert.equal(logged.length, expected.length)
  const { state, detail } = watchdog.check()
  assert.equal(state, 'degraded')
  assert.match(detail, /^11 tokens of runs are stuck/)
})
