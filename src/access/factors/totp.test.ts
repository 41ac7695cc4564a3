// Codes of authenticator apps: the vectors of the RFCs, the window, and what a QR code holds.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-code.ts'
import { buildOtpauthUri, computeTotpCode, findTotpStep, writeBase32 } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('codes of an authenticator app', () => {
  test('are those of RFC 6238 appendix B', () => {
    const vectors: readonly (readonly [number, string])[] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ]
    for (const [seconds, code] of vectors) {
      assert.equal(computeTotpCode(SECRET, Math.floor(seconds / 30)), code)
    }
  })

  test('are good one step early and late, and not two', () => {
    const nowMs = 1_111_111_111_000
    const present = Math.floor(nowMs / 30_000)
    const find = (step: number, afterStep = 0) =>
      findTotpStep(SECRET, computeTotpCode(SECRET, step), { nowMs, afterStep })
    assert.deepEqual(
      [-2, -1, 0, 1, 2].map((off) => find(present + off)),
      [null, present - 1, present, present + 1, null],
    )
    assert.equal(find(present, present), null, 'it was used')
    assert.equal(find(present - 1, present), null, 'a newer one was used')
    assert.equal(find(present + 1, present), present + 1)
  })

  test('have a secret in Base32 and a URI of it', () => {
    assert.equal(writeBase32(Buffer.from('foobar')), 'mzxw6ytboi')
    assert.equal(writeBase32(Buffer.from('fooba')), 'mzxw6ytb')
    const uri = new URL(buildOtpauthUri(SECRET, 'ana@desk.example', 'casework.example.org'))
    assert.equal(uri.protocol, 'otpauth:')
    assert.equal(uri.searchParams.get('secret'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    assert.equal(uri.searchParams.get('issuer'), 'Casework casework.example.org')
  })
})

test('ten recovery codes differ, and are read whatever their case, spaces and dashes', () => {
  const codes = createRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[a-z2-7]{6}(?:-[a-z2-7]{6}){3}$/)
  const [code = ''] = codes
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
  assert.deepEqual(hashRecoveryCode(typed), hashRecoveryCode(code))
})
