// Proves the model of the editor: every act, what it refuses, and that all of it can be undone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Editor,
  type EditorAction,
  edit,
  openEditor,
} from '../../console/src/pages/playbook-edit/graph-editor.ts'
import type { GraphNode } from '../../console/src/parts/playbook-graph/graph.ts'

const NODES: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'manual',
    config: { paths: ['yes', 'no'] },
    paths: { yes: 'done', no: 'ask' },
  },
  { id: 'done', kind: 'end' },
]

function open(nodes = NODES): Editor {
  return openEditor({ description: '', nodes })
}

function play(editor: Editor, ...actions: readonly EditorAction[]): Editor {
  return actions.reduce(edit, editor)
}

function nodeOf(editor: Editor, id: string): GraphNode {
  return editor.graph.nodes.find((node) => node.id === id) ?? assert.fail(`no node ${id}`)
}

test('a node added behind a way out comes between the two nodes and is selected', () => {
  const editor = play(open(), {
    kind: 'add',
    node: { kind: 'comment', config: { text: 'x' } },
    after: { id: 'ask', path: 'yes' },
  })
  assert.equal(nodeOf(editor, 'ask').paths?.['yes'], 'comment')
  assert.deepEqual(nodeOf(editor, 'comment').paths, { next: 'done' })
  assert.deepEqual(editor.selected, ['comment'])
})

test('ids of added nodes are free', () => {
  const editor = play(
    open(),
    { kind: 'add', node: { kind: 'end' } },
    { kind: 'add', node: { kind: 'end' } },
  )
  assert.deepEqual(
    editor.graph.nodes.map(({ id }) => id),
    ['begin', 'ask', 'done', 'end', 'end_2'],
  )
})

test('removing a node takes the connections to it away', () => {
  const editor = play(open(), { kind: 'remove', ids: ['done'] })
  assert.deepEqual(nodeOf(editor, 'ask').paths, { no: 'ask' })
  assert.equal(play(open(), { kind: 'remove', ids: ['other'] }).past.length, 0)
})

test('a renamed node keeps the connections to it; a taken or wrong name is refused', () => {
  const editor = play(
    open(),
    { kind: 'select', ids: ['ask'] },
    { kind: 'rename', id: 'ask', to: 'ask_person' },
  )
  assert.equal(nodeOf(editor, 'begin').paths?.['next'], 'ask_person')
  assert.equal(nodeOf(editor, 'ask_person').paths?.['no'], 'ask_person')
  assert.deepEqual(editor.selected, ['ask_person'])
  for (const to of ['done', 'with space', '-x', '']) {
    assert.equal(play(open(), { kind: 'rename', id: 'ask', to }).past.length, 0, to)
  }
})

test('nothing leads to the start', () => {
  const editor = play(open(), { kind: 'connect', from: 'ask', path: 'yes', to: 'begin' })
  assert.equal(nodeOf(editor, 'ask').paths?.['yes'], 'done')
  const other = play(open(), { kind: 'connect', from: 'ask', path: 'yes', to: 'ask' })
  assert.equal(nodeOf(other, 'ask').paths?.['yes'], 'ask')
})

test('a way out that is renamed in the settings keeps the node behind it, one that goes loses it', () => {
  const renamed = play(open(), { kind: 'configure', id: 'ask', config: { paths: ['ok', 'no'] } })
  assert.deepEqual(nodeOf(renamed, 'ask').paths, { ok: 'done', no: 'ask' })
  const fewer = play(open(), { kind: 'configure', id: 'ask', config: { paths: ['no'] } })
  assert.deepEqual(nodeOf(fewer, 'ask').paths, { no: 'ask' })
})

test('typing into one field is one step to undo, and redo gives it back', () => {
  const typed = play(
    open(),
    { kind: 'note', id: 'ask', note: 'a' },
    { kind: 'note', id: 'ask', note: 'ab' },
    { kind: 'note', id: 'done', note: 'c' },
  )
  assert.equal(typed.past.length, 2)
  const undone = play(typed, { kind: 'undo' }, { kind: 'undo' })
  assert.deepEqual(undone.graph.nodes, NODES)
  assert.equal(play(undone, { kind: 'undo' }), undone)
  const redone = play(undone, { kind: 'redo' }, { kind: 'redo' })
  assert.deepEqual(redone.graph, typed.graph)
  assert.deepEqual(play(undone, { kind: 'note', id: 'ask', note: 'z' }).future, [])
})

test('undoing an added node leaves nothing selected that is not there', () => {
  const editor = play(open(), { kind: 'add', node: { kind: 'end' } }, { kind: 'undo' })
  assert.deepEqual(editor.selected, [])
})

test('pasted nodes get free ids, keep connections among them, and bring no second start', () => {
  const editor = play(open(), { kind: 'paste', nodes: NODES })
  assert.deepEqual(editor.selected, ['ask_2', 'done_2'])
  assert.deepEqual(nodeOf(editor, 'ask_2').paths, { yes: 'done_2', no: 'ask_2' })
  const alone = play(open(), { kind: 'paste', nodes: NODES.slice(1, 2) })
  assert.deepEqual(nodeOf(alone, 'ask_2').paths, { no: 'ask_2' })
})

function moveTo(x: number): EditorAction {
  return { kind: 'move', places: new Map([['ask', { x, y: 0 }]]) }
}

test('moves of the same nodes are one step, and a move to the same place is none', () => {
  const editor = play(open(), moveTo(1), moveTo(2), moveTo(2))
  assert.equal(editor.past.length, 1)
  assert.deepEqual(nodeOf(editor, 'ask').position, { x: 2, y: 0 })
})

test('a graph takes 500 nodes and no more', () => {
  const nodes = Array.from({ length: 500 }, (_, at) => ({ id: `n${at}`, kind: 'end' }))
  assert.equal(play(open(nodes), { kind: 'add', node: { kind: 'end' } }).graph.nodes.length, 500)
  assert.equal(play(open(nodes), { kind: 'paste', nodes: NODES }).graph.nodes.length, 500)
})

test('the repetition of a call is set, typed as one step, and left to the kind again', () => {
  const before = play(open(), { kind: 'retry', id: 'ask', retry: { attempts: 8 } })
  const typed = play(
    before,
    { kind: 'retry', id: 'ask', retry: { attempts: 1 } },
    { kind: 'retry', id: 'ask', retry: { attempts: 12 } },
  )
  assert.deepEqual(nodeOf(typed, 'ask').retry, { attempts: 12 })
  const left = play(typed, { kind: 'retry', id: 'ask', retry: undefined })
  assert.equal('retry' in nodeOf(left, 'ask'), false)
  assert.deepEqual(nodeOf(play(left, { kind: 'undo' }), 'ask').retry, { attempts: 12 })
})
