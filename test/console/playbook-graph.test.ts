// Proves the model of a graph in the console: ways out as the server has them, and what differs
// between versions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  compareGraphs,
  type GraphNode,
  listChangedMembers,
  listConnections,
  namedWays,
  waysOut,
} from '../../console/src/parts/playbook-graph/graph.ts'
import { KIND_GROUPS } from '../../console/src/parts/playbook-graph/kind-groups.ts'
import { NODE_KINDS } from '../../src/casework/playbooks/nodes/node-kinds.ts'

const ways = (kind: string, config: GraphNode['config'] = {}): unknown =>
  namedWays({ id: 'x', kind, config })

const texts = (nodes: ReadonlySet<string>): readonly string[] => [...nodes]

test('the ways out of every kind are those of the server, with the settings of its example', () => {
  for (const kind of NODE_KINDS) {
    const { config } = kind.example
    const read = kind.read(config, { refuse: (_field, reason) => assert.fail(reason) })
    assert.ok(read !== null)
    const node = { id: 'x', kind: kind.kind, config }
    assert.deepEqual(namedWays(node), kind.paths(read), kind.kind)
  }
})

test('every kind of the server is in one group of the palette', () => {
  const grouped = Object.values(KIND_GROUPS).flat().toSorted()
  assert.deepEqual(grouped, NODE_KINDS.map(({ kind }) => kind).toSorted())
})

test('half-made settings have the ways out that they name so far', () => {
  assert.deepEqual(ways('switch', { cases: [{ path: 'a' }, {}, null, { path: '' }] }), [
    'a',
    'default',
    'error',
  ])
  assert.deepEqual(ways('manual', { paths: 'yes' }), [])
  assert.deepEqual(ways('trigger', { paths: ['a', 'a'], timeout: 'P1D' }), ['a', 'timeout'])
  assert.deepEqual(ways('email'), ['sent', 'error'])
  assert.equal(ways('of_tomorrow'), null)
})

test('a kind that the console does not know has what the server lists and what is connected', () => {
  const node = { id: 'x', kind: 'of_tomorrow', paths: { other: 'y' } }
  assert.deepEqual(waysOut(node, ['next']), ['next', 'other'])
})

test('connections to nodes that are not there are left out', () => {
  const nodes = [{ id: 'a', kind: 'start', paths: { next: 'gone' } }]
  assert.deepEqual(listConnections(nodes), [])
})

test('versions are compared by node; a place on the canvas is no change', () => {
  const before: readonly GraphNode[] = [
    { id: 'a', kind: 'start', paths: { next: 'b' }, position: { x: 1, y: 1 } },
    { id: 'b', kind: 'email', config: { to: 'customer', vars: { x: 1, y: 2 } } },
    { id: 'c', kind: 'end' },
  ]
  const after: readonly GraphNode[] = [
    { id: 'a', kind: 'start', paths: { next: 'b' }, position: { x: 9, y: 9 } },
    { id: 'b', kind: 'email', config: { vars: { y: 2, x: 1 }, to: 'reporter' } },
    { id: 'd', kind: 'end' },
  ]
  const { added, removed, changed } = compareGraphs(before, after)
  assert.deepEqual([texts(added), texts(removed), texts(changed)], [['d'], ['c'], ['b']])
  const [, was] = before
  const [, is] = after
  assert.ok(was !== undefined && is !== undefined)
  assert.deepEqual(listChangedMembers(was, is), [
    { field: 'config/to', before: 'customer', after: 'reporter' },
  ])
})
