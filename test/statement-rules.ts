// What no statement may hold, so that a database distributed by tenant (Citus) can run it: design
// decision 4. A text is read once, without its comments and literals.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHARDED_TABLES } from '../src/app/sharding/table-kinds.ts'
import { findPackageRoot } from '../src/values/resources.ts'

/** Null for a statement that keeps the rules; else the rule that it breaks. */
export function findBrokenRule(text: string): string | null {
  const statement = simplify(text)
  if (/^(?:create (?!temp)|alter|drop|analyze|set|begin|commit|rollback|grant)\b/.test(statement)) {
    return null
  }
  for (const [rule, isBroken] of RULES) if (isBroken(statement)) return rule
  return null
}

/** True when rows of tenants are read or written without naming a tenant. */
export function isOfAllTenants(text: string): boolean {
  const statement = simplify(text)
  return readTenantTables(statement).length > 0 && !NAMES_TENANT.test(statement)
}

export const TEMPORARY_TABLE = 'a temporary table'

const RULES: readonly (readonly [string, (statement: string) => boolean])[] = [
  ['ctid, which is of one shard', (one) => /\bctid\b/.test(one)],
  ['tablesample', (one) => /\btablesample\b/.test(one)],
  [TEMPORARY_TABLE, (one) => /\bcreate temp(?:orary)? /.test(one)],
  [
    'a volatile function in case or coalesce',
    (one) => WRITES.test(one) && listChoices(one).some((choice) => VOLATILE.test(choice)),
  ],
  [
    'a stable function in case or coalesce',
    (one) => writesShards(one) && listChoices(one).some((choice) => STABLE.test(choice)),
  ],
  [
    'an upsert that sets tenant_id',
    (one) => listUpserts(one).some((changes) => /\btenant_id =/.test(changes)),
  ],
  [
    'a stable function in an upsert',
    (one) =>
      writesShards(one) && listUpserts(one, / returning /).some((changes) => STABLE.test(changes)),
  ],
  [
    'a sub-select in the limit of a write',
    (one) => writesShards(one) && /\blimit \(\s*select\b/.test(one),
  ],
  [
    'a slice of a sub-select in a write',
    (one) => writesShards(one) && listSlices(one).some((sliced) => /\(\s*select\b/.test(sliced)),
  ],
  [
    'a case of a value in an update: case when x = y',
    // Tables of the coordinator too: keys lead from them to `tenant`, so Citus plans their writes.
    (one) => UPDATES.test(one) && /\bcase (?!when\b)\S+ when\b/.test(one),
  ],
  [
    'an insert that selects from tables of tenants and returns columns, without on conflict',
    returnsSelected,
  ],
  ['a table that is changed twice', changesTwice],
  [
    'a lock of rows of more than one tenant',
    (one) => LOCKS.test(one) && readTenantTables(one).length > 0 && !NAMES_ONE_TENANT.test(one),
  ],
  [
    'a volatile function in what a write returns',
    (one) => writesShards(one) && listReturned(one).some((returned) => VOLATILE.test(returned)),
  ],
  [
    'a shared lock of a tenant, which two transactions on Citus cannot take at once',
    (one) => /\bfrom tenant\b/.test(one) && /\bfor (?:key )?share\b/.test(one),
  ],
]

const WRITES = /\b(?:insert into|update|delete from|merge into)\b/
const VOLATILE =
  /\b(?:now|random|gen_random_uuid|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|uuidv7)\(|\bcurrent_timestamp\b/
// A time with a zone is moved by the time zone of the session.
const STABLE = new RegExp(
  `${VOLATILE.source}|(?<!at time zone ''\\)?) [-+] (?:\\S+ \\* )?interval\\b`,
)
const UPDATES = /(?<!for |key )\bupdate\b/
const LOCKS = /\bfor (?:no key )?update\b|\bfor (?:key )?share\b/
const NAMES_ONE_TENANT = /\btenant_id = (?:\$\d|'')/
// By a value, by the same tenant of a list that is given, or as the tenant of a new row.
const NAMES_TENANT =
  /\btenant_id (?:=|in\b)|\busing \(tenant_id\b|\(\s*(?:\w+\.)?tenant_id\b[^()]*\) (?:=|in|<|>)|\binsert into \w+ (?:as \w+ )?\(\s*tenant_id\b/

/** In lower case, with single spaces, and without quotes of names, comments and literals. */
function simplify(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/"([a-z_0-9]+)"/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The insides of `coalesce (…)` and `case … end`, the inner ones as parts of the outer. */
function listChoices(statement: string): readonly string[] {
  const found: string[] = []
  for (const match of statement.matchAll(/\bcoalesce\s*\(|\bcase\b/g)) {
    const from = match.index + match[0].length
    found.push(
      statement.slice(
        from,
        match[0] === 'case' ? endOfCase(statement, from) : endOfBrackets(statement, from),
      ),
    )
  }
  return found
}

function endOfBrackets(statement: string, from: number): number {
  let depth = 1
  for (let at = from; at < statement.length; at += 1) {
    if (statement[at] === '(') depth += 1
    if (statement[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return statement.length
}

function endOfCase(statement: string, from: number): number {
  let depth = 1
  for (const { 0: word, index } of statement.slice(from).matchAll(/\b(?:case|end)\b/g)) {
    depth += word === 'case' ? 1 : -1
    if (depth === 0) return from + index
  }
  return statement.length
}

/** What is sliced, as `(…)[1:100]`. */
function listSlices(statement: string): readonly string[] {
  return [...statement.matchAll(/\)\[[^\]]*:/g)].map(({ index }) => {
    let depth = 0
    for (let at = index; at >= 0; at -= 1) {
      if (statement[at] === ')') depth += 1
      if (statement[at] === '(') depth -= 1
      if (depth === 0) return statement.slice(at, index)
    }
    return statement.slice(0, index)
  })
}

/** What stands behind `do update set`, up to its condition or what it returns. */
function listUpserts(statement: string, end = / (?:where|returning) /): readonly string[] {
  return [...statement.matchAll(/\bdo update set\b/g)].map(({ index }) => {
    const rest = statement.slice(index)
    const inner = rest.slice(0, endOfBrackets(rest, 0))
    return inner.split(end)[0] ?? ''
  })
}

/** What stands behind each `returning`, up to the end of its statement. */
function listReturned(statement: string): readonly string[] {
  return [...statement.matchAll(/\breturning\b/g)].map(({ index }) => {
    const rest = statement.slice(index)
    return rest.slice(0, endOfBrackets(rest, 0))
  })
}

/**
 * Citus sends a `returning` that names the selected table, unless there is an `on conflict`. An
 * insert within a WITH clause is sent as it stands.
 */
function returnsSelected(statement: string): boolean {
  const [selected = '', returned] = statement.split(' returning ')
  if (!/^insert into\b/.test(selected) || !writesShards(selected)) return false
  if (returned === undefined || returned === '1 as inserted' || / on conflict\b/.test(selected)) {
    return false
  }
  const tables = [...selected.matchAll(/\b(?:from|join) (\w+)/g)]
  return tables.some(([, table = '']) => SHARDS.has(table))
}

/** True when it writes a table that a distributed database has in shards. */
function writesShards(statement: string): boolean {
  return listWritten(statement).some((table) => SHARDS.has(table))
}

const SHARDS: ReadonlySet<string> = new Set(SHARDED_TABLES)

function changesTwice(statement: string): boolean {
  const written = listWritten(statement)
  return new Set(written).size < written.length
}

function listWritten(statement: string): readonly string[] {
  return [
    ...statement.matchAll(
      /\b(?:insert into|delete from|merge into|(?<!for |key |do )update)(?: only)? (\w+)/g,
    ),
  ].map(([, table = '']) => table)
}

function readTenantTables(statement: string): readonly string[] {
  return [...statement.matchAll(/\b(?:from|join|update|into|using|only) (\w+)/g)].flatMap(
    ([, table = '']) => (TENANT_TABLES.has(table) ? [table] : []),
  )
}

const KEY_OF_TENANT = /primary key \(tenant_id\b/

/** Tables whose key begins with the tenant. */
const TENANT_TABLES: ReadonlySet<string> = new Set(
  [
    ...readFileSync(join(findPackageRoot(), 'migrations', 'schema.sql'), 'utf8').matchAll(
      /^create table (\w+) \(([\s\S]*?)^\)/gm,
    ),
  ].flatMap(([, table = '', columns = '']) => (KEY_OF_TENANT.test(columns) ? [table] : [])),
)
