// Proves that the scopes in the OpenAPI document are those that the routes ask for: every operation
// is called with one scope at a time.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import type { Route } from '../kernel/http/route.ts'
import { ROLE_SCOPES, SCOPES, type Scope } from '../vocabulary/scopes.ts'
import { buildOpenapi } from './openapi.ts'
import { buildRoutes } from './routes.ts'

interface Operation {
  readonly 'x-scopes'?: readonly (readonly string[])[]
}

let app: TestApp
let routes: readonly Route[]
let operations: Map<string, Operation>

before(async () => {
  app = await openTestApp()
  routes = buildRoutes(app.services)
  const { paths } = JSON.parse(JSON.stringify(buildOpenapi(routes)))
  operations = new Map(
    Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  )
})
after(() => app.close())

// No token at all opens a route whose list has an empty entry, or is empty.
function opensBy(operation: Operation, scope: Scope): boolean {
  const ways = operation['x-scopes'] ?? []
  return ways.length === 0 || ways.some((scopes) => scopes.every((one) => one === scope))
}

test('403 for a token of one scope exactly where the document does not name that scope', async () => {
  assert(routes.length > 100)
  // The look-ups are open here, and a presented token must hold the scope all the same.
  for (const scope of SCOPES) {
    const token = await app.createToken({ scopes: [scope] })
    for (const { method, path, access } of routes) {
      if (access.kind === 'open-intel') continue
      const operation = operations.get(`${method} ${path}`)
      assert(operation !== undefined, path)
      const url = path.replaceAll(/\{\w+\}/g, 'unknown')
      const { status } = await app.send(method, url, { token })
      assert.equal(status !== 403, opensBy(operation, scope), `${method} ${path}: ${scope}`)
    }
  }
})

test('every scope is asked for by some operation', () => {
  const asked = new Set(
    [...operations.values()].flatMap((operation) => (operation['x-scopes'] ?? []).flat()),
  )
  assert.deepEqual(
    SCOPES.filter((scope) => !asked.has(scope)),
    [],
  )
})

test('every role opens operations, and an author attaches a playbook', async () => {
  for (const [role, scopes] of Object.entries<readonly Scope[]>(ROLE_SCOPES)) {
    const opened = [...operations.values()].filter((operation) =>
      scopes.some((scope) => opensBy(operation, scope)),
    )
    assert(opened.length > 1, role)
  }
  const author = await app.createToken({ scopes: [...ROLE_SCOPES['playbook-author']] })
  const playbooks = '/beta/casework/playbooks'
  const made = await app.send('POST', playbooks, {
    token: author,
    json: {
      name: 'Close at once',
      nodes: [
        { id: 'start', kind: 'start', paths: { next: 'end' } },
        { id: 'end', kind: 'end' },
      ],
    },
  })
  assert.equal(made.status, 201, made.text)
  const { id } = made.json()
  const activated = await app.send('POST', `${playbooks}/${id}/versions/1/activate`, {
    token: author,
  })
  assert.equal(activated.status, 200, activated.text)
  const groups = '/beta/casework/case-groups'
  const { items } = (await app.send('GET', groups, { token: author })).json()
  const group = `${groups}/${items[0].id}`
  const attached = await app.send('PATCH', group, { token: author, json: { playbook_id: id } })
  assert.deepEqual([attached.status, attached.json().playbook_id], [200, id])
  for (const json of [{ enabled: false }, { playbook_id: null, enabled: false }]) {
    const refused = await app.send('PATCH', group, { token: author, json })
    assert.equal(refused.status, 403)
    assert.match(String(refused.headers['www-authenticate']), /scope="rules:write"/)
  }
  const ruler = await app.createToken({ scopes: ['rules:write'] })
  const foreign = await app.send('PATCH', group, { token: ruler, json: { playbook_id: null } })
  assert.equal(foreign.status, 403)
  assert.match(String(foreign.headers['www-authenticate']), /scope="playbooks:activate"/)
  const renamed = await app.send('PATCH', group, { token: ruler, json: { name: 'All the rest' } })
  assert.deepEqual([renamed.status, renamed.json().playbook_id], [200, id])
})
