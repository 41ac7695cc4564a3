// POST /beta/casework/privacy-exports: everything that the tenant holds about a person, part by
// part. The address is in the body, so that no log has it.

import type { Casework } from '../../../app/open-casework.ts'
import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import { cursorNotValid } from '../../../kernel/errors.ts'
import type { CursorPosition } from '../../../kernel/http/cursor.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import { exportNotValid } from '../errors.ts'
import { EXPORT_START, type ExportedRow, type ExportPlace, exportPart } from './collect-export.ts'
import { readErasedAddresses } from './erased-address.ts'
import { ExportBody, ExportPart } from './privacy-export-wire.ts'

// Far below what a client waits for.
const BUDGET_MS = 5_000

export function exportAddressRoute({ foundation, cursors }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/privacy-exports',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:export' },
    operationId: 'exportAddress',
    summary: 'Export what is held about a person',
    description:
      'Every row in which the address, or the name, stands, and every raw report; what an erasure of the address would reach, and what it would keep. Works for some seconds a part.',
    body: ExportBody,
    responses: {
      200: { description: 'A part of the export.', schema: ExportPart },
      400: { description: 'It is no e-mail address, or a cursor of another export.' },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const db = foundation.database.kysely
      const secret = await ensureCursorKey(db)
      const read = readErasedAddresses([body.address], tenantId, secret)
      if (read === null) throw exportNotValid()
      const name = body.name?.trim() ?? null
      const binding = [tenantId, 'privacy export', read.subjects[0] ?? '', name ?? '']
      let place: ExportPlace | null = EXPORT_START
      if (body.cursor !== undefined) {
        place = readPlace(cursors.open(binding, body.cursor))
        if (place === null) throw cursorNotValid()
      }
      const wish = { addresses: read.addresses, name, place, budgetMs: BUDGET_MS }
      const { rows, next } = await exportPart(db, { tenantId }, wish)
      const cursor =
        next === null ? '' : cursors.seal(binding, [next.table, String(next.page), next.key])
      return { status: 200, json: { items: rows.map(presentRow), next_cursor: cursor } }
    },
  })
}

function readPlace(position: CursorPosition | null): ExportPlace | null {
  if (position === null) return null
  const [table = '', page = '0', key = ''] = position
  return { table, page: Number(page), key }
}

function presentRow({ table, foundIn, record }: ExportedRow) {
  return { table, found_in: foundIn, record }
}
