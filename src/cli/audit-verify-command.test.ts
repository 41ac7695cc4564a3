// `casework audit verify` as a command: what it prints and with which code it ends, for a chain
// that is clean, edited, or cut off.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillChain } from '../../test/audit-kit.ts'
import { type Outcome, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { createSecretKeyText } from '../kernel/secrets/secret-keys.ts'
import { EXIT } from './exit-codes.ts'

const KEY = createSecretKeyText()

let app: TestApp
before(async () => {
  app = await openTestApp({ environment: { CASEWORK_SECRET_KEY: KEY } })
  await fillChain(app, 'default', 20)
  await fillChain(app, null, 3)
})
after(async () => app.close())

type Signals = Parameters<typeof runCasework>[0]

function verify(t: Signals, args: readonly string[] = [], key = KEY): Promise<Outcome> {
  const { host, port, user, database } = app.connection
  const url = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  return runCasework(t, ['audit', 'verify', ...args], {
    url: 'http://127.0.0.1:1',
    environment: { DATABASE_URL: url, ...(key === '' ? {} : { CASEWORK_SECRET_KEY: key }) },
  })
}

async function tamper(statement: string): Promise<void> {
  const { pool } = app.services.foundation.database
  await pool.query('alter table audit_entry disable trigger user')
  await pool.query(statement)
  await pool.query('alter table audit_entry enable trigger user')
}

let keptHead = ''

test('0 for clean chains, each with its head', async (t) => {
  const { code, stdout, stderr } = await verify(t)
  assert.equal(code, EXIT.ok, stderr)
  assert.match(stdout, /^default: 20 entries from number 1, signed up to 0; values of 20 intact/m)
  assert.match(stdout, /^the instance \(\*\): \d+ entries/m)
  const listed = await verify(t, ['--chain', 'default', '-o', 'json'])
  const { intact, chains } = JSON.parse(listed.stdout)
  assert.deepEqual([listed.code, intact, chains.length, chains[0].entries], [0, true, 1, 20])
  keptHead = chains[0].head
  assert.match(keptHead, /^20:[0-9a-f]{64}$/)
  const rows = await verify(t, ['--chain', 'default', '-o', 'csv'])
  assert.match(rows.stdout, /^(?:[a-z_]+,)*tenant_id,/)
  assert.equal((await verify(t, ['-o', 'xml'])).code, EXIT.usage)
  const expected = await verify(t, ['--chain', 'default', '--expect-head', keptHead])
  assert.equal(expected.code, EXIT.ok, expected.stdout)
})

test('2 for a head without its chain, for a head that is none, and without a key of secrets', async (t) => {
  const bare = await verify(t, ['--expect-head', keptHead])
  assert.equal(bare.code, EXIT.usage)
  assert.match(bare.stderr, /--expect-head needs --chain/)
  const wrong = await verify(t, ['--chain', 'default', '--expect-head', '20'])
  assert.equal(wrong.code, EXIT.usage)
  const keyless = await verify(t, [], '')
  assert.equal(keyless.code, EXIT.usage, keyless.stderr)
  assert.match(keyless.stderr, /CASEWORK_SECRET_KEY/)
})

test('1 for an edited entry, which is named, in both forms', async (t) => {
  await tamper(`update audit_entry set object_id = 'other' where tenant_id = 'default' and seq = 7`)
  const { code, stdout } = await verify(t)
  assert.equal(code, EXIT.failure)
  assert.match(stdout, /^ {2}entry at 7: /m)
  assert.match(stdout, /NOT INTACT, 1 faults; head 20:/)
  const listed = await verify(t, ['-o', 'json'])
  const { intact, chains } = JSON.parse(listed.stdout)
  assert.deepEqual([listed.code, intact], [EXIT.failure, false])
  const faulty = chains.filter((chain: { intact: boolean }) => !chain.intact)
  assert.deepEqual(
    faulty.map((chain: { tenant_id: string }) => chain.tenant_id),
    ['default'],
  )
  await tamper(`update audit_entry set object_id = 'tag-6' where tenant_id = 'default' and seq = 7`)
  assert.equal((await verify(t)).code, EXIT.ok)
})

test('1 for a chain that was cut off with its head, when a kept head is given', async (t) => {
  await tamper(`delete from audit_entry where tenant_id = 'default' and seq > 15`)
  const cut = await verify(t, ['--chain', 'default'])
  assert.equal(cut.code, EXIT.failure)
  assert.match(cut.stdout, /head at /)
  const { pool } = app.services.foundation.database
  await pool.query(
    `update audit_head set seq = 15, hash = (select hash from audit_entry where tenant_id = 'default' and seq = 15)
     where tenant_id = 'default'`,
  )
  assert.equal(
    (await verify(t, ['--chain', 'default'])).code,
    EXIT.ok,
    'nothing is left that tells',
  )
  const told = await verify(t, ['--chain', 'default', '--expect-head', keptHead])
  assert.equal(told.code, EXIT.failure)
  assert.match(told.stdout, /head at 20: the entry of the head that was kept is missing/)
})
