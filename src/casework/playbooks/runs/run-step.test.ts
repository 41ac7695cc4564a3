import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { NODES_MAX, type PlaybookGraph, parsePlaybookGraph } from '../playbook-graph.ts'
import { decideStep, RUN_VISITS_MAX, type RunToken } from './run-step.ts'

function graphOf(nodes: readonly object[]): PlaybookGraph {
  const result = parsePlaybookGraph({ nodes })
  assert.ok(result.kind === 'valid', JSON.stringify(result))
  return result.graph
}

const GRAPH = graphOf([
  { id: 'begin', kind: 'start', paths: { next: 'take' } },
  { id: 'take', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'say' } },
  { id: 'say', kind: 'comment', config: { text: 'Hello' }, paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'trigger',
    config: { paths: ['fixed', 'dropped', 'over'] },
    paths: { fixed: 'done', over: 'stop' },
  },
  { id: 'done', kind: 'resolve', config: { resolution: 'fixed' } },
  { id: 'stop', kind: 'end' },
])

const TOKEN: RunToken = {
  runId: 'run',
  tokenId: 'token',
  nodeId: 'begin',
  visit: 1,
  chosenPath: null,
  runVisits: 1,
}

function stepAt(nodeId: string, members: Partial<RunToken> = {}) {
  return decideStep(GRAPH, { ...TOKEN, nodeId, ...members })
}

test('a start is left at once', () => {
  assert.deepEqual(stepAt('begin'), {
    kind: 'advance',
    path: 'next',
    toNodeId: 'take',
    effects: [],
  })
})

test('an acting node gives its effect under the key of the visit, and is left', () => {
  assert.deepEqual(stepAt('take', { visit: 2 }), {
    kind: 'advance',
    path: 'next',
    toNodeId: 'say',
    effects: [
      {
        kind: 'set_state',
        key: 'run:token:2',
        state: 'IN_PROGRESS',
        resolution: null,
        closeReason: null,
        mayReopen: false,
      },
    ],
  })
  assert.deepEqual(stepAt('say', { visit: 3 }), {
    kind: 'advance',
    path: 'next',
    toNodeId: 'ask',
    effects: [{ kind: 'comment', key: 'run:token:3', text: 'Hello' }],
  })
})

test('a waiting node holds the token and names its paths', () => {
  assert.deepEqual(stepAt('ask'), {
    kind: 'wait',
    paths: ['fixed', 'dropped', 'over'],
    waitsFor: null,
  })
})

test('a chosen path is taken, and an unconnected one ends the token', () => {
  assert.deepEqual(stepAt('ask', { chosenPath: 'fixed' }), {
    kind: 'advance',
    path: 'fixed',
    toNodeId: 'done',
    effects: [],
  })
  assert.deepEqual(stepAt('ask', { chosenPath: 'dropped' }), {
    kind: 'end',
    path: 'dropped',
    effects: [],
  })
})

test('resolve and end end the token', () => {
  assert.deepEqual(stepAt('done', { visit: 5 }), {
    kind: 'end',
    path: null,
    effects: [{ kind: 'resolve', key: 'run:token:5', resolution: 'fixed' }],
  })
  assert.deepEqual(stepAt('stop'), { kind: 'end', path: null, effects: [] })
})

test('a token at a node or path that the version does not have fails', () => {
  assert.deepEqual(stepAt('gone'), { kind: 'fail', reason: 'unknown_node' })
  assert.deepEqual(stepAt('ask', { chosenPath: 'next' }), { kind: 'fail', reason: 'unknown_path' })
})

test('a run that has gone round too often fails', () => {
  assert.equal(stepAt('begin', { runVisits: RUN_VISITS_MAX }).kind, 'advance')
  assert.deepEqual(stepAt('begin', { runVisits: RUN_VISITS_MAX + 1 }), {
    kind: 'fail',
    reason: 'too_many_visits',
  })
})

test('whatever graph is accepted, a token comes to rest within its number of nodes, with no key twice', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd')
  const paths = fc.dictionary(fc.constantFrom('next', 'go'), id, { maxKeys: 2 })
  const node = fc.oneof(
    fc.record({ id, kind: fc.constant('start'), paths }),
    fc.record({ id, kind: fc.constant('comment'), config: fc.constant({ text: 'x' }), paths }),
    fc.record({ id, kind: fc.constant('trigger'), config: fc.constant({ paths: ['go'] }), paths }),
    fc.record({ id, kind: fc.constant('resolve') }),
  )
  fc.assert(
    fc.property(fc.uniqueArray(node, { selector: (entry) => entry.id, minLength: 1 }), (nodes) => {
      const result = parsePlaybookGraph({ nodes })
      if (result.kind === 'invalid') return
      const keys: string[] = []
      let token: RunToken = { ...TOKEN, nodeId: result.graph.startId }
      let decision = decideStep(result.graph, token)
      while (decision.kind === 'advance') {
        keys.push(...decision.effects.map((effect) => effect.key))
        token = { ...token, nodeId: decision.toNodeId, visit: token.visit + 1 }
        assert.ok(token.visit <= Math.min(nodes.length, NODES_MAX))
        decision = decideStep(result.graph, token)
      }
      assert.notEqual(decision.kind, 'fail')
      assert.equal(new Set(keys).size, keys.length)
    }),
    { numRuns: 500 },
  )
})
