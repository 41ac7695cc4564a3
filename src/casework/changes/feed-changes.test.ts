// Changes are noted exactly when they happen and only where somebody listens, and are handed on
// once, whatever a consumer does.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { withApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { silentLog } from '../../kernel/log.ts'
import type { Change } from './change.ts'
import { type ChangeListener, createChangeFeed } from './feed-changes.ts'
import { setListener } from './outbox-store.ts'

const app = withApp()
const TENANT = { tenantId: 'default' }

let sent = 0
async function pushEvent(): Promise<{ readonly caseId: string; readonly eventId: string }> {
  sent += 1
  const answer = await app.send('POST', '/beta/casework/events', {
    token: app.token,
    json: {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Spam',
      ip: '192.0.2.7',
      customer_id: `customer-${sent}`,
      report_id: `report-${sent}`,
    },
  })
  const { case_id: caseId, event_id: eventId } = answer.json()
  return { caseId, eventId }
}

async function listen(kinds: Parameters<typeof setListener>[3]): Promise<void> {
  const { kysely } = app.services.foundation.database
  await inTransaction(kysely, (tx) => setListener(tx, TENANT, 'test', kinds))
}

function openFeed(consume: ChangeListener['consume'], kinds: ChangeListener['kinds']) {
  const { kysely: db } = app.services.foundation.database
  const metrics = new Registry()
  const listeners = [{ kinds, consume }]
  return { metrics, ...createChangeFeed({ db, log: silentLog, metrics, listeners }) }
}

async function collect(kinds: ChangeListener['kinds']): Promise<readonly Change[]> {
  const got: Change[] = []
  await openFeed(async (_tx, changes) => void got.push(...changes), kinds).feed(10)
  return got
}

async function makeDue(): Promise<void> {
  await query(app.connection, 'update change set due_at = now()')
}

describe('changes', () => {
  test('are not noted while nobody listens', async () => {
    await listen([])
    await pushEvent()
    assert.deepEqual(await query(app.connection, 'select from change'), [])
  })

  test('of the kinds that somebody listens for are handed on once, in their order', async () => {
    await listen(['case', 'event'])
    const { caseId, eventId } = await pushEvent()
    const moved = await app.send('PATCH', `/beta/casework/cases/${caseId}`, {
      token: app.token,
      json: { state: 'IN_PROGRESS', reason: 'looked at' },
      headers: { 'if-match': '*' },
    })
    assert.equal(moved.status, 200, moved.text)
    const got = await collect(['case', 'event', 'report'])
    assert.deepEqual(
      got.filter(({ kind }) => kind === 'case').map(({ what, subjectId }) => [what, subjectId]),
      [
        ['open', caseId],
        ['move', caseId],
      ],
    )
    assert.deepEqual(
      got.filter(({ kind }) => kind === 'event').map(({ what, subjectId }) => [what, subjectId]),
      [['stored', eventId]],
    )
    const move = got.find(({ what }) => what === 'move')
    assert.equal(move?.actorKind, 'token')
    assert.deepEqual(move?.data, {
      from_state: 'NEW',
      to_state: 'IN_PROGRESS',
      reason: 'looked at',
    })
    assert.deepEqual(await collect(['case', 'event', 'report']), [])
  })

  test('of a refused request are not noted', async () => {
    await listen(['case'])
    const { caseId } = await pushEvent()
    await collect(['case'])
    const refused = await app.send('PATCH', `/beta/casework/cases/${caseId}`, {
      token: app.token,
      json: { state: 'CLOSED', close_reason: 'expired' },
      headers: { 'if-match': '"99"' },
    })
    assert.equal(refused.status, 412)
    assert.deepEqual(await collect(['case']), [])
  })

  test('of a report are its verdict', async () => {
    await listen(['report'])
    const answer = await app.send('POST', '/beta/casework/reports', {
      token: app.token,
      headers: { 'content-type': 'message/rfc822' },
      body: 'From: ann@reporter.example\r\nTo: abuse@provider.example\r\nSubject: Hello\r\n\r\nHello.\r\n',
    })
    const { report_id: reportId } = answer.json()
    const got = await collect(['report'])
    assert.deepEqual(
      got.map(({ what, subjectId }) => [what, subjectId]),
      [['rejected', reportId]],
    )
  })

  test('wait in the outbox when a consumer fails, and do not hold the others back', async () => {
    await listen(['case'])
    const [bad, good] = [await pushEvent(), await pushEvent()]
    const got: string[] = []
    let isFailing = true
    const feed = openFeed(
      async (_tx, changes) => {
        if (isFailing && changes.some(({ caseId }) => caseId === bad.caseId)) {
          throw new Error('not today')
        }
        got.push(...changes.flatMap(({ caseId }) => (caseId === null ? [] : [caseId])))
      },
      ['case'],
    )
    await feed.feed(1)
    assert.deepEqual(got, [good.caseId])
    assert.equal((await query(app.connection, 'select from change')).length, 1)
    isFailing = false
    await feed.feed(1)
    assert.deepEqual(got, [good.caseId], 'it is not due yet')
    await makeDue()
    await feed.feed(1)
    assert.deepEqual(got, [good.caseId, bad.caseId])
  })

  test('that fail ten times are given up and counted', async () => {
    await listen(['case'])
    await pushEvent()
    let calls = 0
    const feed = openFeed(async () => {
      calls += 1
      throw new Error('never')
    }, ['case'])
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await feed.feed(1)
      await makeDue()
    }
    // Each attempt of a batch is repeated for its changes one by one.
    assert.equal(calls, 20)
    assert.deepEqual(await query(app.connection, 'select from change'), [])
    assert.match(await feed.metrics.metrics(), /casework_changes_total\{outcome="given_up"\} 1/)
  })

  test('of a tenant whose outbox cannot be read hold up no other tenant', async () => {
    await listen(['case'])
    const { caseId } = await pushEvent()
    await app.createTenant('blocked')
    // A number that is read by nothing here, as by a defect.
    await query(
      app.connection,
      `insert into change (tenant_id, id, kind, what, subject_id, actor_kind, actor, at, due_at)
       overriding system value
       values ('blocked', 9007199254740993, 'case', 'open', 'C-1', 'system', 'test', now(), now() - interval '1 day')`,
    )
    const got = await collect(['case'])
    assert.deepEqual(
      got.map(({ subjectId }) => subjectId),
      [caseId],
    )
    await query(app.connection, `delete from change where tenant_id = 'blocked'`)
    await listen([])
  })

  test('are handed on once by several feeds at the same time', async () => {
    await listen(['case'])
    const opened: string[] = []
    for (let index = 0; index < 40; index += 1) opened.push((await pushEvent()).caseId)
    const got: string[] = []
    const feeds = [0, 1, 2].map(() =>
      openFeed(
        async (_tx, changes) => void got.push(...changes.map(({ subjectId }) => subjectId)),
        ['case'],
      ),
    )
    await Promise.all(feeds.map((feed) => feed.feed(10)))
    assert.deepEqual(got.toSorted(), opened.toSorted())
    await listen([])
  })
})
