// Compiles a condition: parsed once, checked for types and cost, then evaluated for many events. An
// event for which the evaluation fails, or takes too much work, does not match. Failures are
// counted apart from plain mismatches.

import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { countSteps, isKnownList, type KnownLists, LOOPS, listChildren } from './condition-cost.ts'
import {
  CONDITION_LENGTH_MAX,
  type ConditionInput,
  conditionEnvironment,
  EVENT_LISTS,
  explainWrongNetwork,
} from './condition-environment.ts'
import { meterNodes, runMetered, type WorkBudget } from './condition-meter.ts'

export type ConditionAnswer =
  | { readonly kind: 'match' | 'no_match' }
  | {
      readonly kind: 'failed'
      /** `work`: it used up its work, or there was none left of the event's. */
      readonly cause: 'error' | 'work'
      /** One public sentence. */
      readonly reason: string
    }

export const MATCH: ConditionAnswer = { kind: 'match' }
export const NO_MATCH: ConditionAnswer = { kind: 'no_match' }

export interface Condition<Input = ConditionInput> {
  /** Never throws. What it used is taken from the budget. */
  readonly ask: (input: Input, budget: WorkBudget) => ConditionAnswer
}

export type ConditionResult<Input = ConditionInput> =
  | { readonly kind: 'condition'; readonly condition: Condition<Input>; readonly steps: number }
  /** One public sentence about the text that was sent. */
  | { readonly kind: 'problem'; readonly reason: string }

// One evaluation, at most 1 ms (50 ns a unit): enough for any condition that is accepted, unless it
// looks through long texts, of which it is three calls of `lowerAscii` and `contains` over the
// longest.
export const EVALUATION_UNITS_MAX = 20_000
// Before it runs, a condition is counted with every round of its loops.
const STEPS_MAX = 5_000
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

/** What conditions are asked about, by names and types. */
export interface ConditionLanguage {
  readonly environment: Environment
  /** The lists that loops may run over, with their greatest length. */
  readonly lists: KnownLists
  /** Operators beside those of all conditions. */
  readonly operators?: ReadonlySet<string>
}

const LANGUAGE: ConditionLanguage = { environment: conditionEnvironment, lists: EVENT_LISTS }

/** Parses and checks a condition that a caller sent. */
export function parseCondition(text: string): ConditionResult {
  return parseConditionOf(LANGUAGE, text)
}

/** The same in a language of its own. `Input` must have the names of its environment. */
export function parseConditionOf<Input extends object>(
  language: ConditionLanguage,
  text: string,
): ConditionResult<Input> {
  const parsed = parseStored(language, text)
  if (parsed.kind === 'problem') return parsed
  if (parsed.steps <= STEPS_MAX) {
    return { kind: 'condition', condition: wrap<Input>(parsed.run), steps: parsed.steps }
  }
  return explainSteps(parsed.steps)
}

function explainSteps(steps: number) {
  return problem(
    `may take ${steps} steps for one event, and the limit is ${STEPS_MAX}: the body of a loop counts once for each element of its list`,
  )
}

/** The value of an expression: texts, numbers, lists and objects, times as Date. */
type ExpressionAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `reason`: one public sentence. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface Expression<Input> {
  /** Never throws. What it used is taken from the budget. */
  readonly evaluate: (input: Input, budget: WorkBudget) => ExpressionAnswer
}

export type ExpressionResult<Input> =
  | { readonly kind: 'expression'; readonly expression: Expression<Input> }
  | { readonly kind: 'problem'; readonly reason: string }

/** As a condition, but its value may be of any type. */
export function parseExpressionOf<Input extends object>(
  language: ConditionLanguage,
  text: string,
): ExpressionResult<Input> {
  const parsed = parseStored(language, text, null)
  if (parsed.kind === 'problem') return parsed
  if (parsed.steps > STEPS_MAX) return explainSteps(parsed.steps)
  const evaluate = (input: Input, budget: WorkBudget): ExpressionAnswer => {
    if (budget.left <= 0) return EVENT_EXCEEDED
    try {
      const run = runMetered(budget, EVALUATION_UNITS_MAX, () => parsed.run(input))
      if (!run.isExceeded) return { kind: 'value', value: run.value }
      return budget.left <= 0 ? EVENT_EXCEEDED : CONDITION_EXCEEDED
    } catch (error) {
      return { kind: 'failed', reason: readSummary(error) }
    }
  }
  return { kind: 'expression', expression: { evaluate } }
}

type Parsed =
  | { readonly kind: 'parsed'; readonly run: Run; readonly steps: number }
  | { readonly kind: 'problem'; readonly reason: string }
type Run = (context: object) => unknown

/**
 * A stored condition may take more steps than a new one: its budget stops it when it runs.
 * `wanted`: the type that it must give; null takes any.
 */
function parseStored(
  language: ConditionLanguage,
  text: string,
  wanted: 'bool' | null = 'bool',
): Parsed {
  if (text.length > CONDITION_LENGTH_MAX) {
    return problem(`is longer than ${CONDITION_LENGTH_MAX} characters`)
  }
  try {
    const parsed = language.environment.parse(text)
    const reason = findFault(parsed.ast, language)
    if (reason !== null) return problem(reason)
    const checked = parsed.check()
    if (!checked.valid) return problem(readSummary(checked.error))
    if (wanted !== null && checked.type !== wanted && checked.type !== 'dyn') {
      return problem(`gives a value of the type ${checked.type}, and must give true or false`)
    }
    meterNodes(parsed.ast)
    return { kind: 'parsed', run: parsed, steps: countSteps(parsed.ast, language.lists) }
  } catch (error) {
    // The library throws for a syntax error, with a sentence about its position.
    return problem(readSummary(error))
  }
}

function wrap<Input extends object>(evaluate: (context: Input) => unknown): Condition<Input> {
  return {
    ask(input, budget) {
      if (budget.left <= 0) return EVENT_EXCEEDED
      try {
        const run = runMetered(budget, EVALUATION_UNITS_MAX, () => evaluate(input))
        if (run.isExceeded) return budget.left <= 0 ? EVENT_EXCEEDED : CONDITION_EXCEEDED
        if (typeof run.value === 'boolean') return run.value ? MATCH : NO_MATCH
        return failure('error', 'it gave neither true nor false')
      } catch (error) {
        return failure('error', readSummary(error))
      }
    },
  }
}

type Failed = Extract<ConditionAnswer, { kind: 'failed' }>

function failure(cause: 'error' | 'work', reason: string): Failed {
  return { kind: 'failed', cause, reason }
}

const CONDITION_EXCEEDED = failure(
  'work',
  `It takes more work for this event than a condition may do (${EVALUATION_UNITS_MAX} units).`,
)
const EVENT_EXCEEDED = failure(
  'work',
  'The conditions before it have used up the work that one event may cost.',
)

const NEVER: Condition = {
  ask: () => failure('error', 'This program does not understand the condition.'),
}
// Conditions of all tenants, some kilobytes each; the oldest makes room. Compiling takes 0.05 to
// 0.8 ms (2026-11-23), so that a batch does it in turns (choose-rules.ts).
const COMPILED_MAX = 2_000
const compiled = new Map<string, Condition>()

export function isCompiled(text: string): boolean {
  return compiled.has(text)
}

/**
 * Compiles a stored condition. A condition that a newer version of the program stored, and that
 * this one does not understand, matches nothing.
 */
export function compileCondition(text: string): Condition {
  const known = compiled.get(text)
  if (known !== undefined) return known
  const result = parseStored(LANGUAGE, text)
  const condition = result.kind === 'parsed' ? wrap<ConditionInput>(result.run) : NEVER
  if (compiled.size >= COMPILED_MAX) {
    const [oldest = ''] = compiled.keys()
    compiled.delete(oldest)
  }
  compiled.set(text, condition)
  return condition
}

function problem(reason: string): { readonly kind: 'problem'; readonly reason: string } {
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
function findFault(ast: ASTNode, language: ConditionLanguage): string | null {
  const visit = (node: ASTNode, isInLoop: boolean): string | null => {
    const isKnown = OPERATORS.has(node.op) || language.operators?.has(node.op) === true
    if (!isKnown) return `uses ${node.op}, which conditions do not have`
    const fault = findFaultOfCall(node, isInLoop, language.lists)
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

function findFaultOfCall(node: ASTNode, isInLoop: boolean, lists: KnownLists): string | null {
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
  return isKnownList(receiver, lists)
    ? null
    : `may ask ${name} of ${[...lists.keys()].join(', ')} and lists that it holds itself`
}
