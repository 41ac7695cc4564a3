// `casework playbook` against a running server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { withApp } from '../../test/harness.ts'

let url: string
const app = withApp({}, async (opened) => {
  url = await listen(opened)
})

const YAML = `name: Say it
nodes:
  - { id: begin, kind: start, paths: { next: say } }
  - { id: say, kind: comment, config: { text: Hello }, paths: { next: stop } }
  - { id: stop, kind: end }
`

test('casework playbook validates and simulates a file or a version, and stores nothing', async (t) => {
  const run = (args: readonly string[], input?: string) =>
    runCasework(t, ['playbook', ...args], {
      url,
      token: app.token,
      ...(input === undefined ? {} : { input }),
    })
  const graph = `name: Tried
nodes:
  - { id: begin, kind: start, paths: { next: ask } }
  - { id: ask, kind: trigger, config: { paths: [go] }, paths: { go: say } }
  - { id: say, kind: comment, config: { text: Hello }, paths: { next: stop } }
  - { id: stop, kind: end }
`
  const wrong = await run(['validate', '-', '-o', 'json'], graph.replace('Hello', '""'))
  assert.equal(wrong.code, 2)
  assert.equal(JSON.parse(wrong.stdout).problems[0].line, 5)
  assert.match(wrong.stderr, /line 5: say config\/text must/)
  assert.equal((await run(['validate', '-'], 'nodes: [')).code, 2)
  assert.equal((await run(['validate', '-'], graph)).stdout, 'The playbook is valid.\n')
  assert.match((await run(['simulate', '-'], graph)).stdout, /no case to simulate on/)
  const pushed = await app.send('POST', '/beta/casework/events', {
    token: app.token,
    json: {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Spam',
      ip: '192.0.2.7',
      customer_id: 'k',
      sender_email: 'ann@reporter.example',
    },
  })
  const caseId = pushed.json().case_id
  const waiting = await run(['simulate', '-', '--case', caseId], graph)
  assert.match(waiting.stdout, new RegExp(`^${caseId} +waiting +- +1 +ask$`, 'm'), waiting.stderr)
  const assumed = await run(['simulate', '-', '--last', '5', '--assume', 'ask=go'], graph)
  assert.match(assumed.stdout, /^say +comment +next +1 +1$/m)
  assert.match(assumed.stdout, /^OUTCOMES\noutcome +reason +cases\nended +- +1$/m)
  assert.equal((await run(['simulate', '-', '--assume', 'ask'], graph)).code, 2)
  assert.equal((await run(['simulate', '-', '--assume', 'ask=no'], graph)).code, 2)
  assert.equal((await run(['simulate', '-', '1'], graph)).code, 2)
  assert.equal((await run(['simulate', 'Tried'])).code, 4, 'nothing was stored')
  await run(['import'], graph)
  const stored = await run(['simulate', 'Tried', '1', '--assume', 'ask=go', '-o', 'json'])
  assert.equal(JSON.parse(stored.stdout).cases[0].outcome, 'ended')
})

test('casework playbook warns of a URL that requests would be refused for, and succeeds', async (t) => {
  const run = (args: readonly string[], input?: string) =>
    runCasework(t, ['playbook', ...args], {
      url,
      token: app.token,
      ...(input === undefined ? {} : { input }),
    })
  const graph = `name: Plain
nodes:
  - { id: begin, kind: start, paths: { next: call } }
  - { id: call, kind: api_caller, config: { method: GET, url: "http://crm.example/x" }, paths: { success: stop, error: stop } }
  - { id: stop, kind: end }
`
  const warning =
    'call config/url must start with https://, unless CASEWORK_OUTBOUND_ALLOW names crm.example:80\n'
  const checked = await run(['validate', '-'], graph)
  assert.deepEqual(
    [checked.code, checked.stdout, checked.stderr],
    [0, 'The playbook is valid.\n', `line 4: ${warning}`],
  )
  const json = JSON.parse((await run(['validate', '-', '-o', 'json'], graph)).stdout)
  assert.deepEqual([json.valid, json.warnings[0].line], [true, 4])
  assert.equal((await run(['import'], graph)).stderr, `line 4: ${warning}`)
  const active = await run(['activate', 'Plain'])
  assert.deepEqual([active.code, active.stderr], [0, `${warning}Version 1 of Plain is active.\n`])
})

test('casework playbook imports, shows, activates and exports, and names what is wrong by its line', async (t) => {
  const run = (args: readonly string[], input?: string) =>
    runCasework(t, ['playbook', ...args], {
      url,
      token: app.token,
      ...(input === undefined ? {} : { input }),
    })
  const wrong = await run(['import', '--dry-run'], YAML.replace('Hello', '""'))
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /^line 4: say config\/text must/m)
  const refused = await run(['import'], `${YAML}  - {id: say, kind: none}\n`)
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /line 6: \/nodes\/3\/kind must be one of/)
  assert.match((await run(['import', '--dry-run'], YAML)).stdout, /would be a new playbook/)
  const made = await run(['import'], YAML)
  assert.deepEqual(
    [made.code, made.stdout],
    [0, '“Say it” is a new playbook; its version 1 is a draft.\n'],
  )
  const again = await run(['import'], YAML.replace('Hello', 'Goodbye'))
  assert.equal(again.stdout, '“Say it” has the version 2, a draft: changed say.\n')
  assert.match(
    (await run(['import'], YAML.replace('Hello', 'Goodbye'))).stdout,
    /already in its version 2/,
  )
  const warned = await run(
    ['import', '-o', 'json'],
    YAML.replace(
      'kind: comment, config: { text: Hello }',
      'kind: webhook, config: { url: "https://hooks.example/x", secret: hook }',
    ),
  )
  assert.equal(JSON.parse(warned.stdout).version, 3)
  assert.match(warned.stderr, /^line 4: say config\/secret names the secret hook/m)
  assert.equal(
    (await run(['activate', 'Say it', '--version-number', '2'])).stderr,
    'Version 2 of Say it is active.\n',
  )
  assert.match((await run(['list'])).stdout, /^Say it +2 +3 /m)
  assert.match((await run(['show', 'Say it'])).stdout, /^3 +draft .*\n2 +active .*\n1 +draft /m)
  const exported = await run(['export', 'Say it', '--version-number', '1'])
  assert.match(exported.stdout, /^format: casework-playbook\/1\nname: Say it\n/)
  const json = await run(['export', 'Say it', '-o', 'json'])
  assert.equal(JSON.parse(json.stdout).nodes[1].kind, 'webhook')
  const [first] = JSON.parse((await run(['templates', '-o', 'json'])).stdout)
  const copied = await run(['import', '--template', first.name, '--name', 'Our own'])
  assert.match(copied.stdout, /“Our own” is a new playbook/)
  assert.equal((await run(['show', 'Nobody'])).code, 4)
  assert.equal((await run(['import', '--name', 'x'], YAML)).code, 2)
})
