// The JSON Schema of a kind's settings, read for a form. What a form has no field for is written as
// JSON. Pure.

type Json = Readonly<Record<string, unknown>>

export type Shape =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text'; readonly isLong: boolean }
  /** CEL. */
  | { readonly kind: 'condition' }
  /** A text with Liquid templates. */
  | { readonly kind: 'template' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  /** Seconds, or an ISO 8601 duration. */
  | { readonly kind: 'duration' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'texts' }
  | { readonly kind: 'objects'; readonly variants: readonly Json[] }
  | { readonly kind: 'object'; readonly schema: Json }
  /** A constant of the inner shape, or an expression: `{"cel": "…"}`. */
  | { readonly kind: 'value'; readonly constant: Shape }
  | { readonly kind: 'json' }

export interface Field {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly shape: Shape
}

const LONG = 1_000
const CONDITIONS: readonly string[] = ['condition', 'where', 'list', 'cel']

export function readFields(schema: Json): readonly Field[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(asObject(schema['properties'])).map(([name, member]) => {
    const given = asObject(member)
    return {
      name,
      description: asText(given['description']).replace(/ Or \{"cel": "…"\}\.$/, ''),
      isRequired: required.includes(name),
      shape: readShape(name, given),
    }
  })
}

function readShape(name: string, schema: Json): Shape {
  const options = readOptions(schema)
  if (options !== null) return readUnion(name, options)
  switch (schema['type']) {
    case 'string':
      return readText(name, schema)
    case 'boolean':
      return { kind: 'boolean' }
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        ...(typeof schema['minimum'] === 'number' ? { min: schema['minimum'] } : {}),
        ...(typeof schema['maximum'] === 'number' ? { max: schema['maximum'] } : {}),
      }
    case 'array':
      return readArray(asObject(schema['items']))
    case 'object':
      return schema['properties'] === undefined ? { kind: 'json' } : { kind: 'object', schema }
    default:
      return { kind: 'json' }
  }
}

function readText(name: string, schema: Json): Shape {
  if (CONDITIONS.includes(name)) return { kind: 'condition' }
  if (asText(schema['description']).includes('LiquidJS')) return { kind: 'template' }
  const longest = schema['maxLength']
  const isName = schema['x-refers-to'] !== undefined || schema['pattern'] !== undefined
  return { kind: 'text', isLong: !isName && typeof longest === 'number' && longest > LONG }
}

function readArray(items: Json): Shape {
  const options = readOptions(items) ?? [items]
  if (options.every(({ type }) => type === 'object')) return { kind: 'objects', variants: options }
  return options.every(({ type }) => type === 'string') ? { kind: 'texts' } : { kind: 'json' }
}

function readUnion(name: string, options: readonly Json[]): Shape {
  const rest = options.filter((option) => !isExpression(option))
  if (rest.length < options.length) {
    const [only] = rest
    const constant =
      rest.length === 1 && only !== undefined ? readShape(name, only) : readUnion(name, rest)
    return { kind: 'value', constant }
  }
  const choices = options.flatMap((option) =>
    typeof option['const'] === 'string' ? [option['const']] : [],
  )
  // Null, where it may be chosen, is what leaving the field out is to a person.
  const isChoice = options.every((option) => 'const' in option || option['type'] === 'null')
  if (isChoice) return { kind: 'choice', choices }
  const types = options.map((option) => option['type'])
  if (types.includes('integer') && types.includes('string')) return { kind: 'duration' }
  const [first] = options.filter(({ type }) => type !== 'null')
  return first !== undefined && types.length === 2 && types.includes('null')
    ? readShape(name, first)
    : { kind: 'json' }
}

function readOptions(schema: Json): readonly Json[] | null {
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].map(asObject) : null
}

function isExpression({ properties }: Json): boolean {
  return Object.keys(asObject(properties)).join() === 'cel'
}

/** The constants by which the variants of a list are told apart: `{event: 'case_created'}`. */
export function readConstants(schema: Json): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(asObject(schema['properties'])).flatMap(([name, member]) => {
      const value = asObject(member)['const']
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

export function asObject(value: unknown): Json {
  return isJson(value) ? value : {}
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `close_reason` as people read it: "Close reason". */
export function sayName(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
