// Proves the form of every failure, group by group (interface section 7, design section 5.6), and
// that no cause leaves.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertEnvelope, KIT_TOKEN, openKit, VIEWER_TOKEN } from '../../../test/http-kit.ts'
import { defineRoute, type Route, type RouteGroup } from './route.ts'

const SECRET = 'password=hunter2 at /srv/secret.ts:1'

function throwingRoute(group: RouteGroup, path: string, failsWithoutBody: boolean): Route {
  return defineRoute({
    method: 'GET',
    path,
    group,
    access: { kind: 'public' },
    operationId: `throw${path}`,
    summary: 'Throws what nobody expected',
    failsWithoutBody,
    responses: {},
    handle: ({ query }) => {
      const { how } = query as { how?: string }
      if (how === 'database') {
        throw Object.assign(new Error(`duplicate key ${SECRET}`), { code: '23505', detail: SECRET })
      }
      if (how === 'late') return Promise.reject(new Error(SECRET))
      // oxlint-disable-next-line typescript/only-throw-error -- a library may throw anything
      if (how === 'text') throw SECRET
      if (how === 'circular') {
        const json: { self?: unknown } = {}
        json.self = json
        return { status: 200, json }
      }
      if (how === 'unreachable') throw Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })
      throw new Error(SECRET)
    },
  })
}

const kit = openKit({
  routes: [
    { ...throwingRoute('intel', '/beta/throw', false), unknownQuery: 'ignored' },
    { ...throwingRoute('casework', '/beta/casework/throw', true), unknownQuery: 'ignored' },
    { ...throwingRoute('admin', '/beta/admin/throw', false), unknownQuery: 'ignored' },
  ],
})
after(() => kit.close())

const BODYLESS = '/beta/casework/cases'
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
const json = { 'content-type': 'application/json' }

interface Case {
  readonly status: number
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: string
}

const INTEL_FAILURES: readonly Case[] = [
  { status: 400, method: 'POST', url: '/beta/quick-check', headers: json, payload: '[]' },
  { status: 400, method: 'GET', url: '/beta/query/%' },
  { status: 401, method: 'POST', url: '/beta/sightings', headers: json, payload: '[]' },
  { status: 401, method: 'GET', url: '/beta/tags', headers: { 'x-api-key': 'wrong' } },
  { status: 403, method: 'POST', url: '/beta/sightings', headers: bearer(VIEWER_TOKEN) },
  { status: 404, method: 'GET', url: '/beta/nothing' },
  { status: 404, method: 'POST', url: '/' },
  { status: 405, method: 'PUT', url: '/beta/tags' },
  {
    status: 413,
    method: 'POST',
    url: '/beta/quick-check',
    headers: json,
    payload: `["${'a'.repeat(300_000)}"]`,
  },
  { status: 414, method: 'GET', url: `/beta/query/${'a'.repeat(3_000)}` },
  {
    status: 415,
    method: 'POST',
    url: '/beta/quick-check',
    headers: { 'content-type': 'text/plain' },
    payload: '[]',
  },
  { status: 500, method: 'GET', url: '/beta/throw' },
  { status: 503, method: 'GET', url: '/beta/throw?how=unreachable' },
]

for (const { status, method, url, ...request } of INTEL_FAILURES) {
  test(`${status} in the envelope for ${method} ${url.slice(0, 40)}, whatever is accepted`, async () => {
    for (const accept of ['*/*', 'application/problem+json']) {
      const answer = await kit.send(method, url, {
        ...request,
        headers: { ...request.headers, accept },
      })
      assert.equal(answer.status, status)
      assertEnvelope(status, answer.text)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      assert.match(String(answer.headers['x-request-id']), /^request-/)
    }
  })
}

const BODYLESS_FAILURES: readonly Case[] = [
  { status: 400, method: 'GET', url: `${BODYLESS}?limit=x`, headers: bearer(KIT_TOKEN) },
  { status: 400, method: 'GET', url: `${BODYLESS}?unknown=1`, headers: bearer(KIT_TOKEN) },
  { status: 401, method: 'GET', url: BODYLESS },
  {
    status: 403,
    method: 'POST',
    url: `${BODYLESS}/C-1/trigger-playbook`,
    headers: bearer(VIEWER_TOKEN),
  },
  { status: 404, method: 'GET', url: '/beta/casework/nothing' },
  { status: 404, method: 'GET', url: '/beta/ops/events' },
  { status: 405, method: 'DELETE', url: BODYLESS },
  {
    status: 415,
    method: 'POST',
    url: `${BODYLESS}/C-1/trigger-playbook`,
    headers: { ...bearer(KIT_TOKEN), 'content-type': 'text/xml' },
    payload: '<a/>',
  },
  {
    status: 415,
    method: 'POST',
    url: `${BODYLESS}/C-1/trigger-playbook`,
    headers: { ...bearer(KIT_TOKEN), 'content-type': 'json' },
    payload: '{}',
  },
  { status: 500, method: 'GET', url: '/beta/casework/throw' },
]

for (const { status, method, url, ...request } of BODYLESS_FAILURES) {
  test(`${status} without a body for ${method} ${url}, with a problem for who asks for it`, async () => {
    const bare = await kit.send(method, url, request)
    assert.equal(bare.status, status)
    assert.equal(bare.text, '')
    assert.equal(bare.headers['content-type'], undefined)
    assert.equal(bare.headers['content-length'], '0')
    const headers = { ...request.headers, accept: 'text/html, Application/Problem+JSON;q=0.5' }
    const told = await kit.send(method, url, { ...request, headers })
    assert.equal(told.status, status)
    assert.equal(told.headers['content-type'], 'application/problem+json')
    const problem = JSON.parse(told.text)
    assert.equal(problem.status, status)
    assert.match(problem.code, /^[A-Z]+(_[A-Z]+)+$/)
    assert.equal(problem.request_id, told.headers['x-request-id'])
    const refused = { ...request.headers, accept: 'application/problem+json;q=0, */*' }
    assert.equal((await kit.send(method, url, { ...request, headers: refused })).text, '')
  })
}

test('400 with field paths in a problem on the other routes of the case group', async () => {
  const answer = await kit.send('POST', '/beta/casework/playbooks', {
    headers: { ...bearer(KIT_TOKEN), ...json },
    payload: '{"name":5,"x":1}',
  })
  assert.equal(answer.status, 400)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.deepEqual(JSON.parse(answer.text).errors, [
    { path: '/x', reason: 'is not known here' },
    { path: '/name', reason: 'must be string' },
  ])
})

for (const path of ['/beta/throw', '/beta/casework/throw', '/beta/admin/throw']) {
  for (const how of ['error', 'late', 'text', 'database', 'circular', 'unreachable']) {
    test(`nothing of a cause leaves ${path} (${how})`, async () => {
      const answer = await kit.send('GET', `${path}?how=${how}`, {
        headers: { accept: 'application/problem+json' },
      })
      assert.equal(answer.status, how === 'unreachable' ? 503 : 500)
      assert.doesNotMatch(
        answer.text + JSON.stringify(answer.headers),
        /hunter2|secret|duplicate|\.ts:|Error:/,
      )
      const line = kit.logLines.find((one) => one.includes(String(answer.headers['x-request-id'])))
      assert.match(line ?? '', how === 'circular' ? /circular/ : /hunter2/)
    })
  }
}
