// Proves the outline: each node once, a second way to it as a reference, loops and islands.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildOutline } from '../../console/src/pages/playbook-edit/outline.ts'
import type { GraphNode } from '../../console/src/parts/playbook-graph/graph.ts'

function show(nodes: readonly GraphNode[]): readonly string[] {
  return buildOutline(nodes).map((row) => {
    const indent = '  '.repeat(row.level - 1)
    if (row.kind === 'node') return `${indent}${row.node.id}`
    return `${indent}-${row.path}: ${row.isOpen ? '' : (row.to ?? 'ends')}`
  })
}

test('a node stands below the first way to it, and further ways refer to it', () => {
  const rows = show([
    { id: 'done', kind: 'end' },
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'manual', config: { paths: ['a', 'b'] }, paths: { a: 'done', b: 'ask' } },
  ])
  assert.deepEqual(rows, [
    'begin',
    '  -next: ',
    '    ask',
    '      -a: ',
    '        done',
    '      -b: ask',
  ])
})

test('islands and loops that nothing leads to are shown at the end', () => {
  const rows = show([
    { id: 'begin', kind: 'start' },
    { id: 'x', kind: 'comment', paths: { next: 'y' } },
    { id: 'y', kind: 'comment', paths: { next: 'x' } },
    { id: 'alone', kind: 'comment', paths: { next: 'gone' } },
  ])
  assert.deepEqual(rows, [
    'begin',
    '  -next: ends',
    'alone',
    '  -next: gone',
    'x',
    '  -next: ',
    '    y',
    '      -next: x',
  ])
})

test('each node of a large graph is shown once', () => {
  const nodes = Array.from({ length: 500 }, (_, at) => ({
    id: `n${at}`,
    kind: at === 0 ? 'start' : 'comment',
    paths: { next: `n${(at + 1) % 500}` },
  }))
  assert.equal(buildOutline(nodes).filter(({ kind }) => kind === 'node').length, 500)
})
