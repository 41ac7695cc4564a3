// What an idle node asks of the database: a hundred of them must not keep it busy.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DatabaseProxy, openDatabaseProxy } from '../../test/database-proxy.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { openSecondNode, type SecondNode } from '../../test/intel-fixtures.ts'
import { waitUntil } from '../../test/wait.ts'
import { type Jobs, startJobs } from './worker-jobs.ts'

// A turn is half a second.
const TURNS = 8
const TURNS_A_MINUTE = 120

describe('an idle node', () => {
  let app: TestApp
  let proxy: DatabaseProxy
  let node: SecondNode
  before(async () => {
    app = await openTestApp()
    proxy = await openDatabaseProxy(app.connection)
    node = await openSecondNode(app, proxy.connection)
  })
  after(async () => {
    await node.close()
    await proxy.close()
    await app.close()
  })

  /** The statements of so many turns of the poll, which asks once in each. */
  const listStatements = async (turns: number): Promise<readonly string[]> => {
    const from = proxy.statements().length
    const listSent = (): readonly string[] => proxy.statements().slice(from)
    await waitUntil(() => listSent().filter(isPoll).length >= turns)
    return listSent()
  }

  it('asks once a turn for all of its copies together, and nothing else', async () => {
    await listStatements(1)
    const sent = await listStatements(TURNS)
    assert.deepEqual(
      sent.filter((statement) => !isPoll(statement)),
      [],
    )
  })

  describe('of all roles', () => {
    let jobs: Jobs
    before(async () => {
      jobs = await startJobs(node.services)
    })
    after(() => jobs.stop())

    it('asks with the same statement whether there is work, and claims nothing', async () => {
      // The first claim of each loop.
      await listStatements(4)
      const sent = await listStatements(TURNS)
      assert.ok(sent.some((statement) => isPoll(statement) && isQuestion(statement)))
      assert.deepEqual(
        sent.filter((statement) => !isQuestion(statement) && isOfLoop(statement)),
        [],
      )
    })

    it('sends three statements a turn at most in a minute, with the runs of its jobs', async () => {
      const sent = await listStatements(TURNS_A_MINUTE)
      assert.ok(sent.some(isJob))
      assert.ok(sent.length <= 3 * TURNS_A_MINUTE, `${sent.length} statements`)
    })
  })
})

function isJob(statement: string): boolean {
  return statement.includes('pgboss.job')
}

function isQuestion(statement: string): boolean {
  return /as "due_0"/.test(statement)
}

/** Claims of the loops, and lists of what they could claim. */
function isOfLoop(statement: string): boolean {
  return /from run_token|webhook_delivery|from notice|mitigation_adapter|from change |pending_start|report_sighting_change/.test(
    statement,
  )
}

function isPoll(statement: string): boolean {
  return /from intel_serial\b/.test(statement)
}
