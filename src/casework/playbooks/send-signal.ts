// Endpoint 2: a run of this case waits at `node`; leave it by `path`. The signal and the token's
// wake-up are one commit, and what the node leads to is done later by a worker, so a trigger alone
// never changes the case.

import type { Clock } from '../../kernel/clock.ts'
import {
  type Database,
  inTransaction,
  RetryTransaction,
  type Tx,
} from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from '../cases/case-history-store.ts'
import type { TriggerRefusal } from './errors.ts'
import type { GraphCache } from './graph-cache.ts'
import type { PlaybookGraph } from './playbook-graph.ts'
import { acceptSignal, findLastSignal, lockLiveTokens, type TokenOfRun } from './signal-store.ts'
import { decideTrigger } from './trigger.ts'
import { findKeptTrigger, keepTrigger } from './trigger-key-store.ts'

export interface TriggerRequest {
  /** Of a case that the caller has; in canonical form. */
  readonly caseId: string
  /** The id of a node, or `<playbook id>/<node id>` where several playbooks run on one case. */
  readonly node: string
  readonly path: string
  /** Public id of the API token that sent it. */
  readonly tokenId: string
  readonly idempotencyKey: string | null
}

export type TriggerResult =
  /** Newly, or by an earlier call of which this is a repeat. */
  | { readonly kind: 'accepted'; readonly runId: string }
  | { readonly kind: 'unknown_node' }
  | { readonly kind: 'unknown_path' }
  | { readonly kind: 'refused'; readonly reason: TriggerRefusal }
  /** The Idempotency-Key stands for another trigger. */
  | { readonly kind: 'key_reused' }

export interface TriggerDeps {
  readonly database: Database
  readonly ids: IdSource
  readonly clock: Clock
  readonly graphs: GraphCache
  readonly wakeWorkers: () => void
}

export async function triggerPlaybook(
  deps: TriggerDeps,
  scope: TenantScope,
  request: TriggerRequest,
): Promise<TriggerResult> {
  const { graphs, wakeWorkers } = deps
  const result = await inTransaction(deps.database.kysely, async (tx) => {
    const replayed = await replay(tx, scope, request)
    if (replayed !== null) return replayed
    const tokens = await lockLiveTokens(tx, scope, request.caseId)
    const runs: Candidate[] = []
    for (const token of selectPlaybook(tokens, request.node)) {
      const { graph } = await graphs.load(tx, { ...scope, ...token })
      runs.push({ token, graph })
    }
    const decided = await settle(tx, deps, { ...scope, ...request }, runs)
    if (decided.kind === 'accepted') await keep(tx, scope, request, decided.runId)
    return decided
  })
  if (result.kind === 'accepted') wakeWorkers()
  return result
}

async function replay(
  tx: Tx,
  scope: TenantScope,
  request: TriggerRequest,
): Promise<TriggerResult | null> {
  if (request.idempotencyKey === null) return null
  const { tokenId, idempotencyKey: key } = request
  const kept = await findKeptTrigger(tx, { ...scope, tokenId, key })
  if (kept === null) return null
  const isSame =
    kept.caseId === request.caseId && kept.node === request.node && kept.path === request.path
  return isSame ? { kind: 'accepted', runId: kept.runId } : { kind: 'key_reused' }
}

interface Candidate {
  readonly token: TokenOfRun
  readonly graph: PlaybookGraph
}

// Ids of nodes hold no slash, so what stands before one names a playbook.
function playbookIdOf(node: string): string | null {
  const slash = node.indexOf('/')
  return slash === -1 ? null : node.slice(0, slash).toLowerCase()
}

function selectPlaybook(tokens: readonly TokenOfRun[], node: string): readonly TokenOfRun[] {
  const playbookId = playbookIdOf(node)
  if (playbookId === null) return tokens
  return tokens.filter((token) => token.playbookId === playbookId)
}

function nodeIdOf(node: string): string {
  return node.slice(node.indexOf('/') + 1)
}

async function settle(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  runs: readonly Candidate[],
): Promise<TriggerResult> {
  const choice = choose(runs, request)
  if (choice.kind === 'conflict') return await explain(tx, request, runs)
  if (choice.kind !== 'take') return choice
  await accept(tx, deps, request, choice.token)
  return { kind: 'accepted', runId: choice.token.runId }
}

type Choice =
  | { readonly kind: 'take'; readonly token: TokenOfRun }
  | { readonly kind: 'conflict' }
  | TriggerResult

/**
 * Which token moves. What names nothing in any running version comes before what names something at
 * which nobody waits.
 */
function choose(runs: readonly Candidate[], request: TriggerRequest): Choice {
  const nodeId = nodeIdOf(request.node)
  const decisions = runs.map(({ token, graph }) => {
    const tokenId = String(token.tokenId)
    const waiting = token.state === 'waiting' ? [{ tokenId, nodeId: token.node }] : []
    return { token, kind: decideTrigger(graph, waiting, nodeId, request.path).kind }
  })
  const [first, second] = decisions.filter((decision) => decision.kind === 'accepted')
  if (first !== undefined && second !== undefined && first.token.runId !== second.token.runId) {
    return { kind: 'refused', reason: 'several_runs' }
  }
  if (first !== undefined) return { kind: 'take', token: first.token }
  const kinds = new Set(decisions.map((decision) => decision.kind))
  if (kinds.size === 0 || kinds.has('not_waiting')) return { kind: 'conflict' }
  return { kind: kinds.has('unknown_path') ? 'unknown_path' : 'unknown_node' }
}

async function accept(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  token: TokenOfRun,
): Promise<void> {
  const { caseId, path, tokenId } = request
  await acceptSignal(tx, request, { caseId, token, path, actor: `token:${tokenId}` })
  await addHistory(tx, deps.ids, request, [
    {
      caseId,
      kind: 'trigger',
      actor: { kind: 'token', id: tokenId, name: tokenId },
      at: new Date(deps.clock.nowMs()),
      reason: null,
      causeId: `${token.runId}:${token.tokenId}:${token.visit}`,
      changes: { node: token.node, path },
    },
  ])
}

/**
 * Nobody waits there: either this very trigger was accepted before, and the caller only did not
 * hear of it, or it is a conflict.
 */
async function explain(
  tx: Tx,
  request: TriggerRequest & TenantScope,
  runs: readonly Candidate[],
): Promise<TriggerResult> {
  const last = await findLastSignal(tx, request, {
    caseId: request.caseId,
    node: nodeIdOf(request.node),
    playbookId: playbookIdOf(request.node),
  })
  const isOfThisRun = runs.length === 0 || runs.some(({ token }) => token.runId === last?.runId)
  if (last !== null && last.path === request.path && isOfThisRun) {
    return { kind: 'accepted', runId: last.runId }
  }
  return { kind: 'refused', reason: runs.length === 0 ? 'no_run' : 'not_waiting' }
}

async function keep(
  tx: Tx,
  scope: TenantScope,
  request: TriggerRequest,
  runId: string,
): Promise<void> {
  const { tokenId, idempotencyKey: key, caseId, node, path } = request
  if (key === null) return
  const isKept = await keepTrigger(tx, { ...scope, tokenId, key }, { caseId, node, path, runId })
  if (!isKept) throw new RetryTransaction('another request with this idempotency key was faster')
}
