// What the endpoints of case groups and mute rules have in common: who changes them, and how they
// are shown.

import type { CaseGroup as CaseGroupRecord } from './case-group.ts'
import type { MuteRuleRow } from './mute-rule-store.ts'
import type { RuleHistoryRow } from './rule-history-store.ts'

/**
 * Whoever changes a rule decides about every event to come, as whoever attaches a playbook does.
 */
export const RULE_SCOPE = 'playbooks:activate'

/** Members without a value are left out. */
export function presentCaseGroup(group: CaseGroupRecord): Record<string, unknown> {
  const { policy } = group
  const hasThreshold = policy.thresholdEvents > 1 || policy.thresholdReporters > 1
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    order: group.position,
    enabled: group.isEnabled,
    ...withoutNulls({
      condition: group.condition,
      xarf_classes: group.xarfClasses,
      threshold: hasThreshold ? presentThreshold(group) : null,
      max_age_seconds: policy.maxAgeSeconds,
      max_gap_seconds: policy.maxGapSeconds,
      relapse_window_seconds: policy.relapseWindowSeconds,
      severity: group.severity,
      playbook_id: group.playbookId,
    }),
    key_fields: group.keyFields,
    relapse: policy.relapse,
    late_event: policy.lateEvent,
  }
}

function presentThreshold({ policy }: CaseGroupRecord): Record<string, unknown> {
  return {
    events: policy.thresholdEvents,
    reporters: policy.thresholdReporters,
    ...withoutNulls({ window_seconds: policy.thresholdWindowSeconds }),
  }
}

/** `at`: now, which tells whether the rule is in force. */
export function presentMuteRule(rule: MuteRuleRow, at: Date): Record<string, unknown> {
  return {
    id: rule.id,
    reason: rule.reason,
    ...withoutNulls({ condition: rule.condition, key: rule.key_match }),
    in_force: rule.ended_at === null && rule.until > at,
    muted: rule.muted,
    created_at: rule.created_at.toISOString(),
    created_by: rule.created_by,
    until: rule.until.toISOString(),
    ...withoutNulls({
      ended_at: rule.ended_at?.toISOString() ?? null,
      ended_by: rule.ended_by,
    }),
  }
}

export function presentRuleHistory(row: RuleHistoryRow): Record<string, unknown> {
  const { id, at, kind, actor, changes } = row
  return { id, at: at.toISOString(), kind, actor, changes }
}

function withoutNulls(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
