// Runs of playbooks on cases, and the triggers that move them (interface endpoint 2, design
// sections 5.5 and 9).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import { WaitingTrigger } from '../../cases/waiting-trigger-wire.ts'
import type { AttemptRecord } from './run-attempt-store.ts'
import type { RunRecord, VisitRecord } from './run-store.ts'

export const RunState = Type.Union([
  Type.Literal('active'),
  Type.Literal('paused'),
  Type.Literal('ended'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
])

const RUN_MEMBERS = {
  run_id: Type.String(),
  playbook_id: Type.String(),
  version: Type.Integer(),
  state: RunState,
  node: Type.Optional(
    Type.String({
      description: 'The node at which the run is, or failed; absent when it has ended.',
    }),
  ),
  failure: Type.Optional(
    Type.String({ description: 'Why a failed run needs a person, as one stable word.' }),
  ),
  started_at: Type.String({ format: 'date-time' }),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
}

const Run = Type.Object(RUN_MEMBERS)
/** A run in the list over all cases. */
const RunOfCase = Type.Object({ ...RUN_MEMBERS, case_id: Type.String() })

export function presentRun(run: RunRecord): Static<typeof Run> {
  return omitNulls<Static<typeof Run>>({
    run_id: run.runId,
    playbook_id: run.playbookId,
    version: run.version,
    state: run.state,
    node: run.node,
    failure: run.failure,
    started_at: run.startedAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
  })
}

/** One passage of a token through a node. */
const Visit = Type.Object({
  visit: Type.Integer(),
  node: Type.String(),
  kind: Type.String(),
  path: Type.Optional(
    Type.String({
      description: 'The path by which the node was left; absent where the token ended.',
    }),
  ),
  actor: Type.Optional(
    Type.String({
      description:
        '`token:<id>` of the API token that chose the path; absent where no choice was needed.',
    }),
  ),
  output: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  entered_at: Type.String({ format: 'date-time' }),
  left_at: Type.String({ format: 'date-time' }),
})

function presentVisit(visit: VisitRecord): Static<typeof Visit> {
  return omitNulls<Static<typeof Visit>>({
    visit: visit.visit,
    node: visit.node,
    kind: visit.kind,
    path: visit.path,
    actor: visit.actor,
    output: visit.output,
    entered_at: visit.enteredAt.toISOString(),
    left_at: visit.leftAt.toISOString(),
  })
}

const Attempt = Type.Object({
  visit: Type.Integer(),
  node: Type.String(),
  attempt: Type.Integer({ description: 'Of this visit, from 1.' }),
  started_at: Type.String({ format: 'date-time' }),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
  outcome: Type.Optional(
    Type.Union(
      [
        Type.Literal('done'),
        Type.Literal('refused'),
        Type.Literal('over'),
        Type.Literal('retry'),
        Type.Literal('interrupted'),
      ],
      {
        description:
          'Absent while the call is under way. interrupted: the process ended before it knew; the next attempt sends the same key.',
      },
    ),
  ),
  detail: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

function presentAttempt(attempt: AttemptRecord): Static<typeof Attempt> {
  return omitNulls<Static<typeof Attempt>>({
    visit: attempt.visit,
    node: attempt.node,
    attempt: attempt.attempt,
    started_at: attempt.startedAt.toISOString(),
    ended_at: attempt.endedAt?.toISOString() ?? null,
    outcome: attempt.outcome,
    detail: attempt.detail,
  })
}

/** A run with its visits, the oldest first. */
export const RunDetail = Type.Object({
  ...RUN_MEMBERS,
  visits: Type.Array(Visit),
  attempts: Type.Array(Attempt, {
    description: 'Calls of other systems by its nodes, the newest 1,000, the oldest of them first.',
  }),
})

export function presentRunDetail(
  run: RunRecord,
  visits: readonly VisitRecord[],
  attempts: readonly AttemptRecord[],
): Static<typeof RunDetail> {
  return {
    ...presentRun(run),
    visits: visits.map(presentVisit),
    attempts: attempts.map(presentAttempt),
  }
}

export const RunList = pageOf(Run)
export const RunOfCaseList = pageOf(RunOfCase)

export function presentRunOfCase(run: RunRecord): Static<typeof RunOfCase> {
  return { ...presentRun(run), case_id: run.caseId }
}

/** Interface endpoint 2: the body. Members beside these two are ignored. */
export const TriggerBody = Type.Object({
  node: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Id of the node at which a run of the case waits; `<playbook id>/<node id>` names the playbook too.',
  }),
  path: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the path by which the node is left.',
  }),
})

/** As TriggerBody, with what a person filled in. */
export const DecisionBody = Type.Object(
  {
    ...TriggerBody.properties,
    form: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'By the names of the fields that `GET …/triggers` shows. Left out by a second person who agrees with the first.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const DecisionAnswer = Type.Object({
  run_id: Type.String(),
  decided: Type.Boolean({
    description: 'False: it is noted, and a second person must choose the same.',
  }),
})

export const WaitingTriggerList = pageOf(WaitingTrigger)
