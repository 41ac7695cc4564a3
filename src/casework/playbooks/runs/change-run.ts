// POST /beta/casework/runs/{runId}/cancel, /pause and /resume: a person stops a run, or lets it go
// on. A repeated request changes nothing and gets the same answer.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import type { Caller, TenantScope } from '../../../vocabulary/caller.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import type { Actor } from '../../cases/case-tables.ts'
import { runNotFound } from '../errors.ts'
import type { GraphCache } from '../graph-cache.ts'
import { cancelRun } from './cancel-run.ts'
import { lockRunFamily, type RunFamily } from './locked-run-store.ts'
import { pauseRun } from './pause-run.ts'
import { resumeRun } from './resume-run.ts'
import { findRunOfTenant } from './run-store.ts'
import { presentRunOfCase, RunOfCase } from './run-wire.ts'

export interface ChangeRunDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly graphs: GraphCache
  /** Call it after a commit that made tokens due. */
  readonly wakeWorkers: () => void
}

/** Who changes a run, and why. */
export interface RunChange {
  readonly actor: Actor
  readonly reason: string | null
}

const PATH = '/beta/casework/runs/{runId}'
const ABSENT = { description: 'There is no such run.' }
const RunParams = Type.Object({ runId: Type.String() })
const Reason = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1_000, description: 'Kept in the history of the case.' }),
)
const ReasonBody = named(
  'RunReason',
  Type.Object({ reason: Reason }, { additionalProperties: false }),
)

export function cancelRunRoute(deps: ChangeRunDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${PATH}/cancel`,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description:
      'It ends where it is, with the runs that it has started. A run that waits for it goes on by the path error. A failed run that is cancelled needs nobody any more. What a call brings back later is kept with the attempt and moves nothing.',
    params: RunParams,
    body: ReasonBody,
    responses: {
      200: { description: 'The run is cancelled.', schema: RunOfCase },
      404: ABSENT,
      409: { description: 'The run has ended already; `casework-reason` says so.' },
    },
    async handle({ caller, params, body }) {
      return await change(deps, requireCaller(caller), params.runId, body, cancelRun)
    },
  })
}

export function pauseRunRoute(deps: ChangeRunDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${PATH}/pause`,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'pauseRun',
    summary: 'Pause a run',
    description:
      'Its tokens and those of the runs that it has started stay where they are: no timer rings, no trigger is accepted, and no change of the case moves them. A call that is under way ends, and its outcome is kept: the run goes on from it when it is resumed. A call that failed for a time is then made again with the same key.',
    params: RunParams,
    body: ReasonBody,
    responses: {
      200: { description: 'The run is paused.', schema: RunOfCase },
      404: ABSENT,
      409: { description: 'The run has ended or failed; `casework-reason` says which.' },
    },
    async handle({ caller, params, body }) {
      return await change(deps, requireCaller(caller), params.runId, body, pauseRun)
    },
  })
}

const ResumeBody = named(
  'RunResumption',
  Type.Object(
    {
      reason: Reason,
      resend: Type.Optional(
        Type.Boolean({
          description:
            'For a failed run. False, also when left out: the effect of the failed node keeps its key, so a receiver that has it counts it once. True: it gets a new key and is sent anew.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export function resumeRunRoute(deps: ChangeRunDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${PATH}/resume`,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'resumeRun',
    idempotency: 'kept',
    summary: 'Resume a run',
    description:
      'The nodes of its tokens decide again. A failed run goes on at the node at which it failed, with a new visit and the full number of attempts. Runs that it has started are resumed too.',
    params: RunParams,
    body: ResumeBody,
    responses: {
      200: { description: 'The run is active.', schema: RunOfCase },
      404: ABSENT,
      409: {
        description:
          'The run has ended or was cancelled, the playbook runs on the case again, the run above it has gone on, or a calendar is gone; `casework-reason` says which.',
      },
    },
    async handle({ caller, params, body }) {
      const resend = body.resend ?? false
      return await change(deps, requireCaller(caller), params.runId, body, (...given) =>
        resumeRun(...given, { resend }),
      )
    },
  })
}

type Change = (
  tx: Tx,
  deps: ChangeRunDeps,
  scope: TenantScope,
  family: RunFamily,
  change: RunChange,
) => Promise<void>

async function change(
  deps: ChangeRunDeps,
  { tenantId, tokenId }: Caller,
  runIdText: string,
  body: { readonly reason?: string },
  act: Change,
) {
  const scope = { tenantId }
  const runId = parseRecordId(runIdText)
  if (runId === null) throw runNotFound()
  const actor = { kind: 'token', id: tokenId, name: tokenId } as const
  const run = await inTransaction(deps.db, async (tx) => {
    const family = await lockRunFamily(tx, scope, runId)
    if (family === null) throw runNotFound()
    await act(tx, deps, scope, family, { actor, reason: body.reason ?? null })
    return await findRunOfTenant(tx, scope, runId)
  })
  if (run === null) throw runNotFound()
  deps.wakeWorkers()
  return { status: 200, json: presentRunOfCase(run) }
}
