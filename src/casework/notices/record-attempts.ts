// Records attempts to send notices: the notice, its attempt, the history of its case, and that the
// customer was told. Attempts that end at about the same time share one transaction.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { forEachTenant } from '../../kernel/db/due-tenants.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { changeCases } from '../cases/case-change-store.ts'
import { addHistory } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import { endDigestItems, listDigestItems } from './digest-store.ts'
import type { NoticeParty, NoticePurpose } from './notice.ts'
import { type AttemptOutcome, type ClaimedNotice, recordAttempts } from './notice-store.ts'

interface EndedAttempt {
  readonly notice: ClaimedNotice
  readonly attempt: AttemptOutcome
}

interface AttemptStoreDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
}

const BATCH_MAX = 64

interface WaitingAttempt extends EndedAttempt {
  readonly settle: (error: unknown) => void
}

/** The returned function resolves when the attempt is stored. */
export function createAttemptStore(
  deps: AttemptStoreDeps,
  owner: string,
): (notice: ClaimedNotice, attempt: AttemptOutcome) => Promise<void> {
  const waiting: WaitingAttempt[] = []
  let isBusy = false
  const drain = async (): Promise<void> => {
    isBusy = true
    while (waiting.length > 0) await recordBatch(deps, owner, waiting.splice(0, BATCH_MAX))
    isBusy = false
  }
  return (notice, attempt) =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown): void => (error === null ? resolve() : reject(error))
      waiting.push({ notice, attempt, settle })
      if (!isBusy) void drain()
    })
}

/** Never throws. One that cannot be stored does not keep the others from it. */
async function recordBatch(
  deps: AttemptStoreDeps,
  owner: string,
  batch: readonly WaitingAttempt[],
): Promise<void> {
  try {
    await inTransaction(deps.db, (tx) => recordEnds(tx, deps, owner, batch))
    for (const one of batch) one.settle(null)
  } catch (error) {
    if (batch.length === 1) return batch[0]?.settle(error)
    for (const one of batch) await recordBatch(deps, owner, [one])
  }
}

async function recordEnds(
  tx: Tx,
  deps: AttemptStoreDeps,
  owner: string,
  batch: readonly EndedAttempt[],
): Promise<void> {
  const keyed = batch.map((ended) => ({ tenantId: ended.notice.tenantId, ended }))
  await forEachTenant(keyed, async (tenantId, own) => {
    await recordOfTenant(tx, deps, owner, { tenantId, ended: own.map(({ ended }) => ended) })
  })
}

/** A notice about a case whose state is told in the history of the case. */
interface ToldNotice {
  readonly id: string
  readonly caseId: string
  readonly purpose: NoticePurpose
  readonly party: NoticeParty
  readonly digestId: string | null
  readonly attempt: AttemptOutcome
}

const ACTOR = { kind: 'system', id: 'notices', name: 'notices' } as const

async function recordOfTenant(
  tx: Tx,
  { ids, clock }: AttemptStoreDeps,
  owner: string,
  { tenantId, ended }: { readonly tenantId: string; readonly ended: readonly EndedAttempt[] },
): Promise<void> {
  const scope = { tenantId }
  const told = await listTold(tx, tenantId, ended)
  // The cases before the notices, as everywhere.
  const cases = await lockRows(tx, scope, [...new Set(told.map(({ caseId }) => caseId))])
  const ours = await recordAttempts(tx, owner, tenantId, ended)
  const isOver = ({ id, digestId, attempt }: ToldNotice): boolean =>
    ours.has(digestId ?? id) && attempt.outcome !== 'postponed'
  const over = told.filter((one) => isOver(one) && cases.has(one.caseId))
  await endDigestItems(tx, scope, [
    ...new Set(over.flatMap(({ digestId }) => (digestId === null ? [] : [digestId]))),
  ])
  const at = new Date(clock.nowMs())
  const firsts = new Map(
    over
      .filter(
        ({ attempt, party, caseId }) =>
          attempt.outcome === 'sent' &&
          party === 'customer' &&
          cases.get(caseId)?.customer_status === 'unnotified',
      )
      .map(({ caseId, id, digestId }) => [caseId, digestId ?? id]),
  )
  await changeCases(
    tx,
    ids,
    scope,
    [...firsts].map(([caseId, causeId]) => ({
      caseId,
      expectedVersion: null,
      patch: { customerStatus: 'notified' as const },
      actor: ACTOR,
      at,
      reason: null,
      causeId,
    })),
  )
  const entries = over.map(({ id, caseId, purpose, party, digestId, attempt }) => ({
    caseId,
    kind: 'notice' as const,
    actor: ACTOR,
    at,
    reason: null,
    causeId: digestId ?? id,
    changes: {
      notice_id: id,
      purpose,
      party,
      state: attempt.outcome,
      ...(attempt.reason === null ? {} : { reason: attempt.reason }),
      ...(digestId === null ? {} : { digest_id: digestId }),
    },
  }))
  await addHistory(tx, ids, scope, entries)
}

/** The notices themselves; of a digest those that it took up. */
async function listTold(
  tx: Tx,
  tenantId: string,
  ended: readonly EndedAttempt[],
): Promise<readonly ToldNotice[]> {
  const digests = new Map(
    ended.flatMap(({ notice, attempt }) => (notice.caseId === null ? [[notice.id, attempt]] : [])),
  )
  const items = await listDigestItems(tx, { tenantId }, [...digests.keys()])
  return [
    ...ended.flatMap(({ notice: { id, caseId, purpose, party }, attempt }) =>
      caseId === null ? [] : [{ id, caseId, purpose, party, digestId: null, attempt }],
    ),
    ...items.flatMap((item) => {
      const attempt = digests.get(item.digestId)
      return attempt === undefined ? [] : [{ ...item, attempt }]
    }),
  ]
}
