// Case groups created, changed and deleted: each in one transaction with its row of history. What a
// group says is checked here; that its members have the right shape is the contract's.

import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { type IdSource } from '../../kernel/ids.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isStorableText } from '../../values/storable-text.ts'
import { isUuid } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { DEFAULT_GROUP_ID } from '../cases/case-locks.ts'
import { caseGroupNotFound } from '../cases/errors.ts'
import { findPlaybook } from '../playbooks/playbook-store.ts'
import { type CaseGroup, type CorrelationPolicy, DEFAULT_POLICY } from './case-group.ts'
import {
  deleteCaseGroup,
  findOpenCaseOfGroup,
  hasCasesOfGroup,
  insertCaseGroup,
  lockCaseGroup,
  lockCaseGroups,
  orderCaseGroups,
  updateCaseGroup,
} from './case-group-change-store.ts'
import type { CaseGroupPatch } from './case-group-wire.ts'
import { parseCondition } from './compile-condition.ts'
import { DEFAULT_KEY_FIELDS, KEY_FIELDS } from './correlation-key.ts'
import { caseGroupInUse, caseGroupNotValid, caseGroupTaken, tooManyRules } from './errors.ts'
import { addRuleHistory } from './rule-history-store.ts'

export interface RuleDeps {
  readonly db: Db
  readonly ids: IdSource
}

export interface RuleChanger {
  readonly tokenId: string
  readonly at: Date
}

// Every event asks them one after the other: at a microsecond each, a tenth of a millisecond.
const GROUPS_MAX = 100

/** Throws the operating errors of 400 and 409. */
export async function createCaseGroup(
  deps: RuleDeps,
  scope: TenantScope,
  input: CaseGroupPatch & { readonly id?: string; readonly name: string },
  changer: RuleChanger,
): Promise<CaseGroup> {
  return await inTransaction(deps.db, async (tx) => {
    const groups = await lockCaseGroups(tx, scope)
    const id = input.id ?? `g-${deps.ids.nextUuid()}`
    if (groups.some((group) => group.id === id)) throw caseGroupTaken()
    // They would be taken for cases of the new one.
    if (await hasCasesOfGroup(tx, scope, id)) throw caseGroupTaken()
    if (groups.length >= GROUPS_MAX) throw tooManyRules('case groups', GROUPS_MAX)
    const empty: CaseGroup = {
      id,
      position: -GROUPS_MAX - 1,
      name: input.name,
      description: '',
      isEnabled: true,
      xarfClasses: null,
      keyFields: DEFAULT_KEY_FIELDS,
      condition: null,
      policy: DEFAULT_POLICY,
      severity: null,
      playbookId: null,
    }
    const group = await applyPatch(tx, scope, empty, input)
    await insertCaseGroup(tx, scope, group)
    const others = groups.filter((one) => one.id !== DEFAULT_GROUP_ID).map((one) => one.id)
    await orderCaseGroups(tx, scope, place(others, id, input.order ?? others.length + 1))
    return await finish(tx, deps, scope, { kind: 'create', before: null, id }, changer)
  })
}

/** Throws the operating errors of 400 and 404. */
export async function changeCaseGroup(
  deps: RuleDeps,
  scope: TenantScope,
  id: string,
  patch: CaseGroupPatch,
  changer: RuleChanger,
): Promise<CaseGroup> {
  return await inTransaction(deps.db, async (tx) => {
    const groups = await lockCaseGroups(tx, scope)
    const before = groups.find((group) => group.id === id)
    if (before === undefined) throw caseGroupNotFound()
    await updateCaseGroup(tx, scope, await applyPatch(tx, scope, before, patch))
    if (patch.order !== undefined && patch.order !== before.position) {
      const others = groups.flatMap((group) =>
        group.id === id || group.id === DEFAULT_GROUP_ID ? [] : [group.id],
      )
      await orderCaseGroups(tx, scope, place(others, id, patch.order))
    }
    return await finish(tx, deps, scope, { kind: 'change', before, id }, changer)
  })
}

/** Throws the operating errors of 404 and 409. */
export async function removeCaseGroup(
  deps: RuleDeps,
  scope: TenantScope,
  id: string,
  changer: RuleChanger,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const groups = await lockCaseGroups(tx, scope)
    const before = groups.find((group) => group.id === id)
    if (before === undefined) throw caseGroupNotFound()
    if (id === DEFAULT_GROUP_ID) throw caseGroupInUse('it takes what no other group takes')
    await lockCaseGroup(tx, scope, id)
    const open = await findOpenCaseOfGroup(tx, scope, id)
    if (open !== null) {
      throw caseGroupInUse(`${open} of it is open; turn it off, and it takes no more events`)
    }
    await deleteCaseGroup(tx, scope, id)
    await addRuleHistory(tx, scope, 'case_group', id, {
      ...originate(deps, changer),
      kind: 'delete',
      changes: compareRules(before, null),
    })
  })
}

/** Among the others, at the place that was asked for; beyond the last one it is the last. */
function place(others: readonly string[], id: string, order: number): readonly string[] {
  const before = others.slice(0, order - 1)
  return [...before, id, ...others.slice(before.length)]
}

async function finish(
  tx: Tx,
  deps: RuleDeps,
  scope: TenantScope,
  change: { readonly kind: 'create' | 'change'; readonly before: CaseGroup | null; id: string },
  changer: RuleChanger,
): Promise<CaseGroup> {
  const after = (await lockCaseGroups(tx, scope)).find((group) => group.id === change.id)
  if (after === undefined) throw new Error('a case group that was written is not there')
  const changes = compareRules(change.before, after)
  if (Object.keys(changes).length > 0) {
    const entry = { ...originate(deps, changer), kind: change.kind, changes }
    await addRuleHistory(tx, scope, 'case_group', change.id, entry)
  }
  return after
}

function originate({ ids }: RuleDeps, { tokenId, at }: RuleChanger) {
  return { id: ids.nextUuid(), at, actor: tokenId }
}

/** `{member: {from, to}}` of what differs; null without a value. */
function compareRules(before: object | null, after: object | null): Record<string, unknown> {
  const [from, to] = [flatten(before), flatten(after)]
  const changes: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [one, other] = [from[name] ?? null, to[name] ?? null]
    if (JSON.stringify(one) !== JSON.stringify(other)) changes[name] = { from: one, to: other }
  }
  return changes
}

// The policy is a part of the record for the code's sake only.
function flatten(rule: object | null): Record<string, unknown> {
  if (rule === null) return {}
  const { policy, ...rest }: Record<string, unknown> = { ...rule }
  return { ...rest, ...(typeof policy === 'object' ? policy : {}) }
}

async function applyPatch(
  tx: Tx,
  scope: TenantScope,
  group: CaseGroup,
  patch: CaseGroupPatch,
): Promise<CaseGroup> {
  const next: CaseGroup = {
    ...group,
    name: patch.name ?? group.name,
    description: patch.description ?? group.description,
    isEnabled: patch.enabled ?? group.isEnabled,
    condition: or(patch.condition, group.condition),
    xarfClasses: or(patch.xarf_classes, group.xarfClasses),
    keyFields: KEY_FIELDS.filter((field) => (patch.key_fields ?? group.keyFields).includes(field)),
    policy: applyPolicy(group.policy, patch),
    severity: or(patch.severity, group.severity),
    playbookId: or(patch.playbook_id, group.playbookId),
  }
  const problems = findProblems(next, patch)
  const { playbook_id: playbookId = null } = patch
  if (playbookId !== null && !(await isPlaybook(tx, scope, playbookId))) {
    problems.push({ path: '/playbook_id', reason: 'names no playbook' })
  }
  if (problems.length > 0) throw caseGroupNotValid(problems)
  return next
}

function applyPolicy(policy: CorrelationPolicy, patch: CaseGroupPatch): CorrelationPolicy {
  const { threshold } = patch
  const counted =
    threshold === undefined
      ? policy
      : {
          thresholdEvents: threshold?.events ?? 1,
          thresholdReporters: threshold?.reporters ?? 1,
          thresholdWindowSeconds: threshold?.window_seconds ?? null,
        }
  return {
    thresholdEvents: counted.thresholdEvents,
    thresholdReporters: counted.thresholdReporters,
    thresholdWindowSeconds: counted.thresholdWindowSeconds,
    maxAgeSeconds: or(patch.max_age_seconds, policy.maxAgeSeconds),
    maxGapSeconds: or(patch.max_gap_seconds, policy.maxGapSeconds),
    relapse: patch.relapse ?? policy.relapse,
    relapseWindowSeconds: or(patch.relapse_window_seconds, policy.relapseWindowSeconds),
    lateEvent: patch.late_event ?? policy.lateEvent,
  }
}

function or<Value>(given: Value | undefined, present: Value): Value {
  return given === undefined ? present : given
}

function findProblems(next: CaseGroup, patch: CaseGroupPatch): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (typeof patch.condition === 'string') {
    const result = parseCondition(patch.condition)
    if (result.kind === 'problem') problems.push({ path: '/condition', reason: result.reason })
  }
  for (const name of ['name', 'description'] as const) {
    if (isStorableText(next[name])) continue
    problems.push({ path: `/${name}`, reason: 'has U+0000 or a lone surrogate' })
  }
  if (next.id !== DEFAULT_GROUP_ID) return problems
  const everything = 'this group takes what no other group took'
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

/** Another tenant's playbook is refused like one that is not there. */
async function isPlaybook(tx: Tx, scope: TenantScope, text: string): Promise<boolean> {
  return isUuid(text) && (await findPlaybook(tx, scope, text)) !== null
}
