// A value in the config of a node: as it stands, or `{"cel": "…"}`, an expression over the facts.

import { type TSchema, Type } from 'typebox'
import { isJsonObject } from '../../../values/json-value.ts'
import { WorkBudget } from '../../rules/condition-meter.ts'
import { EVENT_UNITS_MAX } from '../../rules/condition-work.ts'
import { type FactExpression, type Facts, parseFactExpression } from '../case-facts.ts'
import type { ConfigReading, Refused } from '../node-kind.ts'

const Cel = Type.Object(
  { cel: Type.String({ minLength: 1, description: 'An expression as in conditions.' }) },
  { additionalProperties: false },
)

export function valueOf<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Cel], { description: `${description} Or {"cel": "…"}.` })
}

export type ConfigValue =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'expression'; readonly expression: FactExpression }

/** Null when the expression is refused, and its problem is told. */
export function readValue(
  given: unknown,
  field: string | readonly (string | number)[],
  { refuse }: ConfigReading,
): ConfigValue | null {
  const isExpression = isJsonObject(given) && Object.keys(given).join() === 'cel'
  if (!isExpression) return { kind: 'constant', value: given }
  const text = given['cel']
  const result = parseFactExpression(typeof text === 'string' ? text : '')
  const place = [...(typeof field === 'string' ? [field] : field), 'cel']
  return result.kind === 'problem' ? refuse(place, result.reason) : result
}

/** A value of the wrong kind, for a person who reads the run. */
export class ValueTrouble extends Error {}

/** What values of one visit share: the facts, and the work that they may do. */
export interface ValueReader {
  /** Throws ValueTrouble; values are as JSON has them, and times as Date. */
  readonly read: (value: ConfigValue) => unknown
  /** Throws ValueTrouble for anything but a text. */
  readonly readText: (value: ConfigValue) => string
}

export function createValueReader(facts: Facts): ValueReader {
  const budget = new WorkBudget(EVENT_UNITS_MAX)
  const read = (value: ConfigValue): unknown => {
    if (value.kind === 'constant') return value.value
    const answer = value.expression.evaluate(facts, budget)
    if (answer.kind === 'failed') throw new ValueTrouble(answer.reason)
    return toPlain(answer.value)
  }
  return {
    read,
    readText(value) {
      const text = read(value)
      if (typeof text === 'string') return text
      throw new ValueTrouble('the expression gives no text')
    },
  }
}

/** CEL has integers of 64 bits and maps. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') {
    if (Number.isSafeInteger(Number(value))) return Number(value)
    throw new ValueTrouble('the expression gives too large a number')
  }
  if (value instanceof Date) return value
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, one]) => [String(name), toPlain(one)]))
  }
  if (!isJsonObject(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toPlain(one)]))
}

/** The outcome of a node whose value cannot be had. Rethrows everything else. */
export function refuseValue(error: unknown): Refused {
  if (!(error instanceof ValueTrouble)) throw error
  return { kind: 'refused', reason: 'value_failed', output: { explanation: error.message } }
}
