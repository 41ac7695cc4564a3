// Chooses the rule for an event: the first mute rule in force that matches, else the first case
// group that takes the event.

import { strict as assert } from 'node:assert'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { CaseGroup, IngestRules } from './case-group.ts'
import { type ConditionAnswer, compileCondition } from './compile-condition.ts'
import { buildConditionInput, type ConditionInput } from './condition-environment.ts'
import { type Ownership, readKeyField } from './correlation-key.ts'
import type { KeyMatch, MuteRule } from './mute-rule.ts'

type RuleChoice =
  | { readonly kind: 'muted'; readonly ruleId: string }
  | { readonly kind: 'group'; readonly group: CaseGroup }

export interface RuleChooser {
  readonly choose: (event: NewEvent, owner: Ownership) => RuleChoice
  /** Conditions that failed so far. */
  readonly failures: ConditionFailures
}

export function createRuleChooser(rules: IngestRules, at: Date): RuleChooser {
  const groups = rules.groups.filter((group) => group.isEnabled)
  const mutes = rules.muteRules.filter((rule) => rule.untilMs > at.getTime())
  const failures = { caseGroup: 0, muteRule: 0 }
  return {
    failures,
    choose(event, owner) {
      const view = viewEvent(event, owner)
      const mute = mutes.find((rule) => {
        const answer = askMuteRule(rule, view)
        if (answer === 'failed') failures.muteRule += 1
        return answer === 'match'
      })
      if (mute !== undefined) return { kind: 'muted', ruleId: mute.id }
      const group = groups.find((candidate) => {
        const answer = askGroup(candidate, view)
        if (answer === 'failed') failures.caseGroup += 1
        return answer === 'match'
      })
      assert.ok(group !== undefined, 'the last group takes everything')
      return { kind: 'group', group }
    },
  }
}

/**
 * An event as rules read it. The input of conditions is built when the first condition needs it.
 */
export interface EventView {
  readonly event: NewEvent
  readonly owner: Ownership
  readonly input: () => ConditionInput
}

export function viewEvent(event: NewEvent, owner: Ownership): EventView {
  let made: ConditionInput | null = null
  return {
    event,
    owner,
    input() {
      made ??= buildConditionInput(event, owner)
      return made
    },
  }
}

/** Whether the group, if it is enabled, takes the event. */
export function askGroup(group: CaseGroup, { event, input }: EventView): ConditionAnswer {
  const { xarfClasses, condition } = group
  const { xarfClass } = event
  if (xarfClasses !== null && (xarfClass === null || !xarfClasses.includes(xarfClass))) {
    return 'no_match'
  }
  return condition === null ? 'match' : compileCondition(condition).ask(input())
}

export function askMuteRule(rule: MuteRule, view: EventView): ConditionAnswer {
  if (rule.condition !== null) return compileCondition(rule.condition).ask(view.input())
  return rule.keyMatch !== null && hasKey(rule.keyMatch, view) ? 'match' : 'no_match'
}

function hasKey(match: KeyMatch, { event, owner }: EventView): boolean {
  const fields = Object.entries(match)
  return (
    fields.length > 0 &&
    fields.every(([name, value]) => readKeyField(readName(name), event, owner) === value)
  )
}

// A key match has key fields only (readKeyMatch in mute-rule-store.ts).
function readName(name: string): Parameters<typeof readKeyField>[0] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return name as Parameters<typeof readKeyField>[0]
}

export interface ConditionFailures {
  readonly caseGroup: number
  readonly muteRule: number
}
