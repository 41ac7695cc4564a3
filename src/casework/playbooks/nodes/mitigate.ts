// Mitigate: asks for a mitigation of the case and waits until it is in force, or undoes those of
// the run or the case and waits until they are removed.

import { type Static, Type } from 'typebox'
import type { Tx } from '../../../kernel/db/database.ts'
import { AdapterName, MitigationKindMember } from '../../mitigations/adapter-wire.ts'
import {
  MANUAL_ADAPTER,
  type MitigationKind,
  TARGETS_OF_KINDS,
  type TargetType,
} from '../../mitigations/mitigation.ts'
import {
  lockGroup,
  lockMitigation,
  type MitigationRecord,
} from '../../mitigations/mitigation-store.ts'
import { TargetTypeMember } from '../../mitigations/mitigation-wire.ts'
import { requestMitigation } from '../../mitigations/request-mitigation.ts'
import { undoMitigations } from '../../mitigations/undo-mitigations.ts'
import type { Facts } from '../case-facts.ts'
import {
  type ApplyDeps,
  act,
  type ConfigReading,
  type Due,
  defineNodeKind,
  type Outcome,
} from '../node-kind.ts'
import { durationOf, readDuration } from './duration-config.ts'
import {
  type ConfigValue,
  createValueReader,
  readValue,
  refuseValue,
  valueOf,
} from './value-config.ts'

const PARAMETERS_MAX = 50
const NOTE_LENGTH_MAX = 2_000

const MitigateMembers = Type.Object(
  {
    action: Type.Optional(
      Type.Union([Type.Literal('execute'), Type.Literal('undo')], {
        default: 'execute',
        description: 'undo: removes what `of` names.',
      }),
    ),
    kind: Type.Optional(
      Type.Union([MitigationKindMember], {
        description: 'What is done; of undo: which kind only.',
      }),
    ),
    adapter: Type.Optional(AdapterName),
    target_type: Type.Optional(
      Type.Union([TargetTypeMember], {
        description:
          'When left out: customer for suspend, ip for null_route, block_port and custom, domain for dns_hold, url for takedown.',
      }),
    ),
    target: Type.Optional(
      valueOf(
        Type.String(),
        'When left out: that of the newest event, or the customer or contract of the case.',
      ),
    ),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'Of block_port.' }),
    ),
    expires_in: Type.Optional(
      durationOf('How long it is in force; without it until somebody undoes it.'),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: PARAMETERS_MAX,
        description: 'Sent to the adapter. A value may be {"cel": "…"}.',
      }),
    ),
    note: Type.Optional(Type.String({ maxLength: NOTE_LENGTH_MAX, description: 'For people.' })),
    allow_other: Type.Optional(
      Type.Boolean({
        description:
          'True: the target need not be that of an event of the case, or its customer or contract.',
      }),
    ),
    of: Type.Optional(
      Type.Union([Type.Literal('run'), Type.Literal('case')], {
        default: 'run',
        description: 'Of undo: those that this run asked for, or all of the case.',
      }),
    ),
    timeout: Type.Optional(
      durationOf('After this time the path error is taken, and what is still pending is undone.'),
    ),
  },
  { additionalProperties: false },
)

interface ExecuteConfig {
  readonly action: 'execute'
  readonly kind: MitigationKind
  readonly adapter: string
  readonly targetType: TargetType
  readonly target: ConfigValue | null
  readonly port: number | null
  readonly durationSeconds: number | null
  readonly parameters: readonly (readonly [string, ConfigValue])[]
  readonly note: string
  readonly allowsOther: boolean
  readonly timeoutSeconds: number | null
}

interface UndoConfig {
  readonly action: 'undo'
  readonly isOfRun: boolean
  readonly kind: MitigationKind | null
  readonly timeoutSeconds: number | null
}

type MitigateConfig = ExecuteConfig | UndoConfig

export const MITIGATE = defineNodeKind({
  kind: 'mitigate',
  title: 'Mitigate',
  description:
    'Asks an adapter or a person (`manual`) for a mitigation and waits until it is in force; then it takes the path done, and `vars.<id of the node>` has its id and target. It takes the path error when it is refused or all attempts fail. With `action: undo` it removes mitigations and waits until they are removed. A target must be of the case.',
  config: MitigateMembers,
  read: (config, reading) =>
    config.action === 'undo' ? readUndo(config, reading) : readExecute(config, reading),
  paths: () => ['done', 'error'],
  needsFacts: true,
  watchesCases: true,
  decide: act,
  apply: mitigate,
  example: {
    config: { kind: 'null_route', adapter: 'border-routers', expires_in: 'P7D', timeout: 'PT1H' },
  },
})

type Members = Static<typeof MitigateMembers>

const OF_EXECUTE = [
  'adapter',
  'target_type',
  'target',
  'port',
  'expires_in',
  'parameters',
  'note',
  'allow_other',
] as const

function readUndo(config: Members, reading: ConfigReading): UndoConfig | null {
  const strange = OF_EXECUTE.find((member) => config[member] !== undefined)
  if (strange !== undefined) return reading.refuse(strange, 'is not for undo')
  const timeoutSeconds = readSeconds(config.timeout, 'timeout', reading)
  if (timeoutSeconds === undefined) return null
  const { kind = null, of = 'run' } = config
  return { action: 'undo', isOfRun: of === 'run', kind, timeoutSeconds }
}

function readExecute(config: Members, reading: ConfigReading): ExecuteConfig | null {
  const { kind, adapter, port = null, note = '', parameters = {} } = config
  if (kind === undefined) return reading.refuse('kind', 'is missing')
  if (adapter === undefined) return reading.refuse('adapter', 'is missing; manual is a person')
  if (config.of !== undefined) return reading.refuse('of', 'is for undo')
  const types = TARGETS_OF_KINDS[kind]
  const targetType = config.target_type ?? types[0]
  if (targetType === undefined || !types.includes(targetType)) {
    return reading.refuse('target_type', `must be ${types.join(', ')} for ${kind}`)
  }
  if (targetType === 'other' && config.target === undefined) {
    return reading.refuse('target', 'is missing')
  }
  if (targetType === 'other' && config.allow_other !== true) {
    return reading.refuse('allow_other', 'must be true: no case has such a target')
  }
  if ((kind === 'block_port') !== (port !== null)) {
    return reading.refuse('port', port === null ? 'is missing' : 'is for block_port')
  }
  const durationSeconds = readSeconds(config.expires_in, 'expires_in', reading)
  const timeoutSeconds = readSeconds(config.timeout, 'timeout', reading)
  const target = config.target === undefined ? null : readValue(config.target, 'target', reading)
  const entries = Object.entries(parameters)
  const values = entries.flatMap(([name, given]) => {
    const value = readValue(given, ['parameters', name], reading)
    return value === null ? [] : [[name, value] as const]
  })
  const isSound =
    values.length === entries.length && (target !== null || config.target === undefined)
  if (!isSound || durationSeconds === undefined || timeoutSeconds === undefined) return null
  return {
    action: 'execute',
    kind,
    adapter,
    targetType,
    target,
    port,
    durationSeconds,
    parameters: values,
    note,
    allowsOther: config.allow_other === true,
    timeoutSeconds,
  }
}

/** Null when it was left out; undefined when it was refused. */
function readSeconds(
  given: Members['timeout'],
  field: string,
  { refuse }: ConfigReading,
): number | null | undefined {
  if (given === undefined) return null
  const seconds = readDuration(given)
  if (typeof seconds === 'number') return seconds
  refuse(field, seconds)
  return undefined
}

async function mitigate(
  tx: Tx,
  deps: ApplyDeps,
  dues: readonly Due<MitigateConfig>[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const due of dues) {
    const { config } = due
    // One after the other on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const outcome = await (config.action === 'undo'
      ? undo(tx, deps, due, config)
      : execute(tx, deps, due, config))
    outcomes.push(outcome)
  }
  return outcomes
}

async function execute(
  tx: Tx,
  deps: ApplyDeps,
  due: Due<MitigateConfig>,
  config: ExecuteConfig,
): Promise<Outcome> {
  let asked: { readonly value: string; readonly parameters: object }
  try {
    const { read, readText } = createValueReader(due.facts)
    const value =
      config.target === null ? findTarget(due.facts, config.targetType) : readText(config.target)
    const values = config.parameters.map(([name, one]) => [name, read(one)])
    asked = { value, parameters: Object.fromEntries(values) }
  } catch (error) {
    return refuseValue(error)
  }
  // Made by an earlier call of this visit, or now.
  const outcome = await requestMitigation(tx, deps, {
    scope: due.scope,
    caseId: due.caseId,
    runId: due.runId,
    kind: config.kind,
    target: { type: config.targetType, value: asked.value, port: config.port },
    adapter: config.adapter,
    parameters: asked.parameters,
    note: config.note,
    effectKey: due.key,
    durationSeconds: config.durationSeconds,
    expiresAt: null,
    allowsOther: config.allowsOther,
    actor: due.actor,
    causeId: due.key,
  })
  if (outcome.kind === 'refused') {
    const explanation = `${outcome.field} ${outcome.explanation}`
    return { kind: 'refused', reason: outcome.reason, output: { explanation } }
  }
  return await follow(tx, deps, due, config, outcome.mitigation)
}

function findTarget({ event, case: row }: Facts, type: TargetType): string {
  switch (type) {
    case 'ip':
      return event.ip
    case 'domain':
      return event.domain
    case 'url':
      return event.url
    case 'customer':
      return row.customer_id
    case 'contract':
      return row.contract_id
    case 'other':
      return ''
  }
}

async function follow(
  tx: Tx,
  deps: ApplyDeps,
  due: Due<MitigateConfig>,
  { timeoutSeconds, adapter }: ExecuteConfig,
  { id, state, reason, target }: MitigationRecord,
): Promise<Outcome> {
  const output = { mitigation_id: id, target }
  switch (state) {
    case 'active':
      return { kind: 'done', path: 'done', output, vars: { [due.nodeId]: output } }
    case 'failed':
      return { kind: 'refused', reason: reason ?? 'failed', output }
    case 'removing':
    case 'removed':
      // Somebody else has undone it, or its time is over.
      return { kind: 'refused', reason: 'mitigation_undone', output }
    case 'pending': {
      const timerAt = readTimer(due, timeoutSeconds)
      if (isOver(due, timerAt)) {
        const locked = await lockMitigation(tx, due.scope, id)
        const origin = { cause: 'timeout' as const, actor: due.actor, causeId: due.key }
        await undoMitigations(tx, deps, locked === null ? [] : [locked], origin)
        return { kind: 'refused', reason: 'timed_out', output }
      }
      const waitsFor = adapter === MANUAL_ADAPTER ? 'agent' : 'third_party'
      return { kind: 'wait', waitsFor, timerAt, watchesCase: true }
    }
  }
}

function readTimer({ enteredAt }: Due<MitigateConfig>, seconds: number | null): Date | null {
  return seconds === null ? null : new Date(enteredAt.getTime() + seconds * 1_000)
}

/** The only timer of a visit is that of the timeout. */
function isOver({ timerRang, now }: Due<MitigateConfig>, timerAt: Date | null): boolean {
  return timerRang || (timerAt !== null && timerAt <= now)
}

async function undo(
  tx: Tx,
  deps: ApplyDeps,
  due: Due<MitigateConfig>,
  { isOfRun, kind, timeoutSeconds }: UndoConfig,
): Promise<Outcome> {
  const { scope, caseId, runId, enteredAt, now } = due
  const group = { caseId, runId: isOfRun ? runId : null, kind, until: enteredAt }
  const before = await lockGroup(tx, scope, group)
  const stuck = before.filter((one) => isStuckSince(one, enteredAt))
  if (stuck.length > 0) {
    const output = { mitigation_ids: stuck.map(({ id }) => id) }
    return { kind: 'refused', reason: 'undo_failed', output }
  }
  // On Citus the clock of the statement is not that of the token.
  const origin = { cause: 'playbook' as const, actor: due.actor, causeId: due.key, at: now }
  await undoMitigations(tx, deps, before, origin)
  const left = await lockGroup(tx, scope, group)
  if (left.length === 0) return { kind: 'done', path: 'done', output: {} }
  const output = { mitigation_ids: left.map(({ id }) => id) }
  const timerAt = readTimer(due, timeoutSeconds)
  if (isOver(due, timerAt)) return { kind: 'refused', reason: 'timed_out', output }
  const isManual = left.some(({ adapter }) => adapter === MANUAL_ADAPTER)
  return { kind: 'wait', waitsFor: isManual ? 'agent' : 'third_party', timerAt, watchesCase: true }
}

/** Its removal did not get on, though this visit has asked for it. */
function isStuckSince({ state, reason, phaseAt }: MitigationRecord, enteredAt: Date): boolean {
  return state === 'removing' && reason !== null && phaseAt.getTime() >= enteredAt.getTime()
}
