import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { WorkBudget } from '../../rules/condition-meter.ts'
import { NO_FACTS } from '../case-facts.ts'
import { NODES_MAX, type PlaybookGraph, parsePlaybookGraph } from '../playbook-graph.ts'
import {
  buildEffectKey,
  decideStep,
  followOutcome,
  RUN_VISITS_MAX,
  type Step,
  type TokenOfStep,
} from './run-step.ts'

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

const NOW = new Date('2026-11-23T10:00:00.000Z')

const TOKEN: TokenOfStep = {
  runId: 'run',
  caseId: 'C-1',
  tokenId: 1,
  nodeId: 'begin',
  visit: 1,
  enteredAt: NOW,
  now: NOW,
  chosenPath: null,
  timerRang: false,
  vars: {},
  memo: null,
  calendars: new Map(),
  work: new WorkBudget(0),
  runVisits: 1,
  key: 'run:1:1',
  isConnected: () => true,
}

const EMPTY = { output: null, vars: null }

function stepAt(nodeId: string, members: Partial<TokenOfStep> = {}): Step {
  return decideStep(GRAPH, { ...TOKEN, nodeId, ...members }, NO_FACTS)
}

test('a start is left at once', () => {
  assert.deepEqual(stepAt('begin'), { kind: 'advance', path: 'next', toNodeId: 'take', ...EMPTY })
})

test('an acting node acts under the key of the visit, and its outcome leads on', () => {
  assert.deepEqual(stepAt('take', { visit: 2 }), { kind: 'act' })
  assert.equal(buildEffectKey({ ...TOKEN, visit: 2 }), 'run:1:2')
  const node = GRAPH.nodes.get('take')
  assert.ok(node)
  assert.deepEqual(followOutcome(node, { kind: 'done', output: { moved: true } }), {
    kind: 'advance',
    path: 'next',
    toNodeId: 'say',
    output: { moved: true },
    vars: null,
  })
  assert.deepEqual(followOutcome(node, { kind: 'refused', reason: 'no' }), {
    kind: 'fail',
    reason: 'no',
    output: { failure: 'no' },
  })
  assert.deepEqual(followOutcome(node, { kind: 'over', reason: 'case_has_ended' }), {
    kind: 'over',
    reason: 'case_has_ended',
  })
})

test('a node whose effect has not ended holds the token, and decides by it when it is woken', () => {
  const node = GRAPH.nodes.get('say')
  assert.ok(node)
  const timerAt = new Date('2026-11-26T10:00:00.000Z')
  const waiting = { kind: 'wait', waitsFor: 'timer', timerAt, watchesCase: true } as const
  assert.deepEqual(followOutcome(node, waiting), waiting)
  // The effect is looked for again, under the same key.
  assert.deepEqual(stepAt('say', { timerRang: true, memo: { sent: false } }), { kind: 'act' })
})

test('a waiting node holds the token', () => {
  assert.deepEqual(stepAt('ask'), {
    kind: 'wait',
    waitsFor: null,
    timerAt: null,
    watchesCase: false,
  })
})

test('a chosen path is taken, and an unconnected one ends the token', () => {
  assert.deepEqual(stepAt('ask', { chosenPath: 'fixed' }), {
    kind: 'advance',
    path: 'fixed',
    toNodeId: 'done',
    ...EMPTY,
  })
  assert.deepEqual(stepAt('ask', { chosenPath: 'dropped' }), {
    kind: 'end',
    path: 'dropped',
    output: null,
  })
})

test('resolve and end end the token', () => {
  const node = GRAPH.nodes.get('done')
  assert.ok(node)
  assert.deepEqual(stepAt('done'), { kind: 'act' })
  assert.deepEqual(followOutcome(node, { kind: 'done', output: {} }), {
    kind: 'end',
    path: null,
    output: {},
  })
  assert.deepEqual(stepAt('stop'), { kind: 'end', path: null, output: null })
})

function failed(reason: string): Step {
  return { kind: 'fail', reason, output: { failure: reason } }
}

test('a token at a node or path that the version does not have fails', () => {
  assert.deepEqual(stepAt('gone'), failed('unknown_node'))
  assert.deepEqual(stepAt('ask', { chosenPath: 'next' }), failed('unknown_path'))
})

test('a run that has gone round too often fails', () => {
  assert.equal(stepAt('begin', { runVisits: RUN_VISITS_MAX }).kind, 'advance')
  assert.deepEqual(stepAt('begin', { runVisits: RUN_VISITS_MAX + 1 }), failed('too_many_visits'))
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
      let token: TokenOfStep = { ...TOKEN, nodeId: result.graph.startId }
      const decideAll = (): Step => {
        const step = decideStep(result.graph, token, NO_FACTS)
        const here = result.graph.nodes.get(token.nodeId)
        assert.ok(here)
        if (step.kind !== 'act') return step
        keys.push(buildEffectKey(token))
        return followOutcome(here, { kind: 'done', output: {} })
      }
      let step = decideAll()
      while (step.kind === 'advance') {
        token = { ...token, nodeId: step.toNodeId, visit: token.visit + 1 }
        assert.ok(token.visit <= Math.min(nodes.length, NODES_MAX))
        step = decideAll()
      }
      assert.notEqual(step.kind, 'fail')
      assert.equal(new Set(keys).size, keys.length)
    }),
    { numRuns: 500 },
  )
})
