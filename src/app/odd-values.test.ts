// No text from outside reaches a cast of the database unparsed: odd values in every part of the
// path, query parameter and member of a body of every operation are refused or taken, and are never
// a fault of the service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../test/harness.ts'
import {
  createRecords,
  fillPath,
  findSample,
  type RecordParams,
} from '../../test/operation-samples.ts'
import type { Route } from '../kernel/http/route.ts'
import { buildRoutes } from './routes.ts'

const app = withApp()

const ODD_TEXTS = [
  'x',
  '',
  '99999999999999999999',
  '01890000-0000-7000-8000-00000000000g',
  '275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '2026-13-45T99:99:99Z',
  "'{}\\%",
  '\u{1f600}',
]
const ODD_JSON = [...ODD_TEXTS, null, -1, 2 ** 53, 1.5, ['x'], {}]

// Two parts of a path cannot be empty.
const ODD_PARTS = ODD_TEXTS.filter((text) => text !== '')

/** The value with each of its members in turn replaced by each odd value. */
function* varyJson(value: unknown, rebuild: (changed: unknown) => unknown): Generator {
  for (const odd of ODD_JSON) yield rebuild(odd)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (value.length === 0) return
    yield* varyJson(value[0], (changed) => rebuild([changed, ...value.slice(1)]))
    return
  }
  for (const [name, member] of Object.entries(value)) {
    yield* varyJson(member, (changed) => rebuild({ ...value, [name]: changed }))
  }
}

interface OddRequest {
  readonly path: string
  readonly json?: unknown
}

function* varyRequest(route: Route, own: RecordParams): Generator<OddRequest> {
  const sample = findSample(route)
  // The resolver of a tenant that exists would be asked from then on.
  const record = sample.record === 'tenant' ? undefined : own.get(sample.record ?? 'instance')
  const params = { ...sample.params, ...record }
  const body = sample.json === undefined ? {} : { json: sample.json }
  for (const name of Object.keys(sample.params ?? {})) {
    for (const odd of ODD_PARTS) {
      yield { path: fillPath(route, { ...params, [name]: odd }), ...body }
    }
  }
  const path = fillPath(route, params)
  const { properties = {} } = { ...route.query } as { readonly properties?: object }
  for (const name of Object.keys(properties)) {
    for (const odd of ODD_TEXTS) {
      yield { path: `${path}?${name}=${encodeURIComponent(odd)}`, ...body }
    }
  }
  if (sample.json === undefined) return
  for (const json of varyJson(sample.json, (changed) => changed)) yield { path, json }
}

test('below 500 for odd values in every part of every request', async () => {
  const own = await createRecords(app, 'default', app.token)
  const faults: string[] = []
  let count = 0
  for (const route of buildRoutes(app.services)) {
    if (route.group === 'system') continue
    for (const { path, json } of varyRequest(route, own)) {
      const answer = await app.send(route.method, path, {
        token: app.token,
        ...(json === undefined ? {} : { json }),
      })
      count += 1
      if (answer.status >= 500) {
        faults.push(
          `${answer.status} ${route.method} ${path} ${JSON.stringify(json)?.slice(0, 300)}`,
        )
      }
    }
  }
  assert.ok(count > 3_000, `only ${count} requests were sent`)
  assert.deepEqual(faults, [])
})
