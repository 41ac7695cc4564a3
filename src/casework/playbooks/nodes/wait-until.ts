// Wait Until: waits until a condition over the facts of the case holds, or for its timeout.

import { Type } from 'typebox'
import { type FactCondition, parseFactCondition } from '../case-facts.ts'
import { defineNodeKind } from '../node-kind.ts'
import {
  addSpan,
  listCalendarNames,
  readOptionalSpan,
  type Span,
  spanOf,
} from './duration-config.ts'

interface WaitUntilConfig {
  readonly condition: FactCondition
  readonly timeout: Span | null
}

export const WAIT_UNTIL = defineNodeKind({
  kind: 'wait_until',
  title: 'Wait Until',
  description:
    'Waits until a condition over the facts of the case holds. It is asked on arrival and again whenever the case or its events change.',
  config: Type.Object(
    {
      condition: Type.String({ minLength: 1, description: 'As of true_false.' }),
      timeout: Type.Optional(
        spanOf(
          'After this time the node is left by the path `timeout`; without a node at its end the run keeps waiting.',
        ),
      ),
    },
    { additionalProperties: false },
  ),
  read({ condition: text, timeout: given }, { refuse }): WaitUntilConfig | null {
    const result = parseFactCondition(text)
    if (result.kind === 'problem') return refuse('condition', result.reason)
    const timeout = readOptionalSpan(given)
    if (typeof timeout === 'string') return refuse('timeout', timeout)
    return { condition: result.condition, timeout }
  },
  paths: ({ timeout }) => (timeout === null ? ['met', 'error'] : ['met', 'timeout', 'error']),
  calendars: ({ timeout }) => listCalendarNames(timeout),
  needsFacts: true,
  watchesCases: true,
  decide({ condition, timeout }, token, facts) {
    const answer = condition.ask(facts, token.work)
    if (answer.kind === 'match') return { kind: 'leave', path: 'met' }
    if (answer.kind === 'failed') {
      return { kind: 'refused', reason: 'condition_failed', output: { explanation: answer.reason } }
    }
    if (token.timerRang) return { kind: 'leave', path: 'timeout', output: { timed_out: true } }
    const hasTimer = timeout !== null && token.isConnected('timeout')
    const timerAt = hasTimer ? addSpan(timeout, token.enteredAt, token.calendars) : null
    if (timerAt !== null && 'kind' in timerAt) return timerAt
    const waitsFor = timerAt === null ? null : 'timer'
    return { kind: 'wait', waitsFor, timerAt, watchesCase: true }
  },
  example: { config: { condition: "case.customer_status == 'answered'", timeout: 'P3D' } },
})
