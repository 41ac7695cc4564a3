// The machines of deploy/ha on loopback. Each has an address of its own in 127.0.0.0/8, each port
// of the example stands for a free one, and the files of the example are read with these in place
// of theirs: what a user starts from is what the test runs.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findRoomInMemory } from '../memory-folder.ts'
import { atEnd } from '../postgres-harness.ts'
import { ROOT } from '../source-files.ts'

const EXAMPLE = join(ROOT, 'deploy', 'ha')
// Every port that a file of the example names.
const PORTS = [25, 80, 2379, 2380, 2525, 5000, 5432, 8008, 8080] as const
type Port = (typeof PORTS)[number]

export interface Address {
  readonly host: string
  readonly port: number
}

interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Machines {
  /** Passable for all accounts; removed at the end. */
  readonly folder: string
  /** Of the machine 192.0.2.NUMBER of the example. */
  readonly at: (number: number, port: Port) => Address
  /** A file of the example; `more` are pairs of texts, of which the first must be in it. */
  readonly readExample: (file: string, more?: readonly (readonly [string, string])[]) => string
  /** A folder in it that belongs to the account. */
  readonly makeFolder: (name: string, account: Account) => string
}

export async function openMachines(t: TestContext): Promise<Machines> {
  assert.equal(process.getuid?.(), 0, 'this test starts servers under their own accounts: as root')
  const folder = mkdtempSync(join(realpathSync(findRoomInMemory() ?? tmpdir()), 'casework-ha-'))
  chmodSync(folder, 0o755)
  atEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  // Two runs at the same time have different addresses.
  const network = `127.${100 + (process.pid & 63)}.${(process.pid >> 6) & 255}`
  const ports = await findFreePorts()
  const place = (text: string): string =>
    text
      .replaceAll('192.0.2.0/24', '127.0.0.0/8')
      .replaceAll('bind :', 'bind 192.0.2.10:')
      .replaceAll(
        /(?<=\d:|\]:|\bcheck port |_PORT=)(\d+)\b/g,
        (port) => `${ports.get(Number(port)) ?? assert.fail(`port ${port} has no place`)}`,
      )
      .replaceAll('192.0.2.', `${network}.`)
  return {
    folder,
    at: (number, port) => ({ host: `${network}.${number}`, port: ports.get(port) ?? 0 }),
    readExample(file, more = []) {
      let text = readFileSync(join(EXAMPLE, file), 'utf8')
      for (const [from, to] of more) {
        assert.ok(text.includes(from), `${file} does not hold ${from}`)
        text = text.replaceAll(from, to)
      }
      return place(text)
    },
    makeFolder(name, { uid, gid }) {
      const path = join(folder, name)
      mkdirSync(path, { mode: 0o750 })
      chownSync(path, uid, gid)
      return path
    },
  }
}

// All are held until the last is found, so that none is given twice.
async function findFreePorts(): Promise<ReadonlyMap<number, number>> {
  const servers = new Map<number, Server>()
  for (const port of PORTS) {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    servers.set(port, server)
  }
  const found = new Map<number, number>()
  for (const [port, server] of servers) {
    found.set(port, (server.address() as AddressInfo).port)
    await new Promise((resolve) => server.close(resolve))
  }
  return found
}

/** The settings of a file for systemd's EnvironmentFile. */
export function readVariables(text: string): Record<string, string> {
  const lines = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

/** Of an account of the system, such as the one that a Debian package has made. */
export function findAccount(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8').match(
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+)`, 'm'),
  )
  assert.ok(line, `there is no account ${name}: see CONTRIBUTING.md`)
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

export interface Daemon {
  readonly child: ChildProcess
  readonly pid: number
  readonly whenExited: Promise<void>
  /** What it has printed so far. */
  readonly said: () => string
}

interface DaemonOptions {
  readonly name: string
  readonly account?: Account
  readonly environment?: Readonly<Record<string, string>>
  /** What ends it at the end of the test; SIGKILL when left out. */
  readonly endSignal?: NodeJS.Signals
}

const alive = new Map<number, NodeJS.Signals>()
// The test runner may end this process before its hooks have run.
process.once('exit', () => {
  for (const [pid, signal] of alive) kill(pid, signal)
})
process.once('SIGTERM', () => process.exit(1))

/** Starts a server in the foreground; it is killed at the end of the test. */
export function startDaemon(
  t: TestContext,
  { folder }: Machines,
  command: readonly [string, ...string[]],
  { name, account, environment = {}, endSignal = 'SIGKILL' }: DaemonOptions,
): Daemon {
  const log = join(folder, `${name}.log`)
  const output = openSync(log, 'a')
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...environment },
    stdio: ['ignore', output, output],
    ...account,
  })
  const whenExited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const { pid } = child
  assert.ok(pid !== undefined, `${program} is missing: see CONTRIBUTING.md`)
  alive.set(pid, endSignal)
  void whenExited.then(() => alive.delete(pid))
  atEnd(t, async () => {
    kill(pid, endSignal)
    await whenExited
  })
  return { child, pid, whenExited, said: () => readFileSync(log, 'utf8') }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone.
  }
}

/** Looks again and again; the limit of the test is the bound. `what` is for whoever waits. */
export async function when<Value>(
  t: TestContext,
  what: string,
  look: () => Promise<Value | null | false>,
): Promise<Value> {
  const startedAt = performance.now()
  for (let told = 20_000; ; await delay(100)) {
    const found = await look().catch(() => null)
    if (found !== null && found !== false) return found
    const waitedMs = performance.now() - startedAt
    if (waitedMs < told) continue
    t.diagnostic(`still waiting after ${Math.round(waitedMs / 1_000)} s: ${what}`)
    told += 20_000
  }
}
