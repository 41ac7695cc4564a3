// A message of the change stream: that something happened to a record, and nothing of the record
// itself. Who may read the record asks for it. Pure.

import type { Scope } from '../../../vocabulary/scopes.ts'
import type { ChangeKind } from '../../changes/change.ts'

export interface StreamMessage {
  readonly serial: number
  readonly kind: ChangeKind
  readonly what: string
  readonly subjectId: string
  readonly caseId: string | null
  readonly at: Date
}

/** The scope by which a caller could read a record of the kind. */
export const SCOPE_OF_KIND = {
  case: 'cases:read',
  event: 'events:read',
  report: 'events:read',
  run: 'cases:read',
} as const satisfies Record<ChangeKind, Scope>

export const STREAM_KINDS = ['case', 'event', 'report', 'run'] as const

/** What a stream shows; null for all. */
export interface StreamFilter {
  readonly kinds: ReadonlySet<ChangeKind> | null
  readonly whats: ReadonlySet<string> | null
  readonly caseId: string | null
}

export function isShown(
  { kind, what, subjectId, caseId }: StreamMessage,
  filter: StreamFilter,
  scopes: ReadonlySet<Scope>,
): boolean {
  if (!scopes.has(SCOPE_OF_KIND[kind])) return false
  if (filter.kinds !== null && !filter.kinds.has(kind)) return false
  if (filter.whats !== null && !filter.whats.has(what)) return false
  return filter.caseId === null || filter.caseId === (kind === 'case' ? subjectId : caseId)
}

/** Why a stream ends; the client learns it from the last message. */
export type EndReason = 'revoked' | 'shutdown' | 'slow' | 'failed'

export function writeMessage({ serial, kind, what, subjectId, caseId, at }: StreamMessage): string {
  const data = { kind, what, id: subjectId, ...(caseId === null ? {} : { case_id: caseId }), at }
  return writeFrame(kind, data, serial)
}

/** The first message of a stream; the client waits so long before it comes back. */
export function writeOpening(serial: number, retryMs: number): string {
  return `retry: ${retryMs}\n${writeFrame('open', { serial }, serial)}`
}

/** Messages are missing before this serial: what the client has must be loaded anew. */
export function writeReset(serial: number): string {
  return writeFrame('reset', { reason: 'too_old', serial }, serial)
}

export function writeEnd(reason: EndReason): string {
  return writeFrame('end', { reason }, null)
}

/** A comment, and the serial up to which the stream has been read, shown or not. */
export function writeHeartbeat(serial: number): string {
  return `: still here\nid: ${serial}\n\n`
}

// JSON has no line end outside of strings, and inside of them it is escaped.
function writeFrame(event: string, data: object, serial: number | null): string {
  const id = serial === null ? '' : `id: ${serial}\n`
  return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
