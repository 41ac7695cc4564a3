// Creates, changes and deletes case groups, each in one transaction with its row of history.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { DEFAULT_GROUP_ID } from '../cases/case.ts'
import { caseGroupNotFound } from '../cases/errors.ts'
import { buildEmptyGroup, type CaseGroup } from './case-group.ts'
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
import { patchCaseGroup } from './case-group-patch.ts'
import { type CaseGroupPatch, presentCaseGroup } from './case-group-wire.ts'
import { caseGroupInUse, caseGroupNotValid, caseGroupTaken, tooManyRules } from './errors.ts'
import { addRuleHistory } from './rule-history-store.ts'

export interface CaseGroupDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly clock: Clock
  /** From playbooks: false for a text that is no id, and for a playbook of another tenant. */
  readonly hasPlaybook: (tx: Tx, scope: TenantScope, playbookId: string) => Promise<boolean>
  /** From events: the pending events of a group that is deleted wait for no case any more. */
  readonly deletePendingEvents: (tx: Tx, scope: TenantScope, groupId: string) => Promise<void>
}

// Every event is compared with them one after the other: mostly 1 µs each, and together no more
// than the work of an event (condition-work.ts).
const GROUPS_MAX = 100

/** Throws the operating errors of 400 and 409. */
export async function createCaseGroup(
  deps: CaseGroupDeps,
  scope: TenantScope,
  input: CaseGroupPatch & { readonly id?: string; readonly name: string },
  tokenId: string,
): Promise<CaseGroup> {
  return await inTransaction(deps.db, async (tx) => {
    const groups = await lockCaseGroups(tx, scope)
    const id = input.id ?? `g-${deps.ids.nextUuid()}`
    if (groups.some((group) => group.id === id)) throw caseGroupTaken()
    // Cases of a deleted group would be taken for cases of the new one.
    if (await hasCasesOfGroup(tx, scope, id)) throw caseGroupTaken()
    if (groups.length >= GROUPS_MAX) throw tooManyRules('case groups', GROUPS_MAX)
    const empty = buildEmptyGroup(id, input.name)
    const group = await applyPatch(tx, deps, scope, empty, input)
    await insertCaseGroup(tx, scope, group)
    const others = groups.filter((one) => one.id !== DEFAULT_GROUP_ID).map((one) => one.id)
    await orderCaseGroups(tx, scope, insertAt(others, id, input.order ?? others.length + 1))
    return await recordChange(tx, deps, scope, { kind: 'create', before: null, id }, tokenId)
  })
}

/** Throws the operating errors of 400 and 404. */
export async function changeCaseGroup(
  deps: CaseGroupDeps,
  scope: TenantScope,
  id: string,
  patch: CaseGroupPatch,
  tokenId: string,
): Promise<CaseGroup> {
  return await inTransaction(deps.db, async (tx) => {
    const groups = await lockCaseGroups(tx, scope)
    const before = groups.find((group) => group.id === id)
    if (before === undefined) throw caseGroupNotFound()
    await updateCaseGroup(tx, scope, await applyPatch(tx, deps, scope, before, patch))
    if (patch.order !== undefined && patch.order !== before.position) {
      const others = groups.flatMap((group) =>
        group.id === id || group.id === DEFAULT_GROUP_ID ? [] : [group.id],
      )
      await orderCaseGroups(tx, scope, insertAt(others, id, patch.order))
    }
    return await recordChange(tx, deps, scope, { kind: 'change', before, id }, tokenId)
  })
}

/** Throws the operating errors of 404 and 409. */
export async function removeCaseGroup(
  deps: CaseGroupDeps,
  scope: TenantScope,
  id: string,
  tokenId: string,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const groups = await lockCaseGroups(tx, scope)
    const before = groups.find((group) => group.id === id)
    if (before === undefined) throw caseGroupNotFound()
    if (id === DEFAULT_GROUP_ID) {
      throw caseGroupInUse('it takes every event that no other group takes')
    }
    await lockCaseGroup(tx, scope, id)
    const open = await findOpenCaseOfGroup(tx, scope, id)
    if (open !== null) {
      throw caseGroupInUse(
        `its case ${open} is open; turn the group off, and it takes no more events`,
      )
    }
    await deps.deletePendingEvents(tx, scope, id)
    await deleteCaseGroup(tx, scope, id)
    await addRuleHistory(tx, scope, 'case_group', id, {
      ...originate(deps, tokenId),
      kind: 'delete',
      changes: compareRules(before, null),
    })
    const { tenantId } = scope
    await deps.audit.record(tx, 'case_group.delete', {
      tenantId,
      id,
      before: presentCaseGroup(before),
    })
  })
}

/** The ids with `id` at position `order`, or behind the last one where there are fewer. */
function insertAt(others: readonly string[], id: string, order: number): readonly string[] {
  const before = others.slice(0, order - 1)
  return [...before, id, ...others.slice(before.length)]
}

/** The group as it is now, which is recorded in its history and audited if it differs. */
async function recordChange(
  tx: Tx,
  deps: CaseGroupDeps,
  scope: TenantScope,
  change: { readonly kind: 'create' | 'change'; readonly before: CaseGroup | null; id: string },
  tokenId: string,
): Promise<CaseGroup> {
  const after = (await lockCaseGroups(tx, scope)).find((group) => group.id === change.id)
  if (after === undefined) throw new Error('a case group that was written is not there')
  const changes = compareRules(change.before, after)
  if (Object.keys(changes).length > 0) {
    const entry = { ...originate(deps, tokenId), kind: change.kind, changes }
    await addRuleHistory(tx, scope, 'case_group', change.id, entry)
    await deps.audit.record(tx, `case_group.${change.kind}`, {
      tenantId: scope.tenantId,
      id: change.id,
      before: change.before === null ? null : presentCaseGroup(change.before),
      after: presentCaseGroup(after),
    })
  }
  return after
}

function originate({ ids, clock }: CaseGroupDeps, tokenId: string) {
  return { id: ids.nextUuid(), at: new Date(clock.nowMs()), actor: tokenId }
}

/** `{member: {from, to}}` of the members that differ; null stands for no value. */
function compareRules(before: object | null, after: object | null): Record<string, unknown> {
  const [former, present] = [flatten(before), flatten(after)]
  const changes: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(former), ...Object.keys(present)])) {
    const [from, to] = [former[name] ?? null, present[name] ?? null]
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { from, to }
  }
  return changes
}

// Only the code groups the members of the policy; the history lists them beside the others.
function flatten(rule: object | null): Record<string, unknown> {
  if (rule === null) return {}
  const { policy, ...rest }: Record<string, unknown> = { ...rule }
  return { ...rest, ...(typeof policy === 'object' ? policy : {}) }
}

async function applyPatch(
  tx: Tx,
  deps: CaseGroupDeps,
  scope: TenantScope,
  before: CaseGroup,
  patch: CaseGroupPatch,
): Promise<CaseGroup> {
  const { group, problems } = patchCaseGroup(before, patch)
  const { playbook_id: playbookId = null } = patch
  const isUnknown = playbookId !== null && !(await deps.hasPlaybook(tx, scope, playbookId))
  const unknown = isUnknown ? [{ path: '/playbook_id', reason: 'names no playbook' }] : []
  if (problems.length + unknown.length > 0) throw caseGroupNotValid([...problems, ...unknown])
  return group
}
