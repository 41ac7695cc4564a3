import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { decideTrigger } from './decide-trigger.ts'

const result = parsePlaybookGraph({
  nodes: [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'trigger', config: { paths: ['fixed', 'no'] }, paths: { no: 'look' } },
    { id: 'look', kind: 'manual', config: { paths: ['done'] }, paths: { done: 'stop' } },
    { id: 'stop', kind: 'end' },
  ],
})
assert.ok(result.kind === 'valid')
const { graph } = result
const WAITING = [
  { tokenId: 't1', nodeId: 'ask' },
  { tokenId: 't2', nodeId: 'ask' },
]

test('a path of the node at which a token waits is accepted for the first such token', () => {
  assert.deepEqual(decideTrigger(graph, WAITING, 'ask', 'no'), { kind: 'accepted', tokenId: 't1' })
})

test('an unconnected path is accepted as well: it ends the token', () => {
  assert.equal(decideTrigger(graph, WAITING, 'ask', 'fixed').kind, 'accepted')
})

test('names that the version does not have are refused before anything else, waiting or not', () => {
  for (const waiting of [WAITING, []]) {
    assert.deepEqual(decideTrigger(graph, waiting, 'nowhere', 'no'), { kind: 'unknown_node' })
    assert.deepEqual(decideTrigger(graph, waiting, 'ask', 'next'), { kind: 'unknown_path' })
    assert.deepEqual(decideTrigger(graph, waiting, 'stop', 'next'), { kind: 'unknown_path' })
    assert.deepEqual(decideTrigger(graph, waiting, '__proto__', 'no'), { kind: 'unknown_node' })
    assert.deepEqual(decideTrigger(graph, waiting, 'ask', 'constructor'), { kind: 'unknown_path' })
  }
})

test('a known node and path at which nobody waits is refused as such', () => {
  assert.deepEqual(decideTrigger(graph, WAITING, 'look', 'done'), { kind: 'not_waiting' })
  assert.deepEqual(decideTrigger(graph, [], 'ask', 'no'), { kind: 'not_waiting' })
  assert.deepEqual(decideTrigger(graph, WAITING, 'begin', 'next'), { kind: 'not_waiting' })
})
