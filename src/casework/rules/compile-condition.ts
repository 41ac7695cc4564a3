// Compiles a condition: parsed once, checked for types and cost, then evaluated for many events. An
// event for which the evaluation fails does not match. Failures are counted apart from plain
// mismatches.

import type { ASTNode } from '@marcbachmann/cel-js'
import {
  CONDITION_LENGTH_MAX,
  type ConditionInput,
  conditionEnvironment,
  explainWrongNetwork,
} from './condition-environment.ts'

export type ConditionAnswer = 'match' | 'no_match' | 'failed'

export interface Condition {
  readonly ask: (input: ConditionInput) => ConditionAnswer
  /** Why the condition fails for this event; null when it does not fail. */
  readonly explainFailure: (input: ConditionInput) => string | null
}

export type ConditionResult =
  | { readonly kind: 'condition'; readonly condition: Condition }
  /** One public sentence about the text that was sent. */
  | { readonly kind: 'problem'; readonly reason: string }

// The cost of one event has a bound: 300 nodes, of which some search a text of up to 32,768
// characters, and some loop over the tags (50) or subtypes (20) of the event. Loops are not nested.
// 100 calls × 10 µs for the longest text is a millisecond.
const CALLS_MAX = 100
const OPERATORS = new Set([
  'value',
  'id',
  '.',
  '[]',
  'call',
  'rcall',
  'list',
  '?:',
  '||',
  '&&',
  '!_',
  '-_',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
])
const FUNCTIONS = new Set(['has', 'size', 'int', 'double', 'string', 'timestamp', 'duration'])
const METHODS = new Set([
  'contains',
  'startsWith',
  'endsWith',
  'lowerAscii',
  'upperAscii',
  'trim',
  'size',
  'inCidr',
  'isUnder',
])
const LOOPS = new Set(['exists', 'exists_one', 'all'])
const LISTS = new Set(['tags', 'event_subtypes'])

/** Parses and checks a condition that a caller sent. */
export function parseCondition(text: string): ConditionResult {
  if (text.length > CONDITION_LENGTH_MAX) {
    return problem(`is longer than ${CONDITION_LENGTH_MAX} characters`)
  }
  try {
    const parsed = conditionEnvironment.parse(text)
    const reason = findFault(parsed.ast)
    if (reason !== null) return problem(reason)
    const checked = parsed.check()
    if (!checked.valid) return problem(readSummary(checked.error))
    if (checked.type !== 'bool' && checked.type !== 'dyn') {
      return problem(`gives a value of the type ${checked.type}, and must give true or false`)
    }
    return { kind: 'condition', condition: wrap(parsed) }
  } catch (error) {
    // The library throws for a syntax error, with a sentence about its position.
    return problem(readSummary(error))
  }
}

function wrap(evaluate: (context: Record<string, unknown>) => unknown): Condition {
  const ask = (input: ConditionInput): boolean => {
    const value = evaluate({ event: input.event })
    if (typeof value !== 'boolean') throw new TypeError('it gave neither true nor false')
    return value
  }
  return {
    ask(input) {
      try {
        return ask(input) ? 'match' : 'no_match'
      } catch {
        return 'failed'
      }
    },
    explainFailure(input) {
      try {
        ask(input)
        return null
      } catch (error) {
        return readSummary(error)
      }
    },
  }
}

const NEVER: Condition = {
  ask: () => 'failed',
  explainFailure: () => 'This program does not understand the condition.',
}
// Conditions of all tenants, some kilobytes each. Cleared when full: compiling takes microseconds.
const COMPILED_MAX = 2_000
const compiled = new Map<string, Condition>()

/**
 * Compiles a stored condition. A condition that a newer version of the program stored, and that
 * this one does not understand, matches nothing.
 */
export function compileCondition(text: string): Condition {
  const known = compiled.get(text)
  if (known !== undefined) return known
  const result = parseCondition(text)
  const condition = result.kind === 'condition' ? result.condition : NEVER
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  compiled.set(text, condition)
  return condition
}

function problem(reason: string): ConditionResult {
  return { kind: 'problem', reason }
}

// The first line is the message; the library draws the position in the lines after it.
function readSummary(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read'
  const text =
    'summary' in error && typeof error.summary === 'string' ? error.summary : error.message
  const [line = ''] = text.split('\n')
  return line.slice(0, 200)
}

/** One public sentence about the first construct that is not allowed; null when all are. */
function findFault(ast: ASTNode): string | null {
  let calls = 0
  const visit = (node: ASTNode, isInLoop: boolean): string | null => {
    if (!OPERATORS.has(node.op)) return `uses ${node.op}, which conditions do not have`
    if (node.op === 'call' || node.op === 'rcall') calls += 1
    if (calls > CALLS_MAX) return `has more than ${CALLS_MAX} calls`
    const fault = findFaultOfCall(node, isInLoop)
    if (fault !== null) return fault
    const loops = isInLoop || (node.op === 'rcall' && LOOPS.has(node.args[0]))
    for (const child of listChildren(node)) {
      const below = visit(child, loops)
      if (below !== null) return below
    }
    return null
  }
  return visit(ast, false)
}

function findFaultOfCall(node: ASTNode, isInLoop: boolean): string | null {
  if (node.op === 'call') {
    const [name] = node.args
    return FUNCTIONS.has(name) ? null : `calls ${name}, which conditions do not have`
  }
  if (node.op !== 'rcall') return null
  const [name, receiver, given] = node.args
  if (name === 'inCidr') {
    const [network] = given
    const isText = network?.op === 'value' && typeof network.args === 'string'
    const reason = isText ? explainWrongNetwork(network.args) : null
    return reason === null ? null : `asks inCidr for something that ${reason}`
  }
  if (METHODS.has(name)) return null
  if (!LOOPS.has(name)) return `calls ${name}, which conditions do not have`
  if (isInLoop) return `has ${name} within another`
  return isKnownList(receiver)
    ? null
    : `may ask ${name} of event.tags, event.event_subtypes and lists that it holds itself`
}

function isKnownList(node: ASTNode): boolean {
  if (node.op === 'list') return true
  return node.op === '.' && node.args[0].op === 'id' && LISTS.has(node.args[1])
}

function listChildren(node: ASTNode): readonly ASTNode[] {
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
