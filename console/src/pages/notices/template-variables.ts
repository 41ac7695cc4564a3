// What a template may show to whom, offered while one is typed. The server refuses everything else
// (src/casework/notices/template-variables.ts).

import type { Completions } from '../../parts/code-editor-view.tsx'
import type { Template } from './data.ts'

const OF_REPORTER = [
  'case.id',
  'case.state',
  'case.resolution',
  'case.close_reason',
  'case.event_types',
  'case.created_at',
  'case.first_event_date',
  'case.last_event_date',
  'event.event_type',
  'event.event_date',
  'event.ip',
  'event.domain',
  'event.url',
] as const
const OF_CUSTOMER = [
  ...OF_REPORTER,
  'case.case_group',
  'case.severity',
  'case.event_count',
  'case.event_ips',
  'case.contract_id',
  'case.deadline_at',
  'event.event_id',
  'events.newest',
  'events.count',
  'customer.id',
  'customer.name',
] as const
const OF_ALL = ['provider.name', 'text', 'now', 'vars', 'reasons', 'digest.notices'] as const

const VARIABLES: Readonly<Record<Template['profile'], readonly string[]>> = {
  customer: [...OF_ALL, ...OF_CUSTOMER],
  reporter: [...OF_ALL, ...OF_REPORTER, 'report.id'],
  authority: [...OF_ALL, ...OF_CUSTOMER, 'case.event_reporters', 'event.sender_email', 'report.id'],
}

const TAGS = [
  '{% if case.event_count > 1 %}',
  '{% else %}',
  '{% endif %}',
  '{% for event in events.newest %}',
  '{% endfor %}',
] as const

export function completionsOf(profile: Template['profile']): Completions {
  return [...VARIABLES[profile].map((label) => ({ label })), ...TAGS.map((label) => ({ label }))]
}
