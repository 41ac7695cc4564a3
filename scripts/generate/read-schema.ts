// The schema that the migrations make, read from the catalogues of a database that has them.
// Partitions are left out: they come and go with the months.

import type { Pool } from 'pg'

export interface Column {
  readonly name: string
  /** As SQL names it, such as `text[]`. */
  readonly type: string
  readonly isNullable: boolean
  /** What stands behind the type: a default, or how it is generated; empty for neither. */
  readonly rest: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Each with its name: `constraint event_pkey primary key (…)`. */
  readonly constraints: readonly string[]
  /** Such as `partition by range (id)`; empty for a plain one. */
  readonly partitioning: string
  /** Whole statements: indexes, triggers, row level security. */
  readonly statements: readonly string[]
}

export interface Schema {
  readonly tables: readonly Table[]
  /** Whole statements: sequences, views, functions. */
  readonly others: readonly string[]
}

/** Reads the tables of the schema `public`, in the order of their names. */
export async function readSchema(pool: Pool): Promise<Schema> {
  const { rows: tables } = await pool.query<{ oid: number; name: string; partitioning: string }>(`
    select c.oid::int, c.relname as name,
      case when c.relkind = 'p' then 'partition by ' || lower(pg_get_partkeydef(c.oid)) else '' end as partitioning
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname collate "C"`)
  const read: Table[] = []
  for (const { oid, name, partitioning } of tables) {
    read.push({
      name,
      partitioning,
      columns: await readColumns(pool, oid),
      constraints: await readConstraints(pool, oid),
      statements: await readStatements(pool, oid),
    })
  }
  return { tables: read, others: await readOthers(pool) }
}

async function readColumns(pool: Pool, table: number): Promise<readonly Column[]> {
  const { rows } = await pool.query<Column>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as "isNullable",
      case when a.attidentity <> '' then 'generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
        when a.attgenerated <> '' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid, true) || ') stored'
        when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid, true)
        else '' end as rest
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  )
  return rows
}

// PostgreSQL 18 keeps "not null" as a constraint too; the column says it.
async function readConstraints(pool: Pool, table: number): Promise<readonly string[]> {
  return await readTexts(
    pool,
    `select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid, true) as text
    from pg_constraint where conrelid = $1 and contype <> 'n' and conparentid = 0
    order by contype = 'p' desc, contype, conname collate "C"`,
    table,
  )
}

async function readStatements(pool: Pool, table: number): Promise<readonly string[]> {
  const indexes = await readTexts(
    pool,
    `select replace(pg_get_indexdef(i.indexrelid), ' public.', ' ') as text
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = $1 and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
    order by c.relname collate "C"`,
    table,
  )
  const triggers = await readTexts(
    pool,
    `select replace(pg_get_triggerdef(oid, true), ' public.', ' ') as text
    from pg_trigger where tgrelid = $1 and not tgisinternal and tgparentid = 0
    order by tgname collate "C"`,
    table,
  )
  const security = await readTexts(
    pool,
    `select text from (
      select 0 as place, format('alter table %I enable row level security', relname) as text
      from pg_class where oid = $1 and relrowsecurity
      union all
      select 1, format('alter table %I force row level security', relname)
      from pg_class where oid = $1 and relforcerowsecurity
      union all
      select 2, format('create policy %I on %I', p.polname, c.relname)
        || coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid, true) || ')', '')
        || coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', '')
      from pg_policy p join pg_class c on c.oid = p.polrelid where p.polrelid = $1) as said
    order by place, text collate "C"`,
    table,
  )
  return [...indexes, ...triggers, ...security]
}

async function readOthers(pool: Pool): Promise<readonly string[]> {
  return await readTexts(
    pool,
    `select text from (
      select 0 as place, format('create sequence %I', c.relname) as text from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
        and not exists (select from pg_depend where objid = c.oid and deptype in ('a', 'i') and refobjsubid > 0)
      union all
      select 1, format(E'create view %I as\\n%s', c.relname, rtrim(pg_get_viewdef(c.oid, true), ';'))
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
        and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
      union all
      select 2, replace(rtrim(pg_get_functiondef(p.oid), E'\\n'), ' public.', ' ') from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e')) as said
    order by place, text collate "C"`,
  )
}

async function readTexts(
  pool: Pool,
  statement: string,
  ...values: readonly number[]
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>(statement, [...values])
  return rows.map(({ text }) => text)
}
