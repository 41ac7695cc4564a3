// Tests what validation, activation and import tell of URLs that requests would be refused for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'

const PATH = '/beta/casework/playbooks'

const app = withApp({
  environment: { CASEWORK_OUTBOUND_ALLOW: '10.20.0.0/16, 10.20.0.5:9200, crm.example:8080' },
})

async function post(path: string, json?: unknown) {
  const answer = await app.send('POST', `${PATH}${path}`, {
    token: app.token,
    ...(json === undefined ? {} : { json }),
  })
  assert.ok(answer.status < 300, answer.text)
  return answer.json()
}

function call(id: string, url: string, next: string): object {
  return {
    id,
    kind: 'api_caller',
    config: { method: 'GET', url },
    paths: { success: next, error: next },
  }
}

const NODES = [
  { id: 'begin', kind: 'start', paths: { next: 'by-range' } },
  call('by-range', 'http://10.20.0.5:8080/hosts', 'by-template'),
  call('by-template', 'http://10.20.0.6/hosts/{{ event.ip }}', 'by-address'),
  call('by-address', 'http://10.20.0.5:9200/hosts', 'by-name'),
  call('by-name', 'http://crm.example:8080/{{ case.id }}', 'safe'),
  call('safe', 'https://10.20.0.5/hosts', 'hook'),
  {
    id: 'hook',
    kind: 'webhook',
    config: { url: 'https://198.51.100.7:25/', secret: 'hook-key' },
    paths: { next: 'stop', error: 'stop' },
  },
  { id: 'stop', kind: 'end' },
]

const RANGE_ONLY = 'must start with https://, unless CASEWORK_OUTBOUND_ALLOW names'
const WARNINGS = [
  ['/nodes/1/config/url', 'by-range', 'config/url', `${RANGE_ONLY} 10.20.0.5:8080`],
  ['/nodes/2/config/url', 'by-template', 'config/url', `${RANGE_ONLY} 10.20.0.6:80`],
  [
    '/nodes/6/config/url',
    'hook',
    'config/url',
    'cannot be used: The port of the URL is not one that requests may go to.',
  ],
]

interface Warning {
  readonly path: string
  readonly node: string
  readonly field: string
  readonly reason: string
}

function list(warnings: readonly Warning[]): unknown {
  return warnings.map(({ path, node, field, reason }) => [path, node, field, reason])
}

test('200 valid, with a warning for plain HTTP that only a range opens, and for a refused port', async () => {
  const { valid, problems, warnings } = await post('/validate', { nodes: NODES })
  assert.deepEqual([valid, problems, list(warnings)], [true, [], WARNINGS])
})

test('200 active, with the same warnings, also when it was active already', async () => {
  const { id } = await post('', { name: 'Warned when active', nodes: NODES })
  const path = `/${id}/versions/1/activate`
  const { state, warnings } = await post(path)
  assert.deepEqual([state, list(warnings)], ['active', WARNINGS])
  assert.deepEqual(list((await post(path)).warnings), WARNINGS)
})

test('201 imported, with the same warnings beside the others', async () => {
  const imported = await post('/import', { name: 'Warned at the import', nodes: NODES })
  const secret = list(imported.warnings.slice(0, 1))
  assert.match(JSON.stringify(secret), /names the secret hook-key/)
  assert.deepEqual(list(imported.warnings.slice(1)), WARNINGS)
})
