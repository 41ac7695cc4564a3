import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsNotUsable } from '../kernel/errors.ts'
import { databaseTooOld } from './errors.ts'
import { describeExternal, explainTrouble, isTooOld } from './open-database.ts'

test('a PostgreSQL before 15 is too old (APP_DATABASE_TOO_OLD), other makes tell versions of their own', () => {
  assert.ok(isTooOld('PostgreSQL 14.11 (Debian 14.11-1.pgdg120+1) on x86_64', 140_011))
  assert.ok(!isTooOld('PostgreSQL 15.0 on x86_64-pc-linux-gnu', 150_000))
  assert.ok(!isTooOld('PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64', 110_002))
  assert.ok(!isTooOld('CockroachDB CCL v24.1.0 (x86_64)', 130_000))
  const error = databaseTooOld('PostgreSQL at db.example:5432/cw', 'PostgreSQL 14.11 on x86_64')
  assert.equal(error.code, 'APP_DATABASE_TOO_OLD')
  assert.match(error.publicMessage, /^PostgreSQL at db\.example:5432\/cw is PostgreSQL 14\.11, /)
})

test('a description of DATABASE_URL tells the place and never the password', () => {
  assert.equal(
    readDescription('postgres://cw:opensesame@db.example:5433/cw'),
    'PostgreSQL at db.example:5433/cw',
  )
  assert.equal(
    readDescription('postgres://cw:opensesame@/cw?host=%2Frun%2Fpostgresql'),
    'PostgreSQL in /run/postgresql/cw',
  )
  // A slash in the password that is not percent-encoded ends the host, and the rest is taken for
  // the database.
  assert.equal(readDescription('postgres://cw:12/opensesame@db.example/cw'), 'PostgreSQL at cw:12')
  assert.throws(
    () => describeExternal('postgres://cw:open sesame@db:x:1/cw'),
    (error: Error) =>
      error.message.startsWith(settingsNotUsable([]).code) && !error.message.includes('sesame'),
  )
})

function readDescription(url: string): string {
  return describeExternal(url).description
}

test('trouble with an operator’s database is told by its reason, and a fault of ours stays one', () => {
  const database = describeExternal('postgres://cw:opensesame@db.example/cw')
  const explain = (code: string): string =>
    String(explainTrouble(Object.assign(new Error('x'), { code }), database))
  assert.match(explain('28P01'), /db\.example:5432\/cw cannot be used: it refuses the user or the/)
  assert.match(explain('ETIMEDOUT'), /does not answer/)
  const timeout = new Error('timeout expired')
  assert.match(String(explainTrouble(timeout, database)), /it does not answer/)
  const fault = new TypeError('x is not a function')
  assert.equal(explainTrouble(fault, database), fault)
})
