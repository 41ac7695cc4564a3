// Asks for a mitigation: by a person's request or a step of a playbook. A target that is not of the
// case is refused, so that a wrong expression cannot hit somebody else. One effect key makes one
// mitigation, however often it is asked for.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findCase } from '../cases/case-store.ts'
import type { Actor } from '../cases/case-tables.ts'
import { holdAdapter } from './adapter-store.ts'
import { type AskedTarget, MANUAL_ADAPTER, type MitigationKind, readTarget } from './mitigation.ts'
import {
  findMitigationOfEffect,
  insertMitigation,
  isTargetOfCase,
  type MitigationRecord,
} from './mitigation-store.ts'
import { noteMitigation } from './note-mitigation.ts'

export interface MitigationDeps {
  readonly ids: IdSource
  readonly clock: Clock
}

export interface MitigationRequest {
  readonly scope: TenantScope
  readonly caseId: string
  readonly runId: string | null
  readonly kind: MitigationKind
  readonly target: Omit<AskedTarget, 'kind'>
  readonly adapter: string
  readonly parameters: object
  readonly note: string
  /** Null: a key of its own. */
  readonly effectKey: string | null
  readonly durationSeconds: number | null
  readonly expiresAt: Date | null
  /** The target need not be of the case. */
  readonly allowsOther: boolean
  readonly actor: Actor
  readonly causeId: string
}

type RequestRefusal =
  | 'case_not_found'
  | 'target_not_valid'
  | 'target_not_of_case'
  | 'adapter_not_found'
  | 'adapter_lacks_kind'

export type RequestOutcome =
  | {
      readonly kind: 'asked'
      /** False: the effect key had made it before. */
      readonly isNew: boolean
      readonly mitigation: MitigationRecord
    }
  | {
      readonly kind: 'refused'
      readonly reason: RequestRefusal
      /** The member of the request, and what is wrong with it, as the end of a sentence. */
      readonly field: string
      readonly explanation: string
    }

/** The caller has locked the case or its run, so that retention does not remove it meanwhile. */
export async function requestMitigation(
  tx: Tx,
  deps: MitigationDeps,
  request: MitigationRequest,
): Promise<RequestOutcome> {
  const { scope, caseId, kind, adapter, effectKey } = request
  const earlier = effectKey === null ? null : await findMitigationOfEffect(tx, scope, effectKey)
  if (earlier !== null) return { kind: 'asked', isNew: false, mitigation: earlier }
  const reading = readTarget({ ...request.target, kind })
  if (reading.kind === 'problem') return refuse('target_not_valid', reading.field, reading.reason)
  const row = await findCase(tx, scope, caseId)
  if (row === null) return refuse('case_not_found', 'case', 'is not there')
  const { target } = reading
  if (!request.allowsOther && !(await isTargetOfCase(tx, scope, caseId, target))) {
    return refuse('target_not_of_case', 'target', 'is not of the case')
  }
  const isAsked = adapter !== MANUAL_ADAPTER
  if (isAsked) {
    const known = await holdAdapter(tx, scope, adapter)
    if (known === null) return refuse('adapter_not_found', 'adapter', 'names no adapter')
    if (!known.kinds.includes(kind)) {
      return refuse('adapter_lacks_kind', 'adapter', `cannot do ${kind}`)
    }
  }
  const id = deps.ids.nextUuid()
  const key = effectKey ?? `request:${id}`
  const isNew = await insertMitigation(tx, scope, {
    id,
    caseId,
    customerId: row.customer_id,
    runId: request.runId,
    kind,
    target,
    adapter,
    parameters: request.parameters,
    note: request.note,
    effectKey: key,
    durationSeconds: request.durationSeconds,
    expiresAt: request.expiresAt,
    isAsked,
    createdBy: request.actor.id,
  })
  // When it is not new, another transaction made it at the same time; the insert waited for its
  // commit.
  const mitigation = await findMitigationOfEffect(tx, scope, key)
  if (mitigation === null) throw new Error('a mitigation of this effect key was there a moment ago')
  if (isNew) await noteMitigation(tx, deps, mitigation, request)
  return { kind: 'asked', isNew, mitigation }
}

function refuse(reason: RequestRefusal, field: string, explanation: string): RequestOutcome {
  return { kind: 'refused', reason, field, explanation }
}
