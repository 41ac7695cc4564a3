// Puts one run on another version of its playbook.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { PlaybookGraph } from '../playbook-graph.ts'
import { cancelEffects } from './cancel-effects.ts'
import type { ChangeRunDeps, RunChange } from './change-run.ts'
import {
  lockRunFamily,
  lockUsedVersion,
  moveToVersion,
  type RunFamily,
} from './locked-run-store.ts'
import { type MigrationRefusal, type NewNodes, planMigration } from './plan-migration.ts'
import { recordRunChange } from './record-run-change.ts'
import { noteRuns } from './run-change-store.ts'
import { insertVisits } from './run-token-store.ts'

export interface Migration extends RunChange {
  readonly version: number
  readonly nodes: NewNodes
  /** Nothing is changed. */
  readonly isPreview: boolean
}

export interface MigrationResult {
  readonly runId: string
  readonly caseId: string
  readonly result: 'migrated' | 'unchanged' | 'refused'
  readonly reason: MigrationRefusal | 'has_ended' | 'was_cancelled' | 'version_not_active' | null
  /** At which a refused token is. */
  readonly node: string | null
  readonly tokens: readonly { readonly token: number; readonly from: string; readonly to: string }[]
}

/** Null for no such run. The caller has checked that the nodes of the map exist. */
export async function migrateRun(
  tx: Tx,
  deps: ChangeRunDeps,
  scope: TenantScope,
  runId: string,
  migration: Migration,
): Promise<MigrationResult | null> {
  const family = await lockRunFamily(tx, scope, runId)
  if (family === null) return null
  const { run } = family
  const tokens = family.tokens.filter((token) => token.runId === runId)
  const base = { runId, caseId: run.caseId, reason: null, node: null, tokens: [] }
  const refuse = (reason: MigrationResult['reason'], node: string | null = null) =>
    ({ ...base, result: 'refused', reason, node }) as const
  if (run.state === 'ended') return refuse('has_ended')
  if (run.state === 'cancelled') return refuse('was_cancelled')
  if (run.version === migration.version) return { ...base, result: 'unchanged' }
  const target = { playbookId: run.playbookId, version: migration.version }
  if (!(await lockUsedVersion(tx, scope, target))) return refuse('version_not_active')
  const from = await deps.graphs.load(tx, { ...scope, ...run })
  const to = await deps.graphs.load(tx, { ...scope, ...target })
  const plan = planMigration(from.graph, to.graph, migration.nodes, tokens)
  if (plan.kind === 'refused') return refuse(plan.reason, plan.node)
  const planned = { family, from: from.graph, plan, migration }
  if (!migration.isPreview) await save(tx, deps, scope, planned)
  const moved = plan.moves.map(({ token, toNode }) => {
    return { token: token.tokenId, from: token.node, to: toNode }
  })
  return { ...base, result: 'migrated', tokens: moved }
}

interface Planned {
  readonly family: RunFamily
  readonly from: PlaybookGraph
  readonly plan: Extract<ReturnType<typeof planMigration>, { kind: 'moves' }>
  readonly migration: Migration
}

async function save(
  tx: Tx,
  deps: ChangeRunDeps,
  scope: TenantScope,
  { family, from, plan: { moves }, migration }: Planned,
): Promise<void> {
  const { run } = family
  const { version, actor, reason } = migration
  // The visit of a dead token has ended with its failure.
  const left = moves.filter(({ token }) => token.state !== 'dead')
  await insertVisits(
    tx,
    left.map(({ token, toNode }) => ({
      ...token,
      kind: from.nodes.get(token.node)?.kind.kind ?? 'unknown',
      path: null,
      actor: `${actor.kind}:${actor.id}`,
      output: { migrated_to: { version, node: toNode } },
    })),
  )
  await moveToVersion(tx, scope, run.runId, version, moves)
  // A node of the same kind goes on with the mail; no other node waits for it.
  const parted = moves.filter(({ isSameKind }) => !isSameKind)
  await cancelEffects(
    tx,
    deps,
    parted.map(({ token }) => token),
  )
  await noteRuns(tx, scope, 'migrated', [run.runId], actor)
  const nodes = Object.fromEntries(moves.map(({ token, toNode }) => [token.node, toNode]))
  await recordRunChange(tx, deps, scope, family, {
    kind: 'run_migrated',
    actor,
    reason,
    changes: { version: { from: run.version, to: version }, moved: nodes },
  })
}
