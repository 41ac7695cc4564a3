// The changes of a history entry in words: "Severity: High", "Tags: +phishing".

import type { Text } from '../../messages/use-text.ts'
import type { messages as partMessages } from '../../parts/messages.ts'
import type { messages as sharedMessages } from '../cases/shared/messages.ts'
import type { messages } from './messages.ts'

interface Texts {
  readonly t: Text<keyof (typeof messages)['en']>
  readonly ts: Text<keyof (typeof sharedMessages)['en']>
  readonly tp: Text<keyof (typeof partMessages)['en']>
  /** A time in the zone and language of the person. */
  readonly sayTime: (at: Date) => string
}

const TITLES = {
  severity: 'changed_severity',
  assignee_user_id: 'changed_assignee',
  waiting_on: 'changed_waiting',
  customer_status: 'changed_customer_status',
  deadline_at: 'changed_deadline',
  aware_at: 'changed_aware',
  resolution: 'changed_resolution',
  close_reason: 'changed_close_reason',
  merged_into: 'changed_merged_into',
  into: 'changed_into',
  out_of: 'changed_out_of',
  split_from: 'changed_split_from',
  node: 'changed_node',
  path: 'changed_path',
} as const

export function describeChanges(changes: unknown, texts: Texts): readonly string[] {
  if (typeof changes !== 'object' || changes === null) return []
  return Object.entries(changes).flatMap(([name, value]) => {
    if (name === 'tags') return [`${texts.t('changed_tags')}: ${compareTags(value)}`]
    if (name === 'metadata') return [texts.t('changed_metadata')]
    if (name === 'from' && Array.isArray(value)) {
      return value.flatMap((one) => sayMerged(one, texts))
    }
    if (!isTitled(name)) return []
    return [`${texts.t(TITLES[name])}: ${sayValue(name, readTo(value), texts)}`]
  })
}

function isTitled(name: string): name is keyof typeof TITLES {
  return Object.hasOwn(TITLES, name)
}

/** A change has its former and its new value; other members are the value itself. */
function readTo(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return 'to' in value ? sayPlain(value.to) : ''
  }
  return sayPlain(value)
}

function sayPlain(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sayValue(name: keyof typeof TITLES, value: string, texts: Texts): string {
  const { t, ts, tp, sayTime } = texts
  if (value === '' || value === '–') return '–'
  if (name === 'assignee_user_id') return t('assigned_anew')
  if (name === 'deadline_at' || name === 'aware_at') {
    const at = new Date(value)
    return Number.isNaN(at.getTime()) ? value : sayTime(at)
  }
  const keys: Readonly<Record<string, string>> = {
    severity: `severity_${value}`,
    waiting_on: `waiting_${value}`,
    resolution: `resolution_${value}`,
    close_reason: `close_${value}`,
    customer_status: `customer_${value}`,
  }
  const key = keys[name]
  if (key === undefined) return value
  for (const say of [t, ts, tp]) {
    const said = trySay(say, key)
    if (said !== null) return said
  }
  return value
}

function trySay(say: (key: never) => string, key: string): string | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key that is not there throws
    return say(key as never)
  } catch {
    return null
  }
}

function compareTags(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const [from, to] = [readTexts(Reflect.get(value, 'from')), readTexts(Reflect.get(value, 'to'))]
  const added = to.filter((tag) => !from.includes(tag)).map((tag) => `+${tag}`)
  const removed = from.filter((tag) => !to.includes(tag)).map((tag) => `−${tag}`)
  return [...added, ...removed].join(' ')
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function sayMerged(one: unknown, { t }: Texts): readonly string[] {
  if (typeof one !== 'object' || one === null) return []
  const id: unknown = Reflect.get(one, 'case_id')
  const count: unknown = Reflect.get(one, 'event_count')
  if (typeof id !== 'string') return []
  return [t('merged_case', { id, count: typeof count === 'number' ? count : 0 })]
}
