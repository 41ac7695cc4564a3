// The names and functions of conditions, offered while one is typed (docs/guides/case-groups.md).

import type { Completions } from '../../parts/code-editor-view.tsx'

const VALUES: readonly (readonly [string, string])[] = [
  ['event.event_type', 'string'],
  ['event.event_subtypes', 'list'],
  ['event.xarf_class', 'string'],
  ['event.tags', 'list'],
  ['event.event_date', 'timestamp'],
  ['event.sender_email', 'string'],
  ['event.recipient_email', 'string'],
  ['event.report_id', 'string'],
  ['event.ip', 'string'],
  ['event.domain', 'string'],
  ['event.url', 'string'],
  ['event.url_host', 'string'],
  ['event.customer_id', 'string'],
  ['event.contract_id', 'string'],
  ['event.details', 'map'],
  ...['ip', 'domain'].flatMap((item): readonly (readonly [string, string])[] => [
    [`intel.${item}.listed`, 'bool'],
    [`intel.${item}.intent`, 'string'],
    [`intel.${item}.tags`, 'list'],
    [`intel.${item}.activity`, 'bool'],
  ]),
]

const FUNCTIONS = [
  'event.ip.inCidr("198.51.100.0/24")',
  'event.domain.isUnder("example.com")',
  'event.tags.exists(tag, tag == "phishing")',
  'has(event.details.port)',
  'contains("…")',
  'startsWith("…")',
  'endsWith("…")',
  'lowerAscii()',
  'size()',
] as const

export const CONDITION_COMPLETIONS: Completions = [
  ...VALUES.map(([label, detail]) => ({ label, detail })),
  ...FUNCTIONS.map((label) => ({ label })),
]
