// True/False: asks a condition about the facts of the case.

import { Type } from 'typebox'
import { type FactCondition, parseFactCondition } from '../case-facts.ts'
import { defineNodeKind } from '../node-kind.ts'

interface TrueFalseConfig {
  readonly condition: FactCondition
}

export const TRUE_FALSE = defineNodeKind({
  kind: 'true_false',
  title: 'True/False',
  description:
    'Asks a condition about the facts of the case. A condition that cannot be answered takes the path error.',
  config: Type.Object(
    {
      condition: Type.String({
        minLength: 1,
        description:
          'A CEL condition over case, event, events, customer, intel, vars, run and now.',
      }),
    },
    { additionalProperties: false },
  ),
  read({ condition: text }, { refuse }): TrueFalseConfig | null {
    const result = parseFactCondition(text)
    if (result.kind === 'problem') return refuse('condition', result.reason)
    return { condition: result.condition }
  },
  paths: () => ['true', 'false', 'error'],
  needsFacts: true,
  decide({ condition }, token, facts) {
    const answer = condition.ask(facts, token.work)
    switch (answer.kind) {
      case 'match':
        return { kind: 'leave', path: 'true' }
      case 'no_match':
        return { kind: 'leave', path: 'false' }
      case 'failed':
        return {
          kind: 'refused',
          reason: 'condition_failed',
          output: { explanation: answer.reason },
        }
    }
  },
  example: { config: { condition: "case.event_count > 10 && 'phishing' in case.event_tags" } },
})
