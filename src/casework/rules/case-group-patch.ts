// What a patch makes of a case group, and everything that is wrong with it. The schema has checked
// the shape of its members before.

import type { FieldProblem } from '../../values/field-problem.ts'
import { isStorableText } from '../../values/json-value.ts'
import { DEFAULT_GROUP_ID } from '../cases/case.ts'
import type { CaseGroup, CorrelationPolicy } from './case-group.ts'
import type { CaseGroupPatch } from './case-group-wire.ts'
import { parseCondition } from './compile-condition.ts'
import { KEY_FIELDS } from './correlation-key.ts'

/** The group after the patch, and every problem of it. A null member takes its value away. */
export function patchCaseGroup(
  group: CaseGroup,
  patch: CaseGroupPatch,
): { readonly group: CaseGroup; readonly problems: readonly FieldProblem[] } {
  const next: CaseGroup = {
    ...group,
    name: patch.name ?? group.name,
    description: patch.description ?? group.description,
    isEnabled: patch.enabled ?? group.isEnabled,
    condition: replace(patch.condition, group.condition),
    xarfClasses: replace(patch.xarf_classes, group.xarfClasses),
    keyFields: KEY_FIELDS.filter((field) => (patch.key_fields ?? group.keyFields).includes(field)),
    policy: applyPolicy(group.policy, patch),
    severityRules: replace(patch.severity_rules, group.severityRules),
    severity: replace(patch.severity, group.severity),
    playbookId: replace(patch.playbook_id, group.playbookId),
  }
  return { group: next, problems: findProblems(next, patch) }
}

function applyPolicy(policy: CorrelationPolicy, patch: CaseGroupPatch): CorrelationPolicy {
  return {
    ...policy,
    ...(patch.threshold === undefined ? {} : readThreshold(patch.threshold)),
    maxAgeSeconds: replace(patch.max_age_seconds, policy.maxAgeSeconds),
    maxGapSeconds: replace(patch.max_gap_seconds, policy.maxGapSeconds),
    relapse: patch.relapse ?? policy.relapse,
    relapseWindowSeconds: replace(patch.relapse_window_seconds, policy.relapseWindowSeconds),
    lateEvent: patch.late_event ?? policy.lateEvent,
  }
}

/** The threshold is replaced as a whole; null is that of one event. */
function readThreshold(threshold: CaseGroupPatch['threshold']) {
  return {
    thresholdEvents: threshold?.events ?? 1,
    thresholdReporters: threshold?.reporters ?? 1,
    thresholdWindowSeconds: threshold?.window_seconds ?? null,
  }
}

// `given` may be null, which removes the value.
function replace<Value>(given: Value | undefined, present: Value): Value {
  return given === undefined ? present : given
}

/** The conditions that were sent, each with its JSON pointer. */
function listConditions(patch: CaseGroupPatch): readonly (readonly [string, string])[] {
  const own = typeof patch.condition === 'string' ? [['/condition', patch.condition] as const] : []
  const rules = patch.severity_rules ?? []
  return [
    ...own,
    ...rules.map(({ condition }, at) => [`/severity_rules/${at}/condition`, condition] as const),
  ]
}

function findProblems(next: CaseGroup, patch: CaseGroupPatch): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const [path, condition] of listConditions(patch)) {
    const result = parseCondition(condition)
    if (result.kind === 'problem') problems.push({ path, reason: result.reason })
  }
  for (const name of ['name', 'description'] as const) {
    if (isStorableText(next[name])) continue
    problems.push({ path: `/${name}`, reason: 'has U+0000 or a lone surrogate' })
  }
  if (next.id !== DEFAULT_GROUP_ID) return problems
  const everything = 'this group takes every event that no other group took'
  if (!next.isEnabled) problems.push({ path: '/enabled', reason: `cannot be false: ${everything}` })
  for (const name of ['condition', 'xarf_classes'] as const) {
    if ((patch[name] ?? null) === null) continue
    problems.push({ path: `/${name}`, reason: `cannot be set: ${everything}` })
  }
  if (patch.order !== undefined && patch.order !== next.position) {
    problems.push({ path: '/order', reason: `cannot be changed: ${everything}` })
  }
  return problems
}
