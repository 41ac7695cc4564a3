// The file of providers: what is read from it, and that everything wrong in it is told at once.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadProviders } from './provider-settings.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'providers-'))
})
after(() => {
  rmSync(folder, { recursive: true })
})

function load(text: string) {
  const file = join(folder, 'providers.toml')
  writeFileSync(file, text)
  return loadProviders(file)
}

test('a provider has its name, its secret from a file, and rules for members', () => {
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'of two\n')
  const [provider] = load(`[company]
name = "Company account"
issuer = "https://id.example"
client_id = "casework"
client_secret_file = "${secret}"
[[company.members]]
tenant = "default"
roles = ["viewer"]
email_domain = "Desk.Example"`)
  assert.deepEqual(provider, {
    id: 'company',
    name: 'Company account',
    issuer: 'https://id.example',
    clientId: 'casework',
    clientSecret: 'of two',
    scopes: ['openid', 'profile', 'email'],
    members: [
      {
        tenantId: 'default',
        roles: ['viewer'],
        when: { kind: 'domain', domain: 'desk.example' },
      },
    ],
  })
  assert.deepEqual(loadProviders(null), [])
})

test('a file that cannot be used stops the start, with everything that is wrong in it', () => {
  assert.throws(() => loadProviders(join(folder, 'none')), /which cannot be read/)
  assert.throws(() => load('='), /which is no TOML/)
  const wrong = `[Company]
issuer = "ftp://id.example"
client_secret = "x"
client_secret_file = "/none"
colour = "red"
[[Company.members]]
tenant = "default"
roles = ["instance-admin"]`
  const problems = [
    /\[Company\] must be named by small letters/,
    /has the unknown key colour/,
    /needs an issuer such as/,
    /needs client_id/,
    /client_secret and client_secret_file; one is enough/,
    /must not make members with the role instance-admin/,
    /members without email_domain, or claim and value/,
  ]
  assertRefused(wrong, problems)
})

test('a value of another kind is told, and never read as left out', () => {
  const wrong = `[company]
name = 1
issuer = "https://id.example"
client_id = "casework"
client_secret = 12345
[company.members]
tenant = "default"
roles = ["viewer"]
email_domain = "desk.example"`
  assertRefused(wrong, [
    /\[company\] takes a text as name/,
    /takes a text as client_secret/,
    /takes a list of tables as members/,
  ])
})

function assertRefused(text: string, problems: readonly RegExp[]): void {
  assert.throws(
    () => load(text),
    (error: Error) => {
      for (const problem of problems) assert.match(error.message, problem)
      return true
    },
  )
}
