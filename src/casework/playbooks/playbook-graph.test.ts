import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isNodeName, PATHS_MAX } from './node-name.ts'
import { COMMENT_LENGTH_MAX } from './nodes/comment.ts'
import { NODE_KINDS } from './nodes/node-kinds.ts'
import { listChoices, NODES_MAX, type PlaybookGraph, parsePlaybookGraph } from './playbook-graph.ts'

const START = { id: 'begin', kind: 'start', paths: { next: 'ask' } }
const ASK = {
  id: 'ask',
  kind: 'trigger',
  config: { paths: ['fixed', 'disputed'] },
  paths: { fixed: 'done' },
}
const DONE = { id: 'done', kind: 'resolve' }

function graphOf(nodes: readonly object[]): PlaybookGraph {
  const result = parsePlaybookGraph({ nodes })
  assert.deepEqual(result.kind === 'invalid' ? result.problems : [], [])
  assert.ok(result.kind === 'valid')
  return result.graph
}

function pathsOf(input: unknown): string[] {
  const result = parsePlaybookGraph(input)
  return result.kind === 'valid' ? [] : result.problems.map((problem) => problem.path)
}

/** Problems of one node that stands between a start and nothing. */
function nodePathsOf(node: object): string[] {
  return pathsOf({
    nodes: [
      { ...START, paths: { next: 'x' } },
      { id: 'x', ...node },
    ],
  })
}

function setStateOf(config: object): object | undefined {
  const graph = graphOf([
    { ...START, paths: { next: 'x' } },
    { id: 'x', kind: 'set_state', config },
  ])
  return graph.nodes.get('x')?.config
}

function say(id: string, next: string): object {
  return { id, kind: 'comment', config: { text: 'x' }, paths: { next } }
}

function commentPathsOf(text: unknown): string[] {
  return nodePathsOf({ kind: 'comment', config: { text } })
}

test('a graph of every kind is read with its paths in order', () => {
  const graph = graphOf([
    { ...START, paths: { next: 'take' } },
    { id: 'take', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'say' } },
    { id: 'say', kind: 'comment', config: { text: 'Hello' }, paths: { next: 'ask' } },
    { ...ASK, paths: { disputed: 'look' } },
    {
      id: 'look',
      kind: 'manual',
      config: { paths: ['again', 'enough'] },
      paths: { again: 'ask', enough: 'done' },
    },
    { id: 'done', kind: 'resolve', config: { resolution: 'fixed' }, paths: {} },
  ])
  assert.equal(graph.startId, 'begin')
  assert.equal(graph.nodes.size, 6)
  const ask = graph.nodes.get('ask')
  assert.deepEqual(ask && listChoices(ask), ['fixed', 'disputed'])
  assert.ok(ask)
  assert.deepEqual(
    [...ask.paths],
    [
      ['fixed', null],
      ['disputed', 'look'],
    ],
  )
  assert.deepEqual(graph.nodes.get('take')?.config, {
    target: 'IN_PROGRESS',
    resolution: null,
    closeReason: null,
    mayReopen: false,
  })
  const fixed = { target: 'RESOLVED', resolution: 'fixed', closeReason: null, mayReopen: false }
  assert.deepEqual(graph.nodes.get('done')?.config, fixed)
})

test('a resolve node without a resolution says handled', () => {
  const graph = graphOf([START, ASK, DONE])
  const handled = { target: 'RESOLVED', resolution: 'handled', closeReason: null, mayReopen: false }
  assert.deepEqual(graph.nodes.get('done')?.config, handled)
})

test('set_state to an ended state carries what the move needs', () => {
  assert.deepEqual(setStateOf({ state: 'RESOLVED' }), {
    target: 'RESOLVED',
    resolution: 'handled',
    closeReason: null,
    mayReopen: false,
  })
  assert.deepEqual(setStateOf({ state: 'CLOSED', close_reason: 'not_ours' }), {
    target: 'CLOSED',
    resolution: null,
    closeReason: 'not_ours',
    mayReopen: false,
  })
  assert.deepEqual(setStateOf({ state: 'IN_PROGRESS', reopen: true }), {
    target: 'IN_PROGRESS',
    resolution: null,
    closeReason: null,
    mayReopen: true,
  })
})

test('an unconnected path is allowed', () => {
  assert.equal(
    graphOf([{ id: 's', kind: 'start' }])
      .nodes.get('s')
      ?.paths.get('next'),
    null,
  )
})

test('a loop through a waiting node is allowed', () => {
  graphOf([START, { ...ASK, paths: { fixed: 'ask' } }])
})

test('what is no graph is refused', () => {
  for (const input of [null, [], 'x', 1]) assert.deepEqual(pathsOf(input), ['/'])
  assert.deepEqual(pathsOf({}), ['/nodes'])
  assert.deepEqual(pathsOf({ nodes: [] }), ['/nodes'])
  assert.deepEqual(pathsOf({ nodes: [null] }), ['/nodes/0'])
  assert.deepEqual(pathsOf({ nodes: [START, ASK, DONE], edges: [] }), ['/edges'])
  const many = Array.from({ length: NODES_MAX + 1 }, (_, at) => ({ id: `n${at}`, kind: 'end' }))
  assert.deepEqual(pathsOf({ nodes: many }), ['/nodes'])
})

test('exactly one start is needed', () => {
  assert.deepEqual(pathsOf({ nodes: [DONE] }), ['/nodes'])
  assert.deepEqual(pathsOf({ nodes: [START, ASK, DONE, { id: 's2', kind: 'start' }] }), [
    '/nodes/3',
  ])
})

test('all problems of all nodes are told at once', () => {
  assert.deepEqual(
    pathsOf({
      nodes: [
        { id: 'bad id', kind: 'start', color: 'red' },
        { kind: 'nothing' },
        { id: 'a', kind: 'nothing' },
        { id: 'b', kind: 'comment', config: {} },
        { id: 'b', kind: 'end', paths: { next: 'a' } },
        { id: 'c', kind: 'end', config: 7 },
      ],
    }),
    [
      '/nodes/0/color',
      '/nodes/0/id',
      '/nodes/1/id',
      '/nodes/1/kind',
      '/nodes/2/kind',
      '/nodes/3/config/text',
      '/nodes/4/paths/next',
      '/nodes/5/config',
    ],
  )
})

test('two nodes of one id are refused', () => {
  assert.deepEqual(pathsOf({ nodes: [START, ASK, DONE, { ...DONE }] }), ['/nodes/3/id'])
})

test('a path to no node, and a path that the node does not have, are refused', () => {
  assert.deepEqual(pathsOf({ nodes: [{ ...START, paths: { next: 'nowhere' } }] }), [
    '/nodes/0/paths/next',
  ])
  assert.deepEqual(pathsOf({ nodes: [START, { ...ASK, paths: { next: 'done' } }, DONE] }), [
    '/nodes/1/paths/next',
  ])
  assert.deepEqual(nodePathsOf({ kind: 'end', paths: { next: 'x' } }), ['/nodes/1/paths/next'])
  assert.deepEqual(nodePathsOf({ kind: 'comment', config: { text: 'a' }, paths: { next: 1 } }), [
    '/nodes/1/paths/next',
  ])
  assert.deepEqual(nodePathsOf({ kind: 'end', paths: [] }), ['/nodes/1/paths'])
})

test('a node that the start does not reach is refused', () => {
  assert.deepEqual(pathsOf({ nodes: [START, { ...ASK, paths: {} }, DONE] }), ['/nodes/2'])
})

test('a loop in which nobody waits is refused at each of its nodes', () => {
  const nodes = [{ ...START, paths: { next: 'a' } }, say('a', 'b'), say('b', 'c'), say('c', 'b')]
  assert.deepEqual(pathsOf({ nodes }), ['/nodes/2', '/nodes/3'])
  assert.deepEqual(pathsOf({ nodes: [{ ...START, paths: { next: 'begin' } }] }), ['/nodes/0'])
})

test('paths are 1 to 20 different names', () => {
  for (const kind of ['trigger', 'manual']) {
    const names = Array.from({ length: PATHS_MAX }, (_, at) => `p${at}`)
    assert.deepEqual(nodePathsOf({ kind, config: { paths: names } }), [])
    for (const paths of [undefined, null, 'a', [], [...names, 'more']]) {
      assert.deepEqual(nodePathsOf({ kind, config: { paths } }), ['/nodes/1/config/paths'])
    }
    assert.deepEqual(nodePathsOf({ kind, config: { paths: ['a', 'a'] } }), [
      '/nodes/1/config/paths/1',
    ])
  }
})

test('a comment needs a text of at most 10,000 characters that can be stored', () => {
  assert.deepEqual(commentPathsOf('x'.repeat(COMMENT_LENGTH_MAX)), [])
  for (const text of [
    undefined,
    null,
    1,
    '',
    '  ',
    'x'.repeat(COMMENT_LENGTH_MAX + 1),
    'a\u0000',
  ]) {
    assert.deepEqual(commentPathsOf(text), ['/nodes/1/config/text'])
  }
})

test('a state, resolution or reason that a playbook may not set is refused', () => {
  const setState = (config: object) => nodePathsOf({ kind: 'set_state', config })
  for (const state of [undefined, 'NEW', 'open', 1]) {
    assert.deepEqual(setState({ state }), ['/nodes/1/config/state'])
  }
  assert.deepEqual(setState({ state: 'IN_PROGRESS', resolution: 'fixed' }), [
    '/nodes/1/config/resolution',
  ])
  assert.deepEqual(setState({ state: 'IN_PROGRESS', reopen: 'yes' }), ['/nodes/1/config/reopen'])
  assert.deepEqual(setState({ state: 'RESOLVED', reopen: true }), ['/nodes/1/config/reopen'])
  assert.deepEqual(setState({ state: 'RESOLVED', resolution: 'x' }), ['/nodes/1/config/resolution'])
  for (const reason of [undefined, 'merged', 'x']) {
    assert.deepEqual(setState({ state: 'CLOSED', close_reason: reason }), [
      '/nodes/1/config/close_reason',
    ])
  }
  assert.deepEqual(nodePathsOf({ kind: 'resolve', config: { resolution: 1 } }), [
    '/nodes/1/config/resolution',
  ])
  assert.deepEqual(nodePathsOf({ kind: 'end', config: { x: 1 } }), ['/nodes/1/config/x'])
})

test('names of nodes and paths survive in a URL', () => {
  for (const name of ['a', 'wait_for-reply', 'waitForReply', '7', 'constructor', 'x'.repeat(64)]) {
    assert.ok(isNodeName(name), name)
  }
  for (const name of ['', '-a', 'a-', 'a b', 'a/b', 'é', 'x'.repeat(65), 'a\n']) {
    assert.equal(isNodeName(name), false, name)
  }
})

test('a path called constructor is a path like any other', () => {
  const graph = graphOf([START, { ...ASK, config: { paths: ['constructor'] }, paths: {} }])
  assert.deepEqual([...(graph.nodes.get('ask')?.paths ?? [])], [['constructor', null]])
  assert.deepEqual(nodePathsOf({ kind: 'end', paths: { constructor: 'x' } }), [
    '/nodes/1/paths/constructor',
  ])
})

test('no JSON value makes the parser throw, and what is taken has one start', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd')
  const node = fc.record(
    {
      id,
      kind: fc.constantFrom(...NODE_KINDS.map((one) => one.kind), 'nothing'),
      config: fc.constantFrom({}, { paths: ['go'] }, { text: 'x' }, { state: 'IN_PROGRESS' }),
      paths: fc.dictionary(fc.constantFrom('next', 'go'), id, { maxKeys: 2 }),
    },
    { requiredKeys: ['id', 'kind'] },
  )
  const graph = fc.record({ nodes: fc.array(node, { maxLength: 5 }) })
  fc.assert(
    fc.property(fc.oneof(graph, fc.jsonValue()), (input) => {
      const result = parsePlaybookGraph(input)
      if (result.kind === 'invalid') assert.ok(result.problems.length > 0)
      else assert.ok(result.graph.nodes.has(result.graph.startId))
    }),
    { numRuns: 500 },
  )
})
