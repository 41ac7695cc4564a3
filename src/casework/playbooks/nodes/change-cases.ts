// Changes cases for the nodes Assign, Tag, Set Field and Set Deadline, by the same rules as a
// person's request. All changes of one tenant are made together, so that every transaction locks
// cases in the same order.

import { findUnknownAssigneeIds } from '../../../access/groups/assignee-store.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { checkJsonObject } from '../../../values/json-value.ts'
import {
  type CaseChangeResult,
  type CasePatch,
  changeCases,
  METADATA_LIMITS,
} from '../../cases/case-change-store.ts'
import type { ApplyDeps, Due, Outcome, Refused } from '../node-kind.ts'
import type { Calendars } from './duration-config.ts'
import { createValueReader, refuseValue, type ValueReader } from './value-config.ts'

export interface PlaybookChange {
  /** May throw ValueTrouble. */
  readonly plan: (values: ValueReader, at: Date, calendars: Calendars) => CasePatch
}

/** Why these members cannot be metadata of a case; null when they can. */
export function findMetadataProblem(metadata: Record<string, unknown>): string | null {
  const problems: { path: string; reason: string }[] = []
  checkJsonObject(metadata, '', METADATA_LIMITS, problems)
  return problems[0]?.reason ?? null
}

export const CHANGE_PATHS: readonly string[] = ['next', 'error']

interface Planned {
  readonly due: Due<PlaybookChange>
  readonly at: number
  readonly patch: CasePatch
}

/** The outcomes in the order of the changes. */
export async function changeByPlaybook(
  tx: Tx,
  deps: ApplyDeps,
  dues: readonly Due<PlaybookChange>[],
): Promise<readonly Outcome[]> {
  const now = new Date(deps.clock.nowMs())
  const outcomes = new Map<number, Outcome>()
  let open: Planned[] = []
  for (const [at, due] of dues.entries()) {
    const patch = planPatch(due, now)
    if ('kind' in patch) outcomes.set(at, patch)
    else open.push({ due, at, patch })
  }
  const unknown = await findUnknown(tx, open)
  for (const { at, patch } of open) {
    const { assigneeUserId: id } = patch
    if (id && unknown.has(id)) outcomes.set(at, refuseAssignee(id))
  }
  open = open.filter(({ at }) => !outcomes.has(at))
  // Two tokens of one case may be due at once: a round has one change of each case, so that the
  // next change of it sees the one before.
  while (open.length > 0) {
    const byCase = Map.groupBy(open, ({ due }) => due.caseId)
    const round = [...byCase.values()].flatMap((ofCase) => ofCase.slice(0, 1))
    open = open.filter((one) => !round.includes(one))
    // One after the other on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const results = await changeRound(tx, deps, round, now)
    for (const [index, result] of results.entries()) {
      outcomes.set(round[index]?.at ?? -1, explain(result))
    }
  }
  return dues.map((_, at) => outcomes.get(at) ?? { kind: 'refused', reason: 'case_not_found' })
}

/** Of the assignees of these changes, those that are none of the tenant. */
async function findUnknown(tx: Tx, planned: readonly Planned[]): Promise<ReadonlySet<string>> {
  const ids = planned.flatMap(({ patch: { assigneeUserId: id } }) => (id ? [id] : []))
  const [first] = planned
  if (first === undefined) return new Set()
  return await findUnknownAssigneeIds(tx, first.due.scope.tenantId, ids)
}

function refuseAssignee(id: string): Refused {
  const explanation = `${id} is no user and no group of this tenant`
  return { kind: 'refused', reason: 'assignee_unknown', output: { explanation } }
}

function planPatch(
  { config, facts, calendars }: Due<PlaybookChange>,
  now: Date,
): CasePatch | Refused {
  try {
    return config.plan(createValueReader(facts), now, calendars)
  } catch (error) {
    return refuseValue(error)
  }
}

async function changeRound(
  tx: Tx,
  { ids }: ApplyDeps,
  round: readonly Planned[],
  at: Date,
): Promise<readonly CaseChangeResult[]> {
  const [first] = round
  if (first === undefined) return []
  const requests = round.map(({ due: { caseId, actor, key: causeId }, patch }) => ({
    caseId,
    expectedVersion: null,
    patch,
    actor,
    at,
    causeId,
  }))
  return await changeCases(tx, ids, first.due.scope, requests)
}

function explain(result: CaseChangeResult): Outcome {
  switch (result.kind) {
    case 'changed':
    case 'unchanged':
      return { kind: 'done', output: { changed: result.kind === 'changed' } }
    case 'refused': {
      const { reason } = result
      const isOver = reason === 'case_is_merged' || reason === 'case_has_ended'
      return isOver ? { kind: 'over', reason } : { kind: 'refused', reason }
    }
    case 'not_found':
      return { kind: 'refused', reason: 'case_not_found' }
    case 'stale':
      throw new Error('no version was expected')
  }
}
