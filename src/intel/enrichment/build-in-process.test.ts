import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listChildren } from '../../../test/postgres-harness.ts'
import { waitUntil } from '../../../test/wait.ts'
import { NETWORK_TABLE_FILE } from './asn.ts'
import { buildInProcess } from './build-in-process.ts'
import { findNetworkPackageDirs, NO_MMDB_FILES } from './network-table-build.ts'

const NEVER = new AbortController().signal

function orderIn(folder: string) {
  return {
    file: join(folder, NETWORK_TABLE_FILE),
    packageDirs: findNetworkPackageDirs(),
    mmdbFiles: NO_MMDB_FILES,
  }
}

test('the builder writes the table and ends', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-builder-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const order = orderIn(folder)
  await buildInProcess(order, NEVER)
  assert.ok(existsSync(order.file))
})

test('kill -9 of the process that started the builder ends the builder, which leaves no table', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-builder-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const order = orderIn(folder)
  const module = JSON.stringify(new URL('./build-in-process.ts', import.meta.url).href)
  const program = `
    import { buildInProcess } from ${module}
    await buildInProcess(JSON.parse(process.argv[1]), new AbortController().signal)`
  const parent = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program, JSON.stringify(order)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  t.after(() => parent.kill('SIGKILL'))
  const { pid } = parent
  assert.ok(pid !== undefined)
  await waitUntil(() => listChildren(pid).length > 0)
  const [builder] = listChildren(pid)
  assert.ok(builder !== undefined)
  const gone = once(parent, 'exit')
  parent.kill('SIGKILL')
  await gone
  await waitUntil(() => hasEnded(builder))
  assert.ok(!existsSync(order.file), 'the builder went on without its parent')
})

/** Gone, or kept in the table of processes for a parent that has not asked for it yet. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}
