// Accepts a trigger (interface endpoint 2): a run of the case waits at `node`, and leaves it by
// `path`. One transaction stores the signal and makes the token due. A worker takes the steps after
// it, so a trigger alone never changes the case.

import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inTransaction, RetryTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import type { TriggerRefusal } from '../errors.ts'
import type { GraphCache } from '../graph-cache.ts'
import type { PlaybookGraph } from '../playbook-graph.ts'
import { decideTrigger } from './decide-trigger.ts'
import {
  acceptSignal,
  findLastSignal,
  isOpenToTriggers,
  lockLiveTokens,
  type TokenOfRun,
} from './signal-store.ts'
import { findKeyedTrigger, storeKeyedTrigger } from './trigger-key-store.ts'

export interface TriggerRequest {
  /** A case of the caller, in canonical form. */
  readonly caseId: string
  /** The id of a node, or `<playbook id>/<node id>` where several playbooks run on one case. */
  readonly node: string
  readonly path: string
  /** Public id of the API token that sent the trigger. */
  readonly tokenId: string
  readonly idempotencyKey: string | null
}

export type TriggerResult =
  /** By this call, or by an earlier one that it repeats. */
  | { readonly kind: 'accepted'; readonly runId: string }
  | { readonly kind: 'unknown_node' }
  | { readonly kind: 'unknown_path' }
  | { readonly kind: 'refused'; readonly reason: TriggerRefusal }
  /** The Idempotency-Key was used for another trigger. */
  | { readonly kind: 'key_reused' }

export interface TriggerDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly graphs: GraphCache
  readonly wakeWorkers: () => void
}

/** Never throws for what the caller sent; the result says why a trigger was not accepted. */
export async function acceptTrigger(
  deps: TriggerDeps,
  scope: TenantScope,
  request: TriggerRequest,
): Promise<TriggerResult> {
  const result = await inTransaction(deps.db, async (tx) => {
    const earlier = await findEarlierResult(tx, scope, request)
    if (earlier !== null) return earlier
    const tokens = await lockLiveTokens(tx, scope, request.caseId)
    const runs: Candidate[] = []
    for (const token of selectPlaybook(tokens, request.node)) {
      const { graph } = await deps.graphs.load(tx, { ...scope, ...token })
      runs.push({ token, graph })
    }
    const decided = await decide(tx, deps, { ...scope, ...request }, runs)
    if (decided.kind === 'accepted') await storeKey(tx, scope, request, decided.runId)
    return decided
  })
  if (result.kind === 'accepted') deps.wakeWorkers()
  return result
}

/** The result of an earlier request with the same Idempotency-Key; null when there is none. */
async function findEarlierResult(
  tx: Tx,
  scope: TenantScope,
  request: TriggerRequest,
): Promise<TriggerResult | null> {
  if (request.idempotencyKey === null) return null
  const { tokenId, idempotencyKey: key } = request
  const stored = await findKeyedTrigger(tx, { ...scope, tokenId, key })
  if (stored === null) return null
  const isSame =
    stored.caseId === request.caseId && stored.node === request.node && stored.path === request.path
  return isSame ? { kind: 'accepted', runId: stored.runId } : { kind: 'key_reused' }
}

interface Candidate {
  readonly token: TokenOfRun
  readonly graph: PlaybookGraph
}

// Ids of nodes have no slash, so the part before a slash is the id of a playbook.
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

async function decide(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  runs: readonly Candidate[],
): Promise<TriggerResult> {
  const choice = choose(runs, request)
  if (choice.kind === 'conflict') return await findConflict(tx, request, runs)
  if (choice.kind !== 'take') return choice
  await accept(tx, deps, request, choice.token)
  return { kind: 'accepted', runId: choice.token.runId }
}

type Choice =
  | { readonly kind: 'take'; readonly token: TokenOfRun }
  | { readonly kind: 'conflict' }
  | TriggerResult

/**
 * Which token moves. A name that no running version has is refused before a node at which no token
 * waits.
 */
function choose(runs: readonly Candidate[], request: TriggerRequest): Choice {
  const nodeId = nodeIdOf(request.node)
  const decisions = runs.map(({ token, graph }) => {
    const tokenId = String(token.tokenId)
    const waiting = isOpenToTriggers(token) ? [{ tokenId, nodeId: token.node }] : []
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
 * No token waits at the node. Either this trigger was accepted before and the caller did not get
 * the answer, or it is a conflict.
 */
async function findConflict(
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

async function storeKey(
  tx: Tx,
  scope: TenantScope,
  request: TriggerRequest,
  runId: string,
): Promise<void> {
  const { tokenId, idempotencyKey: key, caseId, node, path } = request
  if (key === null) return
  const isStored = await storeKeyedTrigger(
    tx,
    { ...scope, tokenId, key },
    { caseId, node, path, runId },
  )
  if (!isStored) throw new RetryTransaction('another request with this idempotency key was faster')
}
