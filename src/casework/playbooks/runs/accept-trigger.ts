// Accepts a trigger (interface endpoint 2) or a decision with a form: a run of the case waits at
// `node`, and leaves it by `path`. One transaction stores the signal and makes the token due. A
// worker takes the steps after it, so a trigger alone never changes the case.

import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inTransaction, RetryTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Scope } from '../../../vocabulary/scopes.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import type { FormValues } from '../choice-form.ts'
import type { TriggerRefusal } from '../errors.ts'
import type { GraphCache } from '../graph-cache.ts'
import { isAnytime, listChoices, listDemands, type PlaybookGraph } from '../playbook-graph.ts'
import { checkChoice, findMissingScope } from './check-choice.ts'
import { decideTrigger } from './decide-trigger.ts'
import { passEarly, standAhead } from './pass-early.ts'
import {
  acceptSignal,
  findLastSignal,
  findPaused,
  insertTokenBeside,
  isOpenToTriggers,
  isUnderWay,
  keepMemo,
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
  /** What a person filled in; null where the caller sends no form. */
  readonly form: Readonly<Record<string, unknown>> | null
  /** Public id of the API token that sent the trigger. */
  readonly tokenId: string
  readonly scopes: ReadonlySet<Scope>
  readonly idempotencyKey: string | null
}

export type TriggerResult =
  /**
   * By this call, or by an earlier one that it repeats. `isDecided` is false for the first of two
   * decisions: a second person must choose the same.
   */
  | { readonly kind: 'accepted'; readonly runId: string; readonly isDecided: boolean }
  | { readonly kind: 'unknown_node' }
  | { readonly kind: 'unknown_path' }
  | { readonly kind: 'refused'; readonly reason: TriggerRefusal }
  /** The node asks for a role of which the caller lacks a scope. */
  | { readonly kind: 'role_missing'; readonly role: string; readonly scope: Scope }
  | { readonly kind: 'form_not_valid'; readonly problems: readonly FieldProblem[] }
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
    const candidates: Candidate[] = []
    for (const token of selectPlaybook(tokens, request.node)) {
      const { graph } = await deps.graphs.load(tx, { ...scope, ...token })
      candidates.push({ token: standAhead(graph, token), graph })
    }
    const decided = await decide(tx, deps, { ...scope, ...request }, candidates)
    if (decided.kind === 'accepted') await storeKey(tx, scope, request, decided)
    return decided
  })
  if (result.kind === 'accepted' && result.isDecided) deps.wakeWorkers()
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
    stored.caseId === request.caseId &&
    stored.node === request.node &&
    stored.path === request.path &&
    stored.formHash === hashForm(request.form)
  if (!isSame) return { kind: 'key_reused' }
  const { runId, isDecided } = stored
  return { kind: 'accepted', runId, isDecided }
}

function hashForm(form: TriggerRequest['form']): string | null {
  if (form === null) return null
  const sorted = Object.entries(form).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

/** A live token of the case, with the graph of its run. */
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
  candidates: readonly Candidate[],
): Promise<TriggerResult> {
  const choice = choose(candidates, request)
  if (choice.kind !== 'take' && choice.kind !== 'not_waiting') return choice
  const missing = findMissingRole(candidates, request, choice)
  if (missing !== null) return missing
  if (choice.kind === 'take') return await take(tx, deps, request, choice)
  const fired = await fireAnytime(tx, deps, request, candidates)
  return fired ?? (await findConflict(tx, request, candidates))
}

type Choice =
  | ({ readonly kind: 'take' } & Candidate)
  /** The node and the path are known, or nothing runs; no token waits there. */
  | { readonly kind: 'not_waiting' }
  | TriggerResult

/**
 * Which token moves. A name that no running version has is refused before a node at which no token
 * waits.
 */
function choose(candidates: readonly Candidate[], request: TriggerRequest): Choice {
  const nodeId = nodeIdOf(request.node)
  const decisions = candidates.map(({ token, graph }) => {
    const tokenId = String(token.tokenId)
    const waiting = isOpenToTriggers(token) ? [{ tokenId, nodeId: token.node }] : []
    return { token, graph, kind: decideTrigger(graph, waiting, nodeId, request.path).kind }
  })
  const [first, second] = decisions.filter((decision) => decision.kind === 'accepted')
  if (first !== undefined && second !== undefined && first.token.runId !== second.token.runId) {
    return { kind: 'refused', reason: 'several_runs' }
  }
  if (first !== undefined) return { ...first, kind: 'take' }
  const kinds = new Set(decisions.map((decision) => decision.kind))
  if (kinds.size === 0 || kinds.has('not_waiting')) return { kind: 'not_waiting' }
  return { kind: kinds.has('unknown_path') ? 'unknown_path' : 'unknown_node' }
}

/** Of the node of the token that is to move; where none waits, of all nodes of the name. */
function findMissingRole(
  candidates: readonly Candidate[],
  { node: name, scopes }: TriggerRequest,
  choice: Choice,
): TriggerResult | null {
  const asked = choice.kind === 'take' ? [choice] : candidates
  for (const { graph } of asked) {
    const node = graph.nodes.get(nodeIdOf(name))
    const demands = node === undefined ? null : listDemands(node)
    const scope = demands === null ? null : findMissingScope(demands, scopes)
    const role = demands?.role ?? null
    if (scope !== null && role !== null) return { kind: 'role_missing', role, scope }
  }
  return null
}

/** The token is at the node, and the path one of its choices. */
async function take(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  { token, graph }: Candidate,
): Promise<TriggerResult> {
  const node = graph.nodes.get(token.node)
  if (node === undefined) return { kind: 'unknown_node' }
  const { path, form, tokenId } = request
  const at = new Date(deps.clock.nowMs())
  const choice = { path, form, by: `token:${tokenId}`, at }
  const checked = checkChoice(listDemands(node), token.memo, choice)
  const { runId } = token
  const isAccepted = checked.kind === 'chosen' || checked.kind === 'first'
  if (isAccepted && !(await passEarly(tx, request, token))) {
    return { kind: 'refused', reason: 'not_waiting' }
  }
  switch (checked.kind) {
    case 'chosen':
      await accept(tx, deps, request, { token, at, memo: checked.memo, form: checked.form })
      return { kind: 'accepted', runId, isDecided: true }
    case 'first':
      await keepMemo(tx, request, token, checked.memo)
      await record(tx, deps, request, { token, at, form: checked.form, isFirst: true })
      return { kind: 'accepted', runId, isDecided: false }
    case 'repeated':
      return { kind: 'accepted', runId, isDecided: false }
    case 'form_not_valid':
      return checked
  }
}

/** At a node at which no token waits, but which takes triggers at any time; null for another. */
async function fireAnytime(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  candidates: readonly Candidate[],
): Promise<TriggerResult | null> {
  const nodeId = nodeIdOf(request.node)
  const taking = candidates.filter(({ graph }) => {
    const node = graph.nodes.get(nodeId)
    return node !== undefined && isAnytime(node) && listChoices(node).includes(request.path)
  })
  const [oldest] = taking
  if (oldest === undefined) return null
  const { runId } = oldest.token
  if (taking.some(({ token }) => token.runId !== runId)) {
    return { kind: 'refused', reason: 'several_runs' }
  }
  const { path, tokenId, idempotencyKey } = request
  const actor = idempotencyKey === null ? `token:${tokenId}` : null
  if (await isUnderWay(tx, request, { runId, node: nodeId, path }, actor)) {
    return { kind: 'accepted', runId, isDecided: true }
  }
  const token = await insertTokenBeside(tx, request, oldest.token, nodeId)
  if (token === null) return { kind: 'refused', reason: 'too_many_tokens' }
  return await take(tx, deps, request, { token, graph: oldest.graph })
}

interface Chosen {
  readonly token: TokenOfRun
  readonly at: Date
  readonly form: FormValues | null
  /** A second person must choose the same. */
  readonly isFirst?: true
}

async function accept(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  { memo, ...chosen }: Chosen & { readonly memo: object },
): Promise<void> {
  const { caseId, path, tokenId } = request
  const { token } = chosen
  const isKept = Object.keys(memo).length > 0
  const signal = { caseId, token, path, actor: `token:${tokenId}` }
  await acceptSignal(tx, request, isKept ? { ...signal, memo } : signal)
  await record(tx, deps, request, chosen)
}

/** In the history of the case. */
async function record(
  tx: Tx,
  deps: TriggerDeps,
  request: TriggerRequest & TenantScope,
  { token, at, form, isFirst }: Chosen,
): Promise<void> {
  const { caseId, path, tokenId } = request
  await addHistory(tx, deps.ids, request, [
    {
      caseId,
      kind: 'trigger',
      actor: { kind: 'token', id: tokenId, name: tokenId },
      at,
      reason: null,
      causeId: `${token.runId}:${token.tokenId}:${token.visit}`,
      changes: {
        node: token.node,
        path,
        ...(form === null ? {} : { form }),
        ...(isFirst === undefined ? {} : { second_needed: true }),
      },
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
  candidates: readonly Candidate[],
): Promise<TriggerResult> {
  const question = {
    caseId: request.caseId,
    node: nodeIdOf(request.node),
    playbookId: playbookIdOf(request.node),
  }
  const paused = await findPaused(tx, request, question)
  if (paused.isUndecided) return { kind: 'refused', reason: 'paused' }
  const last = await findLastSignal(tx, request, question)
  const isOfThisRun =
    candidates.length === 0 || candidates.some(({ token }) => token.runId === last?.runId)
  if (last !== null && last.path === request.path && isOfThisRun) {
    return { kind: 'accepted', runId: last.runId, isDecided: true }
  }
  if (candidates.length > 0) return { kind: 'refused', reason: 'not_waiting' }
  return { kind: 'refused', reason: paused.isThere ? 'paused' : 'no_run' }
}

async function storeKey(
  tx: Tx,
  scope: TenantScope,
  request: TriggerRequest,
  { runId, isDecided }: Extract<TriggerResult, { kind: 'accepted' }>,
): Promise<void> {
  const { tokenId, idempotencyKey: key, caseId, node, path } = request
  if (key === null) return
  const isStored = await storeKeyedTrigger(
    tx,
    { ...scope, tokenId, key },
    { caseId, node, path, runId, isDecided, formHash: hashForm(request.form) },
  )
  if (!isStored) throw new RetryTransaction('another request with this idempotency key was faster')
}
