// Rows of the audit log that somebody changes inside PostgreSQL, past the triggers, are found; and
// a chain whose keys were sealed anew, or that went through an erasure, is clean.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillChain, verify } from '../../../test/audit-kit.ts'
import { withApp } from '../../../test/harness.ts'
import { eraseAddress } from '../../../test/privacy-kit.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { createSecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { createSecretKeyText, parseSecretKeys } from '../../kernel/secrets/secret-keys.ts'
import { sealAuditKeysAgain } from './audit-key-store.ts'
import { verifyChains } from './read-chain.ts'

const OLD_KEY = createSecretKeyText()
const ENTRIES = 30
const SIGNED_ENTRIES = 1_010

const app = withApp({ environment: { CASEWORK_SECRET_KEY: OLD_KEY } }, async (opened) => {
  await fillChain(opened, 'small', ENTRIES)
  await fillChain(opened, 'signed', SIGNED_ENTRIES)
})

/** As one does who owns the tables: without the triggers that refuse a change. */
async function tamper(chain: string, statements: readonly string[]): Promise<void> {
  const { pool } = app.services.foundation.database
  const tables = ['audit_entry', 'audit_checkpoint', 'audit_detail']
  const switchTriggers = (how: string) =>
    tables.map((table) => `alter table ${table} ${how} trigger user`)
  const whole = [...switchTriggers('disable'), ...statements, ...switchTriggers('enable')]
  for (const statement of whole) await pool.query(statement.replaceAll(':chain', `'${chain}'`))
}

const COPIES = ['audit_entry', 'audit_checkpoint', 'audit_detail', 'audit_head'] as const

/** What a verification finds after the statements; the rows are then as they were. */
async function findAfter(chain: string, statements: readonly string[]): Promise<readonly string[]> {
  const { pool } = app.services.foundation.database
  for (const table of COPIES) {
    await pool.query(`create table kept_${table} as select * from ${table}`)
  }
  await tamper(chain, statements)
  const { faults } = await verify(app, chain)
  await tamper(
    chain,
    COPIES.flatMap((table) => [
      `delete from ${table}`,
      `insert into ${table} select * from kept_${table}`,
      `drop table kept_${table}`,
    ]),
  )
  assert.equal((await verify(app, chain)).faultCount, 0, 'the rows are as they were')
  return faults.map(({ kind, seq }) => `${kind} ${seq}`)
}

const OF_CHAIN = 'where tenant_id = :chain'
const edit = (change: string, seq = 12) =>
  `update audit_entry set ${change} ${OF_CHAIN} and seq = ${seq}`

const renumber = (from: number, to: number) => edit(`seq = ${to}`, from)

const EDITS = [
  `at = at + interval '1 ms'`,
  `act = 'tag.delete'`,
  `object_id = 'other'`,
  `actor_kind = 'user'`,
  `actor_id = 'somebody'`,
  `request_id = 'other'`,
  'before_digest = after_digest',
  'after_digest = null',
  'origin_digest = before_digest',
]

describe('rows of the audit log in PostgreSQL', () => {
  test('of which any column is edited are found at their number', async () => {
    for (const change of EDITS) {
      const found = await findAfter('small', [edit(change)])
      assert.ok(found.includes('entry 12'), `${change}: ${found.join()}`)
    }
    const hash = await findAfter('small', [edit('hash = before_digest')])
    assert.deepEqual(hash, ['entry 12', 'entry 13'])
  })

  test('of which one is deleted, inserted or swapped, the last ones cut off or all gone, are found', async () => {
    const copyEntry = (from: number, to: number) => `
      insert into audit_entry select tenant_id, ${to}, at, act, object_id, actor_kind, actor_id, request_id, key_id,
        before_digest, after_digest, origin_digest, hash from audit_entry ${OF_CHAIN} and seq = ${from}`
    const cases: readonly (readonly [string, readonly string[], string])[] = [
      ['delete', [`delete from audit_entry ${OF_CHAIN} and seq = 12`], 'missing 12'],
      ['insert at the end', [copyEntry(5, ENTRIES + 1)], `entry ${ENTRIES + 1}`],
      ['swap', [renumber(12, 900), renumber(20, 12), renumber(900, 20)], 'entry 12'],
      ['cut off', [`delete from audit_entry ${OF_CHAIN} and seq > 20`], 'head 20'],
      ['all gone', [`delete from audit_entry ${OF_CHAIN}`], 'head 0'],
      ['no head', [`delete from audit_head ${OF_CHAIN}`], `head ${ENTRIES}`],
      [
        'a value',
        [`update audit_detail set after = '{"description": "x"}' ${OF_CHAIN} and seq = 7`],
        'value 7',
      ],
    ]
    for (const [name, statements, expected] of cases) {
      const found = await findAfter('small', statements)
      assert.ok(found.includes(expected), `${name}: ${found.join()}`)
    }
    const emptied = await findAfter('small', ['truncate audit_entry'])
    assert.ok(emptied.length > 0, 'a truncated table')
  })

  test('that are cut off before a signed checkpoint, head and all, are found; after it by a kept head', async () => {
    const cutAt = (seq: number) => [
      `delete from audit_entry ${OF_CHAIN} and seq > ${seq}`,
      `update audit_head set seq = ${seq},
         hash = (select hash from audit_entry ${OF_CHAIN} and seq = ${seq}) ${OF_CHAIN}`,
    ]
    assert.deepEqual(await findAfter('signed', cutAt(900)), ['checkpoint 1000'])
    const forged = `update audit_checkpoint set signature = decode(repeat('00', 64), 'hex') ${OF_CHAIN}`
    // The checkpoint is wrong, and with that the entry has none.
    const twice = ['checkpoint 1000', 'checkpoint 1000']
    assert.deepEqual(await findAfter('signed', [forged]), twice)
    const gone = `delete from audit_checkpoint ${OF_CHAIN}`
    assert.deepEqual(await findAfter('signed', [gone]), ['checkpoint 1000'])
    const { head } = await verify(app, 'signed')
    assert.deepEqual(await findAfter('signed', cutAt(1_005)), [], 'nothing covers these yet')
    const { pool } = app.services.foundation.database
    await pool.query('create table kept_entry as select * from audit_entry')
    await pool.query('create table kept_head as select * from audit_head')
    await tamper('signed', cutAt(1_005))
    const { faults } = await verify(app, 'signed', head)
    assert.deepEqual(
      faults.map(({ kind, seq }) => [kind, seq]),
      [['head', SIGNED_ENTRIES]],
    )
    await tamper('signed', [
      'delete from audit_entry',
      'insert into audit_entry select * from kept_entry',
      'delete from audit_head',
      'insert into audit_head select * from kept_head',
      'drop table kept_entry',
      'drop table kept_head',
    ])
    assert.equal((await verify(app, 'signed', head)).faultCount, 0)
  })
})

const cipherOf = (...keys: readonly string[]) =>
  createSecretCipher(parseSecretKeys(keys.join()) ?? [])

describe('a verification', () => {
  test('is clean after an erasure of a person who is in the values, in the names and among the actors', async () => {
    const { token } = app
    const address = 'ana@erased.example'
    const customer = { id: 'k-erased', name: `Ana <${address}>` }
    const made = await app.send('POST', '/beta/casework/customers', { token, json: customer })
    assert.equal(made.status, 201, made.text)
    await app.send('PUT', `/beta/casework/suppressed-addresses/${address}`, {
      token,
      json: { note: `${address} asked.` },
    })
    const before = await verify(app, 'default')
    await eraseAddress(app, token, address)
    const report = await verify(app, 'default', before.head)
    assert.deepEqual([report.faultCount, report.values.erased >= 2], [0, true])
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query('select 1 from audit_detail where audit_detail::text ~ $1', [
      address,
    ])
    assert.equal(rows.length, 0)
  })

  test('is clean after the key of secrets was changed, and knows no signature without either key', async () => {
    const { database } = app.services.foundation
    const fresh = createSecretKeyText()
    const verifyWith = async (cipher: ReturnType<typeof cipherOf>, trustedKeys: string[] = []) => {
      const [report] = await inInstance('keep the audit log', () =>
        verifyChains(database.kysely, cipher, { chain: 'signed', keptHead: null, trustedKeys }),
      )
      assert.ok(report !== undefined)
      return report
    }
    const count = await database.kysely
      .transaction()
      .execute((tx) => sealAuditKeysAgain(tx, cipherOf(fresh, OLD_KEY)))
    assert.equal(count, 1)
    const rotated = await verifyWith(cipherOf(fresh))
    assert.deepEqual(
      [rotated.faultCount, rotated.signedSeq, rotated.values.intact],
      [0, 1_000, SIGNED_ENTRIES],
      'checkpoints and values of before are verified with the new key alone',
    )
    const lost = await verifyWith(cipherOf(createSecretKeyText()))
    assert.equal(lost.faults[0]?.kind, 'key')
    const [row] = (await database.pool.query<{ id: string }>('select id from audit_key')).rows
    const named = await verifyWith(cipherOf(createSecretKeyText()), [row?.id ?? ''])
    assert.deepEqual([named.faultCount, named.values.absent], [0, SIGNED_ENTRIES])
  })
})
