// The kinds of boxes a playbook is made of: what each needs and by which paths it is left (design
// 9).

import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isJsonObject, joinPointer } from '../../values/json-value.ts'
import { isStorableText } from '../../values/storable-text.ts'
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

/** What a node does, by kind. Waiting kinds (`trigger`, `manual`) name their own ways out. */
export type NodeAction =
  | { readonly kind: 'start' }
  | { readonly kind: 'trigger' | 'manual' }
  | {
      readonly kind: 'set_state'
      /** NEW is never entered again. */
      readonly state: Exclude<CaseState, 'NEW'>
      /** Set exactly for RESOLVED. */
      readonly resolution: Resolution | null
      /** Set exactly for CLOSED. */
      readonly closeReason: CloseReason | null
      /**
       * True when a case that has ended is opened again; else the run ends there, since somebody
       * settled the case.
       */
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

// Kinds that the model knows and this version does not run: their names get a refusal that says so.
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

// A person reads these as buttons in a row.
export const WAYS_OUT_MAX = 20
export const COMMENT_LENGTH_MAX = 10_000

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/
export const NODE_NAME_RULE =
  'must be 1 to 64 letters, digits, hyphens or underscores, beginning and ending with a letter or digit'

/** Ids of nodes and names of paths: what survives in a URL, a log line and a button. */
export function isNodeName(text: string): boolean {
  return NAME.test(text)
}

export interface NodeWithWays {
  readonly action: NodeAction
  /** Names of the ways out in the author's order; empty for what ends the token. */
  readonly ways: readonly string[]
}

/**
 * Reads kind and config of one node; null when there is a problem, which is then told under `path`
 * (such as `/nodes/3`).
 */
export function readNode(
  node: Record<string, unknown>,
  path: string,
  problems: FieldProblem[],
): NodeWithWays | null {
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

function readConfig(kind: NodeKind, config: ConfigReader): NodeWithWays | null {
  switch (kind) {
    case 'start':
      return config.takeOnly([]) ? { action: { kind }, ways: ['next'] } : null
    case 'end':
      return config.takeOnly([]) ? { action: { kind }, ways: [] } : null
    case 'trigger':
    case 'manual': {
      const isTaken = config.takeOnly(['paths'])
      const ways = config.readWays()
      return isTaken && ways !== null ? { action: { kind }, ways } : null
    }
    case 'comment': {
      const isTaken = config.takeOnly(['text'])
      const text = config.readText()
      return isTaken && text !== null ? { action: { kind, text }, ways: ['next'] } : null
    }
    case 'resolve': {
      const isTaken = config.takeOnly(['resolution'])
      const resolution = config.readResolution()
      return isTaken && resolution !== null ? { action: { kind, resolution }, ways: [] } : null
    }
    case 'set_state':
      return readSetState(config)
  }
}

const NO_END = { resolution: null, closeReason: null, mayReopen: false } as const

function readSetState(config: ConfigReader): NodeWithWays | null {
  const kind = 'set_state'
  const state = config.value('state')
  if (state === 'IN_PROGRESS') {
    const isTaken = config.takeOnly(['state', 'reopen'])
    const mayReopen = config.readReopen()
    if (!isTaken || mayReopen === null) return null
    return { action: { kind, state, ...NO_END, mayReopen }, ways: ['next'] }
  }
  if (state === 'RESOLVED') {
    const isTaken = config.takeOnly(['state', 'resolution'])
    const resolution = config.readResolution()
    if (!isTaken || resolution === null) return null
    return { action: { kind, state, ...NO_END, resolution }, ways: ['next'] }
  }
  if (state === 'CLOSED') {
    const isTaken = config.takeOnly(['state', 'close_reason'])
    const closeReason = config.readCloseReason()
    if (!isTaken || closeReason === null) return null
    return { action: { kind, state, ...NO_END, closeReason }, ways: ['next'] }
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

  #refuseWay(at: number, reason: string): void {
    addProblem(this.#problems, `${this.#path}/paths/${at}`, reason)
  }

  takeOnly(names: readonly string[]): boolean {
    const unknown = Object.keys(this.#config).filter((name) => !names.includes(name))
    for (const name of unknown) this.refuse(name, 'is not known here')
    return unknown.length === 0
  }

  readWays(): readonly string[] | null {
    const paths = this.#config['paths']
    if (!Array.isArray(paths) || paths.length < 1 || paths.length > WAYS_OUT_MAX) {
      this.refuse('paths', `must be a list of 1 to ${WAYS_OUT_MAX} names of ways out`)
      return null
    }
    const ways: string[] = []
    for (const [at, name] of paths.entries()) {
      if (typeof name !== 'string' || !isNodeName(name)) this.#refuseWay(at, NODE_NAME_RULE)
      else if (ways.includes(name)) this.#refuseWay(at, 'is there twice')
      else ways.push(name)
    }
    return ways.length === paths.length ? ways : null
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
