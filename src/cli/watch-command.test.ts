// `casework watch` against a running server.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { withApp } from '../../test/harness.ts'
import { startFeeding } from '../../test/stream-kit.ts'
import { findPackageRoot } from '../values/resources.ts'

let url: string
const app = withApp({}, async (opened) => {
  url = await listen(opened)
})

interface Watch {
  readonly child: ReturnType<typeof spawn>
  readonly exit: Promise<unknown[]>
  /** All of standard output, once it matches. */
  readonly until: (pattern: RegExp) => Promise<string>
}

function startWatch(t: TestContext, args: readonly string[]): Watch {
  const root = findPackageRoot()
  const child = spawn(process.execPath, [join(root, 'bin/casework.js'), 'watch', ...args], {
    cwd: root,
    env: { CASEWORK_URL: url, CASEWORK_TOKEN: app.token },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: t.signal,
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) await once(child.stdout, 'data')
    return text
  }
  return { child, exit: once(child, 'exit'), until }
}

async function countStreams(): Promise<number> {
  const text = await app.services.foundation.metrics.metrics()
  return Number(/^casework_streams_open (\d+)$/m.exec(text)?.[1])
}

async function push(customer: string): Promise<string> {
  const event = { event_date: '2026-02-01T00:00:00Z', event_type: 'Spam', customer_id: customer }
  const answer = await app.send('POST', '/beta/casework/events', { token: app.token, json: event })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

test('changes are shown in lines for people and for programs, and Ctrl-C ends it with 0', async (t) => {
  t.after(startFeeding(app))
  const shown = startWatch(t, ['--kinds', 'case'])
  const lines = startWatch(t, ['-o', 'jsonl', '--what', 'open,stored', '--count', '2'])
  while ((await countStreams()) < 2) await new Promise(setImmediate)
  const caseId = await push('a')
  const text = await shown.until(/case open/)
  assert.match(text, new RegExp(`^\\S+Z  case open +${caseId}  #\\d+\\n`))
  assert.deepEqual(await lines.exit, [0, null])
  const changes = (await lines.until(/\n.*\n/)).trimEnd().split('\n')
  const kinds = new Set(changes.map((line) => JSON.parse(line).kind))
  assert.deepEqual(kinds, new Set(['case', 'event']))
  shown.child.kill('SIGINT')
  assert.deepEqual(await shown.exit, [0, null])
})

test('a watch after a serial shows what was missed', async (t) => {
  t.after(startFeeding(app))
  const args = ['watch', '-o', 'jsonl', '--count', '1', '--kinds', 'case']
  const first = startWatch(t, args.slice(1))
  while ((await countStreams()) < 1) await new Promise(setImmediate)
  await push('b')
  const { serial } = JSON.parse(await first.until(/\n/))
  await first.exit
  const caseId = await push('c')
  const late = await runCasework(t, [...args, '--after', serial], { url, token: app.token })
  assert.deepEqual([late.code, JSON.parse(late.stdout).id], [0, caseId])
})

test('0 after its seconds, 2 for a wrong kind or count, 3 without a valid token, 7 without a server', async (t) => {
  const more = { url, token: app.token }
  assert.equal((await runCasework(t, ['watch', '--count', 'many'], more)).code, 2)
  const none = await runCasework(t, ['watch', '--seconds', '1', '--kinds', 'run'], more)
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', ''])
  const kind = await runCasework(t, ['watch', '--kinds', 'cat'], more)
  assert.equal(kind.code, 2)
  assert.match(kind.stderr, /filter of the stream/)
  assert.equal((await runCasework(t, ['watch'], { url, token: 'cw_api_unknown' })).code, 3)
  const nobody = await runCasework(t, ['watch'], { url: 'http://127.0.0.1:1', token: 'x' })
  assert.equal(nobody.code, 7)
  assert.match(nobody.stderr, /does not answer/)
})
