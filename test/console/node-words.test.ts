// Proves that the editor can say in German what the server says of every kind of node and of every
// setting, and keeps no translation of a sentence that is gone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NODE_WORDS_DE } from '../../console/src/pages/playbook-edit/node-words-de.ts'
import { NODE_KINDS } from '../../src/casework/playbooks/nodes/node-kinds.ts'

/** Descriptions anywhere in a schema, as the editor shows them: without the hint at expressions. */
function collect(schema: unknown, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, member] of Object.entries(schema)) {
    if (name === 'description' && typeof member === 'string') {
      found.add(member.replace(/ Or \{"cel": "…"\}\.$/, ''))
    } else collect(member, found)
  }
}

test('every description of kinds and settings has its German sentence, and no other', () => {
  const said = new Set<string>()
  for (const { description, config } of NODE_KINDS) {
    said.add(description)
    collect(config, said)
  }
  assert.ok(said.size > 100, `only ${said.size} descriptions were found`)
  assert.deepEqual(Object.keys(NODE_WORDS_DE).toSorted(), [...said].toSorted())
})

function listNames(text: string): readonly string[] {
  return (text.match(/`[^`]+`/g) ?? []).toSorted()
}

test('names of the program stay as they are', () => {
  for (const [english, german] of Object.entries(NODE_WORDS_DE)) {
    assert.deepEqual(listNames(german), listNames(english), german)
  }
})
