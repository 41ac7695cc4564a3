import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from './config.ts'
import { OperatingError } from './operating-error.ts'

function refusalOf(variable: string): string {
  try {
    loadConfig({ flags: {}, environment: { [variable]: 'x' }, file: null })
  } catch (error) {
    assert.ok(error instanceof OperatingError)
    return error.publicMessage
  }
  return ''
}

test('an unknown variable is refused with the nearest that is known, also where a word of it is missing or too many', () => {
  for (const [unknown, known] of [
    ['CASEWORK_PROT', 'CASEWORK_PORT'],
    ['CASEWORK_DATA', 'CASEWORK_DATA_DIR'],
    ['CASEWORK_LOG', 'CASEWORK_LOG_LEVEL'],
    ['CASEWORK_DATABASE_URL', 'DATABASE_URL'],
    ['CASEWORK_HOST_NAME', 'CASEWORK_HOST'],
  ] as const) {
    const says = `Unknown variable ${unknown}; did you mean ${known}?`
    assert.ok(refusalOf(unknown).includes(says), refusalOf(unknown))
  }
  assert.match(
    refusalOf('CASEWORK_BANANA_SPLIT'),
    /BANANA_SPLIT; see docs\/reference\/settings\.md/,
  )
})

test('a configuration file that is no TOML is refused with line and column', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-config-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'casework.toml')
  writeFileSync(path, 'host = "127.0.0.1"\nport =\n')
  assert.throws(
    () => loadConfig({ flags: {}, environment: {}, file: { path, isRequired: true } }),
    (error) =>
      error instanceof OperatingError &&
      error.publicMessage.includes(`${path}, line 2, column 7 cannot be read: Invalid TOML`),
  )
})
