// SQL of the templates of a tenant. Templates that ship with the program are in
// shipped-templates.ts; one of the tenant with the same name and language replaces them.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { writeTexts } from '../../kernel/db/write-arrays.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  findShippedTemplate,
  listShippedTemplates,
  type TemplateSettings,
} from './shipped-templates.ts'

export interface TemplateRecord extends TemplateSettings {
  /** Null for a template that ships with the program, as the next two are. */
  readonly version: number | null
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
}

interface OwnTemplate extends TemplateSettings {
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = sql`name, language, purpose, profile, subject, body, is_active as "isActive", version,
  created_at as "createdAt", updated_at as "updatedAt"`

/** Those of the tenant, and the shipped ones that it has not replaced, by name and language. */
export async function listTemplates(
  db: Db,
  { tenantId }: TenantScope,
): Promise<readonly TemplateRecord[]> {
  const found = await sql<OwnTemplate>`
    select ${COLUMNS} from notice_template where tenant_id = ${tenantId}`.execute(db)
  const own = new Set(found.rows.map(identify))
  const shipped = listShippedTemplates().filter((one) => !own.has(identify(one)))
  return [...found.rows, ...shipped.map(asRecord)].toSorted((one, other) =>
    identify(one) < identify(other) ? -1 : 1,
  )
}

function identify({ name, language }: Pick<TemplateSettings, 'name' | 'language'>): string {
  return `${name}/${language}`
}

function asRecord(settings: TemplateSettings): TemplateRecord {
  return { ...settings, version: null, createdAt: null, updatedAt: null }
}

export async function findTemplate(
  db: Db,
  scope: TenantScope,
  name: string,
  language: string,
): Promise<TemplateRecord | null> {
  return (await findTemplates(db, scope, [name], [language]))(name, language)
}

/** Each name in each language, as far as there is one. */
export async function findTemplates(
  db: Db,
  { tenantId }: TenantScope,
  names: readonly string[],
  languages: readonly string[],
): Promise<(name: string, language: string) => TemplateRecord | null> {
  const found = await sql<OwnTemplate>`
    select ${COLUMNS} from notice_template
    where tenant_id = ${tenantId} and name = any(${writeTexts(names)}::text[]) and language = any(${writeTexts(languages)}::text[])`.execute(
    db,
  )
  const own = new Map(found.rows.map((one) => [identify(one), one]))
  return (name, language) => {
    const shipped = findShippedTemplate(name, language)
    return own.get(identify({ name, language })) ?? (shipped === null ? null : asRecord(shipped))
  }
}

export async function countTemplates(tx: Tx, { tenantId }: TenantScope): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*)::integer as count from notice_template where tenant_id = ${tenantId}`.execute(
    tx,
  )
  return found.rows[0]?.count ?? 0
}

/**
 * The one of the tenant; null for a shipped one. No other transaction changes it before this one
 * ends.
 */
export async function lockOwnTemplate(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
  language: string,
): Promise<TemplateRecord | null> {
  const found = await sql<OwnTemplate>`
    select ${COLUMNS} from notice_template
    where tenant_id = ${tenantId} and name = ${name} and language = ${language} for update`.execute(
    tx,
  )
  return found.rows[0] ?? null
}

/** Creates or replaces it. */
export async function putTemplate(
  tx: Tx,
  ids: IdSource,
  { tenantId }: TenantScope,
  template: TemplateSettings,
): Promise<TemplateRecord> {
  const { name, language, purpose, profile, subject, body, isActive } = template
  const stored = await sql<OwnTemplate>`
    insert into notice_template (tenant_id, id, name, language, purpose, profile, subject, body, is_active)
    values (${tenantId}, ${ids.nextUuid()}, ${name}, ${language}, ${purpose}, ${profile}, ${subject}, ${body}, ${isActive})
    on conflict (tenant_id, name, language) do update set purpose = excluded.purpose, profile = excluded.profile,
      subject = excluded.subject, body = excluded.body, is_active = excluded.is_active,
      version = notice_template.version + 1, updated_at = excluded.updated_at
    returning ${COLUMNS}`.execute(tx)
  const [row] = stored.rows
  if (row === undefined) throw new Error('an upsert returns its row')
  return row
}

export async function deleteTemplate(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
  language: string,
): Promise<void> {
  await sql`
    delete from notice_template where tenant_id = ${tenantId} and name = ${name} and language = ${language}`.execute(
    tx,
  )
}
