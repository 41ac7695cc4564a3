// The relay: the mail server of the operator, which takes our notices (RFC 5321, by nodemailer).

import { readFileSync } from 'node:fs'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '../../kernel/config.ts'
import { settingsNotUsable } from '../../kernel/errors.ts'
import { type MailIdentity, writeBounceAddress, writeReplyAddress } from './mail-identity.ts'
import type { ClaimedNotice } from './notice-store.ts'

export type RelayOutcome =
  | { readonly kind: 'sent'; readonly replyCode: number | null }
  /** `isFinal`: the relay refused this mail for good. */
  | {
      readonly kind: 'failed'
      readonly isFinal: boolean
      readonly replyCode: number | null
      /** One public sentence. */
      readonly failure: string
    }

export interface Relay {
  readonly send: (mail: SendMailOptions) => Promise<RelayOutcome>
  readonly close: () => void
}

export type RelaySettings = Pick<
  Config,
  'relayUrl' | 'relayPassword' | 'relayPasswordFile' | 'dkimKeyFile' | 'dkimSelector'
>

// Each waits for one answer; an attempt has few of them.
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const CONNECTIONS_MAX = 8
const MAILS_OF_CONNECTION_MAX = 100
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Throws when the URL or a file cannot be used. */
export function openRelay(settings: RelaySettings, identity: MailIdentity): Relay {
  const url = new URL(settings.relayUrl ?? '')
  const isTls = url.protocol === 'smtps:'
  const isPlain = LOOPBACK.test(url.hostname) || url.searchParams.get('tls') === 'off'
  const password = readPassword(settings, url)
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    maxMessages: MAILS_OF_CONNECTION_MAX,
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: choosePort(url),
    secure: isTls,
    requireTLS: !isTls && !isPlain,
    ignoreTLS: !isTls && isPlain,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(password === null
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: password } }),
    ...readDkim(settings, identity),
  })
  return {
    async send(mail) {
      try {
        const { response } = await transport.sendMail(mail)
        return { kind: 'sent', replyCode: readCode(response) }
      } catch (error) {
        return explain(error)
      }
    },
    close: () => transport.close(),
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
  return readSecretFile('CASEWORK_RELAY_PASSWORD_FILE', relayPasswordFile).replace(/\r?\n$/, '')
}

function readDkim({ dkimKeyFile, dkimSelector }: RelaySettings, { from }: MailIdentity) {
  if (dkimKeyFile === null && dkimSelector === null) return {}
  if (dkimKeyFile === null || dkimSelector === null) {
    throw settingsNotUsable(['CASEWORK_DKIM_KEY_FILE and CASEWORK_DKIM_SELECTOR need each other'])
  }
  const privateKey = readSecretFile('CASEWORK_DKIM_KEY_FILE', dkimKeyFile)
  const domainName = from.address.slice(from.address.lastIndexOf('@') + 1)
  return { dkim: { domainName, keySelector: dkimSelector, privateKey } }
}

function readSecretFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw settingsNotUsable([`${setting} names ${path}, which cannot be read`])
  }
}

function readCode(response: string): number | null {
  const code = Number(/^\d{3}/.exec(response)?.[0])
  return Number.isInteger(code) && code > 0 ? code : null
}

// Of the mail itself. A refused log-in or a broken connection is no fault of the mail.
const OF_MAIL: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])

function explain(error: unknown): RelayOutcome {
  const members = new Map<string, unknown>(
    typeof error === 'object' && error !== null ? Object.entries(error) : [],
  )
  const given = members.get('code')
  const code = typeof given === 'string' ? given : ''
  const reply = members.get('responseCode')
  const replyCode = typeof reply === 'number' ? reply : null
  const isFinal = OF_MAIL.has(code) && (replyCode ?? 0) >= 500
  return { kind: 'failed', isFinal, replyCode, failure: describe(code, replyCode) }
}

// The text of a reply may hold addresses and is written by others, so only its code is kept.
function describe(code: string, replyCode: number | null): string {
  if (code === 'EAUTH') return 'The relay refused the log-in.'
  if (code === 'ETLS') return 'The relay offers no TLS that can be used.'
  if (replyCode !== null) return `The relay answered ${replyCode}.`
  return code === '' ? 'The relay could not be used.' : `The relay was not reached (${code}).`
}

/** The mail of a notice. */
export function buildMail(identity: MailIdentity, notice: ClaimedNotice): SendMailOptions {
  const { replyKey, messageId, inReplyTo, thread } = notice
  const references = [...new Set([thread, ...(inReplyTo === null ? [] : [inReplyTo])])]
    .filter((one) => one !== messageId)
    .map((one) => `<${one}>`)
  const bounceTo =
    replyKey === null ? identity.from.address : writeBounceAddress(identity, replyKey)
  return {
    from: identity.from,
    // An object is not parsed as a list of addresses.
    to: { name: '', address: notice.recipient },
    ...(replyKey === null
      ? {}
      : { replyTo: { name: identity.from.name, address: writeReplyAddress(identity, replyKey) } }),
    envelope: { from: bounceTo, to: [notice.recipient] },
    subject: notice.subject,
    text: notice.text,
    attachments: (notice.evidence ?? []).map(({ fileName, text }) => ({
      filename: fileName,
      content: text,
      contentType: 'text/plain; charset=utf-8',
    })),
    date: notice.createdAt,
    messageId: `<${messageId}>`,
    ...(inReplyTo === null ? {} : { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length === 0 ? {} : { references }),
    // RFC 3834: no program answers it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
