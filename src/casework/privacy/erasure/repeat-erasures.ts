// Repeats erasures after the restore of an older backup, or after a legal hold was lifted. The
// addresses are not stored, only their replacements. So each address that is found is turned into
// its replacement with the key of this instance, and compared.

import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../../kernel/db/pass-over-tenant.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { nameErasure, repeatErasedAddresses } from './erased-address.ts'
import { listUnfinishedRepeats, type TenantErasure } from './erasure-store.ts'
import { type EraseDeps, type ErasureTask, eraseAddresses } from './run-erasure.ts'

/** The task of one erasure that repeats these. */
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

export interface RepeatLimits {
  readonly erasuresMax: number
  /** For each erasure. */
  readonly budgetMs: number
  /**
   * Gets the ids of erasures that fail, which are passed over from then on: one that fails again
   * and again keeps no other waiting. Without it a failure is thrown.
   */
  readonly passedOver?: Set<string>
}

export interface RepeatsDone {
  /** The erasures that are finished now. */
  readonly done: readonly TenantErasure[]
  /** False when no repeat was unfinished. */
  readonly isMore: boolean
}

/** Continues the unfinished repeats of all tenants. */
export async function continueRepeats(
  deps: EraseDeps,
  { erasuresMax, budgetMs, passedOver }: RepeatLimits,
): Promise<RepeatsDone> {
  const { db } = deps
  const waiting = await inInstance('repeat erasures', () =>
    listUnfinishedRepeats(db, erasuresMax, passedOver ?? new Set()),
  )
  if (waiting.length === 0) return { done: [], isMore: false }
  const secret = await ensureCursorKey(db)
  const done: TenantErasure[] = []
  for (const { tenantId, ...erasure } of waiting) {
    const { subjects } = erasure
    const addresses = repeatErasedAddresses(subjects, tenantId, secret)
    // One after the other, so that intake is not slowed down.
    const repeat = () => eraseAddresses(deps, { tenantId }, { ...erasure, addresses, budgetMs })
    // oxlint-disable-next-line eslint/no-await-in-loop
    const after = await (passedOver === undefined
      ? inTenant({ tenantId }, repeat)
      : workOrPassOver(deps.log, { tenantId }, 'An erasure could not be repeated', repeat))
    if (after === null) passedOver?.add(erasure.id)
    else if (after.finishedAt !== null) done.push({ tenantId, ...after })
  }
  return { done, isMore: true }
}
