// Runs the shell blocks of a page as a person does: in a folder that looks like the checkout, with
// the system's shell and Node, against a server that `npm start` started there. Nothing reaches the
// network: npm is offline, curl has a proxy where nothing listens, and the server a resolver that
// is none.

import assert from 'node:assert/strict'
import {
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { createUsedFolder, ROOT, runCommand, startProgram, untilGone } from '../startup/program.ts'
import { EXPECTED_FAILURES, isRun, listBlocks } from './shell-blocks.ts'

/** The first steps stand in README.md; all other pages build on them. */
const FIRST_PAGE = 'README.md'
const FAILURES_FILE = 'failures.txt'
// A page takes seconds; a loop that waits for the server must not hang the run.
const PAGE_TIMEOUT_MS = 300_000

/** Runs all blocks of the page in one shell; throws when a command fails that should not. */
export async function runPage(t: TestContext, page: string): Promise<void> {
  const { dataDir, token } = await createUsedFolder(t)
  const folder = dirname(dataDir)
  const taken = new Set(readdirSync(folder))
  for (const name of readdirSync(ROOT)) {
    if (!taken.has(name)) symlinkSync(join(ROOT, name), join(folder, name))
  }
  const environment = buildEnvironment(folder)
  if (page !== FIRST_PAGE) shortenNpx(folder)
  const server = startProgram(t, ['start'], { command: ['npm'], cwd: folder, environment })
  const url = await server.whenReady
  const smtpPort = /SMTP port (\d+)/.exec(server.stdout())?.[1] ?? ''
  const blocks = listBlocks()
    .filter((block) => block.page === page && isRun(block))
    .map(({ text }) =>
      text.replaceAll(HTTP_PLACE, url).replaceAll(SMTP_PLACE, `127.0.0.1:${smtpPort}`),
    )
  const firstSteps = page === FIRST_PAGE ? [] : [buildFirstSteps(url, token)]
  const ended = await runBlocks(t, [...firstSteps, ...blocks], { cwd: folder, environment })
  assertFailures(page, ended)
  for (const file of globSync('*.json', { cwd: folder })) {
    if (!taken.has(file)) JSON.parse(readFileSync(join(folder, file), 'utf8'))
  }
  server.signalGroup('SIGTERM')
  await server.whenExited
  await untilGone(dataDir)
}

// What a person has: not the Node that npm puts first on the PATH of its scripts.
function buildEnvironment(folder: string): Readonly<Record<string, string>> {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
  return {
    PATH: [join(folder, COMMANDS_FOLDER), ...path].join(delimiter),
    CASEWORK_PORT: '0',
    CASEWORK_DNS_SERVERS: '127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
    https_proxy: 'http://127.0.0.1:1',
    no_proxy: '127.0.0.1',
    npm_config_offline: 'true',
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
  }
}

const COMMANDS_FOLDER = 'page-commands'

// npm takes more than a second of processor time to find `casework`, in each of 150 commands, which
// was a third of the whole suite. So only the commands of the first page go through it.
function shortenNpx(folder: string): void {
  const commands = join(folder, COMMANDS_FOLDER)
  mkdirSync(commands)
  const launcher = join(ROOT, 'bin', 'casework.js')
  const script = `#!/bin/sh
[ "$1" = casework ] || { echo "npx $1 is not run here" >&2; exit 1; }
shift
exec node "${launcher}" "$@"
`
  writeFileSync(join(commands, 'npx'), script)
  chmodSync(join(commands, 'npx'), 0o755)
}

// The trap writes down every command that fails. `npm start` runs until the server is ready, since
// a page would otherwise end there.
const SHELL_START = `set -o pipefail
trap 'echo "$? \${BASH_COMMAND%%[[:cntrl:]]*}" >> ${FAILURES_FILE}' ERR
npm() {
  if [ "$1" != start ]; then command npm "$@"; return; fi
  command npm start > npm-start.log 2>&1 &
  until grep -q '^casework is ready' npm-start.log; do
    kill -0 $! || { cat npm-start.log >&2; return 1; }
    sleep 0.1
  done
  kill -TERM $!
  wait $! || true
}
assert_json() {
  node -e '
    const text = fs.readFileSync(0, "utf8")
    try { JSON.parse(text) } catch { for (const line of text.trim().split("\\n")) JSON.parse(line) }'
}
`

function buildFirstSteps(url: string, token: string): string {
  return `export CASEWORK_URL=${url} CASEWORK_TOKEN=${token}
node bin/casework.js examples my-examples
curl -sS --fail-with-body -H "Authorization: Bearer $CASEWORK_TOKEN" -H 'Content-Type: application/json' \\
  --data-binary @my-examples/xarf/connection-login_attack.json "$CASEWORK_URL/beta/casework/reports"
`
}

const HTTP_PLACE = 'http://127.0.0.1:8080'
const SMTP_PLACE = '127.0.0.1:2525'
// A line whose JSON goes to the terminal; elsewhere the page itself says what reads it.
const JSON_LINE_PATTERN = /^((?:[^>\n]*\| )?npx casework [^|>\n\\]*-o jsonl?\b[^|>\n\\]*)$/gm

interface Ended {
  /** Everything that was printed, for the message of a failure. */
  readonly said: string
  /** `<exit code> <command>` of each command that failed, in order. */
  readonly failures: readonly string[]
}

/** Runs shell blocks in one shell; a line with `-o json` is read by a parser. */
export async function runBlocks(
  t: TestContext,
  blocks: readonly string[],
  options: { readonly cwd: string; readonly environment: Readonly<Record<string, string>> },
): Promise<Ended> {
  const parsed = blocks.map((block) => block.replaceAll(JSON_LINE_PATTERN, '$1 | assert_json'))
  writeFileSync(join(options.cwd, 'page.sh'), [SHELL_START, ...parsed].join('\n'))
  const args = [String(PAGE_TIMEOUT_MS / 1_000), 'bash', 'page.sh']
  const finished = await runCommand(t, args, { command: ['timeout'], ...options })
  const failures = globSync(FAILURES_FILE, { cwd: options.cwd }).flatMap((file) =>
    readFileSync(join(options.cwd, file), 'utf8').trimEnd().split('\n'),
  )
  // Not the exit code of the last command, which is among the failures: that of `timeout`.
  if (finished.code === 124) failures.push('124 timeout')
  return { said: `${finished.stdout}\n${finished.stderr}`, failures }
}

function assertFailures(page: string, { said, failures }: Ended): void {
  const expected = EXPECTED_FAILURES.filter((entry) => entry.page === page)
  const isExpected = (line: string): boolean =>
    expected.some(({ code, command }) => line.startsWith(`${code} ${command}`))
  assert.deepEqual(
    failures.filter((line) => !isExpected(line)),
    [],
    said,
  )
  for (const { code, command } of expected) {
    const has = failures.some((line) => line.startsWith(`${code} ${command}`))
    assert.ok(has, `${command} did not end with ${code}:\n${said}`)
  }
}
