// The nodes at which a case waits for a trigger, and the position of its playbook: for `/triggers`
// and for the case itself.

import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { PlaybookPosition, WaitingNode } from '../../cases/case-progress.ts'
import { readChoiceMemo } from '../choice-demands.ts'
import type { GraphCache } from '../graph-cache.ts'
import {
  isAnytime,
  listChoices,
  listDemands,
  type PlaybookGraph,
  type PlaybookNode,
} from '../playbook-graph.ts'
import { standAhead } from './pass-early.ts'
import { findLastPosition } from './run-store.ts'
import { isOpenToTriggers, listLiveTokens, type TokenOfRun } from './signal-store.ts'

/** Nodes of the oldest run first; none for a case of another tenant. */
export async function listWaitingNodes(
  db: Db,
  graphs: GraphCache,
  scope: TenantScope,
  caseId: string,
): Promise<readonly WaitingNode[]> {
  const tokens = await listLiveTokens(db, scope, caseId)
  const waiting: WaitingNode[] = []
  for (const ofRun of Map.groupBy(tokens, ({ runId }) => runId).values()) {
    const [first] = ofRun
    if (first === undefined) continue
    const { graph } = await graphs.load(db, { ...scope, ...first })
    const occupied = ofRun.flatMap((token) => describeStanding(graph, token))
    const isFree = ({ id }: PlaybookNode) => occupied.every(({ node }) => node !== id)
    const free = [...graph.nodes.values()].filter((node) => isAnytime(node) && isFree(node))
    waiting.push(...occupied, ...free.map((node) => describeAnytime(first, node)))
  }
  return waiting
}

/** The node at which the token waits for a choice; none for any other wait. */
function describeStanding(graph: PlaybookGraph, one: TokenOfRun): readonly WaitingNode[] {
  const token = standAhead(graph, one)
  const node = isOpenToTriggers(token) ? graph.nodes.get(token.node) : undefined
  // A node without choices waits for a time, or for a change of the case.
  if (node === undefined || listChoices(node).length === 0) return []
  return [describeWaiting(token, node)]
}

/** A node that takes triggers at any time, and at which no token of the run waits. */
function describeAnytime(ofRun: TokenOfRun, node: PlaybookNode): WaitingNode {
  const { startedAt: enteredAt } = ofRun
  return describeWaiting({ ...ofRun, node: node.id, enteredAt, timerAt: null, memo: null }, node)
}

function describeWaiting(token: TokenOfRun, node: PlaybookNode): WaitingNode {
  const { first, deadline_at: deadlineAt, timeout_at: timeoutAt } = readChoiceMemo(token.memo)
  const { role, isFourEyes, form, titles, question } = listDemands(node)
  return {
    runId: token.runId,
    playbookId: token.playbookId,
    version: token.version,
    node: token.node,
    paths: listChoices(node),
    since: token.enteredAt,
    timeoutAt: timeoutAt === undefined ? token.timerAt : parseTime(timeoutAt),
    deadlineAt: deadlineAt === undefined ? null : new Date(deadlineAt),
    role,
    isFourEyes,
    first: isFourEyes ? (first ?? null) : null,
    form,
    titles,
    question,
    isAnytime: isAnytime(node),
  }
}

function parseTime(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/**
 * A waiting node comes before any other. When no playbook runs, where the last run ended; null when
 * there was none.
 */
export async function findPlaybookPosition(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<PlaybookPosition | null> {
  const tokens = await listLiveTokens(db, scope, caseId)
  const token = tokens.find((one) => one.state === 'waiting') ?? tokens[0]
  if (token === undefined) return await findLastPosition(db, scope, caseId)
  return {
    playbookId: token.playbookId,
    version: token.version,
    step: token.node,
    state: 'active',
  }
}
