// Work for one tenant after the other: the failure of one keeps no other waiting.

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { withApp } from '../../../test/harness.ts'
import { createLog } from '../log.ts'
import { inTransaction } from './database.ts'
import {
  claimByTenant,
  claimFullByTenant,
  createTenantTurns,
  type DueRows,
  workByTenant,
  workByTenantInOne,
} from './due-tenants.ts'
import { inInstance } from './instance-acts.ts'

const app = withApp()

// A table without foreign keys.
const DUE: DueRows = {
  table: 'run_token',
  isDue: sql`state = 'ready' and wake_at <= now()`,
  since: sql`wake_at`,
}
const TENANTS = ['first', 'second', 'third'] as const

function openPass() {
  const lines: { readonly tenant_id: string; readonly error: string }[] = []
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
  const log = createLog({ level: 'warn', isForPeople: false, destination })
  return { pass: { db: app.services.foundation.database.kysely, log }, lines }
}

beforeEach(async () => {
  const { pool } = app.services.foundation.database
  await pool.query('delete from run_token')
  for (const [at, tenantId] of TENANTS.entries()) {
    await pool.query(
      `insert into run_token (tenant_id, run_id, id, case_id, state, node, wake_at)
       values ($1, gen_random_uuid(), 1, 'C-1', 'ready', 'x', now() - make_interval(hours => $2))`,
      [tenantId, 9 - at],
    )
  }
})

/** Work that fails for the tenant that is due longest; the tenants whose turn came. */
function failForFirst(fault: Error) {
  const seen: string[] = []
  const work = async (tenantId: string): Promise<number> => {
    seen.push(tenantId)
    if (tenantId === 'first') throw fault
    return 1
  }
  return { seen, work, claim: async (tenantId: string) => [await work(tenantId)] }
}

describe('the failure of one tenant', () => {
  test('is logged, and the others have their turn', async () => {
    const { pass, lines } = openPass()
    const { seen, work } = failForFirst(new Error('a bad row'))
    const done = await inInstance('find work', () => workByTenant(pass, DUE, 1, work))
    assert.deepEqual(seen, TENANTS)
    assert.deepEqual(done, { isMore: true })
    assert.deepEqual(
      lines.map(({ tenant_id: tenant, error }) => [tenant, error]),
      [['first', 'Error: a bad row']],
    )
  })

  test('says nothing of more work: it is not tried again in the same pass', async () => {
    const { pass } = openPass()
    const { work } = failForFirst(new Error('a bad row'))
    const done = await inInstance('find work', () => workByTenant(pass, DUE, 2, work))
    assert.deepEqual(done, { isMore: false })
  })

  test('leaves the claims of the others', async () => {
    const { pass, lines } = openPass()
    const request = { tenants: TENANTS, limit: 6, log: pass.log }
    for (const claimDue of [claimByTenant, claimFullByTenant]) {
      const { claim } = failForFirst(new Error('a bad row'))
      assert.deepEqual(await claimDue(request, claim), [1, 1])
    }
    const turns = createTenantTurns(DUE, pass.log)
    const { claim } = failForFirst(new Error('a bad row'))
    const claimed = await inInstance('find work', () => turns.claim(pass.db, 6, claim))
    assert.deepEqual(claimed, [1, 1])
    assert.deepEqual(
      lines.map(({ tenant_id: tenant }) => tenant),
      ['first', 'first', 'first'],
    )
  })

  test('ends work in one transaction for all', async () => {
    const { pass } = openPass()
    const { seen, work } = failForFirst(new Error('a bad row'))
    const inOne = inInstance('find work', () =>
      inTransaction(pass.db, (tx) => workByTenantInOne(tx, DUE, 1, work)),
    )
    await assert.rejects(inOne, /a bad row/)
    assert.deepEqual(seen, ['first'])
  })
})

test('a database that is lost, also by a stop, ends the pass', async () => {
  for (const fault of [
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('Cannot use a pool after calling end on the pool'),
  ]) {
    const { pass, lines } = openPass()
    const { seen, work, claim } = failForFirst(fault)
    const worked = inInstance('find work', () => workByTenant(pass, DUE, 1, work))
    await assert.rejects(worked, fault)
    const request = { tenants: TENANTS, limit: 6, log: pass.log }
    await assert.rejects(claimFullByTenant(request, claim), fault)
    assert.deepEqual(seen, ['first', 'first'])
    assert.deepEqual(lines, [])
  }
})
