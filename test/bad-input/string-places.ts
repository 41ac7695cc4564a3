// Every place of a body that takes text, found in its schema: members at any depth, elements of
// lists, values and names of maps.

import { resolve, type Schema } from './operations.ts'

type Step = string | number

export interface StringPlace {
  /** As a JSON pointer; `*` is the name of a member of a map. */
  readonly name: string
  /** The body with the text in its place; the rest is as it was. */
  readonly put: (body: unknown, text: string) => unknown
  /** What stands there in a body; undefined where nothing does. */
  readonly read: (body: unknown) => unknown
}

// A condition of a case group holds conditions, without end.
const DEPTH_MAX = 7

export function listStringPlaces(schema: Schema): readonly StringPlace[] {
  const places = new Map<string, StringPlace>()
  visit(schema, [], (steps, isName) => {
    const name = `/${steps.join('/')}${isName ? '/*' : ''}`
    places.set(name, {
      name,
      put: (body, text) => putAt(body, isName ? [...steps, text] : steps, isName ? 'x' : text),
      // The name is the text; there is no value of its own to read.
      read: (body) => (isName ? undefined : readAt(body, steps)),
    })
  })
  return [...places.values()]
}

function visit(
  given: unknown,
  steps: readonly Step[],
  note: (steps: readonly Step[], isName: boolean) => void,
): void {
  const schema = resolve(given)
  if (typeof schema !== 'object' || schema === null || steps.length > DEPTH_MAX) return
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    visit(part, steps, note)
  }
  const types = [schema.type].flat()
  // Without a type it takes any JSON, so text as well.
  const isAny =
    schema.type === undefined && schema.anyOf === undefined && schema.oneOf === undefined
  if (types.includes('string') || schema.enum !== undefined || isAny) note(steps, false)
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    visit(member, [...steps, name], note)
  }
  if (schema.items !== undefined) visit(schema.items, [...steps, 0], note)
  const maps = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties]
  for (const member of maps) {
    if (typeof member !== 'object') continue
    note(steps, true)
    visit(member, [...steps, 'k'], note)
  }
}

function putAt(value: unknown, steps: readonly Step[], text: string): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return text
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? value : []
    return [putAt(list[0], rest, text), ...list.slice(1)]
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  // Spread and a computed name, so that `__proto__` becomes a member.
  return { ...members, [step]: putAt(Reflect.get(members, step), rest, text) }
}

function readAt(value: unknown, steps: readonly Step[]): unknown {
  return steps.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  )
}
