// SQL of the table of sighting rules. A change raises the serial of the tag catalogue, so that
// every node reads tags and rules again, and adds a row of history.

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { SightingRule } from '../facts/sighting-rules.ts'
import { SIGHTING_RULES_MAX } from '../index/rule-reader.ts'
import { raiseTagSerial } from '../index/serial-store.ts'

export interface StoredRule {
  readonly rule: SightingRule
  readonly isEnabled: boolean
  /** An upgrade of the program keeps it. */
  readonly isEdited: boolean
  readonly version: number
}

interface RuleRecord {
  readonly name: string
  readonly kind: string
  readonly types: readonly string[]
  readonly services: readonly string[] | null
  readonly count_min: number
  readonly sources_min: number
  readonly within_seconds: number | null
  readonly tags: readonly string[]
  readonly is_enabled: boolean
  readonly is_edited: boolean
  readonly version: number
}

const COLUMNS = sql.raw(
  'name, kind, types, services, count_min, sources_min, within_seconds, tags, is_enabled, is_edited, version',
)

function toStoredRule(row: RuleRecord): StoredRule {
  const { name, kind, types, services, count_min, sources_min, within_seconds, tags } = row
  return {
    rule: {
      name,
      kind,
      types,
      ...(services === null ? {} : { services }),
      countMin: count_min,
      sourcesMin: sources_min,
      ...(within_seconds === null ? {} : { withinSeconds: within_seconds }),
      tags,
    },
    isEnabled: row.is_enabled,
    isEdited: row.is_edited,
    version: row.version,
  }
}

/** By kind and name. */
export async function listStoredRules(db: Db): Promise<readonly StoredRule[]> {
  const { rows } = await sql<RuleRecord>`
    select ${COLUMNS} from sighting_rule
    order by kind collate "C", name limit ${SIGHTING_RULES_MAX}`.execute(db)
  return rows.map(toStoredRule)
}

export async function findStoredRule(db: Db, name: string): Promise<StoredRule | null> {
  const { rows } = await sql<RuleRecord>`
    select ${COLUMNS} from sighting_rule where name = ${name}`.execute(db)
  return rows[0] === undefined ? null : toStoredRule(rows[0])
}

/**
 * Adds and updates the shipped rules in one statement, so that several nodes may do it at once.
 * Edited rules stay. The serial is raised only when a rule differs.
 */
export async function seedRules(db: Db, rules: readonly SightingRule[]): Promise<void> {
  const rows = JSON.stringify(rules.map(describeRow).toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  await inTransaction(db, async (tx) => {
    const changed = await sql<{ name: string }>`
      insert into sighting_rule as known (name, kind, types, services, count_min, sources_min, within_seconds, tags)
      select name, kind, types, services, count_min, sources_min, within_seconds, tags
      from jsonb_to_recordset(${rows}::jsonb) as shipped (
        name text, kind text, types text[], services text[], count_min bigint, sources_min integer,
        within_seconds integer, tags text[]
      )
      on conflict (name) do update set
        kind = excluded.kind, types = excluded.types, services = excluded.services,
        count_min = excluded.count_min, sources_min = excluded.sources_min,
        within_seconds = excluded.within_seconds, tags = excluded.tags, version = known.version + 1
      where not known.is_edited
        and (known.kind, known.types, known.services, known.count_min, known.sources_min, known.within_seconds, known.tags)
          is distinct from (excluded.kind, excluded.types, excluded.services, excluded.count_min, excluded.sources_min,
            excluded.within_seconds, excluded.tags)
      returning name`.execute(tx)
    if (changed.rows.length > 0) await raiseTagSerial(tx)
  })
}

function describeRow(rule: SightingRule) {
  const { name, kind, types, services = null, countMin, sourcesMin, withinSeconds, tags } = rule
  const thresholds = { count_min: countMin, sources_min: sourcesMin }
  return { name, kind, types, services, ...thresholds, within_seconds: withinSeconds ?? null, tags }
}

export interface RuleChange {
  readonly ids: IdSource
  readonly at: Date
  /** Id of the token. */
  readonly actor: string
  /** The version that the change was decided on; null for any. */
  readonly expectedVersion: number | null
  /** Called at the end of the transaction. */
  readonly record: (
    tx: Tx,
    values: { readonly before: object | null; readonly after: object | null },
  ) => Promise<void>
}

export type RuleChangeResult =
  | { readonly kind: 'stored'; readonly stored: StoredRule; readonly isNew: boolean }
  | { readonly kind: 'removed' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'too_many' }

/** `decide` gets the stored rule, locked, or null; null of it removes the rule. */
export type DecideRule = (
  before: StoredRule | null,
) => Pick<StoredRule, 'rule' | 'isEnabled' | 'isEdited'> | null

/** Changes one rule, with its history. */
export async function changeStoredRule(
  db: Db,
  name: string,
  change: RuleChange,
  decide: DecideRule,
): Promise<RuleChangeResult> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<RuleRecord>`
      select ${COLUMNS} from sighting_rule where name = ${name} for update`.execute(tx)
    const before = rows[0] === undefined ? null : toStoredRule(rows[0])
    const { expectedVersion } = change
    if (expectedVersion !== null && before?.version !== expectedVersion) return { kind: 'stale' }
    const wanted = decide(before)
    if (wanted === null) {
      if (before === null) return { kind: 'absent' }
      await sql`delete from sighting_rule where name = ${name}`.execute(tx)
      await noteRuleChange(tx, name, change, before, null)
      return { kind: 'removed' }
    }
    const stored = await writeRule(tx, wanted, before)
    if (stored === null) return { kind: 'too_many' }
    await noteRuleChange(tx, name, change, before, stored)
    return { kind: 'stored', stored, isNew: before === null }
  })
}

/** Null when there are too many rules. */
async function writeRule(
  tx: Tx,
  { rule, isEnabled, isEdited }: Pick<StoredRule, 'rule' | 'isEnabled' | 'isEdited'>,
  before: StoredRule | null,
): Promise<StoredRule | null> {
  const row = { ...describeRow(rule), is_enabled: isEnabled, is_edited: isEdited }
  const { rows } = await sql<RuleRecord>`
    insert into sighting_rule as known
      (name, kind, types, services, count_min, sources_min, within_seconds, tags, is_enabled, is_edited)
    select name, kind, types, services, count_min, sources_min, within_seconds, tags, is_enabled, is_edited
    from jsonb_to_record(${JSON.stringify(row)}::jsonb) as given (
      name text, kind text, types text[], services text[], count_min bigint, sources_min integer,
      within_seconds integer, tags text[], is_enabled boolean, is_edited boolean)
    where ${before !== null}::boolean or (select count(*) from sighting_rule) < ${SIGHTING_RULES_MAX}
    on conflict (name) do update set
      kind = excluded.kind, types = excluded.types, services = excluded.services,
      count_min = excluded.count_min, sources_min = excluded.sources_min, within_seconds = excluded.within_seconds,
      tags = excluded.tags, is_enabled = excluded.is_enabled, is_edited = excluded.is_edited, version = known.version + 1
    returning ${COLUMNS}`.execute(tx)
  return rows[0] === undefined ? null : toStoredRule(rows[0])
}

/** The members of a rule that people decide, as its history has them. */
function describeRule({ rule, isEnabled }: Pick<StoredRule, 'rule' | 'isEnabled'>) {
  return { ...rule, enabled: isEnabled }
}

async function noteRuleChange(
  tx: Tx,
  name: string,
  { ids, at, actor, record }: RuleChange,
  before: StoredRule | null,
  after: StoredRule | null,
): Promise<void> {
  await raiseTagSerial(tx)
  const json = (one: StoredRule | null): string | null =>
    one === null ? null : JSON.stringify(describeRule(one))
  await sql`
    insert into sighting_rule_history (id, name, at, kind, actor, before, after)
    values (${ids.nextUuid()}, ${name}, ${at}, ${nameChange(before, after)}, ${actor},
      ${json(before)}::jsonb, ${json(after)}::jsonb)`.execute(tx)
  await record(tx, {
    before: before === null ? null : describeRule(before),
    after: after === null ? null : describeRule(after),
  })
}

type RuleChangeKind = 'created' | 'changed' | 'reset' | 'deleted'

function nameChange(before: StoredRule | null, after: StoredRule | null): RuleChangeKind {
  if (after === null) return 'deleted'
  if (before === null) return 'created'
  return after.isEdited ? 'changed' : 'reset'
}

export interface RuleHistoryEntry {
  readonly at: Date
  readonly kind: RuleChangeKind
  readonly actor: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

const HISTORY_MAX = 200

/** The newest first; at most 200. Also of a rule that was deleted. */
export async function listRuleChanges(db: Db, name: string): Promise<readonly RuleHistoryEntry[]> {
  const { rows } = await sql<RuleHistoryEntry>`
    select at, kind, actor, before, after from sighting_rule_history
    where name = ${name} order by id desc limit ${HISTORY_MAX}`.execute(db)
  return rows
}
