// A simulation of a playbook: which cases, what is assumed, and what it would have done.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import type { SimulatedCase, SimulatedVisit } from './simulate-case.ts'
import type { TriedEffect } from './simulation-store.ts'
import type { SimulationSummary } from './summarise-cases.ts'

const SIMULATED_CASES_MAX = 100
export const SIMULATED_CASES = 10
const ASSUMPTIONS_MAX = 200
const IN_ORDER_MAX = 50

const AssumptionEntry = Type.Union([
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Object(
    {
      path: Type.String({ minLength: 1, maxLength: 200 }),
      vars: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    { additionalProperties: false },
  ),
])

const REQUEST_MEMBERS = {
  case_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: SIMULATED_CASES_MAX,
      description: 'The cases; or `last` of them.',
    }),
  ),
  last: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SIMULATED_CASES_MAX,
      description: `So many of the newest cases; ${SIMULATED_CASES} when neither is given.`,
    }),
  ),
  case_group: Type.Optional(
    Type.String({ maxLength: 200, description: 'With `last`: the cases of this group only.' }),
  ),
  as_new: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'The case is worked as when it was opened, and the clock of the simulation begins then. Events that came later are there. false: as it is now, from now on.',
    }),
  ),
  assume: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Union([AssumptionEntry, Type.Array(AssumptionEntry, { maxItems: IN_ORDER_MAX })]),
      {
        maxProperties: ASSUMPTIONS_MAX,
        description:
          'By node, the path that a call comes back by, or that somebody chooses at a trigger or manual node; with `vars` that it brings. A list is for one visit after the other. Without one a call succeeds, and a run waits at the node. `<playbook id>/<node id>` names a node of another playbook.',
      },
    ),
  ),
}

export const SimulationRequest = named(
  'SimulationRequest',
  Type.Object(REQUEST_MEMBERS, { additionalProperties: false }),
)

export const GraphSimulationRequest = named(
  'GraphSimulationRequest',
  Type.Object(
    {
      nodes: Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'The graph, as `createPlaybook` takes it.',
      }),
      ...REQUEST_MEMBERS,
    },
    { additionalProperties: false },
  ),
)

const Visit = named(
  'SimulatedVisit',
  Type.Object({
    node: Type.String(),
    kind: Type.String(),
    path: Type.Optional(
      Type.String({
        description: 'The path by which the node was left; absent where a token ended.',
      }),
    ),
    token: Type.Integer({ description: '1, or that of a branch of a fork.' }),
    playbook_id: Type.Optional(
      Type.String({ description: 'Of a sub_playbook; absent for the one that is simulated.' }),
    ),
    entered_at: Type.String({
      format: 'date-time',
      description: 'By the clock of the simulation, which goes on from timer to timer.',
    }),
    left_at: Type.String({ format: 'date-time' }),
    output: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'As of a run. For a call, `assumed` is the path that was taken, and `request` what would have been sent, without secrets.',
      }),
    ),
  }),
)

const Effect = named(
  'SimulatedEffect',
  Type.Object({
    kind: Type.String({ description: 'As of an entry of the history of a case.' }),
    node: Type.String(),
    at: Type.String({ format: 'date-time' }),
    from_state: Type.Optional(Type.String()),
    to_state: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    changes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    text: Type.Optional(Type.String({ description: 'Of a comment.' })),
    notice: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'As it would be sent: purpose, party, recipient, language, subject, text, state.',
      }),
    ),
    mitigation: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'As it would be asked for: kind, target_type, target, port, adapter, duration_seconds, parameters, note.',
      }),
    ),
  }),
)

const Outcome = named(
  'SimulationOutcome',
  Type.Union([
    Type.Literal('ended'),
    Type.Literal('waiting'),
    Type.Literal('failed'),
    Type.Literal('stopped'),
    Type.Literal('skipped'),
  ]),
)

const Case = named(
  'SimulatedCase',
  Type.Object({
    case_id: Type.String(),
    outcome: Outcome,
    reason: Type.Optional(
      Type.String({
        description:
          'failed: as the `failure` of a run. stopped: too_many_visits, too_long or too_much_work. skipped: locked, unknown_case, merged, no_time_left or answer_full.',
      }),
    ),
    started_at: Type.Optional(Type.String({ format: 'date-time' })),
    ended_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'By the clock of the simulation.' }),
    ),
    visits: Type.Array(Visit),
    effects: Type.Array(Effect),
    changes: Type.Record(Type.String(), Type.Unknown(), {
      description: '`{member: {from, to}}` of the case, from its begin to its end.',
    }),
    waits: Type.Array(
      Type.Object({
        node: Type.String(),
        kind: Type.String(),
        playbook_id: Type.Optional(Type.String()),
        waiting_on: Type.Optional(Type.String()),
        paths: Type.Array(Type.String(), { description: 'Those that may be chosen there.' }),
      }),
      { description: 'The nodes at which a run that goes on waits for somebody.' },
    ),
    problems: Type.Array(Type.Object({ node: Type.String(), reason: Type.String() }), {
      description: 'Visits that a node could not end well, with the reason as one stable word.',
    }),
  }),
)

const NodeCount = {
  node: Type.String(),
  cases: Type.Integer(),
}

const Summary = named(
  'SimulationSummary',
  Type.Object({
    cases: Type.Integer(),
    outcomes: Type.Array(
      Type.Object({
        outcome: Outcome,
        reason: Type.Optional(Type.String()),
        cases: Type.Integer(),
      }),
    ),
    paths: Type.Array(
      Type.Object({
        ...NodeCount,
        kind: Type.String(),
        path: Type.Optional(Type.String()),
        playbook_id: Type.Optional(Type.String()),
        visits: Type.Integer(),
      }),
      {
        description: 'Which paths were taken, in how many cases, in the order of the first visit.',
      },
    ),
    waits: Type.Array(Type.Object(NodeCount)),
    effects: Type.Array(Type.Object({ ...NodeCount, kind: Type.String(), count: Type.Integer() })),
    problems: Type.Array(Type.Object({ ...NodeCount, reason: Type.String() })),
  }),
)

export const Simulation = named(
  'Simulation',
  Type.Object({
    as_new: Type.Boolean(),
    duration_ms: Type.Integer(),
    summary: Summary,
    cases: Type.Array(Case, { description: 'In the order of `case_ids`, or the newest first.' }),
  }),
)

export function presentSimulatedCase(one: SimulatedCase): Static<typeof Case> {
  return omitNulls<Static<typeof Case>>({
    case_id: one.caseId,
    outcome: one.end.kind,
    reason: 'reason' in one.end ? one.end.reason : null,
    started_at: one.startedAt?.toISOString() ?? null,
    ended_at: one.endedAt?.toISOString() ?? null,
    visits: one.visits.map(presentVisit),
    effects: one.effects.map(presentEffect),
    changes: { ...one.changes },
    waits: one.waits.map(({ node, kind, playbookId, waitsFor, choices }) =>
      omitNulls<Static<typeof Case>['waits'][number]>({
        node,
        kind,
        playbook_id: playbookId,
        waiting_on: waitsFor,
        paths: [...choices],
      }),
    ),
    problems: [...one.problems],
  })
}

function presentVisit(visit: SimulatedVisit): Static<typeof Visit> {
  return omitNulls<Static<typeof Visit>>({
    node: visit.node,
    kind: visit.kind,
    path: visit.path,
    token: visit.token,
    playbook_id: visit.playbookId,
    entered_at: visit.enteredAt.toISOString(),
    left_at: visit.leftAt.toISOString(),
    output: visit.output === null ? null : { ...visit.output },
  })
}

// Ids of what is gone after the simulation are left out.
const GONE_IDS: readonly string[] = ['comment_id', 'notice_id', 'mitigation_id']

function presentEffect(effect: TriedEffect): Static<typeof Effect> {
  const changes = Object.entries(effect.changes ?? {}).filter(([name]) => !GONE_IDS.includes(name))
  return omitNulls<Static<typeof Effect>>({
    kind: effect.kind,
    node: effect.node,
    at: effect.at.toISOString(),
    from_state: effect.fromState,
    to_state: effect.toState,
    reason: effect.reason,
    changes: changes.length === 0 ? null : Object.fromEntries(changes),
    text: effect.text,
    notice: effect.notice === null ? null : omitNulls({ ...effect.notice }),
    mitigation: effect.mitigation === null ? null : { ...effect.mitigation },
  })
}

export function presentSummary(summary: SimulationSummary): Static<typeof Summary> {
  return {
    cases: summary.cases,
    outcomes: summary.outcomes.map((one) =>
      omitNulls<Static<typeof Summary>['outcomes'][number]>({ ...one }),
    ),
    paths: summary.paths.map(({ playbookId, ...one }) =>
      omitNulls<Static<typeof Summary>['paths'][number]>({ ...one, playbook_id: playbookId }),
    ),
    waits: [...summary.waits],
    effects: [...summary.effects],
    problems: [...summary.problems],
  }
}
