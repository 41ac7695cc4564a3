// The kinds of nodes: the config that each needs, and the paths by which it is left (design section
// 9).

import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isJsonObject, isStorableText, joinPointer } from '../../values/json-value.ts'
import {
  type CaseState,
  CLOSE_REASONS,
  type CloseReason,
  DEFAULT_RESOLUTION,
  isCloseReason,
  isResolution,
  RESOLUTIONS,
  type Resolution,
} from '../cases/case-state.ts'

/** Whom a node can wait for. */
const WAITING_PARTIES = ['agent', 'customer', 'reporter', 'third_party'] as const
export type WaitingParty = (typeof WAITING_PARTIES)[number]

/** The action of a node, by kind. Waiting kinds (`trigger`, `manual`) name their own paths. */
export type NodeAction =
  | { readonly kind: 'start' }
  | {
      readonly kind: 'trigger' | 'manual'
      /** What the case shows as `waiting_on` meanwhile; null leaves it as it is. */
      readonly waitsFor: WaitingParty | null
    }
  | {
      readonly kind: 'set_state'
      /** A case never returns to NEW. */
      readonly state: Exclude<CaseState, 'NEW'>
      /** Set exactly for RESOLVED. */
      readonly resolution: Resolution | null
      /** Set exactly for CLOSED. */
      readonly closeReason: CloseReason | null
      /** True: an ended case is opened again. False: the run ends at an ended case. */
      readonly mayReopen: boolean
    }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'resolve'; readonly resolution: Resolution }
  | { readonly kind: 'end' }

export const NODE_KINDS = [
  'start',
  'trigger',
  'manual',
  'set_state',
  'comment',
  'resolve',
  'end',
] as const satisfies readonly NodeAction['kind'][]
type NodeKind = (typeof NODE_KINDS)[number]

// Kinds of later versions: the refusal says that this version does not have them.
const LATER_KINDS: ReadonlySet<string> = new Set([
  'true_false',
  'switch',
  'delay',
  'wait_until',
  'api_caller',
  'email',
  'webhook',
  'close',
  'assign',
  'tag',
  'set_field',
  'set_deadline',
  'mitigate',
  'lookup',
  'verify',
  'notify_reporter',
  'statement_of_reasons',
  'sub_playbook',
  'for_each',
  'fork',
  'join',
  'loop',
  'divider',
])

// A console shows them as buttons in a row.
export const PATHS_MAX = 20
export const COMMENT_LENGTH_MAX = 10_000

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/
export const NODE_NAME_RULE =
  'must be 1 to 64 letters, digits, hyphens or underscores, beginning and ending with a letter or digit'

/** Whether the text may be the id of a node or the name of a path. It is safe in URLs and logs. */
export function isNodeName(text: string): boolean {
  return NAME.test(text)
}

export interface ParsedNode {
  readonly action: NodeAction
  /** Names of the paths in the author's order; empty for a node that ends the token. */
  readonly paths: readonly string[]
}

/**
 * Parses kind and config of the node at `path`, such as `/nodes/3`; null when there is a problem.
 */
export function readNode(
  node: Record<string, unknown>,
  path: string,
  problems: FieldProblem[],
): ParsedNode | null {
  const kind = NODE_KINDS.find((known) => known === node['kind'])
  if (kind === undefined) {
    addProblem(problems, `${path}/kind`, explainUnknownKind(node['kind']))
    return null
  }
  const config = node['config'] ?? {}
  if (!isJsonObject(config)) {
    addProblem(problems, `${path}/config`, 'must be an object')
    return null
  }
  return readConfig(kind, new ConfigReader(config, `${path}/config`, problems))
}

function explainUnknownKind(kind: unknown): string {
  if (kind === undefined) return 'is missing'
  if (typeof kind === 'string' && LATER_KINDS.has(kind)) {
    return `${kind} is not available in this version; there are ${NODE_KINDS.join(', ')}`
  }
  return `must be one of ${NODE_KINDS.join(', ')}`
}

function readConfig(kind: NodeKind, config: ConfigReader): ParsedNode | null {
  switch (kind) {
    case 'start':
      return config.takeOnly([]) ? { action: { kind }, paths: ['next'] } : null
    case 'end':
      return config.takeOnly([]) ? { action: { kind }, paths: [] } : null
    case 'trigger':
    case 'manual': {
      const isTaken = config.takeOnly(['paths', 'waiting_on'])
      const paths = config.readPaths()
      // A person decides at a manual node. A trigger may come from anywhere.
      const waitsFor = config.readWaitingOn(kind === 'manual' ? 'agent' : null)
      if (!isTaken || paths === null || waitsFor === undefined) return null
      return { action: { kind, waitsFor }, paths }
    }
    case 'comment': {
      const isTaken = config.takeOnly(['text'])
      const text = config.readText()
      return isTaken && text !== null ? { action: { kind, text }, paths: ['next'] } : null
    }
    case 'resolve': {
      const isTaken = config.takeOnly(['resolution'])
      const resolution = config.readResolution()
      return isTaken && resolution !== null ? { action: { kind, resolution }, paths: [] } : null
    }
    case 'set_state':
      return readSetState(config)
  }
}

const NO_END = { resolution: null, closeReason: null, mayReopen: false } as const

function readSetState(config: ConfigReader): ParsedNode | null {
  const kind = 'set_state'
  const state = config.value('state')
  if (state === 'IN_PROGRESS') {
    const isTaken = config.takeOnly(['state', 'reopen'])
    const mayReopen = config.readReopen()
    if (!isTaken || mayReopen === null) return null
    return { action: { kind, state, ...NO_END, mayReopen }, paths: ['next'] }
  }
  if (state === 'RESOLVED') {
    const isTaken = config.takeOnly(['state', 'resolution'])
    const resolution = config.readResolution()
    if (!isTaken || resolution === null) return null
    return { action: { kind, state, ...NO_END, resolution }, paths: ['next'] }
  }
  if (state === 'CLOSED') {
    const isTaken = config.takeOnly(['state', 'close_reason'])
    const closeReason = config.readCloseReason()
    if (!isTaken || closeReason === null) return null
    return { action: { kind, state, ...NO_END, closeReason }, paths: ['next'] }
  }
  config.refuse(
    'state',
    state === undefined ? 'is missing' : 'must be one of IN_PROGRESS, RESOLVED, CLOSED',
  )
  return null
}

class ConfigReader {
  readonly #config: Record<string, unknown>
  readonly #path: string
  readonly #problems: FieldProblem[]

  constructor(config: Record<string, unknown>, path: string, problems: FieldProblem[]) {
    this.#config = config
    this.#path = path
    this.#problems = problems
  }

  value(name: string): unknown {
    return this.#config[name]
  }

  refuse(name: string, reason: string): void {
    addProblem(this.#problems, joinPointer(this.#path, name), reason)
  }

  #refusePath(at: number, reason: string): void {
    addProblem(this.#problems, `${this.#path}/paths/${at}`, reason)
  }

  takeOnly(names: readonly string[]): boolean {
    const unknown = Object.keys(this.#config).filter((name) => !names.includes(name))
    for (const name of unknown) this.refuse(name, 'is not known here')
    return unknown.length === 0
  }

  readPaths(): readonly string[] | null {
    const given = this.#config['paths']
    if (!Array.isArray(given) || given.length < 1 || given.length > PATHS_MAX) {
      this.refuse('paths', `must be a list of 1 to ${PATHS_MAX} names of paths`)
      return null
    }
    const paths: string[] = []
    for (const [at, name] of given.entries()) {
      if (typeof name !== 'string' || !isNodeName(name)) this.#refusePath(at, NODE_NAME_RULE)
      else if (paths.includes(name)) this.#refusePath(at, 'is there twice')
      else paths.push(name)
    }
    return paths.length === given.length ? paths : null
  }

  /** Undefined when it is not valid. */
  readWaitingOn(otherwise: WaitingParty | null): WaitingParty | null | undefined {
    const given = this.#config['waiting_on']
    if (given === undefined) return otherwise
    const party = WAITING_PARTIES.find((known) => known === given)
    if (party === undefined) {
      this.refuse('waiting_on', `must be one of ${WAITING_PARTIES.join(', ')}`)
    }
    return party
  }

  readText(): string | null {
    const text = this.#config['text']
    if (typeof text === 'string' && text.trim() !== '' && text.length <= COMMENT_LENGTH_MAX) {
      if (isStorableText(text)) return text
      this.refuse('text', 'has U+0000 or a lone surrogate')
    } else {
      this.refuse('text', `must be a text of 1 to ${COMMENT_LENGTH_MAX} characters`)
    }
    return null
  }

  readReopen(): boolean | null {
    const reopen = this.#config['reopen'] ?? false
    if (typeof reopen === 'boolean') return reopen
    this.refuse('reopen', 'must be true or false')
    return null
  }

  readResolution(): Resolution | null {
    const resolution = this.#config['resolution'] ?? DEFAULT_RESOLUTION
    if (typeof resolution === 'string' && isResolution(resolution)) return resolution
    this.refuse('resolution', `must be one of ${RESOLUTIONS.join(', ')}`)
    return null
  }

  readCloseReason(): CloseReason | null {
    const reason = this.#config['close_reason']
    if (typeof reason === 'string' && isCloseReason(reason) && reason !== 'merged') return reason
    const choices = CLOSE_REASONS.filter((choice) => choice !== 'merged')
    this.refuse('close_reason', `must be one of ${choices.join(', ')}`)
    return null
  }
}
