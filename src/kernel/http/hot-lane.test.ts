import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { findHotLanes, openHotLanes } from './hot-lane.ts'
import { defineRoute, type Route } from './route.ts'
import type { RouteServer } from './serve-request.ts'

const item = Type.Object({ item: Type.String({ description: 'An item.' }) })

function hotRoute(changes: Partial<Route> = {}): Route {
  return {
    ...defineRoute({
      method: 'GET',
      path: '/things/{item}',
      group: 'intel',
      access: { kind: 'public' },
      operationId: 'getThing',
      summary: 'Get a thing',
      params: item,
      isHot: true,
      responses: {},
      handle: () => ({ status: 200 }),
    }),
    ...changes,
  }
}

interface Served {
  readonly way: 'whole' | 'plain' | 'framework'
  readonly params?: unknown
}

/** Notes how it was called and answers with that. */
function noteWay(route: Route): RouteServer {
  return {
    route,
    serve: (_message, response, _id, params) =>
      response.end(JSON.stringify({ way: 'whole', params })),
    servePlain: (_message, response, _id, params) =>
      response.end(JSON.stringify({ way: 'plain', params })),
  }
}

describe('findHotLanes', () => {
  test('gives a lane to a hot route whose one parameter is any text', () => {
    assert.equal(findHotLanes([noteWay(hotRoute())]).length, 1)
  })

  const others: readonly (readonly [string, Partial<Route>])[] = [
    ['is not hot', { isHot: false }],
    ['is no GET', { method: 'DELETE' }],
    ['asks for a pattern', { params: Type.Object({ item: Type.String({ pattern: '^a' }) }) }],
    ['asks for a number', { params: Type.Object({ item: Type.Integer() }) }],
    ['takes a query', { query: Type.Object({ full: Type.Optional(Type.Boolean()) }) }],
    ['has more after the parameter', { path: '/things/{item}/more' }],
  ]
  for (const [why, changes] of others) {
    test(`gives none to a route that ${why}`, () => {
      assert.deepEqual(findHotLanes([noteWay(hotRoute(changes))]), [])
    })
  }

  test('gives none where another route begins with the same path', () => {
    const other = hotRoute({ path: '/things/all', isHot: false })
    assert.deepEqual(findHotLanes([noteWay(hotRoute()), noteWay(other)]), [])
  })
})

function plain(text: string): Served {
  return { way: 'plain', params: { item: text } }
}

test('plain targets take the lane, an encoded colon among them, all others the framework', async (t) => {
  const server = createServer((_message, response) => {
    response.end(JSON.stringify({ way: 'framework' }))
  })
  openHotLanes(server, findHotLanes([noteWay(hotRoute())]), () => 'an-id')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const ask = async (path: string, method = 'GET'): Promise<Served> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    const served: Served = JSON.parse(await answer.text())
    return served
  }
  assert.deepEqual(await ask('/things/192.0.2.1'), plain('192.0.2.1'))
  assert.deepEqual(await ask('/things/2001:db8::5'), plain('2001:db8::5'))
  assert.deepEqual(await ask('/things/2001%3Adb8%3a%3A5'), plain('2001:db8::5'))
  for (const path of [
    '/things/a%20b',
    '/things/a?b=c',
    '/things/',
    '/things/a/b',
    '/things/%3',
    `/things/${'a'.repeat(254)}`,
    '/other/192.0.2.1',
  ]) {
    assert.deepEqual(await ask(path), { way: 'framework' }, path)
  }
  assert.deepEqual(await ask('/things/192.0.2.1', 'DELETE'), { way: 'framework' })
})
