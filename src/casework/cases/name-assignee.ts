// Whom a change assigns a case to: `me` is the person behind the request, and any other id must be
// of a user or a group of the tenant.

import { findUnknownAssigneeIds } from '../../access/groups/assignee-store.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { CaseCommand } from './apply-case-change.ts'
import { changeNotValid } from './errors.ts'

/** The change with the id of its assignee; throws 400 with the place of one that is unknown. */
export async function nameAssignee<Change extends Pick<CaseCommand, 'patch'>>(
  db: Db,
  caller: Caller,
  place: string,
  change: Change,
): Promise<Change> {
  const { assigneeUserId: given } = change.patch
  if (given === undefined || given === null) return change
  const id = given === 'me' ? (caller.owner?.id ?? caller.tokenId) : given
  if ((await findUnknownAssigneeIds(db, caller.tenantId, [id])).size > 0) {
    const reason = 'is no user and no group of this tenant; see GET /beta/casework/assignees'
    throw changeNotValid({ path: `${place}/assignee_user_id`, reason })
  }
  return { ...change, patch: { ...change.patch, assigneeUserId: id } }
}
