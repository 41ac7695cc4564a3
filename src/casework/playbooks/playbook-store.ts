// SQL of playbooks and their versions. A graph is written once and never changed; activation
// changes states only.

import { type ColumnType, type Selectable, sql } from 'kysely'
import { type Db, inTransaction, seeTables, type Tx } from '../../kernel/db/database.ts'
import { type DueRows, type TenantPass, workByTenant } from '../../kernel/db/due-tenants.ts'
import { buildPage, type PageRequest } from '../../kernel/db/page-request.ts'
import { isKeyTaken } from '../../kernel/db/trouble-codes.ts'
import { isUuid } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewGraph } from './new-graph.ts'
import type { StoredGraph } from './playbook-wire.ts'

type VersionState = 'draft' | 'active' | 'draining' | 'inactive'

interface PlaybookTables {
  playbook: {
    tenant_id: string
    id: string
    name: string
    active_version: number | null
    latest_version: number
    created_at: Date
  }
  playbook_version: {
    tenant_id: string
    playbook_id: string
    version: number
    state: VersionState
    // Written as JSON text, read as a value.
    graph: ColumnType<StoredGraph, string, never>
    start_node: string
    starts_new_cases: boolean
    is_scheduled: boolean
    start_debounce: number | null
    start_states: readonly string[]
    watches_cases: boolean
    description: string
    created_at: Date
    activated_at: Date | null
  }
}

export interface PlaybookRecord {
  readonly id: string
  readonly name: string
  readonly activeVersion: number | null
  readonly latestVersion: number
  readonly createdAt: Date
}

export interface VersionRecord {
  readonly playbookId: string
  readonly version: number
  readonly state: VersionState
  readonly createdAt: Date
  readonly activatedAt: Date | null
}

/** False when the tenant has a playbook of this name. */
export async function insertPlaybook(
  tx: Tx,
  scope: TenantScope,
  playbook: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const row = await seeTables<PlaybookTables>(tx)
    .insertInto('playbook')
    .values({
      tenant_id: scope.tenantId,
      id: playbook.id,
      name: playbook.name,
      active_version: null,
      latest_version: 0,
      created_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Adds the next version as a draft. Returns its number; null when the caller has no such playbook.
 */
export async function insertVersion(
  tx: Tx,
  scope: TenantScope,
  playbookId: string,
  graph: NewGraph,
): Promise<number | null> {
  const db = seeTables<PlaybookTables>(tx)
  const numbered = await db
    .updateTable('playbook')
    .set({ latest_version: sql<number>`latest_version + 1` })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', playbookId)
    .returning('latest_version')
    .executeTakeFirst()
  if (numbered === undefined) return null
  await db
    .insertInto('playbook_version')
    .values({
      tenant_id: scope.tenantId,
      playbook_id: playbookId,
      version: numbered.latest_version,
      state: 'draft',
      graph: JSON.stringify(graph.graph),
      start_node: graph.startNode,
      starts_new_cases: graph.starts.onCaseCreated,
      is_scheduled: graph.starts.schedule !== null,
      start_debounce: graph.starts.debounceSeconds,
      start_states: graph.starts.toStates,
      watches_cases: graph.starts.watchesCases,
      description: graph.description,
      created_at: sql<Date>`now()`,
      activated_at: null,
    })
    .execute()
  return numbered.latest_version
}

export async function findPlaybook(
  db: Db,
  scope: TenantScope,
  playbookId: string,
): Promise<PlaybookRecord | null> {
  const row = await seeTables<PlaybookTables>(db)
    .selectFrom('playbook')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', playbookId)
    .executeTakeFirst()
  return row === undefined ? null : readPlaybook(row)
}

/** Whether the caller has a playbook of this id; false also for a text that is no id. */
export async function hasPlaybook(db: Db, scope: TenantScope, idText: string): Promise<boolean> {
  return isUuid(idText) && (await findPlaybook(db, scope, idText)) !== null
}

/** As findPlaybook. No other transaction activates a version of it until this one ends. */
export async function lockPlaybook(
  tx: Tx,
  scope: TenantScope,
  playbookId: string,
): Promise<PlaybookRecord | null> {
  const row = await seeTables<PlaybookTables>(tx)
    .selectFrom('playbook')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', playbookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : readPlaybook(row)
}

/**
 * Locks all playbooks of the tenant as lockPlaybook does, in one order. A tenant has a handful of
 * them.
 */
export async function lockPlaybooks(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`
    select from playbook where tenant_id = ${tenantId} order by id for no key update`.execute(tx)
}

/** As lockPlaybook, by its name. */
export async function lockPlaybookByName(
  tx: Tx,
  scope: TenantScope,
  name: string,
): Promise<PlaybookRecord | null> {
  const row = await seeTables<PlaybookTables>(tx)
    .selectFrom('playbook')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('name', '=', name)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : readPlaybook(row)
}

/** The playbooks among these ids and names. */
export async function listPlaybooksNamed(
  db: Db,
  { tenantId }: TenantScope,
  texts: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  if (texts.length === 0) return []
  const found = await sql<{ id: string; name: string }>`
    select id, name from playbook
    where tenant_id = ${tenantId} and (name = any(${texts}::text[]) or id = any(${texts.filter(isUuid)}::uuid[]))`.execute(
    db,
  )
  return found.rows
}

export interface ActiveGraph {
  readonly id: string
  readonly name: string
  /** Null without an active version. */
  readonly graph: StoredGraph | null
}

/** The playbooks of these ids with the graphs of their active versions. */
export async function listActiveGraphs(
  db: Db,
  { tenantId }: TenantScope,
  playbookIds: readonly string[],
): Promise<readonly ActiveGraph[]> {
  if (playbookIds.length === 0) return []
  const found = await sql<ActiveGraph>`
    select playbook.id, playbook.name, playbook_version.graph from playbook
    left join playbook_version on playbook_version.tenant_id = playbook.tenant_id
      and playbook_version.playbook_id = playbook.id and playbook_version.version = playbook.active_version
    where playbook.tenant_id = ${tenantId} and playbook.id = any(${[...playbookIds]}::uuid[])`.execute(
    db,
  )
  return found.rows
}

/** A page of playbooks by id, which is the order of their creation. */
export async function listPlaybooks(
  db: Db,
  scope: TenantScope,
  page: PageRequest,
): Promise<readonly PlaybookRecord[]> {
  const { conditions, orderAndLimit } = buildPage([{ name: 'id', type: 'uuid' }], page)
  const where = sql.join([sql`tenant_id = ${scope.tenantId}`, ...conditions], sql` and `)
  const found = await sql<Selectable<PlaybookTables['playbook']>>`
    select * from playbook where ${where} ${orderAndLimit}`.execute(db)
  return found.rows.map(readPlaybook)
}

// Older versions can still be read by their number.
const VERSIONS_LISTED_MAX = 100

/** The newest versions first, at most 100. */
export async function listVersions(
  db: Db,
  scope: TenantScope,
  playbookId: string,
): Promise<readonly VersionRecord[]> {
  const rows = await seeTables<PlaybookTables>(db)
    .selectFrom('playbook_version')
    .select(['playbook_id', 'version', 'state', 'created_at', 'activated_at'])
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', playbookId)
    .orderBy('version', 'desc')
    .limit(VERSIONS_LISTED_MAX)
    .execute()
  return rows.map(readVersion)
}

export interface VersionWithGraph extends VersionRecord {
  /** Empty when nobody said. */
  readonly description: string
  readonly graph: StoredGraph
}

export async function findVersion(
  db: Db,
  scope: TenantScope,
  playbookId: string,
  version: number,
): Promise<VersionWithGraph | null> {
  const row = await seeTables<PlaybookTables>(db)
    .selectFrom('playbook_version')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', playbookId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row === undefined) return null
  return { ...readVersion(row), description: row.description, graph: row.graph }
}

/** The version with the highest number; null when all were deleted. */
export async function findLastVersion(
  db: Db,
  scope: TenantScope,
  playbookId: string,
): Promise<VersionWithGraph | null> {
  const [newest] = await listVersions(db, scope, playbookId)
  return newest === undefined ? null : await findVersion(db, scope, playbookId, newest.version)
}

/** The caller has locked the playbook, and found that it is a draft. */
export async function deleteDraft(
  tx: Tx,
  { tenantId }: TenantScope,
  playbookId: string,
  version: number,
): Promise<void> {
  await sql`
    delete from playbook_version
    where tenant_id = ${tenantId} and playbook_id = ${playbookId} and version = ${version} and state = 'draft'`.execute(
    tx,
  )
}

/**
 * Makes a draft the active version, and the former one draining. The caller has locked the
 * playbook.
 */
export async function activateVersion(
  tx: Tx,
  scope: TenantScope,
  playbook: PlaybookRecord,
  version: number,
): Promise<void> {
  const db = seeTables<PlaybookTables>(tx)
  await db
    .updateTable('playbook')
    .set({ active_version: version })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', playbook.id)
    .execute()
  await db
    .updateTable('playbook_version')
    .set({ state: 'draining' })
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', playbook.id)
    .where('state', '=', 'active')
    .execute()
  await db
    .updateTable('playbook_version')
    .set({ state: 'active', activated_at: sql<Date>`now()` })
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', playbook.id)
    .where('version', '=', version)
    .execute()
}

/**
 * False when another playbook of the tenant has this name, or gets it at the same time: the
 * transaction is of no use afterwards. The caller has locked the playbook.
 */
export async function renamePlaybook(
  tx: Tx,
  scope: TenantScope,
  playbookId: string,
  name: string,
): Promise<boolean> {
  try {
    await sql`
      update playbook set name = ${name}
      where tenant_id = ${scope.tenantId} and id = ${playbookId}`.execute(tx)
    return true
  } catch (error) {
    if (isKeyTaken(error)) return false
    throw error
  }
}

/** The active version drains, and no other takes its place. The caller has locked the playbook. */
export async function retirePlaybook(
  tx: Tx,
  scope: TenantScope,
  playbookId: string,
): Promise<void> {
  const db = seeTables<PlaybookTables>(tx)
  await db
    .updateTable('playbook')
    .set({ active_version: null })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', playbookId)
    .execute()
  await db
    .updateTable('playbook_version')
    .set({ state: 'draining' })
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', playbookId)
    .where('state', '=', 'active')
    .execute()
}

/** Why the playbook must stay, as the end of a sentence; null when nothing ever used it. */
export async function findPlaybookUse(
  tx: Tx,
  scope: TenantScope,
  playbookId: string,
): Promise<string | null> {
  const found = await sql<{ wasActive: boolean; isAttached: boolean; isNamed: boolean }>`
    select exists (
        select from playbook_version
        where tenant_id = ${scope.tenantId} and playbook_id = ${playbookId} and state <> 'draft'
      ) as "wasActive",
      exists (
        select from case_group where tenant_id = ${scope.tenantId} and playbook_id = ${playbookId}
      ) as "isAttached",
      exists (
        select from playbook_version as other, jsonb_array_elements(other.graph -> 'nodes') as node
        where other.tenant_id = ${scope.tenantId} and other.playbook_id <> ${playbookId}
          and other.state <> 'inactive' and lower(node -> 'config' ->> 'playbook') = ${playbookId}
      ) as "isNamed"`.execute(tx)
  const [use] = found.rows
  if (use?.wasActive === true) return 'a version of it was active'
  if (use?.isAttached === true) return 'a case group names it'
  return use?.isNamed === true ? 'a node of another playbook names it' : null
}

/** With its drafts. The caller has found that nothing uses it. */
export async function deletePlaybook(
  tx: Tx,
  scope: TenantScope,
  playbookId: string,
): Promise<void> {
  await sql`
    delete from playbook_version where tenant_id = ${scope.tenantId} and playbook_id = ${playbookId}`.execute(
    tx,
  )
  await sql`delete from playbook where tenant_id = ${scope.tenantId} and id = ${playbookId}`.execute(
    tx,
  )
}

/**
 * Whether a version that is active or draining acts on changes of cases. The rows are few: a tenant
 * has a handful of playbooks.
 */
export async function listensForChanges(tx: Tx, { tenantId }: TenantScope): Promise<boolean> {
  const found = await sql`
    select from playbook_version
    where tenant_id = ${tenantId} and state in ('active', 'draining')
      and (watches_cases or start_debounce is not null or start_states <> '{}') limit 1`.execute(tx)
  return found.rows.length > 0
}

// More versions drain at once only after a mass activation; the next upkeep retires the rest.
const RETIRED_MAX = 100

const hasActiveRun = sql`exists (
  select from run where run.tenant_id = playbook_version.tenant_id
    and run.playbook_id = playbook_version.playbook_id and run.version = playbook_version.version
    and run.state in ('active', 'paused')
)`

/**
 * Makes draining versions without an active run inactive. The row lock conflicts with the
 * foreign-key check of a run that is being started, so a version on which a run starts at the same
 * time is skipped.
 */
export async function retireDrainedVersions(pass: TenantPass): Promise<void> {
  await workByTenant(pass, DRAINED, RETIRED_MAX, (tenantId, limit) =>
    inTransaction(pass.db, (tx) => retireDrainedOf(tx, tenantId, limit)),
  )
}

const DRAINED: DueRows = {
  table: 'playbook_version',
  isDue: sql`state = 'draining' and not ${hasActiveRun}`,
  since: sql`activated_at`,
}

async function retireDrainedOf(tx: Tx, tenantId: string, limit: number): Promise<number> {
  const drained = await sql<{ playbook_id: string; version: number }>`
    select playbook_id, version from playbook_version
    where tenant_id = ${tenantId} and state = 'draining' and not ${hasActiveRun}
    order by playbook_id, version limit ${limit}
    for update skip locked`.execute(tx)
  const { rows } = drained
  if (rows.length === 0) return 0
  // The condition again: the second statement sees all commits until the locks were taken.
  const retired = await sql`
    update playbook_version set state = 'inactive'
    from unnest(
      ${rows.map((row) => row.playbook_id)}::uuid[], ${rows.map((row) => row.version)}::integer[]
    ) as given (playbook_id, version)
    where playbook_version.tenant_id = ${tenantId}
      and playbook_version.playbook_id = given.playbook_id
      and playbook_version.version = given.version and not ${hasActiveRun}`.execute(tx)
  return Number(retired.numAffectedRows ?? 0)
}

function readPlaybook(row: {
  id: string
  name: string
  active_version: number | null
  latest_version: number
  created_at: Date
}): PlaybookRecord {
  return {
    id: row.id,
    name: row.name,
    activeVersion: row.active_version,
    latestVersion: row.latest_version,
    createdAt: row.created_at,
  }
}

function readVersion(row: {
  playbook_id: string
  version: number
  state: VersionState
  created_at: Date
  activated_at: Date | null
}): VersionRecord {
  return {
    playbookId: row.playbook_id,
    version: row.version,
    state: row.state,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
  }
}
