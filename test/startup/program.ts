// The real program in a test: started as a person or a supervisor starts it, watched from outside,
// and nothing of it left behind.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { NETWORK_TABLE_FILE } from '../../src/intel/enrichment/asn.ts'
import { hasErrorCode } from '../../src/kernel/system-error.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { hasEnded } from '../child-process.ts'
import type { SocketConnection } from '../harness.ts'
import { atEnd, readPointer } from '../postgres-harness.ts'
import { watchSecrets } from '../secret-watch.ts'
import { waitUntil } from '../wait.ts'
import { COMMAND_END, EXIT_CODE } from './command-marks.ts'

export const ROOT = findPackageRoot()
const COMMAND_RUNNER = join(ROOT, 'test', 'startup', 'command-runner.ts')
export const LAUNCHER = join(ROOT, 'bin', 'casework.js')

export interface RunOptions {
  /** Settings and other variables, over an environment without any of ours. */
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What to run instead of this Node with the launcher. */
  readonly command?: readonly string[]
}

export interface Program {
  readonly child: ChildProcess
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /**
   * The address of the line that marks readiness; rejects with everything that was said when the
   * program ends before.
   */
  readonly whenReady: Promise<string>
  readonly whenExited: Promise<Exit>
  /** Signals the whole process group, as a terminal does. */
  readonly signalGroup: (signal: NodeJS.Signals) => void
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

// A first start on a machine of two busy cores takes 15 s.
const READY_MS_MAX = 120_000

const READY_PATTERN = /^casework is ready at (http:\/\/\S+)$/m

/**
 * Starts `casework <args>` in a process group of its own; killed at the end of the test if it still
 * runs.
 */
export function startProgram(
  t: TestContext,
  args: readonly string[],
  options: RunOptions = {},
): Program {
  const [command = process.execPath, ...before] = options.command ?? [process.execPath, LAUNCHER]
  const environment = buildEnvironment(options.environment ?? {})
  const child = spawn(command, [...before, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  assert.ok(pid !== undefined, 'the program did not start')
  const output = collect(child)
  const whenExited = new Promise<Exit>((resolve) => {
    // Pipes may stay open in a child that outlives it, so the exit is what counts.
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  atEnd(t, async () => {
    sendSignal(-pid, 'SIGKILL')
    await whenExited
    assertLogClean(output, environment)
  })
  const whenReady = waitUntilReady(child, output)
  whenReady.catch(() => undefined)
  return {
    child,
    pid,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    whenReady,
    whenExited,
    signalGroup: (name) => sendSignal(-pid, name),
  }
}

interface Output {
  stdout: string
  stderr: string
}

function collect(child: ChildProcess): Output {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (part: string) => {
      output[name] += part
    })
  }
  return output
}

// Standard output shows the first token and the link of the first person once; the log never does.
function assertLogClean({ stdout, stderr }: Output, environment: NodeJS.ProcessEnv): void {
  const watch = watchSecrets()
  watch.noteSettings(environment)
  for (const [, secret = ''] of stdout.matchAll(/(cw_[a-z]+_\w+|(?<=#)[\w-]{20,})/g)) {
    watch.noteSecret(secret)
  }
  watch.assertHoldsNone(stderr)
}

function waitUntilReady(child: ChildProcess, output: Output): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = READY_PATTERN.exec(output.stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
    const fail = (how: string): void =>
      reject(new Error(`${how}:\n${output.stdout}\n${output.stderr}`))
    child.once('close', (code) => fail(`ended with ${code}`))
    setTimeout(() => fail('is not ready after two minutes'), READY_MS_MAX).unref()
  })
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone.
  }
}

const TEST_SECRET_KEY = Buffer.alloc(32, 'key of the tests').toString('base64')

/** The key that a start with DATABASE_URL needs. */
function keyFor(environment: Readonly<Record<string, string>>): Record<string, string> {
  return 'DATABASE_URL' in environment ? { CASEWORK_SECRET_KEY: TEST_SECRET_KEY } : {}
}

// Without our settings of whoever runs the tests, and without the variables that npm sets.
function buildEnvironment(given: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CASEWORK_|DATABASE_URL$|PG|npm_|NODE_)/i.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    CASEWORK_REVERSE_DNS: 'off',
    // The console is not built for each of these starts.
    CASEWORK_CONSOLE: 'off',
    // Tests run side by side, and each has a listener of its own.
    CASEWORK_SMTP_PORT: '0',
    ...keyFor(given),
    ...given,
  }
}

/** Starts `casework serve` on a free port. */
export function startServe(
  t: TestContext,
  dataDir: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Program {
  return startProgram(t, ['serve', '--data-dir', dataDir, '--port', '0', ...args], options)
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLine {
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Runs command lines one after the other in one process, which loads the program once (1 s of a
 * core): for commands that end by themselves. That the process then ends proves that none left
 * anything open.
 */
export async function runCommands(
  t: TestContext,
  lines: readonly CommandLine[],
): Promise<readonly Finished[]> {
  const command = [process.execPath, COMMAND_RUNNER]
  // The launcher sets it; this process is started without the launcher.
  const environment = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }
  const given = lines.map((line) => ({
    ...line,
    environment: { ...keyFor(line.environment ?? {}), ...line.environment },
  }))
  const all = await runCommand(t, [JSON.stringify(given)], { command, environment })
  assert.equal(all.code, 0, all.stderr)
  const stdouts = all.stdout.split(COMMAND_END)
  const stderrs = all.stderr.split(COMMAND_END)
  assert.deepEqual([stdouts.pop(), stderrs.pop()], ['', ''])
  assert.deepEqual([stdouts.length, stderrs.length], [lines.length, lines.length])
  return stdouts.map((text, index) => {
    const [stdout = '', code = ''] = text.split(EXIT_CODE)
    return { code: Number(code), stdout, stderr: (stderrs[index] ?? '').split(EXIT_CODE)[0] ?? '' }
  })
}

/** Runs a command to its end. */
export async function runCommand(
  t: TestContext,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const program = startProgram(t, args, options)
  const closed = new Promise<void>((resolve) => {
    program.child.once('close', () => resolve())
  })
  const { code } = await program.whenExited
  await closed
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

/** One sentence for a person: a single line that begins with our name, and no stack. */
export function assertSentence(text: string, pattern: RegExp): void {
  assert.match(text, /^casework: [^\n]+\n$/)
  assert.match(text, pattern)
}

/**
 * The processes that work in or for a data folder, found by command line and working folder;
 * wherever its database lies.
 */
export function listProcessesOf(dataDir: string): number[] {
  const real = realpathSync(dataDir)
  const places = [real, readPointer(real)].filter((place) => place !== null)
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => places.some((place) => isAbout(pid, place)))
}

function isAbout(pid: number, place: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place) ||
      readlinkSync(`/proc/${pid}/cwd`).startsWith(place)
    )
  } catch {
    return false
  }
}

/** No process and no socket is left, now. */
export function assertNothingLeft(dataDir: string): void {
  assert.deepEqual(listProcessesOf(dataDir), [], 'processes are left')
  const place = readPointer(dataDir) ?? join(dataDir, 'postgres')
  assert.ok(!readdirSync(dataDir).includes('casework.sock'), 'the socket of the lock is left')
  assert.deepEqual(readdirSync(join(place, 'socket')), [], 'sockets of the database are left')
}

/**
 * Settles when nothing works in the folder any more; for what was killed and cannot wait for its
 * children.
 */
export async function untilGone(dataDir: string): Promise<void> {
  await waitUntil(() => listProcessesOf(dataDir).length === 0)
}

/** The process id of the postmaster of a data folder. */
export function readPostmasterPid(dataDir: string): number {
  const place = readPointer(dataDir) ?? join(dataDir, 'postgres')
  return Number(readFileSync(join(place, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
}

export interface UsedFolder {
  /**
   * A data folder as after one start and an orderly stop. The tests of a file use it one after the
   * other.
   */
  readonly dataDir: string
  /** The administrator token that the first start printed. */
  readonly token: string
}

/**
 * A used folder of its own for the tests of a file, removed with the test that `t` belongs to. A
 * first start costs 3.4 s of a core, a copy 0.1.
 */
export async function createUsedFolder(t: TestContext): Promise<UsedFolder> {
  const { dataDir: template, token } = await findUsedTemplate(t)
  const dataDir = makeOpenFolder(t)
  for (const name of ['postgres', 'smtp-self-signed.pem']) {
    cpSync(join(template, name), join(dataDir, name), { recursive: true })
  }
  return { dataDir, token }
}

// Made by the first process of the run that asks, and removed with the folder of the run.
async function findUsedTemplate(t: TestContext): Promise<UsedFolder> {
  const place = join(process.env['CASEWORK_TEST_FOLDER'] ?? '', 'used')
  const dataDir = join(place, 'data')
  const tokenFile = join(place, 'token')
  if (claimFolder(place)) {
    mkdirSync(dataDir)
    linkNetworkTable(dataDir)
    const server = startServe(t, dataDir)
    await server.whenReady
    await stopServer(server)
    // Killing processes loses nothing that the system has been given, so these tests need not wait
    // for the disk.
    appendFileSync(join(dataDir, 'postgres', 'cluster', 'postgresql.conf'), 'fsync = off\n')
    writeFileSync(`${tokenFile}.new`, readToken(server.stdout()))
    renameSync(`${tokenFile}.new`, tokenFile)
  }
  await waitUntil(() => existsSync(tokenFile), 'the used folder, which another process makes')
  return { dataDir, token: readFileSync(tokenFile, 'utf8') }
}

function claimFolder(place: string): boolean {
  try {
    mkdirSync(place, { mode: 0o711 })
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Stops it by SIGTERM; it must end with exit code 0. */
export async function stopServer(server: Program): Promise<void> {
  server.child.kill('SIGTERM')
  await waitUntil(() => hasEnded(server.child), 'the end of the server after SIGTERM')
  assert.deepEqual(await server.whenExited, { code: 0, signal: null })
}

/**
 * An empty data folder. The folder around it may be entered by all accounts, as the database of
 * root runs under another one; mkdtemp alone makes a closed one. The network table is linked, since
 * each start would build its own.
 */
export function makeOpenFolder(t: TestContext): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'casework-startup-'))
  chmodSync(root, 0o711)
  const dataDir = join(root, 'data')
  mkdirSync(dataDir)
  linkNetworkTable(dataDir)
  atEnd(t, () => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  return dataDir
}

function linkNetworkTable(dataDir: string): void {
  const networkTable = process.env['CASEWORK_TEST_NETWORK_TABLE']
  if (networkTable !== undefined) symlinkSync(networkTable, join(dataDir, NETWORK_TABLE_FILE))
}

export function readToken(stdout: string): string {
  const token = /^ {2}token {5}(cw_admin_\S+)$/m.exec(stdout)?.[1]
  assert.ok(token !== undefined, `no token in:\n${stdout}`)
  return token
}

/**
 * The address of a test's database for DATABASE_URL: through its socket, since it has no network
 * listener.
 */
export function buildSocketUrl(connection: SocketConnection): string {
  const { host, user, database, port } = connection
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** How many sockets of a process listen on a TCP port of 127.0.0.1. */
export function countListeners(pid: number, port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local === address && state === '0A').length
}

/** Whether a token is known: proof that the data is that of the start that made it. */
export async function isTokenKnown(url: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/beta/whoami`, { headers })
  await answer.body?.cancel()
  return answer.status === 200
}

/**
 * Sends the signal again and again until the program ends: it takes signals that follow each other
 * closely for one.
 */
export async function signalUntilExit(program: Program, name: NodeJS.Signals): Promise<Exit> {
  await waitUntil(() => {
    program.child.kill(name)
    return hasEnded(program.child)
  }, `the exit after ${name}`)
  return await program.whenExited
}
