// Set Field: sets severity, waiting_on, customer_status and metadata of the case.

import { type Static, Type } from 'typebox'
import type { CasePatch } from '../../cases/case-change-store.ts'
import { CustomerStatus, Severity, WaitingOn } from '../../cases/case-detail-wire.ts'
import type {
  Severity as SeverityWord,
  CustomerStatus as StatusWord,
  WaitingOn as WaitingOnWord,
} from '../../cases/case-tables.ts'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import {
  CHANGE_PATHS,
  changeByPlaybook,
  findMetadataProblem,
  type PlaybookChange,
} from './change-cases.ts'
import {
  type ConfigValue,
  readValue,
  type ValueReader,
  ValueTrouble,
  valueOf,
} from './value-config.ts'

const MEMBERS_MAX = 20

const SetFieldConfig = Type.Object(
  {
    severity: Type.Optional(
      valueOf(Type.Union([...Severity.anyOf, Type.Null()]), 'Null takes it away.'),
    ),
    waiting_on: Type.Optional(valueOf(Type.Union(WaitingOn.anyOf), 'Whose turn it is.')),
    customer_status: Type.Optional(
      valueOf(Type.Union(CustomerStatus.anyOf), 'Contact with the customer.'),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: MEMBERS_MAX,
        description:
          'Members to set, others stay; null takes one away. A value may be {"cel": "…"}.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const SET_FIELD = defineNodeKind({
  kind: 'set_field',
  title: 'Set Field',
  description:
    'Sets severity, waiting_on, customer_status and members of the metadata of the case, to constants or to what an expression gives.',
  config: SetFieldConfig,
  read: readFields,
  paths: () => CHANGE_PATHS,
  needsFacts: true,
  decide: act,
  apply: changeByPlaybook,
  example: {
    config: {
      severity: 'high',
      metadata: { ticket: { cel: 'vars.ticket.body.id' }, source: 'playbook' },
    },
  },
})

const SEVERITIES: ReadonlySet<SeverityWord> = new Set(Severity.anyOf.map((one) => one.const))
const PARTIES: ReadonlySet<WaitingOnWord> = new Set(WaitingOn.anyOf.map((one) => one.const))
const STATUSES: ReadonlySet<StatusWord> = new Set(CustomerStatus.anyOf.map((one) => one.const))

function readFields(
  config: Static<typeof SetFieldConfig>,
  reading: ConfigReading,
): PlaybookChange | null {
  const { severity, waiting_on: waitingOn, customer_status: customerStatus, metadata } = config
  if (Object.keys(config).length === 0) return reading.refuse('severity', 'is missing; set a field')
  const set = Object.entries(metadata ?? {})
  const members = set.map(
    ([name, given]) => [name, readValue(given, ['metadata', name], reading)] as const,
  )
  const constant = set.filter(([, given]) => given !== null)
  const problem = findMetadataProblem(Object.fromEntries(constant))
  if (problem !== null) return reading.refuse('metadata', problem)
  const fields = {
    severity: severity === undefined ? undefined : readValue(severity, 'severity', reading),
    waitingOn: waitingOn === undefined ? undefined : readValue(waitingOn, 'waiting_on', reading),
    customerStatus:
      customerStatus === undefined
        ? undefined
        : readValue(customerStatus, 'customer_status', reading),
  }
  if (Object.values(fields).includes(null) || members.some(([, value]) => value === null)) {
    return null
  }
  return { plan: (values) => planFields(fields, members, values) }
}

interface Fields {
  readonly severity: ConfigValue | null | undefined
  readonly waitingOn: ConfigValue | null | undefined
  readonly customerStatus: ConfigValue | null | undefined
}

function planFields(
  { severity, waitingOn, customerStatus }: Fields,
  members: readonly (readonly [string, ConfigValue | null])[],
  { read }: ValueReader,
): CasePatch {
  const set = Object.fromEntries(
    members.flatMap(([name, value]) => (value === null ? [] : [[name, toJson(read(value))]])),
  )
  const problem = findMetadataProblem(set)
  if (problem !== null) throw new ValueTrouble(`metadata ${problem}`)
  const severityIn = (value: unknown) => (value === null ? null : pick(SEVERITIES, value))
  return {
    ...(severity ? { severity: severityIn(read(severity)) } : {}),
    ...(waitingOn ? { waitingOn: pick(PARTIES, read(waitingOn)) } : {}),
    ...(customerStatus ? { customerStatus: pick(STATUSES, read(customerStatus)) } : {}),
    ...(members.length > 0 ? { setMetadata: set } : {}),
  }
}

function pick<Word extends string>(words: ReadonlySet<Word>, value: unknown): Word {
  for (const word of words) if (word === value) return word
  throw new ValueTrouble(`the expression gives none of ${[...words].join(', ')}`)
}

/** Times as texts. */
function toJson(value: unknown): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
  return plain
}
