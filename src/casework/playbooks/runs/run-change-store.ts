// What happens to runs, noted in the outbox of changes beside the rows that change: no statement of
// its own, and no row where nobody listens.

import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Actor } from '../../cases/case-tables.ts'
import { noteRows } from '../../changes/outbox-store.ts'

// `started_by` is `token:<id>`, `run:<id>`, or a word of the program.
const STARTED = sql`(
    select tenant_id, 'started' as what, id::text as subject_id, case_id,
      case when started_by like 'token:%' or started_by like 'run:%' then split_part(started_by, ':', 1) else 'system' end as actor_kind,
      case when started_by like 'token:%' or started_by like 'run:%' then substr(started_by, strpos(started_by, ':') + 1)
        else coalesce(started_by, 'intake') end as actor,
      null::text as cause_id, jsonb_build_object('playbook_id', playbook_id, 'version', version) as data, now() as at
    from started
  ) as changed`

/** For a WITH clause in which `started` returns the rows of new runs of one tenant. */
export function noteStarted(scope: TenantScope): RawBuilder<unknown> {
  return noteRows(scope, 'run', STARTED)
}

/** For a WITH clause in which `saved` returns tokens: those that came to a node, and wait there. */
export function noteWaiting(scope: TenantScope): RawBuilder<unknown> {
  return noteRows(scope, 'run', WAITING)
}

const WAITING = sql`(
    select saved.tenant_id, 'waiting' as what, saved.run_id::text as subject_id, saved.case_id, 'run' as actor_kind,
      saved.run_id || ':' || saved.node as actor, saved.run_id || ':' || saved.id || ':' || saved.visit as cause_id,
      jsonb_strip_nulls(jsonb_build_object('playbook_id', run.playbook_id, 'version', run.version, 'node', saved.node,
        'waits_for', saved.waits_for)) as data, now() as at
    from saved join run on run.tenant_id = saved.tenant_id and run.id = saved.run_id
    where saved.state = 'waiting' and saved.is_arrival
  ) as changed`

/** For a WITH clause in which `saved` returns runs: those that have ended or failed by it. */
export function noteEnded(scope: TenantScope): RawBuilder<unknown> {
  return noteRows(scope, 'run', ENDED)
}

const ENDED = sql`(
    select tenant_id, state as what, id::text as subject_id, case_id, 'run' as actor_kind, id::text as actor, null::text as cause_id,
      jsonb_strip_nulls(jsonb_build_object('playbook_id', playbook_id, 'version', version, 'failure', failure, 'node', node)) as data,
      now() as at
    from saved where state <> 'active'
  ) as changed`

/** Notes what was done to runs of a tenant, after it. */
export async function noteRuns(
  tx: Tx,
  { tenantId }: TenantScope,
  what: 'cancelled' | 'paused' | 'resumed' | 'migrated' | 'ended',
  runIds: readonly string[],
  actor: Pick<Actor, 'kind' | 'id'>,
): Promise<void> {
  if (runIds.length === 0) return
  const rows: RawBuilder<unknown> = sql`(
    select tenant_id, ${what}::text as what, id::text as subject_id, case_id, ${actor.kind}::text as actor_kind,
      ${actor.id}::text as actor, null::text as cause_id,
      jsonb_build_object('playbook_id', playbook_id, 'version', version) as data, now() as at
    from run where tenant_id = ${tenantId} and id = any(${[...runIds]}::uuid[]) order by id
  ) as changed`
  await sql`${noteRows({ tenantId }, 'run', rows)}`.execute(tx)
}
