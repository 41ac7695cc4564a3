// The environment of a bench leaves nothing behind, whatever the bench has left running.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { closeStages, openStage } from './stage.ts'

const isLinux = process.platform === 'linux'

describe('a stage that is closed', { skip: !isLinux, timeout: 300_000 }, () => {
  test('ends its servers and its database, and removes its folder', async () => {
    const stage = await openStage()
    const servers = [await stage.startServer(), await stage.startBareServer(320)]
    assert.deepEqual(await Promise.all(servers.map(ask)), [200, 200])
    // As a bench holds it that fails in the middle of its statements.
    const held = await stage.pool.connect()
    held.on('error', () => undefined)
    await stage.close()
    for (const server of servers) await assert.rejects(ask(server), /fetch failed/)
    await assert.rejects(held.query('select 1'))
    assert.equal(existsSync(stage.folder), false)
    await stage.close()
  })

  test('is the last one when the run was interrupted', async () => {
    await closeStages()
    await assert.rejects(openStage(), /interrupted/)
  })
})

async function ask({ port }: { readonly port: number }): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/beta/query/192.0.2.1`)).status
}
