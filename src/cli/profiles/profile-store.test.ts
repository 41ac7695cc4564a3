// The file of profiles is changed by one program at a time.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { changeProfiles, findProfile, findProfileFile, readProfiles } from './profile-store.ts'

const DESK = { url: 'https://desk.example', token: 'desk' }
const HOME = { url: 'https://home.example', token: 'home' }

test('two logins at once keep both profiles, and a lock of a killed program is removed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'two-logins-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const environment = { XDG_CONFIG_HOME: folder }
  const file = findProfileFile(environment)
  mkdirSync(dirname(file), { recursive: true })
  // The other program has read the file, and is about to write it.
  writeFileSync(`${file}.lock`, '')
  const login = changeProfiles(environment, ({ profiles }) => ({
    current: 'home',
    profiles: { ...profiles, home: HOME },
  }))
  writeFileSync(file, JSON.stringify({ current: 'desk', profiles: { desk: DESK } }))
  rmSync(`${file}.lock`)
  await login
  const both = { current: 'home', profiles: { desk: DESK, home: HOME } }
  assert.deepEqual(readProfiles(environment), both)
  assert.equal(existsSync(`${file}.lock`), false)

  writeFileSync(`${file}.lock`, '')
  utimesSync(`${file}.lock`, 0, 0)
  await changeProfiles(environment, (known) => ({ ...known, current: 'desk' }))
  assert.equal(readProfiles(environment).current, 'desk')
  assert.equal(existsSync(`${file}.lock`), false)
})

test('a name that every object of JavaScript has is no profile', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'no-profile-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const profiles = readProfiles({ XDG_CONFIG_HOME: folder })
  assert.equal(findProfile(profiles, 'constructor'), null)
})
