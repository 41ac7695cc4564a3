// The facts that nodes see: the case, its newest events, its customer, what intel knows of its
// newest event, the vars of the token, the run, and the time. Conditions and templates use the same
// names. docs/guides/write-a-playbook.md lists them.

import {
  type Condition,
  type ConditionResult,
  type Expression,
  type ExpressionResult,
  parseConditionOf,
  parseExpressionOf,
} from '../rules/compile-condition.ts'
import {
  type ConditionInput,
  createConditionEnvironment,
  EVENT_LISTS,
  EVENT_SCHEMA,
  INTEL_SCHEMA,
} from '../rules/condition-environment.ts'

// The newest events that nodes see. More are rarely read, and a condition that loops over them
// costs its body for each.
export const FACT_EVENTS_MAX = 100
/** Contacts of a customer; the first of them are kept. */
export const FACT_CONTACTS_MAX = 20
/** The events of the last day, and of the last week, are counted up to this number. */
export const FACT_COUNT_MAX = 1_000

/** A missing text is the empty text; a missing time is null. */
export interface CaseFacts {
  readonly id: string
  readonly state: string
  readonly case_group: string
  readonly severity: string
  readonly resolution: string
  readonly close_reason: string
  readonly waiting_on: string
  readonly customer_status: string
  readonly customer_id: string
  readonly contract_id: string
  readonly assignee_user_id: string
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly event_count: bigint
  readonly event_types: readonly string[]
  readonly event_ips: readonly string[]
  readonly event_reporters: readonly string[]
  readonly event_tags: readonly string[]
  readonly reopen_count: bigint
  readonly first_event_date: Date
  readonly last_event_date: Date
  readonly created_at: Date
  readonly updated_at: Date
  readonly due_at: Date | null
  readonly deadline_at: Date | null
}

/** Without the details, which only the newest event has (`event.details`). */
export interface EventInList {
  readonly event_id: string
  readonly event_type: string
  readonly event_subtypes: readonly string[]
  readonly event_date: Date
  readonly sender_email: string
  readonly ip: string
  readonly domain: string
  readonly tags: readonly string[]
  readonly report_id: string
}

interface CustomerFacts {
  /** False where the operator has stored no customer of this id. */
  readonly is_known: boolean
  readonly id: string
  readonly name: string
  readonly parent_customer_id: string
  readonly contacts: readonly Readonly<Record<string, string>>[]
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface Facts {
  readonly case: CaseFacts
  /** The newest by `event_date`; empty values for a case without one. */
  readonly event: ConditionInput['event']
  readonly events: {
    /** The newest first, at most 100. */
    readonly newest: readonly EventInList[]
    readonly count: bigint
    /** At most 1,000 are counted. */
    readonly last_day: bigint
    readonly last_week: bigint
  }
  readonly customer: CustomerFacts
  /** Of the address and the domain of the newest event. */
  readonly intel: ConditionInput['intel']
  readonly vars: Readonly<Record<string, unknown>>
  readonly run: {
    readonly id: string
    readonly playbook_id: string
    readonly version: bigint
    readonly visits: bigint
  }
  readonly now: Date
}

const TIME = 'google.protobuf.Timestamp'

const environment = createConditionEnvironment()
  .registerVariable({
    name: 'case',
    schema: {
      id: 'string',
      state: 'string',
      case_group: 'string',
      severity: 'string',
      resolution: 'string',
      close_reason: 'string',
      waiting_on: 'string',
      customer_status: 'string',
      customer_id: 'string',
      contract_id: 'string',
      assignee_user_id: 'string',
      tags: 'list<string>',
      metadata: 'map',
      event_count: 'int',
      event_types: 'list<string>',
      event_ips: 'list<string>',
      event_reporters: 'list<string>',
      event_tags: 'list<string>',
      reopen_count: 'int',
      first_event_date: TIME,
      last_event_date: TIME,
      created_at: TIME,
      updated_at: TIME,
      // Null where there is none.
      due_at: 'dyn',
      deadline_at: 'dyn',
    },
  })
  .registerVariable({ name: 'event', schema: EVENT_SCHEMA })
  .registerVariable({
    name: 'events',
    schema: { newest: 'list<map>', count: 'int', last_day: 'int', last_week: 'int' },
  })
  .registerVariable({
    name: 'customer',
    schema: {
      is_known: 'bool',
      id: 'string',
      name: 'string',
      parent_customer_id: 'string',
      contacts: 'list<map>',
      metadata: 'map',
    },
  })
  .registerVariable({ name: 'intel', schema: INTEL_SCHEMA })
  .registerVariable('vars', 'map')
  .registerVariable({
    name: 'run',
    schema: { id: 'string', playbook_id: 'string', version: 'int', visits: 'int' },
  })
  .registerVariable('now', TIME)

const LANGUAGE = {
  environment,
  // The lists that conditions may loop over, with their greatest length.
  lists: new Map([
    ...EVENT_LISTS,
    ['events.newest', FACT_EVENTS_MAX],
    ['case.tags', 100],
    ['case.event_types', 100],
    ['case.event_ips', 100],
    ['case.event_reporters', 100],
    ['case.event_tags', 100],
    ['customer.contacts', FACT_CONTACTS_MAX],
  ]),
  // For times and durations: `now - duration("1h")`.
  operators: new Set(['+', '-']),
}

export type FactCondition = Condition<Facts>

/** Parses and checks a condition over the facts. Parsed anew for each version that is loaded. */
export function parseFactCondition(text: string): ConditionResult<Facts> {
  return parseConditionOf(LANGUAGE, text)
}

export type FactExpression = Expression<Facts>

/** The same of an expression, whose value may be of any type. */
export function parseFactExpression(text: string): ExpressionResult<Facts> {
  return parseExpressionOf(LANGUAGE, text)
}

const EPOCH = new Date(0)
const NO_ITEM = { listed: false, intent: 'unknown', tags: [], activity: false }

export const NO_EVENT: ConditionInput['event'] = {
  event_type: '',
  event_subtypes: [],
  event_date: EPOCH,
  xarf_class: '',
  sender_email: '',
  recipient_email: '',
  ip: '',
  domain: '',
  url: '',
  url_host: '',
  tags: [],
  report_id: '',
  customer_id: '',
  contract_id: '',
  details: {},
}

/** The facts of a case that is not there, and of nodes that ask for none. */
export const NO_FACTS: Facts = {
  case: {
    id: '',
    state: '',
    case_group: '',
    severity: '',
    resolution: '',
    close_reason: '',
    waiting_on: '',
    customer_status: '',
    customer_id: '',
    contract_id: '',
    assignee_user_id: '',
    tags: [],
    metadata: {},
    event_count: 0n,
    event_types: [],
    event_ips: [],
    event_reporters: [],
    event_tags: [],
    reopen_count: 0n,
    first_event_date: EPOCH,
    last_event_date: EPOCH,
    created_at: EPOCH,
    updated_at: EPOCH,
    due_at: null,
    deadline_at: null,
  },
  event: NO_EVENT,
  events: { newest: [], count: 0n, last_day: 0n, last_week: 0n },
  customer: {
    is_known: false,
    id: '',
    name: '',
    parent_customer_id: '',
    contacts: [],
    metadata: {},
  },
  intel: { ip: NO_ITEM, domain: NO_ITEM },
  vars: {},
  run: { id: '', playbook_id: '', version: 0n, visits: 0n },
  now: EPOCH,
}
