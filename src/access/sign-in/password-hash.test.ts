// Hashes of passwords: their form, what verifies, and that few run at once.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatingError } from '../../kernel/operating-error.ts'
import { createPasswordHasher } from './password-hash.ts'
import { findPasswordProblems } from './password-rules.ts'

describe('a hash', () => {
  test('names its kind and costs, verifies its password alone, and is new each time', async () => {
    const forms = {
      argon2id: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
      scrypt: /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    }
    for (const kind of ['argon2id', 'scrypt'] as const) {
      const hasher = createPasswordHasher(kind)
      const [one, two] = [await hasher.hash('größe zählt'), await hasher.hash('größe zählt')]
      assert.match(one, forms[kind])
      assert.notEqual(one, two)
      assert.equal(await hasher.verify('größe zählt', one), true)
      assert.equal(await hasher.verify('größe zählt'.normalize('NFD'), one), true)
      assert.equal(await hasher.verify('grösse zählt', one), false)
      assert.equal(await hasher.verify('größe zählt', null), false)
    }
  })

  test('of another kind or of smaller costs is outdated', async () => {
    const hasher = createPasswordHasher('argon2id')
    assert.equal(hasher.isOutdated(await hasher.hash('x')), false)
    assert.equal(hasher.isOutdated(await createPasswordHasher('scrypt').hash('x')), true)
    assert.equal(hasher.isOutdated('$argon2id$v=19$m=8192,t=1,p=1$c2FsdA$ZGlnZXN0'), true)
  })

  test('503 APP_PASSWORDS_TOO_MANY for more than are kept waiting; the others are served', async () => {
    const hasher = createPasswordHasher()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 36 }, () => hasher.verify('x', null)),
    )
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(refused.length, 2)
    for (const reason of refused) {
      assert.ok(reason instanceof OperatingError)
      assert.deepEqual([reason.code, reason.status], ['APP_PASSWORDS_TOO_MANY', 503])
    }
    assert.equal(await hasher.verify('x', null), false, 'there is room again')
  })
})

describe('a new password', () => {
  const person = { email: 'ana.ito@desk.example', name: 'Ana Maria Ito' }
  const reasonOf = (password: string): string =>
    findPasswordProblems(password, person)[0]?.reason ?? ''

  test('is taken from 12 to 256 characters, whatever they are', () => {
    for (const password of [
      'seven green bottles',
      'ninechars…12',
      '🐢🐇🐢🐇🦊🐻🐢🐇🐢🐇🐢🐇',
      'lorem ipsum dolor '.repeat(15).slice(0, 256),
    ]) {
      assert.equal(reasonOf(password), '', password)
    }
  })

  test('is refused with the reason when it is short, long, common or the own name', () => {
    const refusals: readonly [string, RegExp][] = [
      ['elevenchars', /12 characters or more/],
      ['🐢🐇🐢🐇🐢🐇', /12 characters or more/],
      ['lorem ipsum dolor '.repeat(15).slice(0, 257), /256 characters or fewer/],
      ['passwordpassword', /most common/],
      ['Password2026!', /most common/],
      ['administrator', /most common/],
      ['aaaaaaaaaaaaa', /most common/],
      ['abcabcabcabc', /most common/],
      ['123456789012', /most common/],
      ['qwertyuiopas', /most common/],
      ['ana.ito@desk.example', /name or the e-mail/],
      ['anamariaito', /12 characters/],
      ['Ana Maria Ito', /name or the e-mail/],
    ]
    for (const [password, reason] of refusals) assert.match(reasonOf(password), reason, password)
  })
})
