// YAML as the other form of JSON: no tags, no keys but texts, few aliases, one document. The tokens
// are counted before the parser reads them: a kilobyte of nested keys would keep it for minutes.

import {
  CST,
  Document,
  isCollection,
  isMap,
  isNode,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { isJsonObject, joinPointer, PROBLEMS_MAX } from '../../../values/json-value.ts'

// The largest graph is some 100,000 tokens; a text of this many takes about a second.
const TOKENS_MAX = 150_000
const DEPTH_MAX = 60
// Spaces before a text of 60 levels, eight a level.
const INDENT_MAX = 500
// Each alias repeats a part of the text.
const ALIASES_MAX = 50
const VALUES_MAX = 100_000

export type YamlReading =
  | {
      readonly kind: 'read'
      readonly value: unknown
      /** The line in which the value of this JSON pointer begins, or that of its object. */
      readonly findLine: (pointer: string) => number
    }
  | { readonly kind: 'faulty'; readonly problems: readonly FieldProblem[] }

/** The value of the text as JSON has it, or its faults with their lines. */
export function readYaml(text: string): YamlReading {
  const trouble = scanTokens(text)
  if (trouble !== null) return { kind: 'faulty', problems: [trouble] }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    // Also where the text names an older YAML: yes stays a text, and no tag makes an object.
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    stringKeys: true,
    // The parser's own check takes quadratic time; see findTwice.
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
  })
  const faults = [...document.errors, ...document.warnings].slice(0, PROBLEMS_MAX)
  const problems: FieldProblem[] = faults.map(({ pos, message }) => {
    const [sentence = ''] = message.split('\n')
    const reason = `is no YAML of the JSON kind: ${sentence}`
    return { path: '/', reason, line: lines.linePos(pos[0]).line }
  })
  const lineOf = (node: unknown): number =>
    isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1
  if (problems.length === 0) findTwice(document.contents, '', problems, lineOf)
  if (problems.length > 0) return { kind: 'faulty', problems }
  const findLine = (pointer: string): number => lineOf(findNearest(document.contents, pointer))
  return toJson(document, findLine)
}

function toJson(document: Document, findLine: (pointer: string) => number): YamlReading {
  const refuse = (path: string, reason: string): YamlReading => ({
    kind: 'faulty',
    problems: [{ path: path === '' ? '/' : path, reason, line: findLine(path) }],
  })
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX })
    const trouble = findOdd(value, '', { left: VALUES_MAX }, 0)
    if (trouble !== null) return refuse(trouble.path, trouble.reason)
    return { kind: 'read', value: plain(value), findLine }
  } catch (error) {
    // An alias of nothing is told as an error of reference, too many as one of their number.
    if (error instanceof ReferenceError) {
      return refuse('', `has ${ALIASES_MAX} aliases at most, each of an anchor before it`)
    }
    throw error
  }
}

/** A copy, in which two aliases of one anchor are two values. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

/** Why the parser must not see the text; null when it may. */
function scanTokens(text: string): FieldProblem | null {
  let count = 0
  /** Open brackets and braces. */
  let flowDepth = 0
  /** Blocks that begin in this line, as three do in `- - a: 1`. */
  let lineDepth = 0
  let line = 1
  let isScalar = false
  const refuse = (reason: string): FieldProblem => ({ path: '/', reason, line })
  for (const token of new Lexer().lex(text)) {
    count += 1
    if (count > TOKENS_MAX) return refuse('is too long as YAML; send it as JSON')
    const type: CST.TokenType | null = isScalar ? 'scalar' : CST.tokenType(token)
    // This mark says that the next token is a text.
    const isMark: boolean = type === 'scalar' && !isScalar
    isScalar = isMark
    if (!isMark) line += countLines(token)
    if (type === 'explicit-key-ind') {
      return refuse('has a key behind a question mark, which is not taken')
    }
    if (type === 'flow-map-start' || type === 'flow-seq-start') flowDepth += 1
    if (type === 'flow-map-end' || type === 'flow-seq-end') flowDepth -= 1
    if (type === 'newline') lineDepth = 0
    if (type === 'seq-item-ind' || (type === 'map-value-ind' && flowDepth === 0)) lineDepth += 1
    const isIndentedFar = type === 'space' && token.length > INDENT_MAX
    const isDeep = flowDepth > DEPTH_MAX || lineDepth > DEPTH_MAX || isIndentedFar
    if (isDeep) return refuse(`nests deeper than ${DEPTH_MAX} levels`)
  }
  return null
}

function countLines(token: string): number {
  let count = 0
  for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) count += 1
  return count
}

/** Adds a problem for each key that an object has twice. */
function findTwice(
  node: unknown,
  path: string,
  problems: FieldProblem[],
  lineOf: (node: unknown) => number,
): void {
  if (isSeq(node)) {
    for (const [at, item] of node.items.entries()) {
      findTwice(item, joinPointer(path, at), problems, lineOf)
    }
  }
  if (!isMap(node)) return
  const met = new Set<string>()
  for (const { key, value } of node.items) {
    const name = String(key)
    const place = joinPointer(path, name)
    if (met.has(name) && problems.length < PROBLEMS_MAX) {
      problems.push({ path: place, reason: 'stands here twice', line: lineOf(key) })
    }
    met.add(name)
    findTwice(value, place, problems, lineOf)
  }
}

/** What JSON cannot say, or too much of it: aliases may repeat parts, or lead back. */
function findOdd(
  value: unknown,
  path: string,
  values: { left: number },
  depth: number,
): { readonly path: string; readonly reason: string } | null {
  values.left -= 1
  if (values.left < 0) return { path: '', reason: `has more than ${VALUES_MAX} values` }
  if (depth > DEPTH_MAX) return { path: '', reason: `nests deeper than ${DEPTH_MAX} levels` }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, reason: 'is a number that JSON does not have' }
  }
  for (const [name, member] of listMembers(value)) {
    const odd = findOdd(member, joinPointer(path, name), values, depth + 1)
    if (odd !== null) return odd
  }
  return null
}

function listMembers(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((one, at) => [at, one])
  return isJsonObject(value) ? Object.entries(value) : []
}

/** The node of the pointer, or the last one on the way to it. */
function findNearest(root: unknown, pointer: string): unknown {
  let place = root
  for (const part of pointer.split('/').slice(1)) {
    if (!isCollection(place)) return place
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: unknown = isSeq(place) ? place.items[Number(name)] : findMember(place, name)
    if (next === undefined || next === null) return place
    place = next
  }
  return place
}

function findMember(place: unknown, name: string): unknown {
  if (!isMap(place)) return undefined
  const pair = place.items.find(({ key }) => String(key) === name)
  // The key stands where a person looks; the value of a map begins a line later.
  return isCollection(pair?.value) ? pair.value : pair?.key
}

// oxlint-disable-next-line eslint/no-control-regex
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

/** A text that `readYaml` reads as the same value, with a blank line before each node. */
export function writeYaml(value: Record<string, unknown>): string {
  const document = new Document(value, { version: '1.2', schema: 'core' })
  const nodes = document.get('nodes')
  if (isSeq(nodes)) {
    for (const node of nodes.items) {
      if (!isMap(node)) continue
      node.spaceBefore = true
      for (const name of ['position', 'paths', 'retry']) {
        const member = node.get(name)
        if (isMap(member)) member.flow = true
      }
    }
  }
  // They could move the cursor of a terminal, and no other style of a text escapes them.
  visit(document, {
    Scalar(_, scalar) {
      const isOdd = typeof scalar.value === 'string' && CONTROLS.test(scalar.value)
      if (isOdd) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  const text = document.toString({ lineWidth: 0, blockQuote: 'literal' })
  return text.replaceAll(/[\x7f-\x9f]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`)
}
