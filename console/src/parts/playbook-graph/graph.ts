// A playbook's graph as the console works with it. Pure: the canvas, the outline and the run
// inspector read the same model.

export interface Position {
  readonly x: number
  readonly y: number
}

/** A node of any kind; what its `config` may have is said by the JSON Schema of its kind. */
export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly config?: Readonly<Record<string, unknown>>
  /** The node behind each way out; a path that is left out ends there. */
  readonly paths?: Readonly<Record<string, string>>
  readonly position?: Position
  readonly note?: string
  readonly retry?: Readonly<Record<string, number>>
}

const CHOICE_KINDS: readonly string[] = ['trigger', 'manual']
const FIXED: Readonly<Record<string, readonly string[]>> = {
  start: ['next'],
  true_false: ['true', 'false', 'error'],
  delay: ['next'],
  join: ['next'],
  for_each: ['each', 'next', 'error'],
  sub_playbook: ['next', 'error'],
  set_state: ['next'],
  resolve: [],
  close: [],
  assign: ['next', 'error'],
  tag: ['next', 'error'],
  set_field: ['next', 'error'],
  set_deadline: ['next', 'error'],
  comment: ['next'],
  notify_reporter: ['sent', 'error'],
  statement_of_reasons: ['sent', 'error'],
  mitigate: ['done', 'error'],
  lookup: ['next', 'error'],
  api_caller: ['success', 'error'],
  webhook: ['next', 'error'],
  verify: ['clean', 'still_abusive', 'unknown'],
  end: [],
  divider: [],
}

/**
 * The ways out of a node in their order, as its settings say: those of its kind, and those that are
 * connected although the settings name them no longer. `known` are the paths of its kind as the
 * server lists them, for kinds that this console has not heard of.
 */
export function waysOut(node: GraphNode, known: readonly string[] = []): readonly string[] {
  const named = namedWays(node) ?? known
  const left = Object.keys(node.paths ?? {}).filter((path) => !named.includes(path))
  return [...named, ...left]
}

/** Without what is connected only; null for a kind that the console does not know. */
export function namedWays({ kind, config = {} }: GraphNode): readonly string[] | null {
  const timeout = config['timeout'] === undefined ? [] : ['timeout']
  if (CHOICE_KINDS.includes(kind)) return unique([...readTexts(config['paths']), ...timeout])
  if (kind === 'fork') return unique(readTexts(config['paths']))
  if (kind === 'wait_until') return ['met', ...timeout, 'error']
  if (kind === 'email') {
    return config['bounce_within'] === undefined ? ['sent', 'error'] : ['sent', 'bounced', 'error']
  }
  if (kind === 'switch') {
    const cases = Array.isArray(config['cases']) ? config['cases'] : []
    return unique([...cases.flatMap(readCasePath), 'default', 'error'])
  }
  return FIXED[kind] ?? null
}

function readCasePath(one: unknown): readonly string[] {
  if (typeof one !== 'object' || one === null || !('path' in one)) return []
  return typeof one.path === 'string' && one.path !== '' ? [one.path] : []
}

function readTexts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.filter((one): one is string => typeof one === 'string' && one !== '')
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** Paths that are taken when something fails. */
export function isTroublePath(path: string): boolean {
  return path === 'error' || path === 'bounced'
}

export interface Connection {
  readonly from: string
  readonly path: string
  readonly to: string
}

/** Every connection between two nodes that are there. */
export function listConnections(nodes: readonly GraphNode[]): readonly Connection[] {
  const ids = new Set(nodes.map(({ id }) => id))
  return nodes.flatMap((node) =>
    waysOut(node).flatMap((path) => {
      const to = node.paths?.[path]
      return to !== undefined && ids.has(to) ? [{ from: node.id, path, to }] : []
    }),
  )
}

/** One line that says what the node does, from its settings. Empty where there is nothing to say. */
export function summarizeNode({ config = {}, kind }: GraphNode): string {
  const given = (name: string): string => showValue(config[name])
  switch (kind) {
    case 'true_false':
    case 'wait_until':
      return given('condition')
    case 'delay':
      return given('duration') || given('until') || given('business')
    case 'set_state':
      return given('state')
    case 'resolve':
      return given('resolution')
    case 'close':
      return given('close_reason')
    case 'tag':
      return [
        ...readTexts(config['add']).map((tag) => `+${tag}`),
        ...readTexts(config['remove']).map((tag) => `−${tag}`),
      ].join(' ')
    case 'email':
      return [given('to'), given('template')].filter((text) => text !== '').join(' · ')
    case 'notify_reporter':
    case 'statement_of_reasons':
      return given('template')
    case 'api_caller':
      return [given('method') || 'GET', given('url')].join(' ')
    case 'webhook':
      return given('url')
    case 'comment':
    case 'divider':
      return given('text')
    case 'manual':
      return given('question')
    case 'verify':
      return [given('check'), given('target')].filter((text) => text !== '').join(' ')
    case 'mitigate':
      return [given('kind'), given('target')].filter((text) => text !== '').join(' ')
    case 'for_each':
      return given('list')
    case 'lookup':
      return given('item')
    case 'sub_playbook':
      return given('playbook')
    case 'assign':
      return given('assignee_user_id')
    case 'set_deadline':
      return given('duration') || given('business') || given('until')
    case 'set_field':
      return Object.entries(config)
        .map(([name, value]) => `${name}: ${showValue(value)}`)
        .join(', ')
    default:
      return ''
  }
}

function showValue(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').trim()
  if (typeof value === 'object' && value !== null && 'cel' in value) return String(value.cel)
  return JSON.stringify(value)
}

export interface GraphDifference {
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  readonly changed: ReadonlySet<string>
}

/** By id. Where a node stands on the canvas is no change of what it does. */
export function compareGraphs(
  before: readonly GraphNode[],
  after: readonly GraphNode[],
): GraphDifference {
  const former = new Map(before.map((node) => [node.id, node]))
  const next = new Map(after.map((node) => [node.id, node]))
  return {
    added: new Set(after.filter(({ id }) => !former.has(id)).map(({ id }) => id)),
    removed: new Set(before.filter(({ id }) => !next.has(id)).map(({ id }) => id)),
    changed: new Set(
      after
        .filter((node) => {
          const old = former.get(node.id)
          return old !== undefined && listChangedMembers(old, node).length > 0
        })
        .map(({ id }) => id),
    ),
  }
}

export interface ChangedMember {
  /** Such as `kind`, `config/text`, `paths/error`. */
  readonly field: string
  readonly before: string
  readonly after: string
}

export function listChangedMembers(before: GraphNode, after: GraphNode): readonly ChangedMember[] {
  const old = flatten(before)
  const next = flatten(after)
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field) => {
    const [was = '', is = ''] = [old.get(field), next.get(field)]
    return was === is ? [] : [{ field, before: was, after: is }]
  })
}

const SPLIT_MEMBERS: readonly string[] = ['config', 'paths', 'retry']

function flatten({ position: _position, ...node }: GraphNode): ReadonlyMap<string, string> {
  const flat = new Map<string, string>()
  for (const [name, value] of Object.entries<unknown>(node)) {
    if (SPLIT_MEMBERS.includes(name) && typeof value === 'object' && value !== null) {
      for (const [inner, one] of Object.entries<unknown>({ ...value })) {
        flat.set(`${name}/${inner}`, say(one))
      }
    } else flat.set(name, say(value))
  }
  return flat
}

function say(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(sortMembers(value)) ?? '')
}

/** The server may give the members of an object in another order. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, one]) => [name, sortMembers(one)]))
}
