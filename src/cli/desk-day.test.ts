// Proves a day of a desk of three people who have nothing but the command line: each logs in to a
// profile of their own, and a case goes from the queue through three hands to its end.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { listen, type Outcome, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { PASSWORD } from '../../test/people-kit.ts'
import { EXIT } from './exit-codes.ts'

const PEOPLE = [
  { name: 'Mira Lang', roles: ['lead'] },
  { name: 'Jonas Lang', roles: ['agent'] },
  { name: 'Aisha Noor', roles: ['agent'] },
] as const

let app: TestApp
let url: string
let home: string
let token: string
before(async () => {
  app = await openTestApp()
  url = await listen(app)
  token = await app.createToken()
  home = mkdtempSync(join(tmpdir(), 'desk-'))
})
after(async () => {
  rmSync(home, { recursive: true })
  await app.close()
})

type Signals = Parameters<typeof runCasework>[0]

/** One of the three at a shell, by the first name as profile. */
async function as(
  t: Signals,
  profile: string,
  args: readonly string[],
  input = '',
): Promise<Outcome> {
  const environment = { XDG_CONFIG_HOME: home, CASEWORK_PROFILE: profile }
  return await runCasework(t, args, { url: '', input, environment })
}

async function does(t: Signals, profile: string, args: readonly string[], input = '') {
  const outcome = await as(t, profile, args, input)
  assert.equal(outcome.code, EXIT.ok, `${args.join(' ')}: ${outcome.stderr}`)
  return outcome
}

async function logInAll(t: Signals): Promise<void> {
  for (const { name, roles } of PEOPLE) {
    const profile = name.split(' ')[0]?.toLowerCase() ?? ''
    const email = `${profile}@desk.example`
    const json = { email, name, roles }
    const invited = await app.send('POST', '/beta/admin/users', { token, json })
    assert.equal(invited.status, 201, invited.text)
    const { link } = invited.json()
    const redeemed = { json: { link, password: PASSWORD } }
    assert.equal((await app.send('POST', '/beta/session/links', redeemed)).status, 201)
    const login = ['login', url, '--name', profile, '--email', email, '--password-file', '-']
    const environment = { XDG_CONFIG_HOME: home }
    const kept = await runCasework(t, login, { url: '', input: `${PASSWORD}\n`, environment })
    assert.equal(kept.code, EXIT.ok, kept.stderr)
  }
}

it('a desk of three works its queue by command alone, from the first look to the hand-over', async (t) => {
  await logInAll(t)

  // The morning: a complaint by phone, twice for one shop, and the queue as a saved view.
  const told = ['login', 'pay'].map((host, at) => ({
    event_date: '2026-11-20T09:10:00Z',
    event_type: 'Phishing',
    domain: `${host}.shop.example`,
    ip: `198.51.100.${at + 21}`,
    sender_email: 'soc@bank.example',
  }))
  const pushed = await does(t, 'mira', ['event', 'push', '-', '-o', 'json'], JSON.stringify(told))
  const [first = '', second = ''] = JSON.parse(pushed.stdout).map(
    (one: { case_id: string }) => one.case_id,
  )
  const saved = ['view', 'add', '--name', 'New today', '--list', 'cases', '--shared', 'true']
  await does(t, 'mira', [...saved, '--query', '{"state": "NEW", "sort": "last_event_date"}'])
  const queue = await does(t, 'jonas', ['case', 'list', '--view', 'new today', '-o', 'jsonl'])
  const queued = queue.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  assert.deepEqual(new Set(queued), new Set([first, second]))
  const narrowed = ['case', 'list', '--view', 'New today', '--domain', 'pay.shop.example']
  assert.match((await does(t, 'jonas', narrowed)).stdout, new RegExp(`^id .*\\n${second} .*\\n$`))
  const unknown = await as(t, 'jonas', ['case', 'list', '--view', 'Old'])
  assert.equal(unknown.code, EXIT.notFound)
  assert.match(unknown.stderr, /no saved view "Old".*New today/)

  // One machine, two names: only the lead may merge, and then gives it to a colleague by name.
  const merge = ['case', 'merge', first, '--from', second, '--reason', 'One shop', '--yes']
  assert.equal((await as(t, 'jonas', merge)).code, EXIT.credential)
  await does(t, 'mira', merge)
  const twice = await as(t, 'mira', ['case', 'assign', first, '--to', 'lang'])
  assert.equal(twice.code, EXIT.usage)
  assert.match(twice.stderr, /"lang" may be .*Jonas Lang.*Mira Lang/)
  const nobody = await as(t, 'mira', ['case', 'assign', first, '--to', 'zoe'])
  assert.equal(nobody.code, EXIT.usage)
  assert.match(nobody.stderr, /npx casework case assignees/)
  const given = await does(t, 'mira', ['case', 'assign', first, '--to', 'jonas'])
  assert.match(given.stdout, /^id +state +severity +assignee .*\n\S+ +NEW +\S+ +Jonas Lang /)

  // The day: the colleague works what is his.
  const mine = await does(t, 'jonas', ['case', 'list', '--assignee', 'me', '-o', 'csv'])
  assert.match(mine.stdout, /,Jonas Lang,usr_/)
  await does(t, 'jonas', ['case', 'move', first, '--to', 'IN_PROGRESS'])
  await does(t, 'jonas', ['case', 'comment', first, '-'], 'Called the shop.\n')
  const wait = ['--waiting-on', 'customer', '--deadline-at', '+24h', '--add-tags', 'called']
  await does(t, 'jonas', ['case', 'change', first, ...wait])

  // The evening: he hands over everything that is his, and the night shift ends it.
  const open = ['case', 'list', '--assignee', 'Jonas Lang', '--state', 'NEW,IN_PROGRESS']
  const ids = (await does(t, 'jonas', [...open, '-o', 'csv'])).stdout
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0] ?? '')
  await does(t, 'jonas', ['case', 'assign', '-', '--to', 'aisha noor'], ids.join('\n'))
  const found = await does(t, 'aisha', ['search', 'hxxps://login[.]shop[.]example/'])
  assert.match(found.stderr, /Nothing was found.*npx casework search login\.shop\.example/)
  const byName = await does(t, 'aisha', ['search', 'login[.]shop[.]example', '--kind', 'case'])
  assert.match(byName.stdout, new RegExp(`^case ${first}\n`))
  const end = ['case', 'move', first, '--to', 'RESOLVED', '--resolution', 'fixed']
  await does(t, 'aisha', [...end, '--reason', 'The page is gone'])

  // Whoever reads it later sees who did what.
  const { stdout } = await does(t, 'mira', ['case', 'timeline', first, '--order', 'asc'])
  const told2 = stdout.split('\n').filter((line) => / (?:history|comment) /.test(line))
  const actors = ['Mira', 'Mira', 'Mira', 'Jonas', 'Jonas', 'Jonas', 'Jonas', 'Aisha']
  assert.deepEqual(
    told2.map((line) => /(Mira|Jonas) Lang|(Aisha) Noor/.exec(line)?.slice(1).join('')),
    actors,
    stdout,
  )
})
