// How the relay is reached, from the settings: server, TLS, log-in and signature.

import { readFileSync } from 'node:fs'
import type { Config } from '../../kernel/config.ts'
import { settingsNotUsable } from '../../kernel/errors.ts'
import type { MailIdentity } from './mail-identity.ts'

export type RelaySettings = Pick<
  Config,
  | 'relayUrl'
  | 'relayPassword'
  | 'relayPasswordFile'
  | 'relayCaFile'
  | 'relayConnections'
  | 'relayRate'
  | 'dkimKeyFile'
  | 'dkimSelector'
>

// Each waits for one answer; an attempt has few of them.
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Throws when the URL or a file cannot be used. */
export function readRelayOptions(settings: RelaySettings) {
  const url = new URL(settings.relayUrl ?? '')
  const isTls = url.protocol === 'smtps:'
  const asked = url.searchParams.get('tls')
  const isPlain = asked === 'off' || (asked !== 'on' && LOOPBACK.test(url.hostname))
  const password = readPassword(settings, url)
  const ca =
    settings.relayCaFile === null
      ? null
      : readSettingFile('CASEWORK_RELAY_CA_FILE', settings.relayCaFile)
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: choosePort(url),
    secure: isTls,
    requireTLS: !isTls && !isPlain,
    ignoreTLS: !isTls && isPlain,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    ...(ca === null ? {} : { tls: { ca } }),
    ...(password === null
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: password } }),
  }
}

// RFC 8314 section 3.3, RFC 6409.
function choosePort({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'smtps:' ? 465 : 587
}

function readPassword(
  { relayPassword, relayPasswordFile }: RelaySettings,
  url: URL,
): string | null {
  if (url.username === '') return null
  if (relayPasswordFile === null) return relayPassword
  return readSettingFile('CASEWORK_RELAY_PASSWORD_FILE', relayPasswordFile).replace(/\r?\n$/, '')
}

export function readSigning({ dkimKeyFile, dkimSelector }: RelaySettings, { from }: MailIdentity) {
  if (dkimKeyFile === null && dkimSelector === null) return {}
  if (dkimKeyFile === null || dkimSelector === null) {
    throw settingsNotUsable(['CASEWORK_DKIM_KEY_FILE and CASEWORK_DKIM_SELECTOR need each other'])
  }
  const privateKey = readSettingFile('CASEWORK_DKIM_KEY_FILE', dkimKeyFile)
  const domainName = from.address.slice(from.address.lastIndexOf('@') + 1)
  return { dkim: { domainName, keySelector: dkimSelector, privateKey } }
}

function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw settingsNotUsable([`${setting} names ${path}, which cannot be read`])
  }
}
