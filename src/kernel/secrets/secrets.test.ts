// The keys of stored secrets, and what is encrypted with them.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createSecretCipher } from './secret-cipher.ts'
import {
  checkSecretKeys,
  createSecretKeyText,
  loadSecretKeys,
  parseSecretKeys,
  requireSecretKeys,
  SECRET_KEY_FILE,
} from './secret-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'casework-secrets-'))
after(() => rmSync(folder, { recursive: true }))

function parse(text: string) {
  const keys = parseSecretKeys(text)
  assert.ok(keys !== null)
  return keys
}

describe('keys of secrets', () => {
  test('are 32 bytes in Base64 or hexadecimal, up to five', () => {
    const text = createSecretKeyText()
    const hex = Buffer.from(text, 'base64').toString('hex')
    assert.equal(parse(text)[0]?.id, parse(hex)[0]?.id)
    assert.equal(parse(`${text}, ${createSecretKeyText()}\n${createSecretKeyText()}`).length, 3)
    for (const wrong of [
      '',
      'x',
      text.slice(4),
      `${text}${text}`,
      `${text} no-key`,
      Array(6).fill(text).join(),
    ]) {
      assert.match(checkSecretKeys(wrong) ?? '', /must be 1 to 5 keys of 32 bytes/)
    }
  })

  test('are made once in the data folder, for its owner alone', () => {
    const settings = { secretKey: null, databaseUrl: null, dataDir: folder }
    const [first] = loadSecretKeys(settings)
    assert.deepEqual(loadSecretKeys(settings), [first])
    assert.equal(statSync(join(folder, SECRET_KEY_FILE)).mode & 0o777, 0o600)
  })

  test('of the setting win over the file, and are required with a database of the operator’s', () => {
    const text = createSecretKeyText()
    const given = { secretKey: text, databaseUrl: null, dataDir: folder }
    assert.equal(loadSecretKeys(given)[0]?.id, parse(text)[0]?.id)
    const none = loadSecretKeys({ secretKey: null, databaseUrl: 'postgres://x', dataDir: folder })
    assert.throws(() => requireSecretKeys(none), /CASEWORK_SECRET_KEY is missing/)
  })

  test('a damaged file is refused and left as it is', () => {
    const file = join(folder, SECRET_KEY_FILE)
    const former = readFileSync(file)
    writeFileSync(file, 'not a key\n')
    const settings = { secretKey: null, databaseUrl: null, dataDir: folder }
    assert.throws(() => loadSecretKeys(settings), /secret\.key holds no key; put the file back/)
    assert.equal(readFileSync(file, 'utf8'), 'not a key\n')
    writeFileSync(file, former)
  })
})

describe('a sealed secret', () => {
  const text = createSecretKeyText()
  const cipher = createSecretCipher(parse(text))

  test('opens at its place only', () => {
    const sealed = cipher.seal('here', 'open sesame')
    assert.equal(cipher.open('here', sealed), 'open sesame')
    assert.ok(!sealed.sealed.includes('sesame'))
    assert.throws(() => cipher.open('there', sealed))
    const altered = Buffer.from(sealed.sealed)
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
    assert.throws(() => cipher.open('here', { ...sealed, sealed: altered }))
  })

  test('is another each time', () => {
    assert.notDeepEqual(cipher.seal('here', 'same').sealed, cipher.seal('here', 'same').sealed)
  })

  test('opens with any of the keys, and not without its own (KERNEL_SECRET_KEY_MISSING)', () => {
    const fresh = createSecretKeyText()
    const sealed = cipher.seal('here', 'x')
    assert.equal(createSecretCipher(parse(`${fresh},${text}`)).open('here', sealed), 'x')
    assert.throws(() => createSecretCipher(parse(fresh)).open('here', sealed), {
      code: 'KERNEL_SECRET_KEY_MISSING',
      status: 503,
    })
    assert.throws(() => createSecretCipher([]).seal('here', 'x'), {
      code: 'KERNEL_SECRET_KEY_MISSING',
    })
  })
})
