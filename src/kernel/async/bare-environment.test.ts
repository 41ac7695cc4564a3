import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const HOST = new URL('./worker-host.ts', import.meta.url).href
const SERVE = new URL('./serve-thread.ts', import.meta.url).href

// Prints the folder of its compiled sources, and that of its thread beside the thread's variables.
const PROGRAM = `
  import { getCompileCacheDir } from 'node:module'
  import { WorkerHost } from '${HOST}'
  const host = new WorkerHost({
    script: new URL('./thread.mjs', import.meta.url), name: 'test', lingerMs: 1, isBehind: false,
    limits: { cpuLimitMs: 60_000, waitLimitMs: 60_000, memoryMb: 256 },
  })
  const thread = await host.run('')
  console.log(JSON.stringify({ folder: getCompileCacheDir() ?? '', thread }))
  await host.close()`
const THREAD = `
  import { getCompileCacheDir } from 'node:module'
  import { serveThread } from '${SERVE}'
  serveThread(() => ({ reply: { folder: getCompileCacheDir() ?? '', variables: { ...process.env } } }))`

interface Printed {
  readonly folder: string
  readonly thread: {
    readonly folder: string
    readonly variables: Readonly<Record<string, string>>
  }
}

test('a thread with limits keeps compiled sources with its process, and gets no setting', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-bare-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  writeFileSync(join(folder, 'thread.mjs'), THREAD)
  const run = (environment: Record<string, string>): Printed => {
    const env = { CASEWORK_SECRET_KEY: 'not for threads', ...environment }
    const script = join(folder, 'program.mjs')
    const ended = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
    assert.equal(ended.status, 0, ended.stderr)
    return JSON.parse(ended.stdout) as Printed
  }
  const without = run({ NODE_DISABLE_COMPILE_CACHE: '1' })
  assert.deepEqual(without, { folder: '', thread: { folder: '', variables: {} } })
  const cache = join(folder, 'cache')
  const kept = run({ NODE_COMPILE_CACHE: cache })
  assert.ok(kept.folder.startsWith(cache), kept.folder)
  const { thread } = kept
  assert.deepEqual(thread, { folder: kept.folder, variables: { NODE_COMPILE_CACHE: cache } })
})
