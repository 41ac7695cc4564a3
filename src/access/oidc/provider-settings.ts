// The OpenID Connect providers that people may sign in with, from the file that
// CASEWORK_PROVIDERS_FILE names. One table of TOML a provider; its name is the id of the provider.

import { readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { settingsNotUsable } from '../../kernel/errors.ts'
import { isRoleName, ROLE_SCOPES } from '../../vocabulary/scopes.ts'

/** Makes a member of a tenant of each person whom it fits, at their first sign-in. */
export interface MemberRule {
  readonly tenantId: string
  readonly roles: readonly string[]
  /** A claim with its value, or the domain of an address that the provider has verified. */
  readonly when:
    | { readonly kind: 'claim'; readonly claim: string; readonly value: string }
    | { readonly kind: 'domain'; readonly domain: string }
}

export interface ProviderSettings {
  readonly id: string
  /** What the button says. */
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Null for a client without one, which proves itself by PKCE alone. */
  readonly clientSecret: string | null
  readonly scopes: readonly string[]
  /** Empty: only people who are linked or invited come in. */
  readonly members: readonly MemberRule[]
}

const SETTING = 'CASEWORK_PROVIDERS_FILE'
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/
const DEFAULT_SCOPES = ['openid', 'profile', 'email']
// A page shows a button each.
const PROVIDERS_MAX = 20
const KEYS: ReadonlySet<string> = new Set([
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'client_secret_file',
  'scopes',
  'members',
])

type Values = Readonly<Record<string, unknown>>

/** Throws the error of unusable settings with everything that is wrong in the file. */
export function loadProviders(path: string | null): readonly ProviderSettings[] {
  if (path === null) return []
  const problems: string[] = []
  const table = readTable(path)
  const providers = Object.entries(table).map(([id, value]) =>
    readProvider(id, { ...Object(value) }, (reason) =>
      problems.push(`${SETTING}: [${id}] ${reason}`),
    ),
  )
  if (providers.length > PROVIDERS_MAX) problems.push(`${SETTING}: at most ${PROVIDERS_MAX}`)
  if (problems.length > 0) throw settingsNotUsable(problems)
  return providers
}

function readTable(path: string): Values {
  const text = readText(path)
  try {
    return parseToml(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'
    throw settingsNotUsable([`${SETTING} names ${path}, which is no TOML: ${reason}`])
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw settingsNotUsable([`${SETTING} names ${path}, which cannot be read`])
  }
}

type Refuse = (reason: string) => void

function readProvider(id: string, given: Values, refuse: Refuse): ProviderSettings {
  if (!ID_PATTERN.test(id)) refuse('must be named by small letters, digits and hyphens')
  for (const key of Object.keys(given)) if (!KEYS.has(key)) refuse(`has the unknown key ${key}`)
  const issuer = readString(given, 'issuer', refuse)
  const url = URL.parse(issuer)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    refuse('needs an issuer such as https://id.example.org')
  }
  return {
    id,
    name: readOptional(given, 'name', refuse) ?? id,
    issuer,
    clientId: readString(given, 'client_id', refuse),
    clientSecret: readSecret(given, refuse),
    scopes: readStrings(given, 'scopes', refuse) ?? DEFAULT_SCOPES,
    members: readTables(given, 'members', refuse).map((rule) => readRule(rule, refuse)),
  }
}

function readSecret(given: Values, refuse: Refuse): string | null {
  const secret = readOptional(given, 'client_secret', refuse)
  const file = readOptional(given, 'client_secret_file', refuse)
  if (secret !== null && file !== null) {
    refuse('has client_secret and client_secret_file; one is enough')
  }
  if (secret !== null) return secret
  if (file === null) return null
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch {
    refuse(`names ${file} as client_secret_file, which cannot be read`)
    return null
  }
}

function readRule(given: Values, refuse: Refuse): MemberRule {
  const roles = readStrings(given, 'roles', refuse) ?? []
  if (roles.length === 0) refuse('has members without roles')
  for (const role of roles) {
    // An administrator of the instance is made by hand.
    const scopes: readonly string[] = isRoleName(role) ? ROLE_SCOPES[role] : []
    if (scopes.includes('instance:admin')) refuse(`must not make members with the role ${role}`)
  }
  const { claim, value, email_domain: domain } = given
  const tenantId = readString(given, 'tenant', refuse)
  if (typeof domain === 'string' && claim === undefined) {
    return { tenantId, roles, when: { kind: 'domain', domain: domain.toLowerCase() } }
  }
  if (typeof claim !== 'string' || typeof value !== 'string') {
    refuse('has members without email_domain, or claim and value')
  }
  return { tenantId, roles, when: { kind: 'claim', claim: String(claim), value: String(value) } }
}

function readString(given: Values, key: string, refuse: Refuse): string {
  const value = given[key]
  if (typeof value === 'string' && value !== '') return value
  refuse(`needs ${key}`)
  return ''
}

function readOptional(given: Values, key: string, refuse: Refuse): string | null {
  const value = given[key]
  if (value === undefined) return null
  if (typeof value === 'string') return value
  refuse(`takes a text as ${key}`)
  return null
}

function readStrings(given: Values, key: string, refuse: Refuse): readonly string[] | null {
  const value = given[key]
  if (value === undefined) return null
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  refuse(`takes a list of texts as ${key}`)
  return null
}

function readTables(given: Values, key: string, refuse: Refuse): readonly Values[] {
  const value = given[key]
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map((one) => ({ ...Object(one) }))
  refuse(`takes a list of tables as ${key}`)
  return []
}
