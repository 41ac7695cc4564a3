// POST /beta/casework/privacy-exports: all data of the tenant about a person, part by part. The
// address is in the body, so that no log contains it.

import { requireCaller } from '../../../access/admit-request.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { cursorNotValid } from '../../../kernel/errors.ts'
import type { CursorPosition, CursorSealer } from '../../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { exportNotValid } from '../errors.ts'
import { EXPORT_START, type ExportDeps, type ExportPosition, exportPart } from './collect-export.ts'
import { readErasedAddresses } from './erased-address.ts'
import { ExportBody, ExportPart, presentExportPart } from './privacy-export-wire.ts'

// Far below the timeout of clients.
const BUDGET_MS = 5_000

export function exportAddressRoute({
  db,
  audit,
  rawSearcher,
  cursors,
}: ExportDeps & { readonly audit: AuditLog; readonly cursors: CursorSealer }): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/privacy-exports',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:export' },
    operationId: 'exportAddress',
    summary: 'Export data about a person',
    description:
      'Every row and raw report that contains the address or the name: the rows that an erasure of the address would change, and the rows that it would keep. Each part takes some seconds.',
    body: ExportBody,
    responses: {
      200: { description: 'A part of the export.', schema: ExportPart },
      400: { description: 'The text is no e-mail address, or the cursor is of another export.' },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const secret = await ensureCursorKey(db)
      const read = readErasedAddresses([body.address], tenantId, secret)
      if (read === null) throw exportNotValid()
      const name = body.name?.trim() ?? null
      const binding = [tenantId, 'privacy export', read.subjects[0] ?? '', name ?? '']
      let position: ExportPosition | null = EXPORT_START
      if (body.cursor !== undefined) {
        position = readPosition(cursors.open(binding, body.cursor))
        if (position === null) throw cursorNotValid()
      }
      if (body.cursor === undefined) {
        // The address as the erasure of it would write it: the log keeps no address.
        const id = read.subjects[0] ?? ''
        const after = { name_given: name !== null }
        await inTransaction(db, (tx) =>
          audit.record(tx, 'privacy_export.create', { tenantId, id, after }),
        )
      }
      const request = { addresses: read.addresses, name, position, budgetMs: BUDGET_MS }
      const part = await exportPart({ db, rawSearcher }, { tenantId }, request)
      const { next } = part
      const cursor = next === null ? '' : cursors.seal(binding, [next.table, next.key])
      return { status: 200, json: presentExportPart(part, cursor) }
    },
  })
}

function readPosition(opened: CursorPosition | null): ExportPosition | null {
  if (opened === null) return null
  // A cursor of an earlier version has three members.
  if (opened.length !== 2) return null
  const [table = '', key = ''] = opened
  return { table, key }
}
