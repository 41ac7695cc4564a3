// Runs of playbooks on cases, and the triggers that move them (interface endpoint 2, design
// sections 5.5 and 9).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import { WaitingTrigger } from '../../cases/waiting-trigger-wire.ts'
import type { AttemptRecord } from './run-attempt-store.ts'
import type { RunRecord, TokenRecord, VisitRecord } from './run-store.ts'

export const RunState = named(
  'RunState',
  Type.Union([
    Type.Literal('active'),
    Type.Literal('paused'),
    Type.Literal('ended'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ]),
)

const RUN_MEMBERS = {
  run_id: Type.String(),
  playbook_id: Type.String(),
  playbook_name: Type.String(),
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
  since: Type.String({
    format: 'date-time',
    description: 'Since when it has ended or failed, is paused, or is at its node.',
  }),
  waits_for: Type.Optional(
    Type.String({
      description:
        'Whom or what it waits for: agent, customer, reporter, third_party or timer. Absent for nobody in particular.',
    }),
  ),
  next_timer_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When a wait of it ends by itself.' }),
  ),
  started_at: Type.String({ format: 'date-time' }),
  started_by: Type.Optional(
    Type.String({
      description:
        'Who or what began it, such as `token:<id>`; absent for the intake of a new case.',
    }),
  ),
  parent_run_id: Type.Optional(
    Type.String({ description: 'The run that has started it and waits for its end.' }),
  ),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
}

const Run = named('Run', Type.Object(RUN_MEMBERS))
/** A run of any case. */
export const RunOfCase = named(
  'RunOfCase',
  Type.Object({
    ...RUN_MEMBERS,
    case_id: Type.String(),
    case_group: Type.Optional(Type.String({ description: 'Absent for a case that was removed.' })),
  }),
)

export function presentRun(run: RunRecord): Static<typeof Run> {
  return omitNulls<Static<typeof Run>>({
    run_id: run.runId,
    playbook_id: run.playbookId,
    playbook_name: run.playbookName,
    version: run.version,
    state: run.state,
    node: run.node,
    failure: run.failure,
    since: run.since.toISOString(),
    waits_for: run.waitsFor,
    next_timer_at: run.nextTimerAt?.toISOString() ?? null,
    started_by: run.startedBy,
    parent_run_id: run.parentRunId,
    started_at: run.startedAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
  })
}

/** One passage of a token through a node. */
const Visit = named(
  'RunVisit',
  Type.Object({
    token: Type.Integer(),
    visit: Type.Integer({ description: 'Of this token, from 1.' }),
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
  }),
)

function presentVisit(visit: VisitRecord): Static<typeof Visit> {
  return omitNulls<Static<typeof Visit>>({
    token: visit.token,
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

const Attempt = named(
  'RunAttempt',
  Type.Object({
    token: Type.Integer(),
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
  }),
)

function presentAttempt(attempt: AttemptRecord): Static<typeof Attempt> {
  return omitNulls<Static<typeof Attempt>>({
    token: attempt.token,
    visit: attempt.visit,
    node: attempt.node,
    attempt: attempt.attempt,
    started_at: attempt.startedAt.toISOString(),
    ended_at: attempt.endedAt?.toISOString() ?? null,
    outcome: attempt.outcome,
    detail: attempt.detail,
  })
}

const Token = named(
  'RunToken',
  Type.Object({
    token: Type.Integer(),
    state: Type.Union(
      [
        Type.Literal('ready'),
        Type.Literal('waiting'),
        Type.Literal('paused'),
        Type.Literal('dead'),
        Type.Literal('done'),
      ],
      {
        description:
          'ready: a worker takes it at due_at. waiting: for a trigger, a time, a change of the case, other tokens or another run. paused: until the run is resumed. dead: it has failed.',
      },
    ),
    node: Type.String(),
    visit: Type.Integer(),
    key: Type.String({ description: 'The key of the effect of its node at this visit.' }),
    entered_at: Type.String({ format: 'date-time' }),
    waits_for: Type.Optional(Type.String()),
    timer_at: Type.Optional(Type.String({ format: 'date-time' })),
    watches_case: Type.Boolean({ description: 'A change of the case lets its node decide again.' }),
    chosen_path: Type.Optional(Type.String()),
    due_at: Type.Optional(Type.String({ format: 'date-time' })),
    attempts: Type.Integer({ description: 'Since its last progress.' }),
    child_run: Type.Optional(Type.String({ description: 'The run whose end it waits for.' })),
    vars: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What earlier nodes have kept, which its node sees.',
    }),
  }),
)

function presentToken(token: TokenRecord): Static<typeof Token> {
  return omitNulls<Static<typeof Token>>({
    token: token.token,
    state: token.state,
    node: token.node,
    visit: token.visit,
    key: token.key,
    entered_at: token.enteredAt.toISOString(),
    waits_for: token.waitsFor,
    timer_at: token.timerAt?.toISOString() ?? null,
    watches_case: token.watchesCase,
    chosen_path: token.chosenPath,
    due_at: token.dueAt?.toISOString() ?? null,
    attempts: token.attempts,
    child_run: token.childRun,
    vars: token.vars,
  })
}

/** A run with its visits, the oldest first. */
export const RunDetail = named(
  'RunDetail',
  Type.Object({
    ...RunOfCase.properties,
    tokens: Type.Array(Token, { description: 'Those that have not ended, at most 1,000.' }),
    visits: Type.Array(Visit),
    attempts: Type.Array(Attempt, {
      description:
        'Calls of other systems by its nodes, the newest 1,000, the oldest of them first.',
    }),
  }),
)

export function presentRunDetail(
  run: RunRecord,
  tokens: readonly TokenRecord[],
  visits: readonly VisitRecord[],
  attempts: readonly AttemptRecord[],
): Static<typeof RunDetail> {
  return {
    ...presentRunOfCase(run),
    tokens: tokens.map(presentToken),
    visits: visits.map(presentVisit),
    attempts: attempts.map(presentAttempt),
  }
}

export const RunList = pageOf(Run)
export const RunOfCaseList = pageOf(RunOfCase)

export function presentRunOfCase(run: RunRecord): Static<typeof RunOfCase> {
  const { caseId, caseGroup } = run
  return {
    ...presentRun(run),
    case_id: caseId,
    ...(caseGroup === null ? {} : { case_group: caseGroup }),
  }
}

/** Interface endpoint 2: the body. Members beside these two are ignored. */
export const TriggerBody = named(
  'PlaybookTrigger',
  Type.Object({
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
  }),
)

/** As TriggerBody, with what a person filled in. */
export const DecisionBody = named(
  'NewDecision',
  Type.Object(
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
  ),
)

export const DecisionAnswer = named(
  'Decision',
  Type.Object({
    run_id: Type.String(),
    decided: Type.Boolean({
      description: 'False: it is noted, and a second person must choose the same.',
    }),
  }),
)

export const WaitingTriggerList = pageOf(WaitingTrigger)
