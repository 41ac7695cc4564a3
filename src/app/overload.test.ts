// Proves that three times the load that is allowed is answered with 200, 429 or 503 alone, each
// refusal with Retry-After, that another tenant does not notice, and that all is as before once the
// load is gone. Counts, not times: the limits are those of settings.

import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness.ts'

const LIMIT = 100
const OVERLOAD = 3

let nowMs = Date.now()
let app: TestApp
let port: number
before(async () => {
  app = await openTestApp({
    environment: {
      CASEWORK_TOKEN_RATE_LIMIT: String(LIMIT),
      CASEWORK_LOOKUP_RATE_LIMIT: String(LIMIT),
    },
    clock: { nowMs: () => nowMs },
  })
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.app.server.address()
  assert(typeof address === 'object' && address !== null)
  ;({ port } = address)
})
after(() => app.close())

interface Asked {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly json?: unknown
}

interface Answered {
  readonly status: number
  readonly retryAfter: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 50 })
after(() => agent.destroy())

/** Rejects when the connection is reset, which no overload may do. */
function send({ method, path, token, json }: Asked): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
    answer.resume()
    answer.once('end', () => {
      const { statusCode: status = 0, headers: got } = answer
      resolve({ status, retryAfter: got['retry-after'] })
    })
  })
  sent.once('error', reject)
  sent.end(json === undefined ? undefined : JSON.stringify(json))
  return promise
}

function count(answers: readonly Answered[], status: number): number {
  return answers.filter((answer) => answer.status === status).length
}

function buildEvent(at: number) {
  return {
    event_date: '2026-11-20T21:40:12Z',
    event_type: 'Spam',
    ip: `192.0.2.${at % 200}`,
    sender_email: 'reporter@example.com',
    report_id: `overload-${at}`,
  }
}

test('three times the allowed load: 200, 429 and 503 with Retry-After alone, others unharmed, then as before', async () => {
  const scopes = ['cases:read', 'events:ingest'] as const
  const crowd = await app.createToken({ scopes })
  await app.createTenant('quiet')
  const quiet = await app.createToken({ tenantId: 'quiet', scopes })
  const total = LIMIT * OVERLOAD
  const load = Array.from({ length: total }, (_, at): Promise<Answered> => {
    if (at % 2 === 0) return send({ method: 'GET', path: '/beta/casework/cases', token: crowd })
    const event = { method: 'POST', path: '/beta/casework/events', json: buildEvent(at) }
    return send({ ...event, token: crowd })
  })
  const lookups = Array.from({ length: total }, (_, at) =>
    send({ method: 'GET', path: `/beta/query/198.51.100.${at % 200}` }),
  )
  const others = Array.from({ length: 20 }, (_, at) =>
    send({
      method: 'POST',
      path: '/beta/casework/events',
      token: quiet,
      json: buildEvent(at),
    }),
  )
  const ofCrowd = await Promise.all(load)
  const ofLookups = await Promise.all(lookups)
  for (const answers of [ofCrowd, ofLookups]) {
    assert.equal(count(answers, 429), total - LIMIT)
    const served = count(answers, 200) + count(answers, 201) + count(answers, 503)
    assert.equal(served, LIMIT, 'nothing but 200, 201, 429 and 503')
    for (const { status, retryAfter } of answers) {
      if (status >= 400) assert.match(retryAfter ?? '', /^\d+$/)
    }
  }
  assert.equal(count(await Promise.all(others), 201), 20)
  nowMs += 60_000
  const later = await Promise.all(
    Array.from({ length: LIMIT }, () =>
      send({ method: 'GET', path: '/beta/casework/cases', token: crowd }),
    ),
  )
  assert.equal(count(later, 200), LIMIT)
})
