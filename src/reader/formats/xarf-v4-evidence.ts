// Checks the evidence of a XARF v4 report and summarises it; the payloads stay in the raw report.

import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isJsonObject, joinPointer } from '../../values/json-value.ts'
import { isText, isTextLike } from './xarf-v4-values.ts'

// Limits of the specification: 50 pieces of evidence of 5 MB each, 15 MB together. Payloads are
// base64, 4 characters for 3 bytes.
const EVIDENCE_MAX = 50
const PAYLOAD_LENGTH_MAX = 7_000_000
const PAYLOADS_LENGTH_MAX = 21_000_000
const DESCRIPTION_LENGTH_MAX = 500

const HASH = /^(?:md5|sha1|sha256|sha512):[a-fA-F0-9]+$/

export function checkEvidence(evidence: unknown, problems: FieldProblem[]): void {
  if (evidence === undefined) return
  if (!Array.isArray(evidence) || evidence.length > EVIDENCE_MAX) {
    addProblem(problems, '/evidence', `must be a list of at most ${EVIDENCE_MAX} pieces`)
    return
  }
  let length = 0
  for (const [at, piece] of evidence.entries()) {
    length += checkEvidencePiece(piece, `/evidence/${at}`, problems)
  }
  if (length > PAYLOADS_LENGTH_MAX) {
    addProblem(problems, '/evidence', 'holds more than 15 MB of payload')
  }
}

const EVIDENCE_MEMBERS = ['content_type', 'payload', 'description', 'hash', 'size']

/** The length of the payload. */
function checkEvidencePiece(piece: unknown, path: string, problems: FieldProblem[]): number {
  if (!isJsonObject(piece)) {
    addProblem(problems, path, 'must be an object')
    return 0
  }
  const { content_type: contentType, payload, description, hash, size } = piece
  if (!isText(contentType)) {
    addProblem(problems, `${path}/content_type`, explainMissing(contentType))
  }
  if (
    description !== undefined &&
    (typeof description !== 'string' || description.length > DESCRIPTION_LENGTH_MAX)
  ) {
    addProblem(
      problems,
      `${path}/description`,
      `must be a text of at most ${DESCRIPTION_LENGTH_MAX} characters`,
    )
  }
  if (hash !== undefined && !isTextLike(hash, HASH)) {
    addProblem(problems, `${path}/hash`, 'must be of the form sha256:<hexadecimal digits>')
  }
  if (size !== undefined && (!Number.isSafeInteger(size) || Number(size) < 0)) {
    addProblem(problems, `${path}/size`, 'must be a number of bytes')
  }
  for (const name of Object.keys(piece)) {
    if (!EVIDENCE_MEMBERS.includes(name)) {
      addProblem(problems, joinPointer(path, name), 'is not known here')
    }
  }
  if (typeof payload === 'string' && payload.length <= PAYLOAD_LENGTH_MAX) return payload.length
  const rule = typeof payload === 'string' ? 'holds more than 5 MB' : explainMissing(payload)
  addProblem(problems, `${path}/payload`, rule)
  return 0
}

function explainMissing(value: unknown): string {
  return value === undefined ? 'is missing' : 'must be a text'
}

// A summary of the evidence is enough to find it in the raw report, which is kept. Pictures of
// abuse must not spread into details, and `_internal` must never leave the organisation that wrote
// it.
export function withoutPayloads(report: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(report).filter(([name]) => name !== '_internal')
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name === 'evidence' && Array.isArray(value)
        ? [name, value.slice(0, EVIDENCE_MAX).map(withoutPayload)]
        : [name, value],
    ),
  )
}

function withoutPayload(piece: unknown): unknown {
  if (!isJsonObject(piece)) return null
  const { payload: _, ...summary } = piece
  return summary
}
