// SQL that reads the case groups of a tenant. The first read stores the shipped groups, so that a
// tenant needs no set-up. Changes are in case-group-change-store.ts.

import { type ColumnType, type Generated, type Selectable, sql } from 'kysely'
import { type Db, seeTables } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { isXarfCategory } from '../../vocabulary/event-types.ts'
import type { Severity } from '../cases/case-tables.ts'
import type { LateEventPolicy, RelapsePolicy, SeverityRule } from './case-group.ts'
import {
  type CaseGroup,
  type IngestRules,
  SHIPPED_GROUPS,
  type UnmatchedRule,
} from './case-group.ts'
import { DEFAULT_KEY_FIELDS, KEY_FIELDS } from './correlation-key.ts'
import { readMuteRule, type StoredMuteRule } from './mute-rule-store.ts'

export interface CaseGroupTables {
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
    condition: string | null
    threshold_events: Generated<number>
    threshold_reporters: Generated<number>
    threshold_window_seconds: number | null
    max_age_seconds: number | null
    max_gap_seconds: number | null
    relapse: Generated<RelapsePolicy>
    relapse_window_seconds: number | null
    late_event: Generated<LateEventPolicy>
    severity_rules: ColumnType<
      readonly SeverityRule[] | null,
      string | null | undefined,
      string | null
    >
    severity: Severity | null
  }
}

/** All groups in the order in which they are tried. */
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

function readGroup(row: Selectable<CaseGroupTables['case_group']>): CaseGroup {
  return {
    id: row.id,
    position: row.position,
    name: row.name,
    description: row.description,
    isEnabled: row.is_enabled,
    // A class that a newer version of the program wrote, and that this one does not know, is
    // dropped.
    xarfClasses: row.xarf_classes?.filter(isXarfCategory) ?? null,
    keyFields: KEY_FIELDS.filter((field) => row.key_fields.includes(field)),
    condition: row.condition,
    policy: {
      thresholdEvents: row.threshold_events,
      thresholdReporters: row.threshold_reporters,
      thresholdWindowSeconds: row.threshold_window_seconds,
      maxAgeSeconds: row.max_age_seconds,
      maxGapSeconds: row.max_gap_seconds,
      relapse: row.relapse,
      relapseWindowSeconds: row.relapse_window_seconds,
      lateEvent: row.late_event,
    },
    severityRules: row.severity_rules,
    severity: row.severity,
    playbookId: row.playbook_id,
  }
}

/** One statement, because every batch of events reads the rules. */
export async function readIngestRules(db: Db, scope: TenantScope): Promise<IngestRules> {
  const select = seeTables<CaseGroupTables>(db)
    .selectFrom('case_group')
    .selectAll()
    .select([
      sql<
        string | null
      >`(select settings ->> 'unmatched' from tenant where id = ${scope.tenantId})`.as('unmatched'),
      // One probe of an index, so that a tenant without resources pays for no owner look-up.
      sql<boolean>`exists (select from resource where tenant_id = ${scope.tenantId})`.as(
        'has_resources',
      ),
      sql<boolean>`exists (select from owner_resolver where tenant_id = ${scope.tenantId})`.as(
        'has_resolver',
      ),
      sql<readonly StoredMuteRule[] | null>`(
        select json_agg(json_build_object('id', id, 'condition', condition, 'keyMatch', key_match, 'until', until) order by id)
        from mute_rule where tenant_id = ${scope.tenantId} and ended_at is null
      )`.as('mute_rules'),
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
  const namesOwners = hasResources || hasResolver
  return {
    groups: rows.map(readGroup),
    muteRules: (rows[0]?.mute_rules ?? []).map(readMuteRule),
    unmatched:
      readUnmatchedRule(rows[0]?.unmatched) ?? (namesOwners ? 'unassigned' : 'item_is_customer'),
    hasResources,
    hasResolver,
  }
}

function readUnmatchedRule(text: string | null | undefined): UnmatchedRule | null {
  return text === 'unassigned' || text === 'item_is_customer' ? text : null
}
