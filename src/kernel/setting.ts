// The kinds of settings, and the parser of a value of each kind.

import { isAbsolute } from 'node:path'
import { isEmailAddress } from '../values/email.ts'
import { parseNetwork } from '../values/network.ts'

interface SettingBase {
  /** Its effect in one sentence, for --help and docs/reference/settings.md. */
  readonly meaning: string
  /** Masked by `casework config`. */
  readonly isSecret?: boolean
  /** Another name in the environment, for variables that are already in common use. */
  readonly environmentName?: string
}

export type Setting =
  | (SettingBase & {
      readonly kind: 'text'
      readonly fallback: string | null
      readonly check?: (text: string) => string | null
    })
  | (SettingBase & {
      readonly kind: 'integer'
      /** Null: the program chooses. */
      readonly fallback: number | null
      readonly min: number
      readonly max: number
    })
  | (SettingBase & {
      readonly kind: 'port'
      readonly fallback: number | null
      readonly canBeOff?: boolean
    })
  | (SettingBase & {
      readonly kind: 'choice'
      readonly fallback: string
      readonly choices: readonly string[]
    })
  | (SettingBase & {
      readonly kind: 'list'
      readonly fallback: readonly string[]
      readonly choices?: readonly string[]
      /** Of each entry. */
      readonly check?: (entry: string) => string | null
    })

/**
 * The parsed value, or the reason of a refusal, which follows the name of the setting in a
 * sentence.
 */
export type ParsedSetting =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly reason: string }

/** Parses one value of the command line, the environment or the file. */
export function parseSetting(setting: Setting, given: unknown): ParsedSetting {
  switch (setting.kind) {
    case 'text':
      return parseText(setting.check, given)
    case 'integer':
      return parseInteger(given, setting.min, setting.max)
    case 'port':
      if (setting.canBeOff === true && given === 'off') return { kind: 'value', value: null }
      return parseInteger(given, 0, 65_535)
    case 'choice':
      return parseChoice(setting.choices, given)
    case 'list':
      return parseList(setting.choices, setting.check, given)
  }
}

function parseText(
  check: ((text: string) => string | null) | undefined,
  given: unknown,
): ParsedSetting {
  if (typeof given !== 'string') return { kind: 'wrong', reason: 'must be text' }
  const reason = check?.(given) ?? null
  return reason === null ? { kind: 'value', value: given } : { kind: 'wrong', reason }
}

function parseInteger(given: unknown, min: number, max: number): ParsedSetting {
  const isDigits = typeof given === 'string' && /^\d{1,15}$/.test(given)
  const value = isDigits ? Number(given) : given
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    return { kind: 'wrong', reason: `must be a whole number from ${min} to ${max}` }
  }
  return { kind: 'value', value }
}

function parseChoice(choices: readonly string[], given: unknown): ParsedSetting {
  if (typeof given === 'string' && choices.includes(given)) return { kind: 'value', value: given }
  return { kind: 'wrong', reason: `must be one of ${choices.join(', ')}` }
}

function parseList(
  choices: readonly string[] | undefined,
  check: ((entry: string) => string | null) | undefined,
  given: unknown,
): ParsedSetting {
  const parts: unknown =
    typeof given === 'string'
      ? given
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : given
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) {
    return { kind: 'wrong', reason: 'must be a comma-separated list' }
  }
  const wrong = choices === undefined ? undefined : parts.find((part) => !choices.includes(part))
  if (wrong !== undefined) {
    return { kind: 'wrong', reason: `takes ${choices?.join(', ')}, not "${wrong}"` }
  }
  if (choices !== undefined && parts.length === 0) {
    return { kind: 'wrong', reason: `needs at least one of ${choices.join(', ')}` }
  }
  for (const part of parts) {
    const reason = check?.(part) ?? null
    if (reason !== null) return { kind: 'wrong', reason: `has "${part}", which ${reason}` }
  }
  return { kind: 'value', value: [...new Set(parts)] }
}

const LOOPBACK_NAME = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** An origin: browsers keep passkeys and cookies safe for https, and for http on this machine. */
export function checkPublicUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be such as https://casework.example.org'
  }
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!isBare) return 'must have no path, query or user name'
  return url.protocol === 'https:' || LOOPBACK_NAME.test(url.hostname)
    ? null
    : 'must be https, since passwords would travel in clear: put a reverse proxy with TLS in front (http is for localhost only)'
}

export function checkDatabaseUrl(text: string): string | null {
  return /^postgres(ql)?:\/\//.test(text) ? null : 'must start with postgres:// or postgresql://'
}

export function checkNetwork(text: string): string | null {
  return parseNetwork(text) === null ? 'is neither an IP address nor a CIDR block' : null
}

export function checkHostName(text: string): string | null {
  return /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? null
    : 'must be a host name'
}

export function checkAbsolutePath(text: string): string | null {
  return isAbsolute(text) ? null : 'must be an absolute path'
}

export function checkImapUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^imaps?:$/.test(url.protocol) || url.username === '') {
    return 'must be such as imaps://user@mail.example.org/INBOX'
  }
  return url.password === ''
    ? null
    : 'must not hold the password; give it in CASEWORK_IMAP_PASSWORD'
}

/** The check of what travels as a bearer token: `bootstrap_token`, `node_secret`. */
export function checkTokenText(text: string): string | null {
  // RFC 6750 section 2.1: the characters a bearer token may have.
  return /^[A-Za-z0-9._~+/-]{32,256}=*$/.test(text)
    ? null
    : 'must be 32 to 256 characters of A-Z a-z 0-9 . _ ~ + / -'
}

/** The check of `snapshot_from`. */
export function checkNodeUrl(text: string): string | null {
  const url = URL.parse(text)
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === ''
  return isUsable && url.pathname === '/' && url.search === '' && url.hash === ''
    ? null
    : 'must be an http or https URL without path, query and user, such as https://node1.example.org'
}

export function checkRelayUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    return 'must be such as smtps://user@mail.example.org'
  }
  if (!['', '?tls=off', '?tls=on'].includes(url.search)) return 'knows only ?tls=off and ?tls=on'
  return url.password === ''
    ? null
    : 'must not hold the password; give it in CASEWORK_RELAY_PASSWORD'
}

const MAIL_FROM = /^(?:[^<>"@\r\n]{0,100}<([^<>]+)>|([^<>]+))$/

export function checkMailFrom(text: string): string | null {
  const [, inBrackets, alone] = MAIL_FROM.exec(text.trim()) ?? []
  const address = (inBrackets ?? alone ?? '').trim()
  return isEmailAddress(address) ? null : 'must be such as Abuse Desk <abuse@provider.example>'
}

/** The check of `otlp_endpoint`. */
export function checkCollectorUrl(text: string): string | null {
  const url = URL.parse(text)
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === ''
  return isUsable && url.search === '' && url.hash === ''
    ? null
    : 'must be an http or https URL without user and query, such as http://127.0.0.1:4318'
}

/** The check of `otlp_headers`. */
export function checkCollectorHeaders(text: string): string | null {
  return parseCollectorHeaders(text) === null
    ? 'must be name=value, separated by commas, with values percent-encoded'
    : null
}

/** Null when it is not in the form of the OpenTelemetry specification. */
export function parseCollectorHeaders(text: string): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]{1,100})\s*=(.*)$/.exec(part) ?? []
    if (name === undefined || value === undefined) return null
    try {
      headers[name] = decodeURIComponent(value.trim())
    } catch {
      return null
    }
  }
  return headers
}

/** The check of `trace_share`. */
export function checkShare(text: string): string | null {
  const share = Number(text)
  return text.trim() !== '' && share >= 0 && share <= 1 ? null : 'must be a number from 0 to 1'
}
