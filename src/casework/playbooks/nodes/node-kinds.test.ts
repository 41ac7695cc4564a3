// What holds for every kind of the list, so also for a new one.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { WorkBudget } from '../../rules/condition-meter.ts'
import { NO_FACTS } from '../case-facts.ts'
import type { NodeKind } from '../node-kind.ts'
import { PATHS_MAX } from '../node-name.ts'
import { type PlaybookGraph, parsePlaybookGraph } from '../playbook-graph.ts'
import { decideStep, followOutcome, type Step, type TokenOfStep } from '../runs/run-step.ts'
import { NODE_KINDS } from './node-kinds.ts'

function listSchemas(schema: unknown): readonly Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Array.isArray(schema) ? [] : [schema as Record<string, unknown>]
  return [...own, ...Object.values(schema).flatMap(listSchemas)]
}

/**
 * The graph of one node of this kind behind a start, none of its paths connected that need not be.
 */
function parseExample({ kind, example, boundedPaths, joinMode, isRemark }: NodeKind) {
  const paths = Object.fromEntries((boundedPaths ?? []).map((name) => [name, 'x']))
  const node = { id: 'x', kind, config: example.config, paths }
  if (kind === 'start') return parsePlaybookGraph({ nodes: [node] })
  const start = { id: 'begin', kind: 'start', paths: { next: 'x' } }
  const stop = { id: 'stop', kind: 'end' }
  if (isRemark === true) return parsePlaybookGraph({ nodes: [{ ...start, paths: {} }, node] })
  if (kind === 'fork') {
    const branches = { customer: 'stop', registrar: 'stop' }
    return parsePlaybookGraph({ nodes: [start, { ...node, paths: branches }, stop] })
  }
  if (joinMode === undefined) return parsePlaybookGraph({ nodes: [start, node] })
  const fork = {
    id: 'fork',
    kind: 'fork',
    config: { paths: ['a', 'b'] },
    paths: { a: 'x', b: 'x' },
  }
  return parsePlaybookGraph({ nodes: [{ ...start, paths: { next: 'fork' } }, fork, node] })
}

for (const kind of NODE_KINDS) {
  describe(`the kind ${kind.kind}`, () => {
    test('has its own file, texts, and one way to act at most', () => {
      const file = join(import.meta.dirname, `${kind.kind.replaceAll('_', '-')}.ts`)
      assert.ok(existsSync(file), file)
      assert.match(kind.kind, /^[a-z]+(?:_[a-z]+)*$/)
      assert.match(kind.title, /^[A-Z]/)
      assert.match(kind.description, /^[A-Z].*\.$/s)
      assert.ok(kind.apply === undefined || kind.call === undefined)
      assert.ok(kind.retry === undefined || kind.call !== undefined)
    })

    test('has a strict schema', () => {
      const objects = listSchemas(kind.config).filter((one) => 'properties' in one)
      assert.ok(objects.length > 0)
      for (const one of objects) assert.equal(one['additionalProperties'], false)
    })

    test('reads its example, and names its paths', () => {
      const result = parseExample(kind)
      assert.deepEqual(result.kind === 'invalid' ? result.problems : [], [])
      assert.ok(result.kind === 'valid')
      const node = result.graph.nodes.get('x')
      assert.ok(node)
      const paths = kind.paths(node.config)
      assert.equal(new Set(paths).size, paths.length)
      assert.ok(paths.length <= PATHS_MAX + 2)
      for (const choice of kind.choices?.(node.config) ?? []) assert.ok(paths.includes(choice))
    })

    test('refuses a member that it does not know, by node and field', () => {
      const config = { ...kind.example.config, nobody_knows: 1 }
      const result = parsePlaybookGraph({ nodes: [{ id: 'x', kind: kind.kind, config }] })
      assert.ok(result.kind === 'invalid')
      assert.ok(
        result.problems.some(
          ({ path, node, field }) =>
            path === '/nodes/0/config/nobody_knows' &&
            node === 'x' &&
            field === 'config/nobody_knows',
        ),
        JSON.stringify(result.problems),
      )
    })
  })
}

test('kinds have different names, and there is one start', () => {
  assert.equal(new Set(NODE_KINDS.map(({ kind }) => kind)).size, NODE_KINDS.length)
  assert.equal(NODE_KINDS.filter(({ kind }) => kind === 'start').length, 1)
})

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

/** Nodes of any kinds with any connections, as far as the start leads to them. */
const graphs = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...NODE_KINDS.filter(({ kind }) => kind !== 'start')),
      targets: fc.array(fc.constantFrom(...IDS, null), {
        minLength: PATHS_MAX,
        maxLength: PATHS_MAX,
      }),
    }),
    { minLength: IDS.length, maxLength: IDS.length },
  )
  .map((boxes) => {
    const nodes = boxes.map(({ kind, targets }, at) => {
      const parsed = parseExample(kind)
      const config = parsed.kind === 'valid' ? parsed.graph.nodes.get('x')?.config : undefined
      assert.ok(config)
      const names = kind.paths(config)
      const connected = names.flatMap((name, index) => {
        const target = targets[index] ?? null
        return target === null ? [] : [[name, target]]
      })
      return {
        id: IDS[at] ?? 'a',
        kind: kind.kind,
        config: kind.example.config,
        paths: Object.fromEntries(connected) as Record<string, string>,
      }
    })
    const reached = new Set(['a'])
    for (const id of reached) {
      const node = nodes.find((one) => one.id === id)
      for (const target of Object.values(node?.paths ?? {})) reached.add(target)
    }
    const kept = nodes.filter(({ id }) => reached.has(id))
    return [{ id: 'begin', kind: 'start', paths: { next: 'a' } }, ...kept]
  })

const NOW = new Date('2026-11-23T10:00:00.000Z')

function tokenAt(nodeId: string, members: Partial<TokenOfStep> = {}): TokenOfStep {
  return {
    runId: 'run',
    caseId: 'C-1',
    tokenId: 1,
    nodeId,
    visit: 1,
    enteredAt: NOW,
    now: NOW,
    chosenPath: null,
    timerRang: false,
    vars: {},
    memo: null,
    calendars: new Map(),
    work: new WorkBudget(50_000),
    runVisits: 1,
    key: 'run:1:1',
    isConnected: () => true,
    ...members,
  }
}

/** The step of the token, where an effect comes out by this path, or is refused. */
function stepAt(graph: PlaybookGraph, token: TokenOfStep, draw: number): Step {
  const step = decideStep(graph, token, NO_FACTS)
  const node = graph.nodes.get(token.nodeId)
  if (step.kind !== 'act' || node === undefined) return step
  assert.ok(node.kind.apply !== undefined || node.kind.call !== undefined, node.kind.kind)
  const paths = [...node.paths.keys()]
  const path = paths[draw % (paths.length + 1)]
  if (path !== undefined) return followOutcome(node, { kind: 'done', path, output: {} })
  return followOutcome(
    node,
    paths.length === 0 ? { kind: 'done', output: {} } : { kind: 'refused', reason: 'no' },
  )
}

test('whatever graph of any kinds is accepted, a token ends, fails or waits within its number of nodes', () => {
  let accepted = 0
  fc.assert(
    fc.property(graphs, fc.array(fc.nat(30), { minLength: 8, maxLength: 8 }), (nodes, draws) => {
      const result = parsePlaybookGraph({ nodes })
      if (result.kind === 'invalid') return
      accepted += 1
      const { graph } = result
      let token = tokenAt(graph.startId)
      for (let steps = 0; ; steps += 1) {
        assert.ok(steps <= graph.nodes.size, 'a loop without a wait was accepted')
        const step = stepAt(graph, token, draws[steps] ?? 0)
        if (step.kind !== 'advance') return
        assert.ok(graph.nodes.has(step.toNodeId))
        token = tokenAt(step.toNodeId, { visit: token.visit + 1 })
      }
    }),
    { numRuns: 1_000 },
  )
  assert.ok(accepted > 50, `${accepted} graphs were accepted`)
})

test('a waiting node is left by each of its choices, and by its timer', () => {
  for (const kind of NODE_KINDS) {
    const result = parseExample(kind)
    assert.ok(result.kind === 'valid')
    const { graph } = result
    const node = graph.nodes.get('x')
    for (const chosenPath of (node && kind.choices?.(node.config)) ?? []) {
      const step = decideStep(graph, tokenAt('x', { chosenPath }), NO_FACTS)
      assert.deepEqual(step.kind === 'end' && step.path, chosenPath, kind.kind)
    }
    const waits = decideStep(graph, tokenAt('x'), NO_FACTS)
    if (waits.kind !== 'wait' || waits.timerAt === null) continue
    const rung = decideStep(graph, tokenAt('x', { timerRang: true }), NO_FACTS)
    assert.notEqual(rung.kind, 'wait', kind.kind)
  }
})

test('a graph of 500 nodes in any order of branches is read and checked for loops', () => {
  const asking = Array.from({ length: 498 }, (_, at) => ({
    id: `n${at + 1}`,
    kind: 'true_false',
    config: { condition: 'true' },
    paths: { true: `n${at + 2}`, false: `n${Math.min(499, at + 8)}` },
  }))
  const nodes = [
    { id: 'n0', kind: 'start', paths: { next: 'n1' } },
    ...asking,
    { id: 'n499', kind: 'end' },
  ]
  assert.equal(parsePlaybookGraph({ nodes }).kind, 'valid')
  const back = nodes.map((node) =>
    node.id === 'n498' ? { ...node, paths: { true: 'n499', false: 'n1' } } : node,
  )
  const result = parsePlaybookGraph({ nodes: back })
  assert.ok(result.kind === 'invalid')
  assert.match(result.problems[0]?.reason ?? '', /no node waits/)
})
