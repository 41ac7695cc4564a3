// The variables of templates: what each redaction profile may show of a case. A template that names
// another variable is refused when it is stored, so a reporter's address cannot slip into a mail to
// the customer by an oversight. docs/guides/tell-the-customer.md lists them.

import type { Template } from 'liquidjs'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { RedactionProfile } from './notice.ts'
import { listVariables, parseTemplate } from './template-engine.ts'

const CASE_OF_REPORTER = [
  'id',
  'state',
  'resolution',
  'close_reason',
  'event_types',
  'created_at',
  'first_event_date',
  'last_event_date',
] as const
const CASE_OF_CUSTOMER = [
  ...CASE_OF_REPORTER,
  'case_group',
  'severity',
  'event_count',
  'event_ips',
  'contract_id',
  'deadline_at',
] as const
const EVENT_OF_REPORTER = ['event_type', 'event_date', 'ip', 'domain', 'url'] as const
const EVENT_OF_CUSTOMER = ['event_id', ...EVENT_OF_REPORTER] as const

/** The members that may be named. `*`: any member of a map. `value`: it is no map. */
type Members = readonly string[] | '*' | 'value'
type ShownVariables = Readonly<Record<string, Members>>

const OF_ALL: ShownVariables = {
  vars: '*',
  reasons: '*',
  now: 'value',
  text: 'value',
  provider: ['name'],
  digest: ['notices'],
}

export const SHOWN_VARIABLES: Readonly<Record<RedactionProfile, ShownVariables>> = {
  customer: {
    ...OF_ALL,
    case: CASE_OF_CUSTOMER,
    event: EVENT_OF_CUSTOMER,
    events: ['newest', 'count'],
    customer: ['id', 'name'],
  },
  reporter: { ...OF_ALL, case: CASE_OF_REPORTER, event: EVENT_OF_REPORTER, report: ['id'] },
  authority: {
    ...OF_ALL,
    case: [...CASE_OF_CUSTOMER, 'event_reporters'],
    event: [...EVENT_OF_CUSTOMER, 'sender_email'],
    events: ['newest', 'count'],
    customer: ['id', 'name'],
    report: ['id'],
  },
}

export interface TemplateText {
  readonly subject: string
  readonly body: string
}

export interface ParsedTemplate {
  readonly subject: Template[]
  readonly body: Template[]
}

/** Null when there are problems, which are added. */
export function readTemplate(
  text: TemplateText,
  profile: RedactionProfile,
  problems: FieldProblem[],
): ParsedTemplate | null {
  const subject = readPart(text.subject, '/subject', profile, problems)
  const body = readPart(text.body, '/body', profile, problems)
  return subject === null || body === null ? null : { subject, body }
}

function readPart(
  text: string,
  path: string,
  profile: RedactionProfile,
  problems: FieldProblem[],
): Template[] | null {
  const parsed = parseTemplate(text)
  if (parsed.kind === 'trouble') {
    problems.push({ path, reason: parsed.reason })
    return null
  }
  const unknown = listVariables(parsed.template).filter(({ path: one }) => !isShown(one, profile))
  for (const { path: names, line, column } of unknown) {
    const name = names.slice(0, 2).join('.')
    const reason = `Line ${line}, column ${column}: the variable ${name} is not shown to the profile ${profile}.`
    problems.push({ path, reason })
  }
  return unknown.length === 0 ? parsed.template : null
}

function isShown([root = '', member]: readonly string[], profile: RedactionProfile): boolean {
  const shown = SHOWN_VARIABLES[profile]
  const members = Object.hasOwn(shown, root) ? shown[root] : undefined
  if (members === undefined) return false
  return members === '*' || members === 'value' || member === undefined || members.includes(member)
}
