// Counts the work of conditions while they run, in units and not in time: a condition costs the
// same for the same event on every machine. The library has no such count, so the nodes of a parsed
// and checked condition are charged one by one, before each of them does its work.
//
// The sums were measured on 2026-11-23 (docs/guides/case-groups.md has the bounds): a unit is at
// most 50 ns. A step takes some 50 ns; `contains` and `size` look at 8 characters of the worst text
// in that time, other functions at 32; an error takes 6 µs, and drawing it into its text the rest.

import type { ASTNode } from '@marcbachmann/cel-js'
import { PARSING_CALLS } from './condition-cost.ts'

const SEARCHED_A_UNIT = 8
const READ_A_UNIT = 32
const PARSING_UNITS = 20
const ERROR_UNITS = 120
const DRAWN_A_UNIT = 16

// The longest duration that means something has some 20 characters. The library's pattern takes
// cubic time: ten seconds for 3,000 digits.
const DURATION_LENGTH_MAX = 64

/** What one evaluation, or the evaluations for one event, may use. */
export class WorkBudget {
  left: number

  constructor(units: number) {
    this.left = units
  }
}

/** One instance, since nobody needs its stack: it may be thrown hundreds of times in a row. */
class WorkExceeded extends Error {}
const EXCEEDED = new WorkExceeded('the condition has used up its work')

// Evaluation is synchronous, so that one budget at a time is enough for all conditions.
let running = new WorkBudget(0)

function charge(units: number): void {
  running.left -= units
  if (running.left < 0) throw EXCEEDED
}

/**
 * Runs a metered condition on at most `unitsMax` of the budget, and takes what it used from the
 * budget. The library turns an error of one operand into the answer of the other, so it is the
 * budget that tells whether the work was exceeded.
 */
export function runMetered<Value>(
  budget: WorkBudget,
  unitsMax: number,
  run: () => Value,
): { readonly isExceeded: true } | { readonly isExceeded: false; readonly value: Value } {
  const granted = Math.min(budget.left, unitsMax)
  const own = new WorkBudget(granted)
  running = own
  try {
    const value = run()
    return own.left < 0 ? { isExceeded: true } : { isExceeded: false, value }
  } catch (error) {
    if (own.left < 0) return { isExceeded: true }
    throw error
  } finally {
    budget.left -= granted - Math.max(0, own.left)
  }
}

/** The parts of the library's node (8.0.0) that it does not declare. */
interface Node {
  readonly op: string
  readonly args: unknown
  readonly input: string
  readonly meta: {
    /** What a macro was expanded to; then the node itself does nothing. */
    readonly alternate?: Node
    readonly macro?: { readonly evaluate: Evaluate }
    readonly evaluate: Evaluate
  }
  /** The work on evaluated operands, of nodes that have any. Set by the check of types. */
  handle?: (...operands: unknown[]) => unknown
  evaluate: Evaluate
}
type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown

/** Once for each parsed condition, after the check of its types. */
export function meterNodes(ast: ASTNode): void {
  eachNode(ast, meterNode, new Set())
}

function eachNode(value: unknown, meter: (node: Node) => void, met: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || met.has(value)) return
  met.add(value)
  if (Array.isArray(value)) for (const part of value) eachNode(part, meter, met)
  else if (!isNode(value)) eachPartOfLoop(value, meter, met)
  else if (value.meta.alternate !== undefined) eachNode(value.meta.alternate, meter, met)
  else {
    meter(value)
    eachNode(value.args, meter, met)
  }
}

// The operands of a loop have names.
function eachPartOfLoop(loop: object, meter: (node: Node) => void, met: Set<unknown>): void {
  for (const name of ['iterable', 'init', 'step'] as const) {
    eachNode(Reflect.get(loop, name), meter, met)
  }
}

function isNode(value: object): value is Node {
  return 'op' in value && 'meta' in value && 'args' in value
}

function meterNode(node: Node): void {
  const { handle } = node
  const steps = 1 + (Array.isArray(node.args) ? node.args.flat().length : 1)
  if (handle === undefined) {
    if (node.op !== 'value' && node.op !== 'id') meterEvaluation(node, steps)
    return
  }
  const weighOperands = chooseWeight(node)
  node.handle =
    weighOperands === null
      ? // The branches of a choice and the rounds of a loop run within, and charge for themselves.
        (...operands) => {
          charge(steps)
          return handle(...operands)
        }
      : (...operands) => {
          charge(steps + weighOperands(operands))
          return chargeErrors(node, () => handle(...operands))
        }
}

/** Nodes without a handle: `||`, `&&`, lists and `has`. */
function meterEvaluation(node: Node, steps: number): void {
  const { meta } = node
  node.evaluate = (evaluator, self, context) => {
    charge(steps)
    return chargeErrors(node, () =>
      meta.macro === undefined
        ? meta.evaluate(evaluator, self, context)
        : meta.macro.evaluate(evaluator, meta.macro, context),
    )
  }
}

function chargeErrors(node: Node, work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error !== EXCEEDED) charge(ERROR_UNITS + Math.ceil(node.input.length / DRAWN_A_UNIT))
    throw error
  }
}

type Weigh = (operands: readonly unknown[]) => number

/** Null for a node whose handle evaluates other nodes. */
function chooseWeight(node: Node): Weigh | null {
  switch (node.op) {
    case '?:':
    case 'comprehension':
      return null
    case 'call':
    case 'rcall':
      return weighCall(node)
    case '.':
    case '!_':
    case '-_':
      return () => 0
    default:
      return weighPair
  }
}

function weighCall({ args }: Node): Weigh {
  const name: unknown = Array.isArray(args) ? args[0] : null
  if (name === 'duration') return ([given]) => weighDuration(given)
  const own = typeof name === 'string' && PARSING_CALLS.has(name) ? PARSING_UNITS : 0
  const charactersAUnit = name === 'contains' || name === 'size' ? SEARCHED_A_UNIT : READ_A_UNIT
  return ([given]) => own + (Array.isArray(given) ? weighAll(given, charactersAUnit) : 0)
}

function weighDuration(given: unknown): number {
  const text: unknown = Array.isArray(given) ? given[0] : null
  if (typeof text === 'string' && text.length > DURATION_LENGTH_MAX) {
    charge(ERROR_UNITS)
    throw new RangeError(`duration() takes a text of at most ${DURATION_LENGTH_MAX} characters`)
  }
  return PARSING_UNITS
}

function weighPair([left, right]: readonly unknown[]): number {
  // Texts of two lengths differ at a glance; they are looked through only to find the greater one.
  return weigh(left, READ_A_UNIT) + weigh(right, READ_A_UNIT)
}

function weighAll(values: readonly unknown[], charactersAUnit: number): number {
  let units = 0
  for (const value of values) units += weigh(value, charactersAUnit)
  return units
}

/** Values of an event are at most 16 levels deep, and have at most 5,000 values. */
function weigh(value: unknown, charactersAUnit: number): number {
  if (typeof value === 'string') return Math.ceil(value.length / charactersAUnit)
  if (typeof value !== 'object' || value === null) return 0
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return members.length + weighAll(members, charactersAUnit)
}
