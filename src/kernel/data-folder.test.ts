import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openDataFolder, resolveSocketPath } from './data-folder.ts'
import { dataFolderNotUsable } from './errors.ts'

function makeRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'casework-folder-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function ask(socketPath: string, path = '/'): Promise<{ status: number; body: string }> {
  return new Promise((settle, fail) => {
    request({ socketPath, path, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      response.on('end', () => settle({ status: response.statusCode ?? 0, body }))
    })
      .on('error', fail)
      .end()
  })
}

// A program that opens the folder, says "held" or the error's code, and stays until it is killed or
// its standard input ends.
const HOLDER = `
import { openDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)}
process.stdin.on('end', () => process.exit(0)).resume()
process.stdout.write('up\\n')
process.stdin.once('data', async () => {
  try {
    await openDataFolder({ path: process.argv[1], waitMs: Number(process.argv[2]) })
    process.stdout.write('held\\n')
  } catch (error) {
    process.stdout.write(error.code + '\\n')
  }
})`

interface Holder {
  readonly child: ChildProcess
  readonly nextLine: () => Promise<string>
  readonly begin: () => void
  readonly kill: () => Promise<void>
}

async function startHolder(t: TestContext, path: string, waitMs: number): Promise<Holder> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', HOLDER, path, String(waitMs)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  t.after(kill)
  const nextLine = async (): Promise<string> => String((await lines.next()).value)
  assert.equal(await nextLine(), 'up')
  return { child, nextLine, kill, begin: () => void child.stdin.write('go\n') }
}

test('creates the folder, private, and the socket for its owner only', async (t) => {
  const path = join(makeRoot(t), 'a', 'data')
  const folder = await openDataFolder({ path })
  t.after(folder.close)
  assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.equal(statSync(join(path, 'casework.sock')).mode & 0o777, 0o600)
  assert.equal(resolveSocketPath(path), folder.socketPath)
})

test('503 on the socket until a handler is set, then its answer', async (t) => {
  const folder = await openDataFolder({ path: makeRoot(t) })
  t.after(folder.close)
  assert.equal((await ask(folder.socketPath)).status, 503)
  folder.setRequestHandler((incoming, response) => response.end(`saw ${incoming.url}`))
  assert.deepEqual(await ask(folder.socketPath, '/x'), { status: 200, body: 'saw /x' })
})

test('a second opener is refused with folder and process id, and succeeds after the first left', async (t) => {
  const path = makeRoot(t)
  const first = await openDataFolder({ path })
  await assert.rejects(openDataFolder({ path, waitMs: 0 }), (error: Error) => {
    assert.match(error.message, /KERNEL_DATA_FOLDER_IN_USE/)
    assert.ok(error.message.includes(path) && error.message.includes(`process ${process.pid}`))
    return true
  })
  await first.close()
  await first.close()
  assert.equal(existsSync(join(path, 'casework.sock')), false)
  const second = await openDataFolder({ path, waitMs: 0 })
  await second.close()
})

test('a second opener that waits gets the folder once the first leaves', async (t) => {
  const path = makeRoot(t)
  const first = await openDataFolder({ path })
  const waiting = openDataFolder({ path, waitMs: 60_000 })
  await first.close()
  const second = await waiting
  await second.close()
})

test('the socket of a killed process is replaced at once', async (t) => {
  const path = makeRoot(t)
  const holder = await startHolder(t, path, 0)
  holder.begin()
  assert.equal(await holder.nextLine(), 'held')
  await holder.kill()
  assert.equal(existsSync(join(path, 'casework.sock')), true)
  const folder = await openDataFolder({ path, waitMs: 0 })
  await folder.close()
})

test('a holder that does not answer (SIGSTOP) keeps its lock', async (t) => {
  const path = makeRoot(t)
  const holder = await startHolder(t, path, 0)
  holder.begin()
  assert.equal(await holder.nextLine(), 'held')
  holder.child.kill('SIGSTOP')
  await assert.rejects(openDataFolder({ path, waitMs: 0 }), /in use by another casework;/)
})

test('of four processes that race for a dead socket exactly one wins', async (t) => {
  const path = makeRoot(t)
  const dead = await startHolder(t, path, 0)
  dead.begin()
  assert.equal(await dead.nextLine(), 'held')
  await dead.kill()
  const racers = await Promise.all([1, 2, 3, 4].map(() => startHolder(t, path, 300)))
  for (const racer of racers) racer.begin()
  const said = await Promise.all(racers.map((racer) => racer.nextLine()))
  assert.deepEqual(said.toSorted(), [
    'KERNEL_DATA_FOLDER_IN_USE',
    'KERNEL_DATA_FOLDER_IN_USE',
    'KERNEL_DATA_FOLDER_IN_USE',
    'held',
  ])
})

test('of sixteen openers in one process exactly one wins', async (t) => {
  const path = makeRoot(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 16 }, () => openDataFolder({ path, waitMs: 300 })),
  )
  const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  assert.equal(winners.length, 1)
  await winners[0]?.value.close()
})

test('a folder deeper than a socket address is locked and reached all the same', async (t) => {
  const path = join(makeRoot(t), 'd'.repeat(90), 'e'.repeat(90))
  const holder = await startHolder(t, path, 0)
  holder.begin()
  assert.equal(await holder.nextLine(), 'held')
  assert.equal((await ask(resolveSocketPath(path))).status, 503)
  await assert.rejects(openDataFolder({ path, waitMs: 0 }), /KERNEL_DATA_FOLDER_IN_USE/)
  await holder.kill()
  const folder = await openDataFolder({ path, waitMs: 0 })
  await folder.close()
})

test('a folder that cannot be made is refused with the reason and the way out', async (t) => {
  const root = makeRoot(t)
  writeFileSync(join(root, 'file'), '')
  for (const path of [join(root, 'file'), join(root, 'file', 'data'), '/proc/casework']) {
    await assert.rejects(openDataFolder({ path }), (error: Error) => {
      assert.match(error.message, /KERNEL_DATA_FOLDER_NOT_USABLE.*set CASEWORK_DATA_DIR/)
      assert.ok(error.message.includes(path))
      return true
    })
  }
})

test('a full disk is named, also when the lock of the folder finds it, with the way out', () => {
  const gate = new DatabaseSync(':memory:')
  gate.exec('pragma max_page_count = 1')
  assert.throws(
    () => gate.exec('create table kept (word text)'),
    (cause) => {
      const { message } = dataFolderNotUsable('/data', cause)
      assert.match(message, /cannot be used: the disk is full; make room there, or set CASEWORK_/)
      return true
    },
  )
  gate.close()
})
