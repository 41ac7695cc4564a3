// POST /beta/casework/runs/{runId}/migrate, and the same for the runs of a version: puts runs that
// wait on another version of their playbook, by a map of nodes. A preview changes nothing.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { requestNotValid } from '../../../kernel/errors.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { joinPointer } from '../../../values/json-value.ts'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { playbookVersionNotFound, runNotChanged, runNotFound } from '../errors.ts'
import { NODES_MAX, type PlaybookGraph } from '../playbook-graph.ts'
import { findVersion } from '../playbook-store.ts'
import { parseVersionNumber, requirePlaybook } from '../require-playbook.ts'
import type { ChangeRunDeps } from './change-run.ts'
import { listNodesOfTokens, listRunsOfVersion } from './locked-run-store.ts'
import { type Migration, type MigrationResult, migrateRun } from './migrate-run.ts'
import type { NewNodes } from './plan-migration.ts'
import { findRunOfTenant } from './run-store.ts'

// Each is a transaction of some milliseconds.
const RUNS_AT_ONCE = 100

const MIGRATION_MEMBERS = {
  version: Type.Integer({
    minimum: 1,
    maximum: 999_999_999,
    description: 'The version to which they go: the active one, or one that drains.',
  }),
  nodes: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 100 }), {
      maxProperties: NODES_MAX,
      description:
        'The new node for each old one. A node that is left out must be there with the same id and kind.',
    }),
  ),
  preview: Type.Optional(
    Type.Boolean({ description: 'True: says what would happen, and changes nothing.' }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Kept in the history of the case.',
    }),
  ),
}

const MigrationBody = named(
  'RunMigration',
  Type.Object(MIGRATION_MEMBERS, { additionalProperties: false }),
)
const MigrationsBody = named(
  'RunMigrations',
  Type.Object(
    {
      ...MIGRATION_MEMBERS,
      after: Type.Optional(
        Type.String({ description: 'As `next` of the answer before; absent for the first.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

const MigratedRun = named(
  'MigratedRun',
  Type.Object({
    run_id: Type.String(),
    case_id: Type.String(),
    result: Type.Union(
      [Type.Literal('migrated'), Type.Literal('unchanged'), Type.Literal('refused')],
      { description: 'migrated: also in a preview, which has not done it.' },
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'under_way: a token is about to move, try again. node_not_mapped: the version has no such node. node_not_compatible: the node is of another kind. version_not_active, has_ended, was_cancelled.',
      }),
    ),
    node: Type.Optional(Type.String({ description: 'Of the token for which it was refused.' })),
    tokens: Type.Array(
      Type.Object({ token: Type.Integer(), from: Type.String(), to: Type.String() }),
    ),
  }),
)

function presentMigrated(one: MigrationResult): Static<typeof MigratedRun> {
  return omitNulls<Static<typeof MigratedRun>>({
    run_id: one.runId,
    case_id: one.caseId,
    result: one.result,
    reason: one.reason,
    node: one.node,
    tokens: [...one.tokens],
  })
}

const DESCRIPTION =
  'Waiting tokens leave their nodes and their new nodes decide at once; those of paused and failed runs decide when the run is resumed. Where the kind of the node is the same, the time there and the key of its effect stay. vars and forks stay. Runs that a run has started are left as they are.'

export function migrateRunRoute(deps: ChangeRunDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/runs/{runId}/migrate',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'migrateRun',
    idempotency: 'kept',
    summary: 'Migrate a run to another version',
    description: DESCRIPTION,
    params: Type.Object({ runId: Type.String() }),
    body: MigrationBody,
    responses: {
      200: { description: 'The tokens with their old and new nodes.', schema: MigratedRun },
      400: { description: 'The map names a node that the old or the new version does not have.' },
      404: { description: 'There is no such run or version.' },
      409: { description: 'The run cannot be migrated; `casework-reason` says why.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const runId = parseRecordId(params.runId)
      const run = runId === null ? null : await findRunOfTenant(deps.db, { tenantId }, runId)
      if (run === null) throw runNotFound()
      const migration = await readMigration(deps, { tenantId }, run, tokenId, body)
      const migrated = await inTransaction(deps.db, (tx) =>
        migrateRun(tx, deps, { tenantId }, run.runId, migration),
      )
      if (migrated === null) throw runNotFound()
      if (migrated.reason !== null && !migration.isPreview) throw runNotChanged(migrated.reason)
      deps.wakeWorkers()
      return { status: 200, json: presentMigrated(migrated) }
    },
  })
}

export function migrateRunsRoute(deps: ChangeRunDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}/migrate',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'migrateRuns',
    idempotency: 'kept',
    summary: 'Migrate all runs of a version',
    description: `${DESCRIPTION} At most ${RUNS_AT_ONCE} runs in the order of their start; repeat with \`after\` until \`next\` is absent. A version that drains becomes inactive when it has no run.`,
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    body: MigrationsBody,
    responses: {
      200: {
        description: 'Each run, and where to go on.',
        schema: named(
          'MigratedRuns',
          Type.Object({
            runs: Type.Array(MigratedRun),
            next: Type.Optional(Type.String()),
          }),
        ),
      },
      400: { description: 'The map names a node that the old or the new version does not have.' },
      404: { description: 'There is no such playbook or version.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const scope = { tenantId }
      const { id: playbookId } = await requirePlaybook(deps.db, scope, params.playbookId)
      const version = parseVersionNumber(params.version)
      const source = await findVersion(deps.db, scope, playbookId, version)
      if (source === null) throw playbookVersionNotFound()
      const of = { playbookId, version }
      const migration = await readMigration(deps, scope, of, tokenId, body)
      const after = body.after === undefined ? null : readAfter(body.after)
      const ids = await listRunsOfVersion(deps.db, scope, of, after, RUNS_AT_ONCE)
      const runs: MigrationResult[] = []
      for (const id of ids) {
        // One after the other, so that no more than one run and its case are locked at a time.
        // oxlint-disable-next-line eslint/no-await-in-loop
        const run = await inTransaction(deps.db, (tx) => migrateRun(tx, deps, scope, id, migration))
        // Retention or an erasure may have removed it meanwhile.
        if (run !== null) runs.push(run)
      }
      deps.wakeWorkers()
      const last = ids.length === RUNS_AT_ONCE ? ids.at(-1) : undefined
      const next = last === undefined ? {} : { next: last }
      return { status: 200, json: { runs: runs.map(presentMigrated), ...next } }
    },
  })
}

function readAfter(text: string): string {
  const id = parseRecordId(text)
  if (id !== null) return id
  throw requestNotValid('The position is not valid.', [
    { path: '/after', reason: 'must be `next` of an answer' },
  ])
}

async function readMigration(
  { db, graphs }: ChangeRunDeps,
  scope: TenantScope,
  source: { readonly playbookId: string; readonly version: number },
  tokenId: string,
  body: Static<typeof MigrationBody>,
): Promise<Migration> {
  const { version, nodes = {}, preview, reason } = body
  const { playbookId } = source
  if ((await findVersion(db, scope, playbookId, version)) === null) throw playbookVersionNotFound()
  const { graph } = await graphs.load(db, { ...scope, playbookId, version })
  // A repeated request finds the run on the version already, and moves nothing.
  const isRepeated = source.version === version
  const problems = [
    ...findUnknownTargets(graph, nodes),
    ...(isRepeated ? [] : await findUnknownSources({ db, graphs }, scope, source, nodes)),
  ]
  if (problems.length > 0) {
    throw requestNotValid('The map names nodes that the versions do not have.', problems)
  }
  const actor = { kind: 'token', id: tokenId, name: tokenId } as const
  return { version, nodes, isPreview: preview === true, actor, reason: reason ?? null }
}

function findUnknownTargets(graph: PlaybookGraph, nodes: NewNodes): readonly FieldProblem[] {
  return Object.entries(nodes).flatMap(([from, to]) => {
    const node = graph.nodes.get(to)
    if (node !== undefined && node.kind.isRemark !== true) return []
    return [{ path: joinPointer('/nodes', from), reason: 'names no node of the version' }]
  })
}

async function findUnknownSources(
  { db, graphs }: Pick<ChangeRunDeps, 'db' | 'graphs'>,
  scope: TenantScope,
  source: { readonly playbookId: string; readonly version: number },
  nodes: NewNodes,
): Promise<readonly FieldProblem[]> {
  const { graph } = await graphs.load(db, { ...scope, ...source })
  const unknown = Object.keys(nodes).filter((from) => !graph.nodes.has(from))
  // A failed run may be at a node that its version does not have.
  const kept = await listNodesOfTokens(db, scope, source, unknown)
  const reason = `is no node of version ${source.version}, which the runs leave`
  return unknown
    .filter((from) => !kept.includes(from))
    .map((from) => ({ path: joinPointer('/nodes', from), reason }))
}
