// A case group as the form holds it: every member has a value, and what the interface leaves out is
// an empty text or null.

import type { Schemas } from 'casework/client'
import type { CaseGroup } from './data.ts'

export type KeyField = Schemas['KeyField']
export type XarfClass = Schemas['XarfClass']
type SeverityName = Schemas['Severity']

export const KEY_FIELDS = [
  'customer_id',
  'contract_id',
  'resource',
  'ip',
  'ip_prefix',
  'domain',
  'registrable_domain',
  'event_type',
  'subtype',
  'xarf_class',
  'url_host',
  'sender_email',
] as const satisfies readonly KeyField[]

export const XARF_CLASSES = [
  'messaging',
  'connection',
  'content',
  'infrastructure',
  'copyright',
  'vulnerability',
  'reputation',
] as const satisfies readonly XarfClass[]

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export const RELAPSES = ['reopen', 'link', 'new', 'attach_only'] as const
export const LATE_EVENTS = ['attach', 'open_case'] as const

export interface GroupDraft {
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  readonly condition: string
  readonly classes: readonly XarfClass[]
  readonly keyFields: readonly KeyField[]
  readonly events: number
  readonly reporters: number
  readonly windowSeconds: number | null
  readonly maxAgeSeconds: number | null
  readonly maxGapSeconds: number | null
  readonly relapse: CaseGroup['relapse']
  readonly relapseWindowSeconds: number | null
  readonly lateEvent: CaseGroup['late_event']
  readonly severityRules: readonly {
    readonly condition: string
    readonly severity: SeverityName
  }[]
  readonly severity: SeverityName | null
  readonly playbookId: string | null
  /** Of a new group, from 1; null puts it behind the others. */
  readonly place: number | null
}

export const EMPTY_GROUP: GroupDraft = {
  name: '',
  description: '',
  enabled: true,
  condition: '',
  classes: [],
  keyFields: ['customer_id'],
  events: 1,
  reporters: 1,
  windowSeconds: null,
  maxAgeSeconds: null,
  maxGapSeconds: null,
  relapse: 'link',
  relapseWindowSeconds: null,
  lateEvent: 'attach',
  severityRules: [],
  severity: null,
  playbookId: null,
  place: null,
}

export function readGroup(group: CaseGroup): GroupDraft {
  return {
    name: group.name,
    description: group.description,
    enabled: group.enabled,
    condition: group.condition ?? '',
    classes: group.xarf_classes ?? [],
    keyFields: group.key_fields,
    events: group.threshold?.events ?? 1,
    reporters: group.threshold?.reporters ?? 1,
    windowSeconds: group.threshold?.window_seconds ?? null,
    maxAgeSeconds: group.max_age_seconds ?? null,
    maxGapSeconds: group.max_gap_seconds ?? null,
    relapse: group.relapse,
    relapseWindowSeconds: group.relapse_window_seconds ?? null,
    lateEvent: group.late_event,
    severityRules: group.severity_rules ?? [],
    severity: group.severity ?? null,
    playbookId: group.playbook_id ?? null,
    place: null,
  }
}

/** As it is sent; the playbook is apart, since attaching one needs a permission of its own. */
export function writeGroup(draft: GroupDraft) {
  const { condition, classes, severityRules, events, reporters, windowSeconds } = draft
  const hasThreshold = events > 1 || reporters > 1
  return {
    name: draft.name,
    description: draft.description,
    enabled: draft.enabled,
    condition: condition.trim() === '' ? null : condition,
    xarf_classes: classes.length === 0 ? null : [...classes],
    key_fields: [...draft.keyFields],
    threshold: hasThreshold
      ? {
          events,
          ...(reporters > 1 ? { reporters } : {}),
          ...(windowSeconds === null ? {} : { window_seconds: windowSeconds }),
        }
      : null,
    max_age_seconds: draft.maxAgeSeconds,
    max_gap_seconds: draft.maxGapSeconds,
    relapse: draft.relapse,
    relapse_window_seconds: draft.relapseWindowSeconds,
    late_event: draft.lateEvent,
    severity_rules: severityRules.length === 0 ? null : [...severityRules],
    severity: draft.severity,
    ...(draft.place === null ? {} : { order: draft.place }),
  }
}

/** A draft with the group that it began with, which says what the person changed. */
export interface StoredDraft {
  readonly draft: GroupDraft
  readonly former: GroupDraft
}

/** A stored draft of this browser; null when there is none, or one of another shape. */
export function readStoredDraft(text: string): StoredDraft | null {
  try {
    const value: unknown = JSON.parse(text)
    const [draft, former] = [readDraft(value, 'draft'), readDraft(value, 'former')]
    return draft === null || former === null ? null : { draft, former }
  } catch {
    return null
  }
}

function readDraft(stored: unknown, name: keyof StoredDraft): GroupDraft | null {
  if (typeof stored !== 'object' || stored === null) return null
  const value: unknown = Reflect.get(stored, name)
  if (typeof value !== 'object' || value === null) return null
  const merged = { ...EMPTY_GROUP, ...value }
  return Array.isArray(merged.keyFields) && Array.isArray(merged.severityRules) ? merged : null
}
