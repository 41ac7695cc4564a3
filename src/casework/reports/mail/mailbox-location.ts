// Reads the location of the mailbox from the settings and finds the address to connect to. The
// guard of all outgoing requests applies (kernel/outbound): a private host needs
// CASEWORK_OUTBOUND_ALLOW.

import { readFileSync } from 'node:fs'
import type { Config } from '../../../kernel/config.ts'
import { settingsNotUsable } from '../../../kernel/errors.ts'
import { type AllowList, parseAllowList, readHost } from '../../../kernel/outbound/allow-list.ts'
import { findAddresses } from '../../../kernel/outbound/find-target-addresses.ts'
import { createDnsResolver, resolveBySystem } from '../../../kernel/outbound/resolve-name.ts'
import { parseSocketAddress } from '../../../values/address.ts'

export interface MailboxLocation {
  /** `user@host/INBOX`, for people and as the name of its lease. */
  readonly name: string
  readonly host: string
  readonly port: number
  /** True: TLS from the first byte. False: STARTTLS, which is required before the login. */
  readonly isSecure: boolean
  readonly user: string
  readonly password: string
  readonly folder: string
  readonly tenantId: string
  readonly moveTo: string | null
  /** Rejects when the host has no address, or none that is allowed. */
  readonly findAddress: (signal: AbortSignal) => Promise<string>
}

const PORTS = { secure: 993, plain: 143 } as const

/** Null without CASEWORK_IMAP_URL. Throws settingsNotUsable. */
export function readMailboxLocation(config: Config): MailboxLocation | null {
  if (config.imapUrl === null) return null
  const url = new URL(config.imapUrl)
  const isSecure = url.protocol === 'imaps:'
  const user = decodeURIComponent(url.username)
  const folder = decodeURIComponent(url.pathname.slice(1)) || 'INBOX'
  const web = URL.parse(`http://${url.hostname}/`)
  const host = web === null ? '' : readHost(web)
  if (host === '') throw settingsNotUsable(['CASEWORK_IMAP_URL names no host'])
  const target = {
    host,
    port: url.port === '' ? PORTS[isSecure ? 'secure' : 'plain'] : Number(url.port),
  }
  const allow = parseAllowList(config.outboundAllow)
  return {
    ...target,
    name: `${user}@${host}/${folder}`,
    isSecure,
    user,
    password: readPassword(config),
    folder,
    tenantId: config.imapTenant,
    moveTo: config.imapMoveTo,
    findAddress: (signal) => findAddress(url, target, allow, config.dnsServers, signal),
  }
}

function readPassword({ imapPassword, imapPasswordFile }: Config): string {
  if (imapPassword !== null) return imapPassword
  if (imapPasswordFile === null) {
    throw settingsNotUsable([
      'CASEWORK_IMAP_URL needs CASEWORK_IMAP_PASSWORD or CASEWORK_IMAP_PASSWORD_FILE',
    ])
  }
  try {
    // Editors end a file with a line break; it is not part of the password.
    return readFileSync(imapPasswordFile, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw settingsNotUsable([
      `CASEWORK_IMAP_PASSWORD_FILE names ${imapPasswordFile}, which cannot be read`,
    ])
  }
}

async function findAddress(
  url: URL,
  target: { readonly host: string; readonly port: number },
  allow: AllowList,
  dnsServers: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const isAddress = parseSocketAddress(target.host) !== null
  const fit = { kind: 'fit', url, target, isAddress } as const
  const rules = {
    allow,
    resolve: createDnsResolver(dnsServers),
    resolveOpened: resolveBySystem,
    // A mailbox on this machine is allowed: it cannot cause a request loop.
    listOwnAddresses: () => [],
  }
  const found = await findAddresses(fit, rules, signal)
  const [address] = found.kind === 'found' ? found.addresses : []
  if (address === undefined) {
    throw new Error(
      `${target.host} is no address of the public Internet; open it with CASEWORK_OUTBOUND_ALLOW=${target.host}:${target.port}`,
    )
  }
  return address
}
