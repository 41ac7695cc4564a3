// A trial of a drafted rule on stored events: the request, the counts, and each event with its case
// of today beside the one that it would be in.

import { type Static, Type } from 'typebox'
import { omitNulls, type WithNulls } from '../../../values/omit-nulls.ts'
import { describe, named, ONE_MEMBER_OF } from '../../../vocabulary/named-schema.ts'
import { DraftCaseGroup } from '../../rules/case-group-wire.ts'
import { DraftMuteRule } from '../../rules/mute-rule-wire.ts'

/** The most events of a trial; as many as a batch of ingest. */
export const TRIAL_EVENTS_MAX = 1_000

export const RuleTrialRequest = named(
  'RuleTrialRequest',
  Type.Object(
    {
      case_group: Type.Optional(DraftCaseGroup),
      mute_rule: Type.Optional(DraftMuteRule),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: TRIAL_EVENTS_MAX,
          description: `How many of the newest events are tried; ${TRIAL_EVENTS_MAX} when left out.`,
        }),
      ),
    },
    {
      additionalProperties: false,
      description: 'Either `case_group` or `mute_rule`.',
      [ONE_MEMBER_OF]: ['case_group', 'mute_rule'],
    },
  ),
)

const RuleTrialOutcome = named(
  'RuleTrialOutcome',
  Type.Object({
    outcome: Type.Union(
      [
        Type.Literal('case'),
        Type.Literal('held'),
        Type.Literal('muted'),
        Type.Literal('unassigned'),
      ],
      {
        description:
          '`case`: in a case. `held`: below the threshold of its group. `muted`: a mute rule keeps it out. `unassigned`: it has no owner, so no rule is asked.',
      },
    ),
    case_group: Type.Optional(Type.String({ description: 'Id of the case group.' })),
    case_id: Type.Optional(
      Type.String({ description: 'The case; in a trial only one from before the events.' }),
    ),
    new_case: Type.Optional(
      Type.Integer({ description: 'The number of a case that the trial would open, from 1.' }),
    ),
    mute_rule: Type.Optional(
      Type.String({ description: 'Id of the mute rule; `draft` for the drafted one.' }),
    ),
  }),
)

const RuleTrialItem = named(
  'RuleTrialItem',
  Type.Object({
    event_id: Type.String({ description: 'Id of the event.' }),
    event_date: Type.String({ format: 'date-time', description: 'When it happened.' }),
    event_type: Type.String({ description: 'Its type.' }),
    matched: Type.Boolean({ description: 'The drafted rule would take it.' }),
    different: Type.Boolean({
      description: 'The outcome differs from that of the same trial with the rules of today.',
    }),
    today: describe(RuleTrialOutcome, 'What became of it, people’s work included.'),
    trial: describe(RuleTrialOutcome, 'What the rules would make of it.'),
  }),
)

const count = (description: string) => Type.Integer({ description })

export const RuleTrial = named(
  'RuleTrial',
  Type.Object({
    counts: Type.Object({
      events: count('Events that were tried.'),
      matched: count('Events that the drafted rule would take.'),
      opened: count('Cases that would open.'),
      joined: count('Events that would be in a case without opening it.'),
      held: count('Events that would stay below a threshold.'),
      muted: count('Events that a mute rule would keep out.'),
      unassigned: count('Events without an owner.'),
      different: count('Events whose outcome differs from that with the rules of today.'),
      failed: count('Conditions, of any rule, that failed for an event and did not match.'),
      exceeded: count('Those of them that took too much work.'),
    }),
    items: Type.Array(RuleTrialItem, {
      description: 'The events that match or differ, the newest first.',
    }),
  }),
)

export type TrialOutcome = Static<typeof RuleTrialOutcome>
export type TrialCounts = Static<typeof RuleTrial>['counts']

export function presentTrialOutcome(
  outcome: TrialOutcome['outcome'],
  members: Partial<WithNulls<Omit<TrialOutcome, 'outcome'>>> = {},
): TrialOutcome {
  const absent = { case_group: null, case_id: null, new_case: null, mute_rule: null }
  return omitNulls<TrialOutcome>({ outcome, ...absent, ...members })
}
