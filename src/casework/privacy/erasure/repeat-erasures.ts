// Erasures made once more: after a restore of a backup that is older, or when a hold was lifted.
// What was erased is known by what stands in its place, so every address that is met is named by
// the key of this instance and compared; nobody has to know the addresses.

import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { nameErasure, repeatErasedAddresses } from './erased-address.ts'
import { listRepeatsUnderWay, type TenantErasure } from './erasure-store.ts'
import { type EraseDeps, type ErasureTask, eraseAddresses } from './run-erasure.ts'

/** What one erasure has to do that makes these once more. */
export function repeatErasures(
  former: readonly { readonly id: string; readonly subjects: readonly string[] }[],
  { tenantId }: TenantScope,
  secret: Buffer,
): Pick<ErasureTask, 'addresses' | 'replacedBy' | 'subjects' | 'repeats'> {
  const subjects = [...new Set(former.flatMap((erasure) => erasure.subjects))].toSorted()
  const repeats = former.map((erasure) => erasure.id)
  return {
    addresses: repeatErasedAddresses(subjects, tenantId, secret),
    replacedBy: nameErasure('repeat', repeats),
    subjects,
    repeats,
  }
}

export interface GoOnLimits {
  readonly erasuresMax: number
  /** For each of them. */
  readonly budgetMs: number
}

export interface RepeatsDone {
  /** Those that were brought to an end. */
  readonly done: readonly TenantErasure[]
  /** False when none was waiting. */
  readonly isMore: boolean
}

/** Goes on with the repeats of all tenants that are not done. */
export async function goOnWithRepeats(
  deps: EraseDeps,
  { erasuresMax, budgetMs }: GoOnLimits,
): Promise<RepeatsDone> {
  const db = deps.database.kysely
  const waiting = await listRepeatsUnderWay(db, erasuresMax)
  if (waiting.length === 0) return { done: [], isMore: false }
  const secret = await ensureCursorKey(db)
  const done: TenantErasure[] = []
  for (const { tenantId, ...erasure } of waiting) {
    const { subjects } = erasure
    const addresses = repeatErasedAddresses(subjects, tenantId, secret)
    // One after the other: this must not be in the way of intake.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const after = await eraseAddresses(deps, { tenantId }, { ...erasure, addresses, budgetMs })
    if (after.finishedAt !== null) done.push({ tenantId, ...after })
  }
  return { done, isMore: true }
}
