// Mass assignment (OWASP API3): members that only answers have, and some that nothing has, are sent
// with every body. Each is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../test/harness.ts'
import { createRecords, fillPath, findSample } from '../../test/operation-samples.ts'
import type { Route } from '../kernel/http/route.ts'
import { isJsonObject } from '../values/json-value.ts'
import { buildRoutes } from './routes.ts'

const app = withApp()

const NEVER_NAMED = ['isAdmin', 'roles', 'scopes', 'constructor', 'toString', '$where', 'a[b]']
// What would lead to another tenant or another person if a body could say it.
const READ_ONLY = [
  'id',
  'tenant_id',
  'created_at',
  'created_by',
  'state',
  'token_id',
  'secret_hash',
  'event_id',
  'case_id',
  'create_date',
  'resolved',
  'updated_at',
  'verified_at',
  'source_id',
]

/** Each object within the body, with a function that builds the body with another object there. */
function* findObjects(
  value: unknown,
  rebuild: (changed: unknown) => unknown,
): Generator<readonly [object, (changed: unknown) => unknown]> {
  if (Array.isArray(value)) {
    yield* findObjects(value[0], (changed) => rebuild([changed, ...value.slice(1)]))
  } else if (isJsonObject(value)) {
    yield [value, rebuild]
  }
}

/** The members that the outermost object of the body may have. */
function listMembers(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (part: unknown): void => {
    if (!isJsonObject(part)) return
    for (const parts of [part['anyOf'], part['oneOf'], part['allOf']]) {
      if (Array.isArray(parts)) parts.forEach(visit)
    }
    visit(part['items'])
    for (const name of Object.keys(part['properties'] ?? {})) names.add(name)
  }
  visit(JSON.parse(JSON.stringify(schema)))
  return names
}

// Its caller may send more than it reads (interface section 4.1).
const IGNORES = 'triggerPlaybook'
// Answers 200 with what is wrong.
const REPORTS = 'validatePlaybook'

const takesMembers = ({ body, bodyKind }: Route): boolean =>
  body !== undefined && bodyKind !== 'bytes'

test('400 for a read-only or unknown member in every body, also within an array', async () => {
  await app.createTenant('members')
  const token = await app.createToken({ tenantId: 'members' })
  const own = await createRecords(app, 'members', token)
  let count = 0
  let bodies = 0
  for (const route of buildRoutes(app.services).filter(takesMembers)) {
    const sample = findSample(route)
    if (route.operationId === IGNORES) continue
    const known = listMembers(route.body)
    const path = fillPath(route, { ...sample.params, ...own.get(sample.record ?? 'instance') })
    for (const [object, rebuild] of findObjects(sample.json, (changed) => changed)) {
      bodies += 1
      const names = [...READ_ONLY, ...NEVER_NAMED].filter((name) => !known.has(name))
      for (const name of names) {
        const json = rebuild({ ...object, [name]: 'x' })
        // oxlint-disable-next-line eslint/no-await-in-loop
        const answer = await app.send(route.method, path, { token, json })
        const isRefused =
          answer.status === 400 ||
          refusesRows(answer.text, json) ||
          (route.operationId === REPORTS && Object.is(answer.json().valid, false))
        assert.ok(isRefused, `${route.operationId} took ${name}: ${answer.status} ${answer.text}`)
        count += 1
      }
    }
  }
  assert.ok(bodies > 50, `only ${bodies} bodies were seen`)
  assert.ok(count >= 300, `only ${count} cells were seen`)
})

/** A push or an import answers for each of its rows. */
function refusesRows(text: string, json: unknown): boolean {
  if (!Array.isArray(json) || text === '') return false
  const answer = Object(JSON.parse(text))
  const rejected = Reflect.get(answer, 'rejected') ?? Reflect.get(answer.result ?? {}, 'rejected')
  if (Array.isArray(rejected)) return rejected.length === json.length
  const items = Reflect.get(answer, 'items')
  return Array.isArray(items) && items.every((item) => isJsonObject(item) && 'error' in item)
}
