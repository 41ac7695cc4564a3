// SQL of the watchdog: the one statement that says what must hold for runs and their tokens, and
// finds where it does not.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { NODE_KINDS } from '../nodes/node-kinds.ts'

export type RunFault =
  /** An active or paused run has no token that could ever move. */
  | 'no_live_token'
  /** A worker has died more than a minute ago, and no other has claimed its token. */
  | 'lease_expired'
  /** A timer is due for more than five minutes, and nobody has rung it. */
  | 'timer_overdue'
  /** A token waits, and neither time, trigger, case, other tokens nor a child can wake it. */
  | 'waits_for_nothing'
  /** A token waits for a child that has ended or is gone. */
  | 'child_gone'
  /** The states of a run and of one of its tokens do not fit together. */
  | 'state_mismatch'

export interface StuckToken {
  readonly tenantId: string
  readonly caseId: string
  readonly runId: string
  /** Null for a fault of the whole run. */
  readonly tokenId: number | null
  readonly node: string | null
  readonly fault: RunFault
}

export interface WatchedPage {
  readonly stuck: readonly StuckToken[]
  /** The last run that was looked at; null when there are no more. */
  readonly last: string | null
}

const STUCK_LISTED_MAX = 1_000
const CHOOSING = NODE_KINDS.filter(({ choices }) => choices !== undefined).map(({ kind }) => kind)
const JOINING = NODE_KINDS.filter(({ joinMode }) => joinMode !== undefined).map(({ kind }) => kind)

/**
 * Looks at up to `limit` active and paused runs of a tenant, in the order of their ids. One
 * statement sees one state of the database, in which no transaction is half done; so every row that
 * it returns is a fault.
 */
export async function findStuckTokens(
  db: Db,
  { tenantId }: TenantScope,
  after: string | null,
  limit: number,
): Promise<WatchedPage> {
  const runsOf = (state: 'active' | 'paused') => sql`(
    select tenant_id, id, case_id, playbook_id, version, state from run
    where tenant_id = ${tenantId} and state = ${state} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}
  )`
  const result = await sql<StuckToken | (Omit<StuckToken, 'fault'> & { readonly fault: null })>`
    with page as materialized (
      select * from (${runsOf('active')} union all ${runsOf('paused')}) as run order by id limit ${limit}
    ), token as materialized (
      select run_token.*, page.state as run_state, page.playbook_id, page.version
      from page join run_token on run_token.tenant_id = page.tenant_id and run_token.run_id = page.id
      where run_token.state <> 'done'
    ), place as (
      select distinct playbook_id, version, node from token
      where state = 'waiting' and timer_at is null and not watches_case and not coalesce(memo ? 'child_run', false)
    ), kind as materialized (
      select place.*, (
          select node.value ->> 'kind' from jsonb_array_elements(playbook_version.graph -> 'nodes') as node
          where node.value ->> 'id' = place.node
        ) as kind
      from place join playbook_version on playbook_version.tenant_id = ${tenantId}
        and playbook_version.playbook_id = place.playbook_id and playbook_version.version = place.version
    ), parked as materialized (
      select token.run_id, token.id, kind.kind from token join kind using (playbook_id, version, node)
      where token.state = 'waiting' and token.timer_at is null and not token.watches_case
        and not coalesce(token.memo ? 'child_run', false)
    ), fault as (
      select case_id, id as run_id, null::smallint as token_id, null::text as node, 'no_live_token' as fault from page
      where not exists (select from token where token.run_id = page.id and token.state <> 'dead')
      union all
      select case_id, run_id, id, node, 'lease_expired' from token
      where state = 'ready' and lease_until < now() - interval '1 minute'
      union all
      select case_id, run_id, id, node, 'timer_overdue' from token
      where state = 'waiting' and timer_at < now() - interval '5 minutes'
      union all
      select token.case_id, token.run_id, token.id, token.node, 'child_gone' from token
      where token.state = 'waiting' and token.memo ? 'child_run' and not exists (
        select from run as child where child.tenant_id = ${tenantId} and child.id = (token.memo ->> 'child_run')::uuid
          and child.state in ('active', 'paused')
      )
      union all
      select token.case_id, token.run_id, token.id, token.node, 'waits_for_nothing'
      from token join parked on parked.run_id = token.run_id and parked.id = token.id
      where case
        when parked.kind = any(${CHOOSING}::text[]) then false
        when parked.kind = any(${JOINING}::text[]) then not exists (
          select from token as other where other.run_id = token.run_id and other.state <> 'dead' and not exists (
            select from parked as joined where joined.run_id = other.run_id and joined.id = other.id
              and joined.kind = any(${JOINING}::text[])
          )
        )
        else true
      end
      union all
      select case_id, run_id, id, node, 'state_mismatch' from token
      where run_state = 'active' and state in ('paused', 'dead') or run_state = 'paused' and state <> 'paused'
      union all
      select run_token.case_id, run_token.run_id, run_token.id, run_token.node, 'state_mismatch'
      from run_token join run on run.tenant_id = run_token.tenant_id and run.id = run_token.run_id
      where run_token.tenant_id = ${tenantId} and run_token.state = 'waiting' and run.state in ('ended', 'failed', 'cancelled')
        and (${after}::uuid is null or run_token.run_id > ${after}::uuid)
        and (
          run_token.run_id <= (select id from page order by id desc limit 1)
          or (select count(*) from page) < ${limit}
        )
    )
    (
      select ${tenantId} as "tenantId", case_id as "caseId", run_id as "runId", token_id as "tokenId", node, fault
      from fault order by run_id, token_id limit ${STUCK_LISTED_MAX}
    )
    union all
    (
      select ${tenantId}, case_id, id, null, null, null from page
      where (select count(*) from page) = ${limit} order by id desc limit 1
    )`.execute(db)
  const end = result.rows.find(({ fault }) => fault === null)
  const stuck = result.rows.flatMap((row) => (row.fault === null ? [] : [row]))
  return { stuck, last: end?.runId ?? null }
}

/** The next tenants by their ids. */
export async function listTenantIds(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const found = await sql<{ id: string }>`
    select id from tenant where id > ${after} order by id limit ${limit}`.execute(db)
  return found.rows.map(({ id }) => id)
}
