// Proves that nodes come through the clipboard whole, and that no text of a stranger breaks it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPasted } from '../../console/src/pages/playbook-edit/read-pasted.ts'
import type { GraphNode } from '../../console/src/parts/playbook-graph/graph.ts'

const NODE: GraphNode = {
  id: 'call',
  kind: 'api_caller',
  config: { method: 'GET', url: 'https://api.example.org/' },
  paths: { success: 'done' },
  position: { x: 1, y: 2 },
  note: 'Why.',
  retry: { attempts: 3, seconds: 5 },
}

test('a node that is copied is pasted with all that it has', () => {
  assert.deepEqual(readPasted(JSON.stringify({ nodes: [NODE] })), [NODE])
})

test('what is no node, or of the wrong type, is left out', () => {
  const wrong = {
    ...NODE,
    config: [],
    paths: { on: 1 },
    position: {},
    note: 7,
    retry: { attempts: '3' },
  }
  assert.deepEqual(readPasted(JSON.stringify({ nodes: [7, null, { id: 'x' }, wrong] })), [
    { id: 'call', kind: 'api_caller', paths: {}, retry: {} },
  ])
  for (const text of ['', '{', '[]', '{"nodes": 7}', 'nodes']) {
    assert.deepEqual(readPasted(text), [])
  }
})
