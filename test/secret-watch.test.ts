// The search for secrets in logs finds a planted one of each kind, so its silence means something.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '../src/kernel/log.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { watchSecrets } from './secret-watch.ts'

const PLANTS = {
  'a token that came in': 'some-token-of-somebody',
  'a cookie': 'value-of-a-cookie-1',
  'a password': 'nine green bottles',
  'a setting': 'relay password of 1',
  'a token of ours that nobody noted': `cw_api_${'x'.repeat(30)}`,
  'a webhook secret that nobody noted': `whsec_${'x'.repeat(30)}`,
  'a secret that was given out': 'JBSWY3DPEHPK3PXP',
  'a recovery code': 'abcd-efgh-ijkl',
  'the secret of a link': 'secret-of-a-link-1',
}

test('a planted secret of each kind is found, before and after it is known', () => {
  for (const [kind, secret] of Object.entries(PLANTS)) {
    const kept: string[] = []
    const destination = { write: (line: string) => kept.push(line) }
    const watch = watchSecrets(createLog({ level: 'info', isForPeople: false, destination }))
    watch.log.info('Started', { port: 1 })
    watch.assertClean()
    watch.log.child({ part: 'mail' }).debug('It was refused', { reason: `for ${secret}.` })
    watch.noteRequest({
      token: 'some-token-of-somebody',
      json: { rows: [{ password: 'nine green bottles' }] },
      headers: { cookie: 'a=b; c=value-of-a-cookie-1' },
    })
    watch.noteSettings({ CASEWORK_RELAY_PASSWORD: 'relay password of 1' })
    const given = {
      secret: 'JBSWY3DPEHPK3PXP',
      recovery_codes: ['abcd-efgh-ijkl'],
      link: 'http://localhost:8080/welcome#secret-of-a-link-1',
    }
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    watch.noteAnswer({ headers, text: JSON.stringify(given) })
    assert.throws(() => watch.assertClean(), /the log holds secrets/, kind)
    assert.equal(kept.length, 1, 'the log of the test has its level')
  }
})

test('a planted secret is found in what a started program has written', () => {
  const watch = watchSecrets()
  watch.noteSettings({ DATABASE_URL: 'postgres://casework:password-of-the-database@db.example/x' })
  watch.assertHoldsNone('{"msg":"Started"}\n')
  const line = '{"msg":"Lost the database","url":"postgres://casework:password-of-the-database@db"}'
  assert.throws(() => watch.assertHoldsNone(`one\n${line}\n`), /the log holds secrets/)
})

test('a program that logs a secret fails its suite when it is closed', () => {
  const suite = join(findPackageRoot(), 'test/fixtures/leaking-suite.ts')
  const ended = spawnSync(process.execPath, [suite], { encoding: 'utf8' })
  assert.equal(ended.status, 1, ended.stderr)
  const lines = ended.stderr.split('\n').filter((line) => line.startsWith('{'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['Sign-in was refused'],
  )
  assert.match(ended.stderr, /the log holds secrets/)
  assert.match(ended.stdout, /the hook after it ran/)
})
