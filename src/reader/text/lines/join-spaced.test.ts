import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { joinSpaced } from './join-spaced.ts'
import { refang } from './refang.ts'

function read(line: string): string {
  return joinSpaced(line, refang(line))
}

describe('joinSpaced', () => {
  const written: readonly (readonly [string, string])[] = [
    ['panel .bad .example', 'panel.bad.example'],
    ['Domain: panel .bad .example/x', 'Domain: panel.bad.example/x'],
    ['Phishing domain login . bad . example', 'Phishing domain login.bad.example'],
    ['192 . 0 . 2 . 1', '192.0.2.1'],
    ['see login [.] bad .example today', 'see login.bad.example today'],
    ['hxxps://login .bad .example/x', 'https://login.bad.example/x'],
    ['hxxps://bad[.]example /login', 'https://bad.example/login'],
  ]
  for (const [from, to] of written) {
    test(`reads ${from}`, () => assert.equal(read(from), to))
  }

  const plain = [
    'We ask you to act . it is urgent',
    'names in .com .net .org are concerned',
    'bad[.]example . it was'.replace('[.]', '.'),
    'the domains .example .test',
    'Look at /etc and at https://bad.example /login',
  ]
  for (const text of plain) test(`leaves ${text}`, () => assert.equal(read(text), text))

  test('a host before the blank is whole', () => {
    assert.equal(read('bad[.]example . it was'), 'bad.example . it was')
  })
})
