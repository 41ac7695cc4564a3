// The checks of a changed sighting rule, and its way into the table and this node's look-ups.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { AuditAct } from '../../vocabulary/audit-acts.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { ruleIsStale, ruleNotValid, ruleUnknown, tooManyRules } from '../errors.ts'
import {
  DEFAULT_SIGHTING_RULES,
  mayRuleSet,
  REPORT_KIND,
  type SightingRule,
  UNVERIFIED_SERVICE,
} from '../facts/sighting-rules.ts'
import {
  CONTACT_SOURCE_KIND,
  NETWORK_SOURCE_KIND,
  STATEMENT_SOURCE_KINDS,
} from '../facts/source-kinds.ts'
import type { TagCatalogue } from '../facts/tag-catalogue.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { SIGHTING_RULES_MAX } from '../index/rule-reader.ts'
import {
  changeStoredRule,
  type DecideRule,
  type RuleChange,
  type RuleChangeResult,
  type StoredRule,
} from './sighting-rule-store.ts'

export interface SaveRuleDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly ids: IdSource
  readonly index: Pick<IntelIndex, 'tags' | 'refreshNow'>
}

export interface RuleRequest {
  readonly name: string
  readonly act: Extract<AuditAct, `sighting_rule.${string}`>
  readonly caller: Caller
  readonly ifMatch: string | string[] | undefined
}

/** Changes the rule; a look-up on this node sees it afterwards. */
export async function saveRule(
  { db, audit, clock, ids, index }: SaveRuleDeps,
  { name, act, caller, ifMatch }: RuleRequest,
  decide: DecideRule,
): Promise<Extract<RuleChangeResult, { kind: 'stored' | 'removed' }>> {
  const expectedVersion =
    ifMatch === undefined ? null : readExpectedVersion(ifMatch, undefined, () => ruleIsStale())
  const change: RuleChange = {
    ids,
    at: new Date(clock.nowMs()),
    actor: caller.tokenId,
    expectedVersion,
    record: (tx, values) => audit.record(tx, act, { tenantId: null, id: name, ...values }),
  }
  const done = await changeStoredRule(db, name, change, decide)
  if (done.kind === 'absent') throw ruleUnknown()
  if (done.kind === 'stale') throw ruleIsStale()
  if (done.kind === 'too_many') throw tooManyRules(SIGHTING_RULES_MAX)
  // The rule is stored. When reading it back fails, the call has still succeeded and the next poll
  // reads it.
  await index.refreshNow().catch(() => undefined)
  return done
}

export function findShippedRule(name: string): SightingRule | null {
  return DEFAULT_SIGHTING_RULES.find((rule) => rule.name === name) ?? null
}

const RULE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/** Throws `ruleNotValid` with one sentence. */
export function requireRuleName(name: string): string {
  if (RULE_NAME.test(name)) return name
  throw ruleNotValid('its name must be lower-case letters, digits and hyphens, at most 64.')
}

// Sources of these kinds are no sensors, and sightings of such a kind cannot be pushed.
const NO_SENSORS: readonly string[] = [
  ...Object.values(STATEMENT_SOURCE_KINDS),
  CONTACT_SOURCE_KIND,
  NETWORK_SOURCE_KIND,
]

/** Throws `ruleNotValid` with the first rule that it breaks. */
export function checkRule(rule: SightingRule, tags: TagCatalogue): SightingRule {
  const { kind, services = [] } = rule
  if (NO_SENSORS.includes(kind)) {
    throw ruleNotValid(`kind ${kind} has no sightings; use one of a sensor, such as honeypot.`)
  }
  const isAboutUnverified = kind === REPORT_KIND && services.includes(UNVERIFIED_SERVICE)
  if (isAboutUnverified && services.length > 1) {
    throw ruleNotValid('services: unverified must stand alone, in a rule of its own.')
  }
  for (const name of rule.tags) {
    const tag = tags.find(name)
    if (tag === null) throw ruleNotValid(`tags: there is no tag ${name}; GET /beta/tags lists all.`)
    if (mayRuleSet(rule, tag.intent)) continue
    throw ruleNotValid(
      `tags: ${name} is ${tag.intent}, and unverified reports count for no more than suspicious.`,
    )
  }
  return rule
}

/** What is stored for a rule of a person: marked, so that an upgrade keeps it. */
export function asEdited(
  rule: SightingRule,
  isEnabled: boolean,
): Pick<StoredRule, 'rule' | 'isEnabled' | 'isEdited'> {
  return { rule, isEnabled, isEdited: true }
}
