// POST /beta/admin/audit/verify: verifies one chain of the audit log, a bounded part at a time.

import { cursorNotValid } from '../../kernel/errors.ts'
import type { CursorPosition } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { requireCaller } from '../admit-request.ts'
import { parseHead } from './audit-entry.ts'
import { AuditReport, AuditVerification, presentReport } from './audit-wire.ts'
import { chooseChain } from './choose-chain.ts'
import type { ReadAuditDeps } from './list-audit.ts'
import { verifyPart } from './read-chain.ts'
import type { VerifyPosition } from './verify-chain.ts'

// Some tenths of a second.
const ENTRIES_A_PART = 10_000

export function verifyAuditRoute({ db, cursors, secrets }: ReadAuditDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/audit/verify',
    group: 'admin',
    access: { kind: 'scope', scope: 'audit:read' },
    operationId: 'verifyAudit',
    summary: 'Verify the audit log',
    description: `Recomputes the hashes, compares the signed checkpoints, and looks whether the values beside the chain are those that were written. A part has up to ${ENTRIES_A_PART.toLocaleString('en')} entries. A chain that was cut off at its end is found by expect_head.`,
    body: AuditVerification,
    responses: {
      200: { description: 'What was found in this part.', schema: AuditReport },
      400: { description: 'The cursor is of another verification.' },
      404: { description: 'There is no such tenant, or it is not yours.' },
    },
    async handle({ caller, body }) {
      const chain = chooseChain(requireCaller(caller), body.tenant_id)
      const { expect_head: expected, cursor } = body
      const binding = [chain, 'audit verification', expected ?? '']
      let from: VerifyPosition | null = null
      if (cursor !== undefined) {
        from = readPosition(cursors.open(binding, cursor))
        if (from === null) throw cursorNotValid()
      }
      const report = await verifyPart(db, secrets, {
        chain,
        keptHead: expected === undefined ? null : parseHead(expected),
        from,
        entriesMax: ENTRIES_A_PART,
      })
      const { next } = report
      const nextCursor = next === null ? '' : cursors.seal(binding, [JSON.stringify(next)])
      return { status: 200, json: presentReport(report, nextCursor) }
    },
  })
}

/** The cursor is signed, so its text is one that was written here. */
function readPosition(opened: CursorPosition | null): VerifyPosition | null {
  const [text] = opened ?? []
  return text === undefined ? null : JSON.parse(text)
}
