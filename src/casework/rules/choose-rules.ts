// Chooses the rule for an event: the first mute rule in force that matches, else the first case
// group that takes the event.

import { strict as assert } from 'node:assert'
import type { BriefItem } from '../../intel/lookup/item-brief.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { Severity } from '../cases/case-tables.ts'
import type { CaseGroup, IngestRules, SeverityRule } from './case-group.ts'
import {
  type ConditionAnswer,
  compileCondition,
  isCompiled,
  MATCH,
  NO_MATCH,
} from './compile-condition.ts'
import { buildConditionInput, type ConditionInput } from './condition-environment.ts'
import type { WorkBudget } from './condition-meter.ts'
import type { BatchWork } from './condition-work.ts'
import { type Ownership, readKeyField } from './correlation-key.ts'
import type { KeyMatch, MuteRule } from './mute-rule.ts'

type RuleChoice =
  | { readonly kind: 'muted'; readonly ruleId: string }
  | {
      readonly kind: 'group'
      readonly group: CaseGroup
      /** Of a case that the event opens. */
      readonly severity: Severity | null
    }

export interface RuleChooser {
  /** The conditions of one event share its budget of work; others have their turn in between. */
  readonly choose: (event: NewEvent, owner: Ownership) => Promise<RuleChoice>
  /** Conditions that failed so far. */
  readonly failures: ConditionFailures
}

// At most a microsecond a character.
const COMPILE_UNITS_A_CHARACTER = 10

/** Compiles what the rules need and no batch had before, in turns with other work. */
export async function compileRules(rules: IngestRules, work: BatchWork): Promise<void> {
  const groups = rules.groups.filter((group) => group.isEnabled)
  const conditions = [
    ...rules.muteRules.map(({ condition }) => condition),
    ...groups.map(({ condition }) => condition),
    ...groups.flatMap(
      ({ severityRules }) => severityRules?.map(({ condition }) => condition) ?? [],
    ),
  ]
  for (const condition of conditions) {
    if (condition === null || isCompiled(condition)) continue
    compileCondition(condition)
    work.spend(condition.length * COMPILE_UNITS_A_CHARACTER)
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (work.isTurnOver()) await work.giveTurn()
  }
}

export interface ChooserDeps {
  readonly rules: IngestRules
  readonly at: Date
  readonly briefItem: BriefItem
  readonly work: BatchWork
}

export function createRuleChooser({ rules, at, briefItem, work }: ChooserDeps): RuleChooser {
  const groups = rules.groups.filter((group) => group.isEnabled)
  const mutes = rules.muteRules.filter((rule) => rule.untilMs > at.getTime())
  const failures = { caseGroup: 0, muteRule: 0, exceeded: 0 }
  const matches = (kind: 'caseGroup' | 'muteRule', answer: ConditionAnswer): boolean => {
    if (answer.kind === 'failed') {
      failures[kind] += 1
      if (answer.cause === 'work') failures.exceeded += 1
    }
    return answer.kind === 'match'
  }
  const chooseSeverity = ({ severityRules, severity }: CaseGroup, view: EventView) => {
    const rule = severityRules?.find((one) =>
      matches('caseGroup', askRule(askSeverityRule, one, view, work)),
    )
    return rule?.severity ?? severity
  }
  return {
    failures,
    async choose(event, owner) {
      const view = viewEvent(event, owner, briefItem, work.openEvent())
      // Turns are given between two rules: awaiting each of them would cost more than most rules.
      for (const rule of mutes) {
        if (matches('muteRule', askRule(askMuteRule, rule, view, work))) {
          return { kind: 'muted', ruleId: rule.id }
        }
        if (work.isTurnOver()) await work.giveTurn()
      }
      for (const group of groups) {
        if (matches('caseGroup', askRule(askGroup, group, view, work))) {
          return { kind: 'group', group, severity: chooseSeverity(group, view) }
        }
        if (work.isTurnOver()) await work.giveTurn()
      }
      assert.fail('the last group takes everything')
    },
  }
}

/** What the rule used of the event's work is counted for its tenant. */
export function askRule<Rule>(
  ask: (rule: Rule, view: EventView) => ConditionAnswer,
  rule: Rule,
  view: EventView,
  work: BatchWork,
): ConditionAnswer {
  const before = view.budget.left
  const answer = ask(rule, view)
  work.spend(before - view.budget.left)
  return answer
}

/**
 * An event as rules read it. The input of conditions is built when the first condition needs it.
 */
export interface EventView {
  readonly event: NewEvent
  readonly owner: Ownership
  readonly input: () => ConditionInput
  /** What its conditions may do. */
  readonly budget: WorkBudget
}

export function viewEvent(
  event: NewEvent,
  owner: Ownership,
  briefItem: BriefItem,
  budget: WorkBudget,
): EventView {
  let made: ConditionInput | null = null
  return {
    event,
    owner,
    budget,
    input() {
      made ??= buildConditionInput(event, owner, briefItem)
      return made
    },
  }
}

/** Whether the group, if it is enabled, takes the event. */
export function askGroup(group: CaseGroup, { event, input, budget }: EventView): ConditionAnswer {
  const { xarfClasses, condition } = group
  const { xarfClass } = event
  if (xarfClasses !== null && (xarfClass === null || !xarfClasses.includes(xarfClass))) {
    return NO_MATCH
  }
  return condition === null ? MATCH : compileCondition(condition).ask(input(), budget)
}

export function askSeverityRule({ condition }: SeverityRule, view: EventView): ConditionAnswer {
  return compileCondition(condition).ask(view.input(), view.budget)
}

export function askMuteRule(rule: MuteRule, view: EventView): ConditionAnswer {
  if (rule.condition !== null) {
    return compileCondition(rule.condition).ask(view.input(), view.budget)
  }
  return rule.keyMatch !== null && hasKey(rule.keyMatch, view) ? MATCH : NO_MATCH
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
  /** Those of them that took too much work. */
  readonly exceeded: number
}
