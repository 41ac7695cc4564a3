// The rules of a batch: each event that has an owner is muted, or gets a case group and a
// correlation key.

import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { type CorrelationKey, formatCorrelationKey } from '../cases/case.ts'
import type { Severity } from '../cases/case-tables.ts'
import type { OwnerAnswer } from '../owners/resolve-owners.ts'
import type { CaseGroup, IngestRules } from '../rules/case-group.ts'
import { type ConditionFailures, compileRules, createRuleChooser } from '../rules/choose-rules.ts'
import type { ConditionDeps } from '../rules/condition-work.ts'
import { buildCorrelationKey, type Ownership } from '../rules/correlation-key.ts'
import type { IncomingEvent } from './incoming-event.ts'

/** An event with the id under which it is stored. */
export interface IdentifiedEvent {
  readonly incoming: IncomingEvent
  readonly eventId: string
}

/** An event with its owner, its case group and its correlation key. */
export interface KeyedEvent extends IdentifiedEvent {
  readonly ownership: Ownership
  readonly group: CaseGroup
  /** Of a case that the event opens. */
  readonly severity: Severity | null
  readonly keyHash: string
}

/** The events of a batch that have one key, with the id of the case that they may open. */
export class KeyBatch implements CorrelationKey {
  readonly caseGroupId: string
  readonly keyHash: string
  readonly group: CaseGroup
  readonly events: KeyedEvent[]
  readonly #ids: IdSource
  #offeredCaseId: string | null = null

  constructor(ids: IdSource, first: KeyedEvent) {
    this.#ids = ids
    this.caseGroupId = first.group.id
    this.keyHash = first.keyHash
    this.group = first.group
    this.events = [first]
  }

  /** Made when it is first asked for: most keys have an open case. */
  get offeredCaseId(): string {
    this.#offeredCaseId ??= createCaseId(this.#ids)
    return this.#offeredCaseId
  }
}

export interface KeyedBatch {
  /** The rule that muted the event, by event id. */
  readonly muted: ReadonlyMap<string, string>
  /** One for each key, with its events in their order. */
  readonly keys: readonly KeyBatch[]
  readonly failures: ConditionFailures
}

export interface KeyingDeps extends ConditionDeps {
  readonly ids: IdSource
}

/** Owned events of a tenant, with the rules that decide about them. */
export interface UnkeyedBatch {
  readonly scope: TenantScope
  readonly rules: IngestRules
  readonly events: readonly IdentifiedEvent[]
  /** In the order of the events. Events without an owner are left out. */
  readonly owners: readonly OwnerAnswer[]
  readonly at: Date
}

/** Gives other requests their turn while many or expensive rules are asked. */
export async function keyEvents(
  { ids, briefItem, conditionWork }: KeyingDeps,
  { scope, rules, events, owners, at }: UnkeyedBatch,
): Promise<KeyedBatch> {
  const work = conditionWork.openBatch(scope, events.length)
  await compileRules(rules, work)
  const chooser = createRuleChooser({ rules, at, briefItem, work })
  const muted = new Map<string, string>()
  const keys = new Map<string, KeyBatch>()
  for (const [index, { incoming, eventId }] of events.entries()) {
    const owner = owners[index]
    if (owner?.kind !== 'owned') continue
    const { ownership } = owner
    // oxlint-disable-next-line eslint/no-await-in-loop
    const choice = await chooser.choose(incoming.event, ownership)
    if (choice.kind === 'muted') {
      muted.set(eventId, choice.ruleId)
      continue
    }
    const { group, severity } = choice
    const keyHash = buildCorrelationKey(group.keyFields, incoming.event, ownership)
    const keyed = { incoming, eventId, ownership, group, severity, keyHash }
    const name = formatCorrelationKey({ caseGroupId: group.id, keyHash })
    const key = keys.get(name)
    if (key === undefined) keys.set(name, new KeyBatch(ids, keyed))
    else key.events.push(keyed)
  }
  return { muted, keys: [...keys.values()], failures: chooser.failures }
}

/** `C-` and an upper-case UUIDv7 (design section 5.3). */
export function createCaseId(ids: IdSource): string {
  return `C-${ids.nextUuid().toUpperCase()}`
}

/** Whether a case opens only when there are enough events. */
export function hasThreshold({ group: { policy } }: KeyBatch): boolean {
  return policy.thresholdEvents > 1 || policy.thresholdReporters > 1
}

/** A group without an age or gap limit: any open case accepts the event. */
export function acceptsAny({ group: { policy } }: KeyBatch): boolean {
  return policy.maxAgeSeconds === null && policy.maxGapSeconds === null
}
