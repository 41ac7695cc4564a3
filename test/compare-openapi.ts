// Finds what breaks a client when one OpenAPI document takes the place of another: what is gone,
// what is asked for more, and what is answered otherwise. Names of schemas are of no account:
// references are followed. docs/reference/compatibility.md says what counts as a break.

type Json = Readonly<Record<string, unknown>>

/** `request`: what the server takes must not get less. `answer`: what it gives must not. */
type Direction = 'request' | 'answer'

interface Comparison {
  readonly former: Json
  readonly present: Json
  readonly breaks: Set<string>
}

/** The breaks, one sentence each, in the order of the former document. */
export function findBreaks(former: Json, present: Json): readonly string[] {
  const comparison = { former, present, breaks: new Set<string>() }
  for (const [path, methods] of listEntries(former['paths'])) {
    for (const [method, operation] of listEntries(methods)) {
      const other = memberOf(memberOf(present['paths'], path), method)
      const where = `${method.toUpperCase()} ${path}`
      if (other === undefined) comparison.breaks.add(`${where} was removed`)
      else compareOperations(comparison, where, asJson(operation), asJson(other))
    }
  }
  return [...comparison.breaks]
}

function compareOperations(comparison: Comparison, where: string, former: Json, present: Json) {
  const { breaks } = comparison
  if (former['operationId'] !== present['operationId']) {
    breaks.add(`${where}: has another operation id, ${String(present['operationId'])}`)
  }
  if (isOpen(former) && !isOpen(present)) breaks.add(`${where}: now needs a credential`)
  for (const scopes of listScopeSets(former)) {
    if (scopes.length === 0 && isOpen(former)) continue

    if (listScopeSets(present).some((set) => set.every((scope) => scopes.includes(scope)))) continue
    breaks.add(`${where}: is no longer open with ${scopes.join(' and ') || 'no scope'}`)
  }
  compareParameters(comparison, where, former, present)
  compareBodies(comparison, where, former, present)
  compareAnswers(comparison, where, former, present)
}

/** Nobody needs a credential. */
function isOpen(operation: Json): boolean {
  const ways = asList(operation['security'])
  return ways.length === 0 || ways.some((way) => Object.keys(asJson(way)).length === 0)
}

/** Each set opens the operation. The first release had them in the requirement itself. */
function listScopeSets(operation: Json): readonly (readonly string[])[] {
  const sets = operation['x-scopes']
  if (Array.isArray(sets)) return sets.map((set) => asList(set).map(String))
  const ways = asList(operation['security']).map((way) =>
    Object.values(asJson(way)).flatMap(asList),
  )
  return ways.length === 0 ? [[]] : ways.map((way) => way.map(String))
}

function compareParameters(comparison: Comparison, where: string, former: Json, present: Json) {
  const { breaks } = comparison
  const formerOnes = listParameters(comparison.former, former)
  const presentOnes = listParameters(comparison.present, present)
  for (const [name, parameter] of formerOnes) {
    const other = presentOnes.get(name)
    const place = `${where}, ${name}`
    if (other === undefined) {
      breaks.add(`${place}: was removed`)
      continue
    }
    if (other['required'] === true && parameter['required'] !== true) {
      breaks.add(`${place}: is now required`)
    }
    compareSchemas(comparison, 'request', place, parameter['schema'], other['schema'])
  }
  for (const [name, parameter] of presentOnes) {
    if (parameter['required'] === true && !formerOnes.has(name)) {
      breaks.add(`${where}, ${name}: is new and required`)
    }
  }
}

/** By place and name, such as `query limit`. */
function listParameters(document: Json, operation: Json): ReadonlyMap<string, Json> {
  return new Map(
    asList(operation['parameters']).map((one) => {
      const parameter = resolve(document, one)
      return [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]
    }),
  )
}

function compareBodies(comparison: Comparison, where: string, former: Json, present: Json) {
  const formerBody = resolve(comparison.former, former['requestBody'])
  const presentBody = resolve(comparison.present, present['requestBody'])
  if (presentBody['required'] === true && formerBody['required'] !== true) {
    comparison.breaks.add(`${where}: a body is now required`)
  }
  compareContents(comparison, 'request', `${where}, body`, formerBody, presentBody)
}

function compareAnswers(comparison: Comparison, where: string, former: Json, present: Json) {
  const { breaks } = comparison
  const formerAnswers = asJson(former['responses'])
  const presentAnswers = asJson(present['responses'])
  for (const [status, answer] of Object.entries(formerAnswers)) {
    const other = presentAnswers[status]
    // A failure that does not happen any more breaks nobody.
    if (other === undefined && isSuccess(status)) breaks.add(`${where}, ${status}: was removed`)
    if (other === undefined) continue
    const given = resolve(comparison.former, answer)
    const place = `${where}, ${status}`
    compareContents(comparison, 'answer', place, given, resolve(comparison.present, other))
  }
  for (const status of Object.keys(presentAnswers)) {
    if (isSuccess(status) && formerAnswers[status] === undefined) {
      breaks.add(`${where}, ${status}: is a new success`)
    }
  }
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

function compareContents(
  comparison: Comparison,
  direction: Direction,
  place: string,
  former: Json,
  present: Json,
) {
  for (const [mediaType, content] of listEntries(former['content'])) {
    const other = memberOf(present['content'], mediaType)
    if (other === undefined) {
      comparison.breaks.add(`${place}: ${mediaType} was removed`)
      continue
    }
    const [one, two] = [memberOf(content, 'schema'), memberOf(other, 'schema')]
    compareSchemas(comparison, direction, place, one, two)
  }
}

const NEVER_SEEN: ReadonlySet<string> = new Set()

/** `seen`: pairs of references that are being compared, for schemas that hold themselves. */
function compareSchemas(
  comparison: Comparison,
  direction: Direction,
  place: string,
  former: unknown,
  present: unknown,
  seen: ReadonlySet<string> = NEVER_SEEN,
): void {
  const pair = `${readReference(former) ?? ''} ${readReference(present) ?? ''}`
  if (seen.has(pair)) return
  const inside = pair === ' ' ? seen : new Set([...seen, pair])
  const ones = listAlternatives(comparison.former, former)
  const others = listAlternatives(comparison.present, present)
  if (ones.length === 1 && others.length === 1) {
    const [one = {}, other = {}] = [ones[0], others[0]]
    compareSingle(comparison, direction, place, one, other, inside)
    return
  }
  // Each way to ask stays one; each answer is one that there was.
  const [given, offered] = direction === 'request' ? [ones, others] : [others, ones]
  for (const one of given) {
    const fits = offered.some((other) => {
      const trial = { ...comparison, breaks: new Set<string>() }
      const [was, is] = direction === 'request' ? [one, other] : [other, one]
      compareSingle(trial, direction, place, was, is, inside)
      return trial.breaks.size === 0
    })
    if (fits) continue
    const sentence = direction === 'request' ? 'no longer takes' : 'may now be'
    comparison.breaks.add(`${place}: ${sentence} ${describe(one)}`)
  }
}

function compareSingle(
  comparison: Comparison,
  direction: Direction,
  place: string,
  former: Json,
  present: Json,
  seen: ReadonlySet<string>,
): void {
  const wasTypes = listTypes(former)
  const isTypes = listTypes(present)
  const fits = direction === 'request' ? isWithin(wasTypes, isTypes) : isWithin(isTypes, wasTypes)
  if (!fits) {
    comparison.breaks.add(
      `${place}: is ${isTypes.join(' or ')} instead of ${wasTypes.join(' or ')}`,
    )
    return
  }
  if (direction === 'request') compareLimits(comparison, place, former, present)
  compareMembers(comparison, direction, place, former, present, seen)
  if (former['items'] !== undefined && present['items'] !== undefined) {
    const [one, other] = [former['items'], present['items']]
    compareSchemas(comparison, direction, `${place}[]`, one, other, seen)
  }
}

function compareMembers(
  comparison: Comparison,
  direction: Direction,
  place: string,
  former: Json,
  present: Json,
  seen: ReadonlySet<string>,
): void {
  const { breaks } = comparison
  const presentMembers = asJson(present['properties'])
  const [formerRequired, presentRequired] = [
    asList(former['required']),
    asList(present['required']),
  ]
  for (const [name, member] of listEntries(former['properties'])) {
    const where = `${place} /${name}`
    const other = presentMembers[name]
    if (other === undefined) {
      breaks.add(`${where}: was removed`)
      continue
    }
    if (
      direction === 'answer' &&
      formerRequired.includes(name) &&
      !presentRequired.includes(name)
    ) {
      breaks.add(`${where}: may now be missing`)
    }
    compareSchemas(comparison, direction, where, member, other, seen)
  }
  if (direction === 'request') {
    for (const name of presentRequired) {
      if (!formerRequired.includes(name)) breaks.add(`${place} /${String(name)}: is now required`)
    }
  }
  const [was, is] = [readOthers(former), readOthers(present)]
  if (
    direction === 'request' &&
    is === false &&
    was !== false &&
    listTypes(former).includes('object')
  ) {
    breaks.add(`${place}: no longer takes other members`)
  }
  if (typeof was === 'object' && typeof is === 'object') {
    compareSchemas(comparison, direction, `${place} /*`, was, is, seen)
  }
}

/** The schema of members without a name of their own; false when there are none. */
function readOthers(schema: Json): unknown {
  return memberOf(schema['patternProperties'], '^.*$') ?? schema['additionalProperties'] ?? true
}

const UPPER_LIMITS = ['maxLength', 'maxItems', 'maximum', 'maxProperties'] as const
const LOWER_LIMITS = ['minLength', 'minItems', 'minimum', 'minProperties'] as const

/** What a request may be, by its values. */
function compareLimits({ breaks }: Comparison, place: string, former: Json, present: Json): void {
  for (const limit of UPPER_LIMITS) {
    if (readNumber(present, limit, Infinity) < readNumber(former, limit, Infinity)) {
      breaks.add(`${place}: ${limit} is now ${String(present[limit])}`)
    }
  }
  for (const limit of LOWER_LIMITS) {
    // The shortest text and the smallest list have 0 of them; a number has no least value.
    const least = limit === 'minimum' ? -Infinity : 0
    if (readNumber(present, limit, least) > readNumber(former, limit, least)) {
      breaks.add(`${place}: ${limit} is now ${String(present[limit])}`)
    }
  }
  for (const rule of ['pattern', 'format'] as const) {
    if (present[rule] !== undefined && present[rule] !== former[rule]) {
      breaks.add(`${place}: ${rule} is now ${JSON.stringify(present[rule])}`)
    }
  }
  if (present['uniqueItems'] === true && former['uniqueItems'] !== true) {
    breaks.add(`${place}: equal items are no longer taken`)
  }
  compareValues(breaks, place, former, present)
}

function compareValues(breaks: Set<string>, place: string, former: Json, present: Json): void {
  const [was, is] = [listValues(former), listValues(present)]
  if (is === null) return
  if (was === null) breaks.add(`${place}: takes only ${is.map(String).join(', ')} now`)
  for (const value of was ?? []) {
    if (!is.includes(value)) breaks.add(`${place}: no longer takes ${String(value)}`)
  }
}

/** The fixed values of a schema; null when it is open. */
function listValues(schema: Json): readonly unknown[] | null {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : null
}

const ANY_TYPE = ['any'] as const

function listTypes(schema: Json): readonly string[] {
  const { type } = schema
  if (type !== undefined) return (Array.isArray(type) ? type : [type]).map(String)
  const values = listValues(schema)
  if (values === null) return ANY_TYPE
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}

function isWithin(types: readonly string[], others: readonly string[]): boolean {
  return (
    others.includes('any') ||
    types.every(
      (type) => others.includes(type) || (type === 'integer' && others.includes('number')),
    )
  )
}

/** The members of a union, with those of unions in it; a schema that is none is the only one. */
function listAlternatives(document: Json, schema: unknown): readonly Json[] {
  const resolved = resolve(document, schema)
  const union = resolved['anyOf'] ?? resolved['oneOf']
  if (union === undefined || namesMembersOnly(union)) return [resolved]
  return asList(union).flatMap((member) => listAlternatives(document, member))
}

/** Alternatives that only say which members of the schema beside them are there. */
function namesMembersOnly(union: unknown): boolean {
  return asList(union).every((one) => Object.keys(asJson(one)).join() === 'required')
}

function describe(schema: Json): string {
  const members = Object.keys(asJson(schema['properties']))
  const types = listTypes(schema).join(' or ')
  return members.length === 0 ? types : `${types} of ${members.join(', ')}`
}

function resolve(document: Json, part: unknown): Json {
  const reference = readReference(part)
  if (reference === null) return asJson(part)
  let place: unknown = document
  for (const name of reference.split('/').slice(1)) place = memberOf(place, name)
  if (place === undefined) throw new Error(`nothing is at ${reference}`)
  return resolve(document, place)
}

function readReference(part: unknown): string | null {
  const reference = memberOf(part, '$ref')
  return typeof reference === 'string' ? reference : null
}

function readNumber(schema: Json, name: string, fallback: number): number {
  const value = schema[name]
  return typeof value === 'number' ? value : fallback
}

function memberOf(value: unknown, name: string): unknown {
  return asJson(value)[name]
}

function listEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(asJson(value))
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : {}
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
