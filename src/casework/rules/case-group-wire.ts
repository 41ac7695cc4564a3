// Case groups: which events form a case together, how long a case takes events, and the playbook
// that new cases enter (design sections 9 and 10; docs/guides/case-groups.md).

import { type Static, type TSchema, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { describe, named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { Severity } from '../cases/case-detail-wire.ts'
import type { CaseGroup as CaseGroupRecord, CorrelationPolicy } from './case-group.ts'

const XarfClass = named(
  'XarfClass',
  Type.Union([
    Type.Literal('messaging'),
    Type.Literal('connection'),
    Type.Literal('content'),
    Type.Literal('infrastructure'),
    Type.Literal('copyright'),
    Type.Literal('vulnerability'),
    Type.Literal('reputation'),
  ]),
)

const KeyField = named(
  'KeyField',
  Type.Union([
    Type.Literal('customer_id'),
    Type.Literal('contract_id'),
    Type.Literal('resource'),
    Type.Literal('ip'),
    Type.Literal('ip_prefix'),
    Type.Literal('domain'),
    Type.Literal('registrable_domain'),
    Type.Literal('event_type'),
    Type.Literal('subtype'),
    Type.Literal('xarf_class'),
    Type.Literal('url_host'),
    Type.Literal('sender_email'),
  ]),
)

// Ten years.
const SECONDS_MAX = 315_360_000
const seconds = (description: string) =>
  Type.Integer({ minimum: 1, maximum: SECONDS_MAX, description })
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Condition = Type.String({
  minLength: 1,
  maxLength: 8_000,
  description: 'CEL over `event`. An event for which it fails does not match.',
})

const Threshold = named(
  'Threshold',
  Type.Object(
    {
      events: Type.Integer({ minimum: 1, maximum: 1_000 }),
      reporters: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Different sender addresses.' }),
      ),
      window_seconds: Type.Optional(
        seconds(
          'The events happened within this time, up to the newest one; any time when left out.',
        ),
      ),
    },
    {
      additionalProperties: false,
      description:
        'How many events of a correlation key a case needs to open. Until then the events are in no case.',
    },
  ),
)

const SeverityRule = named(
  'SeverityRule',
  Type.Object({ condition: Condition, severity: Severity }, { additionalProperties: false }),
)

const MEMBERS = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.String({ maxLength: 1_000 }),
  order: Type.Integer({
    minimum: 1,
    description: 'Groups are tried in ascending order; the first match takes the event.',
  }),
  enabled: Type.Boolean(),
  condition: Condition,
  xarf_classes: Type.Array(XarfClass, {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'The classes of events that the group takes; all when absent.',
  }),
  key_fields: Type.Array(KeyField, {
    minItems: 1,
    maxItems: 12,
    uniqueItems: true,
    description: 'Events that agree in all of these fields share a case.',
  }),
  threshold: Threshold,
  max_age_seconds: seconds(
    'An event that happened later than this after the first one of its case opens the next case.',
  ),
  max_gap_seconds: seconds(
    'An event that happened later than this after the last one of its case opens the next case.',
  ),
  relapse: Type.Union(
    [
      Type.Literal('reopen'),
      Type.Literal('link'),
      Type.Literal('new'),
      Type.Literal('attach_only'),
    ],
    {
      description:
        'For events after the end of a case. reopen: a resolved case is opened again; link: a new case names the ended one; new: a new case does not name it; attach_only: they join the ended case, which stays ended.',
    },
  ),
  relapse_window_seconds: seconds('Counted from the end of a case; any time when left out.'),
  late_event: Type.Union([Type.Literal('attach'), Type.Literal('open_case')], {
    description:
      'For events that happened before their case was resolved and arrived afterwards. attach: they join the case, which stays resolved; open_case: they open a case. No policy reopens the case for them.',
  }),
  severity_rules: Type.Array(SeverityRule, {
    minItems: 1,
    maxItems: 10,
    description:
      'Severity of new cases by the event that opens them: the first rule whose condition matches, else `severity`.',
  }),
  severity: Severity,
  playbook_id: Type.String({ minLength: 1, description: 'The playbook that new cases enter.' }),
}

export const CaseGroup = named(
  'CaseGroup',
  Type.Object({
    id: Type.String(),
    name: MEMBERS.name,
    description: MEMBERS.description,
    order: MEMBERS.order,
    enabled: MEMBERS.enabled,
    condition: Type.Optional(MEMBERS.condition),
    xarf_classes: Type.Optional(MEMBERS.xarf_classes),
    key_fields: MEMBERS.key_fields,
    threshold: Type.Optional(MEMBERS.threshold),
    max_age_seconds: Type.Optional(MEMBERS.max_age_seconds),
    max_gap_seconds: Type.Optional(MEMBERS.max_gap_seconds),
    relapse: MEMBERS.relapse,
    relapse_window_seconds: Type.Optional(MEMBERS.relapse_window_seconds),
    late_event: MEMBERS.late_event,
    severity_rules: Type.Optional(MEMBERS.severity_rules),
    severity: Type.Optional(MEMBERS.severity),
    playbook_id: Type.Optional(MEMBERS.playbook_id),
  }),
)
export const CaseGroupList = pageOf(CaseGroup)

export function presentCaseGroup(group: CaseGroupRecord): Static<typeof CaseGroup> {
  const { policy } = group
  return omitNulls<Static<typeof CaseGroup>>({
    id: group.id,
    name: group.name,
    description: group.description,
    order: group.position,
    enabled: group.isEnabled,
    condition: group.condition,
    xarf_classes: group.xarfClasses,
    threshold: presentThreshold(policy),
    max_age_seconds: policy.maxAgeSeconds,
    max_gap_seconds: policy.maxGapSeconds,
    relapse_window_seconds: policy.relapseWindowSeconds,
    severity_rules: group.severityRules?.map((rule) => ({ ...rule })) ?? null,
    severity: group.severity,
    playbook_id: group.playbookId,
    key_fields: group.keyFields,
    relapse: policy.relapse,
    late_event: policy.lateEvent,
  })
}

/** Null for a group whose cases open with their first event. */
function presentThreshold(policy: CorrelationPolicy): Static<typeof Threshold> | null {
  if (policy.thresholdEvents <= 1 && policy.thresholdReporters <= 1) return null
  return omitNulls<Static<typeof Threshold>>({
    events: policy.thresholdEvents,
    reporters: policy.thresholdReporters,
    window_seconds: policy.thresholdWindowSeconds,
  })
}

const CHANGEABLE = {
  description: Type.Optional(MEMBERS.description),
  order: Type.Optional(MEMBERS.order),
  enabled: Type.Optional(MEMBERS.enabled),
  condition: Type.Optional(orNull(MEMBERS.condition)),
  xarf_classes: Type.Optional(orNull(MEMBERS.xarf_classes)),
  key_fields: Type.Optional(MEMBERS.key_fields),
  threshold: Type.Optional(orNull(MEMBERS.threshold)),
  max_age_seconds: Type.Optional(orNull(MEMBERS.max_age_seconds)),
  max_gap_seconds: Type.Optional(orNull(MEMBERS.max_gap_seconds)),
  relapse: Type.Optional(MEMBERS.relapse),
  relapse_window_seconds: Type.Optional(orNull(MEMBERS.relapse_window_seconds)),
  late_event: Type.Optional(MEMBERS.late_event),
  severity_rules: Type.Optional(orNull(MEMBERS.severity_rules)),
  severity: Type.Optional(orNull(MEMBERS.severity)),
  playbook_id: Type.Optional(orNull(MEMBERS.playbook_id)),
}

export const NewCaseGroup = named(
  'NewCaseGroup',
  Type.Object(
    {
      id: Type.Optional(
        Type.String({
          pattern: '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$',
          description: 'Lower-case letters, digits and hyphens; generated when left out.',
        }),
      ),
      name: MEMBERS.name,
      ...CHANGEABLE,
    },
    { additionalProperties: false },
  ),
)

/** A group that is tried before it is stored. */
export const DraftCaseGroup = named(
  'DraftCaseGroup',
  Type.Object(
    {
      id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Of a stored group: the members change that group. Else the group is new.',
        }),
      ),
      name: Type.Optional(MEMBERS.name),
      ...CHANGEABLE,
    },
    { additionalProperties: false },
  ),
)
export type DraftCaseGroup = Static<typeof DraftCaseGroup>

/** Null removes the value of a member. */
export const CaseGroupPatch = named(
  'CaseGroupPatch',
  Type.Object(
    { name: Type.Optional(MEMBERS.name), ...CHANGEABLE },
    { additionalProperties: false, minProperties: 1 },
  ),
)
export type CaseGroupPatch = Static<typeof CaseGroupPatch>

/** The group, or mute rule, that would take an event; nothing is stored. */
export const CaseGroupTest = named(
  'CaseGroupTest',
  Type.Object({
    owner: Type.Object({
      customer_id: Type.Optional(Type.String()),
      contract_id: Type.Optional(Type.String()),
      unassigned_cause: Type.Optional(Type.String()),
    }),
    mute_rules: Type.Array(
      Type.Object({
        id: Type.String(),
        answer: Type.String({ description: 'match, no_match or failed.' }),
        reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
      }),
      { description: 'The rules in force, in the order in which they are tried.' },
    ),
    case_groups: Type.Array(
      Type.Object({
        id: Type.String(),
        answer: Type.String({ description: 'match, no_match, failed or disabled.' }),
        reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
      }),
      { description: 'All groups in their order; the first match takes the event.' },
    ),
    severity_rules: Type.Optional(
      Type.Array(
        Type.Object({
          severity: Severity,
          answer: Type.String({ description: 'match, no_match or failed.' }),
          reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
        }),
        { description: 'Of the group that takes the event, in their order up to the first match.' },
      ),
    ),
    severity: Type.Optional(describe(Severity, 'Of a case that the event would open.')),
    outcome: Type.Union([Type.Literal('group'), Type.Literal('muted'), Type.Literal('unassigned')]),
    case_group: Type.Optional(Type.String()),
    mute_rule: Type.Optional(Type.String()),
    key: Type.Optional(
      Type.Array(
        Type.Object({ field: KeyField, value: Type.Union([Type.String(), Type.Null()]) }),
        {
          description: 'Events that agree in all of these share a case.',
        },
      ),
    ),
    open_case_id: Type.Optional(Type.String({ description: 'The open case of this key.' })),
  }),
)
