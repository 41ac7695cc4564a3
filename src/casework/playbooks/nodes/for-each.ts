// For Each: goes through a list, one element after the other.

import { Type } from 'typebox'
import { type FactExpression, parseFactExpression } from '../case-facts.ts'
import { type Decision, defineNodeKind, type TokenAtNode, type Vars } from '../node-kind.ts'

const ITEMS_MAX = 1_000
const DEFAULT_NAME = 'item'

interface ForEachConfig {
  readonly list: FactExpression
  readonly name: string
}

interface Position {
  readonly items: readonly unknown[]
  readonly next: number
}

export const FOR_EACH = defineNodeKind({
  kind: 'for_each',
  title: 'For Each',
  description:
    'Takes the path each once for every element of a list, with the element in vars.item, and then next. The path each must lead back to this node. The list is read on the first arrival and has at most 1,000 elements.',
  config: Type.Object(
    {
      list: Type.String({ minLength: 1, description: 'A CEL expression that gives a list.' }),
      as: Type.Optional(
        Type.String({
          pattern: '^[a-z][a-z0-9_]{0,31}$',
          description: 'Name of the element in vars; `item` when left out.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  read({ list: text, as }, { refuse }): ForEachConfig | null {
    if (as === 'loops') return refuse('as', 'is the name of the positions')
    const result = parseFactExpression(text)
    if (result.kind === 'problem') return refuse('list', result.reason)
    return { list: result.expression, name: as ?? DEFAULT_NAME }
  },
  paths: () => ['each', 'next', 'error'],
  boundedPaths: ['each'],
  needsFacts: true,
  decide({ list, name }, token, facts) {
    const known = findPosition(token)
    if (known !== null) return goOn(token, name, known)
    const answer = list.evaluate(facts, token.work)
    if (answer.kind === 'failed') {
      return { kind: 'refused', reason: 'list_failed', output: { explanation: answer.reason } }
    }
    const items = readItems(answer.value)
    if (items === null) return { kind: 'refused', reason: 'no_list' }
    if (items.length > ITEMS_MAX) {
      return { kind: 'refused', reason: 'list_too_long', output: { elements: items.length } }
    }
    return goOn(token, name, { items, next: 0 })
  },
  example: { config: { list: 'case.event_ips', as: 'address' } },
})

/** As JSON values; null for what is no list. */
function readItems(value: unknown): readonly unknown[] | null {
  if (!Array.isArray(value)) return null
  const text = JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? Number(inner) : inner,
  )
  const items: unknown = JSON.parse(text)
  return Array.isArray(items) ? items : null
}

function goOn(token: TokenAtNode, name: string, { items, next }: Position): Decision {
  const isOver = next >= items.length
  const position = isOver ? null : { items, next: next + 1 }
  const vars: Vars = {
    loops: { ...readLoops(token), [token.nodeId]: position },
    [name]: isOver ? null : items[next],
  }
  return isOver
    ? { kind: 'leave', path: 'next', output: { elements: items.length }, vars }
    : { kind: 'leave', path: 'each', output: { element: next + 1 }, vars }
}

function readLoops({ vars }: TokenAtNode): Record<string, unknown> {
  const loops = vars['loops']
  return typeof loops === 'object' && loops !== null ? { ...loops } : {}
}

/** Null before the first element, and after the last. */
function findPosition(token: TokenAtNode): Position | null {
  const found = readLoops(token)[token.nodeId]
  if (typeof found !== 'object' || found === null) return null
  if (!('items' in found) || !Array.isArray(found.items) || !('next' in found)) return null
  return typeof found.next === 'number' ? { items: found.items, next: found.next } : null
}
