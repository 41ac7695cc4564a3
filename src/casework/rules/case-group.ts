// Case groups: which events they take, and their correlation policy (threshold, age, gap, relapse,
// late events). docs/guides/case-groups.md explains them to operators.

import type { XarfCategory } from '../../vocabulary/event-types.ts'
import { DEFAULT_GROUP_ID } from '../cases/case.ts'
import type { Severity } from '../cases/case-tables.ts'
import { DEFAULT_KEY_FIELDS, type KeyField } from './correlation-key.ts'
import type { MuteRule } from './mute-rule.ts'

export interface CaseGroup {
  readonly id: string
  /** Groups are tried in ascending position; the first match takes the event. */
  readonly position: number
  readonly name: string
  readonly description: string
  readonly isEnabled: boolean
  /** Null: events of every class. */
  readonly xarfClasses: readonly XarfCategory[] | null
  readonly keyFields: readonly KeyField[]
  /** CEL over one event (compile-condition.ts); null: every event. */
  readonly condition: string | null
  readonly policy: CorrelationPolicy
  /** Tried in their order on the event that opens a case; null where there are none. */
  readonly severityRules: readonly SeverityRule[] | null
  /** Severity of its new cases that no rule decides. */
  readonly severity: Severity | null
  readonly playbookId: string | null
}

export interface SeverityRule {
  /** CEL, as the condition of the group. */
  readonly condition: string
  readonly severity: Severity
}

export type RelapsePolicy = 'reopen' | 'link' | 'new' | 'attach_only'

export type LateEventPolicy = 'attach' | 'open_case'

/** How events of one correlation key become cases. Null where there is no limit. */
export interface CorrelationPolicy {
  readonly thresholdEvents: number
  readonly thresholdReporters: number
  /** The events that count towards the threshold happened within this time. */
  readonly thresholdWindowSeconds: number | null
  /** The longest time from the first event of a case to one that still joins it. */
  readonly maxAgeSeconds: number | null
  /** The longest time from the last event of a case to one that still joins it. */
  readonly maxGapSeconds: number | null
  readonly relapse: RelapsePolicy
  /** Counted from the end of a case; later events are no relapse. */
  readonly relapseWindowSeconds: number | null
  readonly lateEvent: LateEventPolicy
}

/** The policy of shipped groups: one open case a key, which every event of the key joins. */
export const DEFAULT_POLICY: CorrelationPolicy = {
  thresholdEvents: 1,
  thresholdReporters: 1,
  thresholdWindowSeconds: null,
  maxAgeSeconds: null,
  maxGapSeconds: null,
  relapse: 'link',
  relapseWindowSeconds: null,
  lateEvent: 'attach',
}

/** A new group before its members are set; in front of all others. */
export function buildEmptyGroup(id: string, name: string): CaseGroup {
  return {
    id,
    position: 0,
    name,
    description: '',
    isEnabled: true,
    xarfClasses: null,
    keyFields: DEFAULT_KEY_FIELDS,
    condition: null,
    policy: DEFAULT_POLICY,
    severityRules: null,
    severity: null,
    playbookId: null,
  }
}

type ShippedGroup = Pick<CaseGroup, 'id' | 'position' | 'name' | 'description' | 'isEnabled'> & {
  readonly xarfClasses: readonly XarfCategory[] | null
}

// XARF names four kinds of response: block now, take content down, help the client clean up, harden
// a server. An event without a class, and every event while the four are off, belongs to the last
// group.
export const SHIPPED_GROUPS: readonly ShippedGroup[] = [
  {
    id: 'block',
    position: 1,
    name: 'Block now',
    description: 'Attacks and unwanted mail that go on until somebody stops them.',
    isEnabled: false,
    xarfClasses: ['connection', 'messaging'],
  },
  {
    id: 'take-down',
    position: 2,
    name: 'Take content down',
    description: 'Content that must not stay reachable, copyright complaints among it.',
    isEnabled: false,
    xarfClasses: ['content', 'copyright'],
  },
  {
    id: 'clean-up',
    position: 3,
    name: 'Help to clean up',
    description: 'Machines that somebody else controls, and what lists say about them.',
    isEnabled: false,
    xarfClasses: ['infrastructure', 'reputation'],
  },
  {
    id: 'harden',
    position: 4,
    name: 'Harden a server',
    description: 'Open services, wrong settings and known holes that nobody has used yet.',
    isEnabled: false,
    xarfClasses: ['vulnerability'],
  },
  {
    id: DEFAULT_GROUP_ID,
    position: 1_000,
    name: 'Everything',
    description: 'Takes every event that no other group took.',
    isEnabled: true,
    xarfClasses: null,
  },
]

/** The fate of an event without a known owner (tenant setting `unmatched`, design section 10). */
export type UnmatchedRule = 'item_is_customer' | 'unassigned'

/** Everything of a tenant that decides how its events are correlated. */
export interface IngestRules {
  readonly groups: readonly CaseGroup[]
  /** Rules that were not ended; the caller checks whether their time has run out. */
  readonly muteRules: readonly MuteRule[]
  /** The setting; without one it depends on whether the tenant has resources or a resolver. */
  readonly unmatched: UnmatchedRule
  readonly hasResources: boolean
  readonly hasResolver: boolean
}
