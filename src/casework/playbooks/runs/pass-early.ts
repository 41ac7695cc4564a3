// A token that only looks whether its mail comes back (`leavesEarly` of a kind) is open to choices
// of the node behind it. The first one ends the wait: the token passes on, and the choice is
// stored, in one transaction.

import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Vars } from '../node-kind.ts'
import { findEarlyEnd, type PlaybookGraph } from '../playbook-graph.ts'
import { VARS_BYTES_MAX } from './moving-token.ts'
import { insertVisits } from './run-token-store.ts'
import type { TokenOfRun } from './signal-store.ts'

/** The token as it would be at the node behind; itself where it does not wait in that way. */
export function standAhead(graph: PlaybookGraph, token: TokenOfRun): TokenOfRun {
  const node = graph.nodes.get(token.node)
  const end = findEarlyEnd(graph, node, token.memo)
  if (end === null || node === undefined) return token
  const { toNode, ...early } = end
  const { enteredAt, visit } = token
  return {
    ...token,
    node: toNode.id,
    visit: visit + 1,
    // Its own wait begins with the visit.
    timerAt: null,
    memo: null,
    // Also when the time for a bounce has just passed, and its node has not decided yet.
    isWoken: true,
    passes: { ...early, node: node.id, kind: node.kind.kind, enteredAt },
  }
}

/**
 * Puts a token of `standAhead` where it stands. The caller has locked it, and stores the choice. A
 * worker that has it leased finds another visit and changes nothing. False, with no effect, where
 * its vars would be too large; the run then fails when the wait is over.
 */
export async function passEarly(
  tx: Tx,
  { tenantId }: TenantScope,
  { runId, tokenId, node, visit, passes = null }: TokenOfRun,
): Promise<boolean> {
  if (passes === null) return true
  const { rows } = await sql<{ caseId: string; vars: Vars }>`
    select case_id as "caseId", vars from run_token
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid and id = ${tokenId}`.execute(tx)
  const [row] = rows
  if (row === undefined) return false
  const vars = JSON.stringify({ ...row.vars, ...passes.vars })
  if (Buffer.byteLength(vars) > VARS_BYTES_MAX) return false
  const key = { tenantId, runId, tokenId, caseId: row.caseId }
  await insertVisits(tx, [{ ...key, ...passes, visit: visit - 1, actor: null }])
  // Whom it waits for stays until its node decides, which then takes it back from the case.
  await sql`
    update run_token set node = ${node}, visit = ${visit}, key_visit = null, entered_at = now(), state = 'ready', wake_at = now(),
      lease_owner = null, lease_until = null, attempts = 0, timer_at = null, timer_rang = false, watches_case = false, calls = false,
      memo = null, vars = ${vars}::jsonb
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid and id = ${tokenId}`.execute(tx)
  await sql`
    update run set visits = visits + 1 where tenant_id = ${tenantId} and id = ${runId}::uuid`.execute(
    tx,
  )
  return true
}
