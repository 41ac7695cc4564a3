// An export has what an erasure reaches and keeps: the test looks into the tables itself.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import {
  ANA,
  CASEWORK,
  type ExportedItem,
  exportAll,
  fillWithAddress,
  findTables,
  openTenant,
} from '../../../../test/privacy-kit.ts'
import { EXPORT_START, type ExportPosition, exportPart } from './collect-export.ts'
import { readErasedAddresses } from './erased-address.ts'

const PATH = '/privacy-exports'

const app = withApp()

function listTables(items: readonly ExportedItem[]): readonly string[] {
  return [...new Set(items.map((item) => item.table))].toSorted((one, other) =>
    one < other ? -1 : 1,
  )
}

describe('a privacy export', () => {
  test('200 with every row that holds the address, and every raw report, however it is packed', async () => {
    const tenant = await openTenant(app, 'exported')
    const { reports } = await fillWithAddress(tenant)
    const items = await exportAll(tenant, { address: ` ${ANA.toUpperCase()}` })
    const kept = await findTables(tenant)
    assert.deepEqual(listTables(items), kept)
    const count = (table: string) => items.filter((item) => item.table === table).length
    // Three that she sent and two that tell of her, beside those of the reports.
    assert.ok(count('event') >= 5)
    assert.ok(!items.some(({ record }) => record['sender_email'] === `di${ANA}`))
    // The last report has nothing of her.
    assert.equal(count('report_raw'), reports.length - 1)
    const raw = items.find((item) => item.table === 'report_raw')?.record
    const bytes = Buffer.from(String(raw?.['bytes_base64']), 'base64')
    assert.ok(bytes.includes('Subject: attack'))
    const [one] = items.filter((item) => item.table === 'abuse_case')
    assert.ok(one?.found_in.includes('event_reporters'))
    // Of the lists only what is hers.
    const reporters = Object(one?.record)['event_reporters']
    assert.deepEqual(new Set(reporters.map((word: string) => word.toLowerCase())), new Set([ANA]))
    assert.ok(!JSON.stringify(items).includes('"tenant_id"'))
  })

  test('200 with what holds the name, in any case, beside the address', async () => {
    const tenant = await openTenant(app, 'named')
    await tenant.send('POST', '/customers', { id: 'k-1', name: 'Shop of Ana Beispiel' })
    await tenant.send('POST', '/customers', { id: 'k-2', name: '100% of Ana_Beispiel' })
    const wish = { address: 'nobody@example.com' }
    assert.deepEqual(await exportAll(tenant, wish), [])
    const items = await exportAll(tenant, { ...wish, name: 'ANA BEISPIEL ' })
    assert.deepEqual(
      items.map(({ table, record }) => [table, record['id']]),
      // The audit log has the values with which she was stored.
      [
        ['audit_detail', undefined],
        ['customer', 'k-1'],
      ],
    )
    const other = await exportAll(tenant, { ...wish, name: '% of ana_' })
    assert.deepEqual(
      other.map(({ record }) => record['id']),
      [undefined, 'k-2'],
    )
  })

  test('tells of settings only where the address stands, and never a secret', async () => {
    const tenant = await openTenant(app, 'settings')
    await app.createToken({ tenantId: tenant.id, contactEmail: ANA })
    const items = await exportAll(tenant, { address: ANA })
    assert.deepEqual(
      items.map(({ table, record }) => [table, Object.keys(record)]),
      [['api_token', ['id', 'contact_email']]],
    )
  })

  test('goes on where a part ended', async () => {
    const tenant = await openTenant(app, 'parts')
    await fillWithAddress(tenant)
    const whole = await exportAll(tenant, { address: ANA })
    const read = readErasedAddresses([ANA], tenant.id, Buffer.alloc(32))
    assert.ok(read !== null)
    const tables: string[] = []
    let parts = 0
    let position: ExportPosition | null = EXPORT_START
    while (position !== null) {
      const request = { addresses: read.addresses, name: null, position, budgetMs: 0 }
      const { foundation, casework } = app.services
      const deps = { db: foundation.database.kysely, rawSearcher: casework.rawSearcher }
      const part: Awaited<ReturnType<typeof exportPart>> = await exportPart(
        deps,
        { tenantId: tenant.id },
        request,
      )
      tables.push(...part.rows.map((row) => row.table))
      position = part.next
      parts += 1
    }
    assert.ok(parts > 10)
    assert.deepEqual(
      tables,
      whole.map((item) => item.table),
    )
  })

  test('403 without privacy:export; 400 for what is no address and for a cursor of another export; nothing of another tenant', async () => {
    const tenant = await openTenant(app, 'own')
    const stranger = await openTenant(app, 'stranger')
    await fillWithAddress(tenant)
    assert.deepEqual(await exportAll(stranger, { address: ANA }), [])
    const token = await app.createToken({ tenantId: tenant.id, scopes: ['privacy:erase'] })
    const ask = (json: object, by = tenant.token) =>
      app.send('POST', `${CASEWORK}${PATH}`, { token: by, json })
    assert.equal((await ask({ address: ANA }, token)).status, 403)
    const wrong = await ask({ address: 'ana at example.org' })
    assert.deepEqual([wrong.status, wrong.json().code], [400, 'CASEWORK_EXPORT_NOT_VALID'])
    assert.equal((await ask({ address: ANA, name: '  ' })).status, 400)
    const cursors = app.services.casework.cursors
    const cursor = cursors.seal([tenant.id, 'privacy export', 'other', ''], ['event', ''])
    const foreign = await ask({ address: ANA, cursor })
    assert.deepEqual([foreign.status, foreign.json().code], [400, 'CASEWORK_CURSOR_NOT_VALID'])
  })
})
