// The stream of changes over real sockets: order, resumption, filters, scopes, and every way in
// which a stream ends.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { openTestApp, type TestApp } from '../../../../test/harness.ts'
import { createPerson, invite, PASSWORD } from '../../../../test/people-kit.ts'
import { query } from '../../../../test/query.ts'
import { findOwnExamples } from '../../../app/openapi-examples.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createChangeFeed } from '../../changes/feed-changes.ts'
import { noteCorrected, withdrawEvents } from '../../events/corrected-event-store.ts'
import { findCasesOfEvents } from '../../events/event-store.ts'
import { createStreamListener } from './feed-stream.ts'
import { createStreamHub } from './stream-hub.ts'
import {
  endUnwantedStreams,
  findStreamHeads,
  openStreamHead,
  removeOldMessages,
} from './stream-store.ts'

const PATH = '/beta/casework/stream'

let app: TestApp
let url: string
before(async () => {
  app = await openTestApp()
  url = await app.app.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => app.close())

/** Puts what was noted into the stream, as the worker does. */
async function feed(): Promise<void> {
  const { kysely: db } = app.services.foundation.database
  const listeners = [createStreamListener({ findCasesOfEvents })]
  await createChangeFeed({ db, log: silentLog, metrics: new Registry(), listeners }).feed(10)
}

interface Message {
  readonly id: string | null
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Watcher {
  readonly next: () => Promise<Message | null>
  readonly close: () => void
}

const openWatchers = new Set<AbortController>()
after(() => {
  for (const one of openWatchers) one.abort()
})

async function watch(
  by: string | { readonly cookie: string },
  text = '',
  lastId: string | null = null,
): Promise<Watcher> {
  const stop = new AbortController()
  openWatchers.add(stop)
  const response = await fetch(`${url}${PATH}${text}`, {
    headers: {
      ...(typeof by === 'string' ? { authorization: `Bearer ${by}` } : by),
      ...(lastId === null ? {} : { 'last-event-id': lastId }),
    },
    signal: stop.signal,
  })
  assert.equal(response.status, 200, response.status === 200 ? '' : await response.text())
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(response.headers.get('content-encoding'), null)
  assert.ok(response.body !== null)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const next = async (): Promise<Message | null> => {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end >= 0) {
        const message = readFrame(rest.slice(0, end))
        rest = rest.slice(end + 2)
        if (message === null) continue
        return message
      }
      const { done, value } = await reader.read()
      if (done) return null
      rest += value
    }
  }
  return { next, close: () => stop.abort() }
}

/** Null for a comment. */
function readFrame(frame: string): Message | null {
  const read = (name: string) =>
    frame
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null
  const data = read('data')
  return data === null
    ? null
    : { id: read('id'), event: read('event') ?? '', data: JSON.parse(data) }
}

async function take(watcher: Watcher, count: number): Promise<readonly Message[]> {
  const messages: Message[] = []
  while (messages.length < count) {
    const message = await watcher.next()
    assert.ok(message !== null, 'the stream ended too early')
    messages.push(message)
  }
  return messages
}

let tenants = 0
async function enterTenant(): Promise<{ tenantId: string; token: string }> {
  tenants += 1
  const tenantId = `stream-${tenants}`
  await app.createTenant(tenantId)
  return { tenantId, token: await app.createToken({ tenantId }) }
}

let reports = 0
async function push(token: string): Promise<{ event_id: string; case_id: string }> {
  reports += 1
  const json = {
    event_date: '2026-01-01T00:00:00Z',
    event_type: 'Spam',
    customer_id: `customer-${reports}`,
    report_id: `report-${reports}`,
  }
  const answer = await app.send('POST', '/beta/casework/events', { token, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

const describe = ({ event, data }: Message) => [event, data['what'], data['id']]

test('200 with every change of the tenant in its order, and none of another tenant', async () => {
  const [{ token }, other] = [await enterTenant(), await enterTenant()]
  const watcher = await watch(token)
  const foreign = await watch(other.token)
  assert.deepEqual(
    (await take(watcher, 1)).map(({ event }) => event),
    ['open'],
  )
  await take(foreign, 1)
  const { event_id: eventId, case_id: caseId } = await push(token)
  await app.send('PATCH', `/beta/casework/cases/${caseId}`, {
    token,
    json: { severity: 'high', version: 1 },
  })
  await feed()
  const got = await take(watcher, 3)
  const events = got.filter(({ event }) => event === 'event')
  assert.deepEqual(events.map(describe), [['event', 'stored', eventId]])
  assert.deepEqual(got.filter(({ event }) => event === 'case').map(describe), [
    ['case', 'open', caseId],
    ['case', 'change', caseId],
  ])
  const serials = got.map(({ id }) => Number(id))
  assert.deepEqual(
    serials,
    serials.toSorted((one, next) => one - next),
  )
  assert.deepEqual(Object.keys(got[0]?.data ?? {}).toSorted(), [
    'at',
    'case_id',
    'id',
    'kind',
    'what',
  ])
  const own = await push(other.token)
  await feed()
  const [first] = await take(foreign, 1)
  assert.ok([own.case_id, own.event_id].includes(String(first?.data['id'])))
  watcher.close()
  foreign.close()
})

const describeForm = ({ id, event, data }: Message) =>
  [event, id !== null, ...Object.keys(data)].join()

test('the example in the OpenAPI document has the messages that a real stream sends', async () => {
  const { token } = await enterTenant()
  const watcher = await watch(token)
  const opening = await take(watcher, 1)
  await push(token)
  await feed()
  const seen = [...opening, ...(await take(watcher, 2))]
  const example = String(findOwnExamples('GET', PATH)?.responses?.[200])
  const shown = example.split('\n\n').flatMap((frame) => readFrame(frame) ?? [])
  assert.deepEqual(shown.map(describeForm).toSorted(), seen.map(describeForm).toSorted())
  assert.ok(example.startsWith('retry: '))
  watcher.close()
})

test('Last-Event-ID resumes without a gap and without a repeat, however much was missed', async () => {
  const { tenantId, token } = await enterTenant()
  const watcher = await watch(token)
  const [opened] = await take(watcher, 1)
  watcher.close()
  await query(
    app.connection,
    `insert into change (tenant_id, kind, what, subject_id, case_id, actor_kind, actor, at)
     select $1, 'report', 'accepted', n::text, null, 'system', 'test', now() from generate_series(1, 3000) as n`,
    [tenantId],
  )
  await feed()
  const back = await watch(token, '', opened?.id ?? '')
  const [again, ...messages] = await take(back, 3_001)
  assert.equal(again?.event, 'open')
  assert.deepEqual(
    messages.map(({ data }) => Number(data['id'])),
    Array.from({ length: 3_000 }, (_, at) => at + 1),
  )
  await push(token)
  await feed()
  assert.equal(Number((await take(back, 1))[0]?.id), Number(messages.at(-1)?.id) + 1)
  back.close()
})

test('a reset for an id whose messages were removed, one of no stream, and one from before a pause', async () => {
  const { tenantId, token } = await enterTenant()
  const { kysely: db } = app.services.foundation.database
  const { serial: start } = await openStreamHead(db, { tenantId })
  await push(token)
  await feed()
  await query(
    app.connection,
    `update stream_message set noted_at = now() - interval '25 hours' where tenant_id = $1`,
    [tenantId],
  )
  await removeOldMessages({ db, log: silentLog })
  for (const id of [String(start), '999999', 'x']) {
    const watcher = await watch(token, '', id)
    const [, reset] = await take(watcher, 2)
    assert.deepEqual([reset?.event, reset?.data['reason']], ['reset', 'too_old'], id)
    watcher.close()
  }
  const { serial } = await openStreamHead(db, { tenantId })
  await query(
    app.connection,
    `update stream_head set wanted_until = now() - interval '1 second' where tenant_id = $1`,
    [tenantId],
  )
  await endUnwantedStreams({ db, log: silentLog })
  const left = await query(app.connection, 'select from change_listener where tenant_id = $1', [
    tenantId,
  ])
  assert.deepEqual(left, [])
  await push(token)
  await feed()
  const late = await watch(token, '', String(serial))
  assert.equal((await take(late, 2))[1]?.event, 'reset')
  late.close()
})

test('a stream that nobody wants ends, however many tenants had theirs ended before', async () => {
  const { tenantId } = await enterTenant()
  const { kysely: db } = app.services.foundation.database
  await openStreamHead(db, { tenantId })
  // As many as one pass looks at, lapsed longer than this one.
  await query(
    app.connection,
    `insert into tenant (id, name) select 'lapsed-' || n, 'x' from generate_series(1, 1000) as n`,
  )
  await query(
    app.connection,
    `insert into stream_head (tenant_id, wanted_until)
     select 'lapsed-' || n, now() - interval '1 day' from generate_series(1, 1000) as n`,
  )
  await query(
    app.connection,
    `update stream_head set wanted_until = now() - interval '1 second' where tenant_id = $1`,
    [tenantId],
  )
  await endUnwantedStreams({ db, log: silentLog })
  const left = await query(app.connection, 'select from change_listener where tenant_id = $1', [
    tenantId,
  ])
  assert.deepEqual(left, [])
})

test('the first stream of a tenant waits for changes under way that nobody listened to', async () => {
  const { tenantId, token } = await enterTenant()
  const { pool } = app.services.foundation.database
  const writer = await pool.connect()
  try {
    await writer.query('begin')
    await writer.query(
      `insert into change (tenant_id, kind, what, subject_id, actor_kind, actor, at)
       select $1, 'report', 'accepted', 'x', 'system', 'test', now()
       where exists (select from change_listener where tenant_id = $1)`,
      [tenantId],
    )
    let isOpen = false
    const opening = watch(token).then((watcher) => {
      isOpen = true
      return watcher
    })
    const isWanted = async (): Promise<boolean> => {
      const text = 'select from stream_head where tenant_id = $1 and not is_settled'
      return (await query(app.connection, text, [tenantId])).length > 0
    }
    while (!(await isWanted())) await new Promise(setImmediate)
    const { kysely: db } = app.services.foundation.database
    assert.deepEqual(await findStreamHeads(db, [tenantId]), [])
    assert.equal(isOpen, false)
    await writer.query('commit')
    const watcher = await opening
    await take(watcher, 1)
    await push(token)
    await feed()
    await take(watcher, 1)
    watcher.close()
  } finally {
    writer.release()
  }
})

test('an event that is withdrawn is shown to those who watch its case', async () => {
  const { tenantId, token } = await enterTenant()
  const { kysely: db } = app.services.foundation.database
  const watcher = await watch(token, '?kinds=event&what=withdrawn')
  await take(watcher, 1)
  const { event_id: eventId, case_id: caseId } = await push(token)
  await inTransaction(db, async (tx) => {
    const actor = { kind: 'system', id: 'test', name: 'test' } as const
    const withdrawn = [{ eventId, caseId }]
    await noteCorrected(tx, { tenantId }, 'withdrawn', withdrawn, { actor, reportId: eventId })
    await withdrawEvents(tx, { tenantId }, [eventId])
  })
  await feed()
  const [told] = await take(watcher, 1)
  assert.deepEqual([told?.data['id'], told?.data['case_id']], [eventId, caseId])
  watcher.close()
})

test('scopes decide which kinds a caller sees, and filters which of them', async () => {
  const { tenantId, token } = await enterTenant()
  const reader = await app.createToken({ tenantId, scopes: ['cases:read'] })
  const cases = await watch(reader)
  const start = (await take(cases, 1))[0]?.id
  const first = await push(token)
  const opens = await watch(token, `?kinds=case,event&what=open&case_id=${first.case_id}`)
  await take(opens, 1)
  const { case_id: caseId, event_id: eventId } = await push(token)
  await feed()
  assert.deepEqual((await take(cases, 2)).map(describe), [
    ['case', 'open', first.case_id],
    ['case', 'open', caseId],
  ])
  assert.deepEqual((await take(opens, 1)).map(describe), [['case', 'open', first.case_id]])
  const events = await watch(token, `?kinds=event&case_id=${caseId}`, String(start))
  const [stored] = (await take(events, 2)).slice(1)
  assert.deepEqual(stored?.data, { ...stored?.data, what: 'stored', id: eventId, case_id: caseId })
  events.close()
  cases.close()
  opens.close()
  for (const [text, path] of [
    ['?kinds=cases', '/kinds'],
    ['?what=a%20b', '/what'],
    ['?case_id=x', '/case_id'],
  ] as const) {
    const answer = await app.send('GET', `${PATH}${text}`, { token })
    assert.equal(answer.status, 400, text)
    assert.equal(answer.json().errors[0].path, path)
  }
  assert.equal((await app.send('GET', `${PATH}?kinds=event`, { token: reader })).status, 403)
})

test('a stream ends with the reason revoked when its session ends, or goes to another tenant', async () => {
  const [first, second] = [await enterTenant(), await enterTenant()]
  const operator = await app.createToken()
  const email = `${first.tenantId}@desk.example`
  const person = await createPerson(app, operator, { tenantId: first.tenantId, email })
  const more = await invite(app, operator, { tenantId: second.tenantId, email })
  const json = { link: more.link, password: PASSWORD }
  assert.equal((await app.send('POST', '/beta/session/links', { json })).status, 201)
  const open = async (): Promise<Watcher> => {
    const watcher = await watch({ cookie: person.browser.cookie })
    await take(watcher, 1)
    return watcher
  }
  const moved = await open()
  const there = { json: { tenant_id: second.tenantId } }
  assert.equal((await person.browser.send('PATCH', '/beta/session', there)).status, 200)
  assert.deepEqual((await take(moved, 1))[0]?.data, { reason: 'revoked' })
  const ended = await open()
  assert.equal((await person.browser.send('DELETE', '/beta/session')).status, 204)
  assert.deepEqual((await take(ended, 1))[0]?.data, { reason: 'revoked' })
})

test('a stream ends with the reason revoked when its token is', async () => {
  const { tenantId } = await enterTenant()
  const token = await app.createToken({ tenantId })
  const watcher = await watch(token)
  await take(watcher, 1)
  const { token_id: id } = (await app.send('GET', '/beta/whoami', { token })).json()
  const admin = await app.createToken()
  const answer = await app.send('DELETE', `/beta/admin/tokens/${id}`, { token: admin })
  assert.equal(answer.status, 204)
  assert.deepEqual((await take(watcher, 1))[0]?.data, { reason: 'revoked' })
  assert.equal(await watcher.next(), null)
})

test('429 CASEWORK_TOO_MANY_STREAMS beyond the streams of a token, until one is closed', async () => {
  const { token } = await enterTenant()
  const watchers = await Promise.all(Array.from({ length: 20 }, () => watch(token)))
  const refused = await app.send('GET', PATH, { token })
  assert.equal(refused.status, 429)
  assert.equal(refused.json().code, 'CASEWORK_TOO_MANY_STREAMS')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  const metrics = await app.services.foundation.metrics.metrics()
  assert.match(metrics, /^casework_streams_open \d{2,}$/m)
  for (const watcher of watchers) watcher.close()
})

test('a client that does not read is disconnected with the reason slow, and holds nobody up', async () => {
  const { tenantId } = await enterTenant()
  const { kysely: db } = app.services.foundation.database
  const metrics = new Registry()
  const bounds = { streamsMax: 10, perTokenMax: 10, perAddressMax: 10 }
  const hub = createStreamHub({ db, log: silentLog, metrics, bounds })
  const caller = {
    tokenId: 'tok_slow',
    name: 'slow',
    tenantId,
    scopes: new Set(['events:read'] as const),
    contactEmail: null,
    roles: [],
    owner: null,
    networks: null,
    expiresAt: null,
  }
  const filter = { kinds: null, whats: null, caseId: null }
  const findCaller = () => caller
  const request = { caller, findCaller, address: 'x', filter, after: null }
  const slow = await hub.open(request)
  await query(
    app.connection,
    `insert into change (tenant_id, kind, what, subject_id, case_id, actor_kind, actor, at)
     select $1, 'report', 'accepted', n::text, null, 'system', 'test', now() from generate_series(1, 5000) as n`,
    [tenantId],
  )
  await feed()
  const ended = async () => (await metrics.metrics()).includes('ended_total{reason="slow"} 1')
  while (!(await ended())) await new Promise(setImmediate)
  const text = (await slow.readable.toArray()).join('')
  assert.match(text, /event: end\ndata: \{"reason":"slow"\}\n\n$/)
  assert.ok(text.length < 400_000)
  await hub.close()
})

test('HEAD answers without a stream, and a stop ends every stream with the reason shutdown', async () => {
  const { token } = await enterTenant()
  const head = await fetch(`${url}${PATH}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(head.status, 200)
  const other = await openTestApp()
  const address = await other.app.listen({ host: '127.0.0.1', port: 0 })
  const otherToken = await other.createToken()
  const response = await fetch(`${address}${PATH}`, {
    headers: { authorization: `Bearer ${otherToken}` },
  })
  const [text] = await Promise.all([response.text(), other.close()])
  assert.match(text, /event: end\ndata: \{"reason":"shutdown"\}\n\n$/)
})

test('a client that goes away leaves no stream behind', async () => {
  const { token } = await enterTenant()
  const { hostname, port } = new URL(url)
  const countBefore = await readOpen()
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'data')
  socket.destroy()
  while ((await readOpen()) > countBefore) await new Promise(setImmediate)
})

async function readOpen(): Promise<number> {
  const text = await app.services.foundation.metrics.metrics()
  return Number(/^casework_streams_open (\d+)$/m.exec(text)?.[1])
}
