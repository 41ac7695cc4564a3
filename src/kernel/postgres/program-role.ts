// The role that the program works as in the embedded database: it owns all of the program's
// objects, is no superuser and cannot bypass row level security (docs/decisions/0016). Only this
// file works as the superuser that initdb made, once at each start.

import type { Client } from 'pg'
import { INDEXED_FUNCTIONS } from '../db/database-role.ts'

export const PROGRAM_ROLE = 'casework_program'

/**
 * Creates the role, gives it the database, and what an earlier version left to the superuser. The
 * client is one of the superuser, to the database of the program.
 */
export async function prepareProgramRole(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(CREATE_ROLE)
  await client.query(GIVE_OBJECTS)
  await client.query(MARK_FUNCTIONS)
  await client.query('commit')
}

const CREATE_ROLE = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${PROGRAM_ROLE}') then
      create role ${PROGRAM_ROLE} login;
    end if;
    if exists (
      select from pg_roles where rolname = '${PROGRAM_ROLE}' and (rolsuper or rolbypassrls or not rolcanlogin)
    ) then
      alter role ${PROGRAM_ROLE} login nosuperuser nobypassrls;
    end if;
    if exists (
      select from pg_database where datname = current_database() and datdba <> '${PROGRAM_ROLE}'::regrole
    ) then
      execute format('alter database %I owner to ${PROGRAM_ROLE}', current_database());
    end if;
  end $$`

// "reassign owned" refuses the superuser of initdb, who also owns the catalogue. Indexes, sequences
// of columns and types of rows follow their table; what belongs to an extension stays with it.
const GIVE_OBJECTS = `
  do $$
  declare
    command text;
  begin
    for command in
      with given (kind, name, owner, id, schema_id) as (
        select 'schema', format('%I', nspname), nspowner, oid, oid from pg_namespace where nspname <> 'public'
        union all
        select case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
          oid::regclass::text, relowner, oid, relnamespace
        from pg_class c where relkind in ('r', 'p', 'v', 'm') or (relkind = 'S' and not exists (
          select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')))
        union all
        select 'routine', oid::regprocedure::text, proowner, oid, pronamespace from pg_proc
        union all
        select 'type', oid::regtype::text, typowner, oid, typnamespace from pg_type where typtype in ('e', 'd')
      )
      select format('alter %s %s owner to ${PROGRAM_ROLE}', kind, name) from given
      where owner = current_user::regrole
        and schema_id in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
        and not exists (select from pg_depend where objid = given.id and deptype = 'e')
    loop
      execute command;
    end loop;
  end $$`

const MARK_FUNCTIONS = `
  do $$
  declare
    one regprocedure;
  begin
    for one in
      select p.oid from unnest(array[${INDEXED_FUNCTIONS.map((name) => `'pg_catalog.${name}'`).join(', ')}]) as name
      join pg_proc p on p.oid = name::regprocedure where not p.proleakproof
    loop
      execute format('alter function %s leakproof', one);
    end loop;
  end $$`
