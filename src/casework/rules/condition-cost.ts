// The steps that a condition takes at the most, before it runs: every node once, and the body of a
// loop once for each element that its list may have. A text counts as one step here; its length is
// counted when the condition runs (condition-meter.ts).

import type { ASTNode } from '@marcbachmann/cel-js'

export const LOOPS: ReadonlySet<string> = new Set(['exists', 'exists_one', 'all'])

/** The lists outside the condition that loops may run over, with their greatest length. */
export type KnownLists = ReadonlyMap<string, number>

/** Functions that read a text as a value: a microsecond each, also for a short text. */
export const PARSING_CALLS: ReadonlySet<string> = new Set([
  'inCidr',
  'isUnder',
  'int',
  'double',
  'timestamp',
  'duration',
])
const PARSING_STEPS = 10

export function countSteps(node: ASTNode, lists: KnownLists): number {
  if (node.op === 'rcall' && LOOPS.has(node.args[0])) {
    const [, list, given] = node.args
    const body = given.reduce((steps, part) => steps + countSteps(part, lists), 1)
    return countSteps(list, lists) + findLength(list, lists) * body
  }
  const isCall = node.op === 'call' || node.op === 'rcall'
  const own = isCall && PARSING_CALLS.has(node.args[0]) ? PARSING_STEPS : 1
  return listChildren(node).reduce((steps, child) => steps + countSteps(child, lists), own)
}

/** Whether a loop may run over it. */
export function isKnownList(node: ASTNode, lists: KnownLists): boolean {
  return node.op === 'list' || lists.has(readPath(node))
}

function findLength(list: ASTNode, lists: KnownLists): number {
  return list.op === 'list' ? list.args.length : (lists.get(readPath(list)) ?? 0)
}

/** `a.b.c` of nested members; empty for anything else. */
function readPath(node: ASTNode): string {
  if (node.op === 'id') return node.args
  if (node.op !== '.') return ''
  const path = readPath(node.args[0])
  return path === '' ? '' : `${path}.${node.args[1]}`
}

export function listChildren(node: ASTNode): readonly ASTNode[] {
  const found: ASTNode[] = []
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) collect(part)
    else if (isNode(value)) found.push(value)
  }
  collect(node.args)
  return found
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}
