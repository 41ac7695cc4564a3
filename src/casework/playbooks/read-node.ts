// Reads one node of a graph: the members that all nodes have, and the config by the schema and the
// `read` of its kind.

import { type CheckFields, compileFieldCheck } from '../../kernel/http/validator.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isJsonObject, isStorableText, joinPointer } from '../../values/json-value.ts'
import type { NodeKind, RetryPolicy } from './node-kind.ts'
import { findNodeKind } from './nodes/node-kinds.ts'

export const NOTE_LENGTH_MAX = 2_000
// A drawing of 500 nodes is some ten thousand pixels wide.
export const POSITION_MAX = 1_000_000
export const RETRY_SECONDS_MAX = 86_400
export const RETRY_ATTEMPTS_MAX = 20

export const NODE_MEMBERS: readonly string[] = [
  'id',
  'kind',
  'config',
  'paths',
  'position',
  'note',
  'retry',
]

export interface ReadNode {
  readonly kind: NodeKind
  /** What `read` of the kind returned. */
  readonly config: object
  /** Null where the retry of the kind holds. */
  readonly retry: RetryPolicy | null
}

/** Reads the node at `path`, such as `/nodes/3`; null when there is a problem. */
export function readNode(
  node: Record<string, unknown>,
  path: string,
  problems: FieldProblem[],
): ReadNode | null {
  const before = problems.length
  readDrawing(node, path, problems)
  const kind = findNodeKind(node['kind'])
  if (typeof kind === 'string') {
    addProblem(problems, `${path}/kind`, kind)
    return null
  }
  const retry = readRetry(node['retry'], kind, `${path}/retry`, problems)
  const config = readConfig(kind, node['config'] ?? {}, `${path}/config`, problems)
  return config === null || problems.length > before ? null : { kind, config, retry }
}

/** For editors: the engine looks at neither. */
function readDrawing(
  { position, note }: Record<string, unknown>,
  path: string,
  problems: FieldProblem[],
): void {
  if (position !== undefined && !isPosition(position)) {
    addProblem(problems, `${path}/position`, 'must be {"x": …, "y": …} of two numbers')
  }
  if (note === undefined) return
  const isNote = typeof note === 'string' && note.length <= NOTE_LENGTH_MAX && isStorableText(note)
  if (isNote) return
  addProblem(problems, `${path}/note`, `must be a text of at most ${NOTE_LENGTH_MAX} characters`)
}

function isPosition(value: unknown): boolean {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return false
  return [value['x'], value['y']].every(
    (one) => typeof one === 'number' && Math.abs(one) <= POSITION_MAX,
  )
}

function readRetry(
  given: unknown,
  { kind, call }: NodeKind,
  path: string,
  problems: FieldProblem[],
): RetryPolicy | null {
  if (given === undefined) return null
  if (call === undefined) {
    addProblem(problems, path, `belongs to nodes that call another system; ${kind} does not`)
    return null
  }
  if (!isJsonObject(given)) {
    addProblem(problems, path, 'must be an object of attempts, seconds and max_seconds')
    return null
  }
  const before = problems.length
  for (const name of Object.keys(given)) {
    if (['attempts', 'seconds', 'max_seconds'].includes(name)) continue
    addProblem(problems, joinPointer(path, name), 'is not known here')
  }
  const read = (name: string, otherwise: number, max: number): number => {
    const value = given[name] ?? otherwise
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) {
      return value
    }
    addProblem(problems, `${path}/${name}`, `must be a whole number from 1 to ${max}`)
    return otherwise
  }
  const attempts = read('attempts', 1, RETRY_ATTEMPTS_MAX)
  const seconds = read('seconds', 30, RETRY_SECONDS_MAX)
  const maxSeconds = read('max_seconds', Math.max(seconds, 3_600), RETRY_SECONDS_MAX)
  return problems.length > before ? null : { attempts, seconds, maxSeconds }
}

// Compiled at the first use: a process parses few of the kinds.
const checks = new Map<NodeKind, CheckFields>()

function readConfig(
  kind: NodeKind,
  config: unknown,
  path: string,
  problems: FieldProblem[],
): object | null {
  if (!isJsonObject(config)) {
    addProblem(problems, path, 'must be an object')
    return null
  }
  const check = checks.get(kind) ?? compileFieldCheck(kind.config)
  checks.set(kind, check)
  const faults = check(config)
  for (const fault of faults) addProblem(problems, `${path}${fault.path}`, fault.reason)
  if (faults.length > 0) return null
  const before = problems.length
  const read = kind.read(config, {
    refuse(field, reason) {
      const place =
        typeof field === 'string'
          ? `${path}/${field}`
          : field.reduce<string>((pointer, step) => joinPointer(pointer, step), path)
      addProblem(problems, place, reason)
      return null
    },
  })
  return problems.length > before ? null : read
}
