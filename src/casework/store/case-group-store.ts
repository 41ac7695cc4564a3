// Case groups of a tenant: the shipped ones are written when they are first looked for, so that a tenant needs no set-up.

import { sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import { DEFAULT_KEY_FIELDS, KEY_FIELDS, type KeyField } from '../model/correlation.ts'
import { isXarfCategory, type XarfCategory } from '../model/vocabulary.ts'

interface CaseGroupTables {
  case_group: {
    tenant_id: string
    id: string
    position: number
    name: string
    description: string
    is_enabled: boolean
    xarf_classes: string[] | null
    key_fields: string[]
    playbook_id: string | null
  }
}

export interface CaseGroup {
  readonly id: string
  /** Groups are asked in ascending position. */
  readonly position: number
  readonly name: string
  readonly description: string
  readonly isEnabled: boolean
  /** Null takes everything. */
  readonly xarfClasses: readonly XarfCategory[] | null
  readonly keyFields: readonly KeyField[]
  readonly playbookId: string | null
}

export const DEFAULT_GROUP_ID = 'default'

type ShippedGroup = Pick<CaseGroup, 'id' | 'position' | 'name' | 'description' | 'isEnabled'> & {
  readonly xarfClasses: readonly XarfCategory[] | null
}

// XARF names four kinds of response: block now, take content down, help the client clean up, harden a server. An event without a
// category, and every event while the four are off, belongs to the last group.
const SHIPPED_GROUPS: readonly ShippedGroup[] = [
  {
    id: 'block',
    position: 1,
    name: 'Block now',
    description: 'Attacks and unwanted mail that go on until somebody stops them.',
    isEnabled: false,
    xarfClasses: ['connection', 'messaging'],
  },
  {
    id: 'take-down',
    position: 2,
    name: 'Take content down',
    description: 'Content that must not stay reachable, copyright complaints among it.',
    isEnabled: false,
    xarfClasses: ['content', 'copyright'],
  },
  {
    id: 'clean-up',
    position: 3,
    name: 'Help to clean up',
    description: 'Machines that somebody else controls, and what lists say about them.',
    isEnabled: false,
    xarfClasses: ['infrastructure', 'reputation'],
  },
  {
    id: 'harden',
    position: 4,
    name: 'Harden a server',
    description: 'Open services, wrong settings and known holes that nobody has used yet.',
    isEnabled: false,
    xarfClasses: ['vulnerability'],
  },
  {
    id: DEFAULT_GROUP_ID,
    position: 1_000,
    name: 'Everything',
    description: 'Takes every event that no other group took.',
    isEnabled: true,
    xarfClasses: null,
  },
]

/** All groups in the order they are asked. */
export async function listCaseGroups(db: Db, scope: TenantScope): Promise<readonly CaseGroup[]> {
  const groups = await selectCaseGroups(db, scope)
  if (groups.length > 0) return groups
  await insertShippedGroups(db, scope)
  return await selectCaseGroups(db, scope)
}

async function selectCaseGroups(db: Db, scope: TenantScope): Promise<readonly CaseGroup[]> {
  const rows = await seeTables<CaseGroupTables>(db)
    .selectFrom('case_group')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('position')
    .execute()
  return rows.map(readGroup)
}

async function insertShippedGroups(db: Db, scope: TenantScope): Promise<void> {
  await seeTables<CaseGroupTables>(db)
    .insertInto('case_group')
    .values(
      SHIPPED_GROUPS.map((group) => ({
        tenant_id: scope.tenantId,
        id: group.id,
        position: group.position,
        name: group.name,
        description: group.description,
        is_enabled: group.isEnabled,
        xarf_classes: group.xarfClasses === null ? null : [...group.xarfClasses],
        key_fields: [...DEFAULT_KEY_FIELDS],
        playbook_id: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface CaseGroupPatch {
  /** Null detaches. */
  readonly playbookId?: string | null
  readonly isEnabled?: boolean
}

/** The group as it is afterwards, or null when the tenant has none of that id. */
export async function changeCaseGroup(
  tx: Tx,
  scope: TenantScope,
  groupId: string,
  patch: CaseGroupPatch,
): Promise<CaseGroup | null> {
  const groups = await listCaseGroups(tx, scope)
  if (!groups.some((group) => group.id === groupId)) return null
  const row = await seeTables<CaseGroupTables>(tx)
    .updateTable('case_group')
    .set({
      ...(patch.playbookId === undefined ? {} : { playbook_id: patch.playbookId }),
      ...(patch.isEnabled === undefined ? {} : { is_enabled: patch.isEnabled }),
      // Without a change the statement would have nothing to set.
      id: groupId,
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', groupId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readGroup(row)
}

function readGroup(row: CaseGroupTables['case_group']): CaseGroup {
  return {
    id: row.id,
    position: row.position,
    name: row.name,
    description: row.description,
    isEnabled: row.is_enabled,
    // What a newer program wrote and this one does not know takes nothing.
    xarfClasses: row.xarf_classes?.filter(isXarfCategory) ?? null,
    keyFields: KEY_FIELDS.filter((field) => row.key_fields.includes(field)),
    playbookId: row.playbook_id,
  }
}

/** What an event without a known owner becomes (tenant setting `unmatched`, design section 10). */
type UnmatchedRule = 'item_is_customer' | 'unassigned'

export interface IntakeRules {
  readonly groups: readonly CaseGroup[]
  /** The setting, else decided by whether the tenant has told anything of its own. */
  readonly unmatched: UnmatchedRule
  readonly hasResources: boolean
  readonly hasResolver: boolean
}

/** What decides where an event goes, read in one statement: every batch asks for it. */
export async function readIntakeRules(db: Db, scope: TenantScope): Promise<IntakeRules> {
  const select = seeTables<CaseGroupTables>(db)
    .selectFrom('case_group')
    .selectAll()
    .select([
      sql<
        string | null
      >`(select settings ->> 'unmatched' from tenant where id = ${scope.tenantId})`.as('unmatched'),
      // One probe of an index, so that a tenant without resources pays for no look-up.
      sql<boolean>`exists (select from resource where tenant_id = ${scope.tenantId})`.as(
        'has_resources',
      ),
      sql<boolean>`exists (select from owner_resolver where tenant_id = ${scope.tenantId})`.as(
        'has_resolver',
      ),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('position')
  let rows = await select.execute()
  if (rows.length === 0) {
    await insertShippedGroups(db, scope)
    rows = await select.execute()
  }
  const hasResources = rows[0]?.has_resources === true
  const hasResolver = rows[0]?.has_resolver === true
  const isTold = hasResources || hasResolver
  return {
    groups: rows.map(readGroup),
    unmatched:
      readUnmatchedRule(rows[0]?.unmatched) ?? (isTold ? 'unassigned' : 'item_is_customer'),
    hasResources,
    hasResolver,
  }
}

function readUnmatchedRule(text: string | null | undefined): UnmatchedRule | null {
  return text === 'unassigned' || text === 'item_is_customer' ? text : null
}
