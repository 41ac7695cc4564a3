// What the transport of a mail proves of its sender (vocabulary/mail-authentication.ts), asked of
// DNS in a bounded time. It is recorded and never refuses anything: abuse desks get their most
// useful reports through forwarders that break all four.

import { Readable } from 'node:stream'
import type { authenticate as Authenticate } from 'mailauth'
import type { Clock } from '../../../kernel/clock.ts'
import type { Config } from '../../../kernel/config.ts'
import type { ReadinessFinding } from '../../../kernel/readiness.ts'
import type { MailAuthentication } from '../../../vocabulary/mail-authentication.ts'
import { reportableIp } from '../../../vocabulary/reportable-ip.ts'
import type { AuthenticateMail } from '../process-report.ts'
import type { Envelope } from '../report-tables.ts'
import { type MailResolver, openMailResolver } from './mail-resolver.ts'
import { readChecks } from './read-checks.ts'

export interface MailAuthenticator {
  readonly authenticate: AuthenticateMail
  readonly check: () => ReadinessFinding
}

export interface MailAuthenticatorOptions
  extends Pick<Config, 'mailAuthentication' | 'dnsServers'> {
  readonly clock: Clock
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 5_000
// With `auto`: how long nothing is asked after mails for which no resolver answered at all.
const PAUSE_MS = 60_000
// One mail may name zones that are silent on purpose; so many in a row without any answer tell of
// the resolver.
const SILENT_MAILS_MAX = 5
// mailauth checks every signature it finds; real mail has one to four, and three headers for each
// hop of ARC.
const SIGNATURES_MAX = 20
const HEADER_BYTES_MAX = 262_144
// So that a mail of 25 MiB is hashed in slices and other work gets its turn in between.
const SLICE_BYTES = 65_536

/** Throws the operating error of unusable settings when a DNS server is no address. */
export function createMailAuthenticator(options: MailAuthenticatorOptions): MailAuthenticator {
  const { mailAuthentication, dnsServers, clock, timeoutMs = TIMEOUT_MS } = options
  openMailResolver(dnsServers)
  let pausedUntilMs = 0
  let silentMails = 0
  return {
    async authenticate(bytes, envelope) {
      if (mailAuthentication === 'off' || clock.nowMs() < pausedUntilMs) return null
      if (!isCheckable(bytes)) return ALL_SKIPPED
      const resolver = openMailResolver(dnsServers)
      const checks = await authenticateWithin(timeoutMs, resolver, bytes, envelope)
      if (resolver.wasAnswered()) silentMails = 0
      if (checks !== null) return checks
      if (mailAuthentication === 'on' || resolver.wasAnswered()) return ALL_UNANSWERED
      silentMails += 1
      if (silentMails >= SILENT_MAILS_MAX) pausedUntilMs = clock.nowMs() + PAUSE_MS
      return null
    },
    check() {
      if (mailAuthentication === 'off') {
        return { state: 'off', detail: 'CASEWORK_MAIL_AUTHENTICATION is off.' }
      }
      return clock.nowMs() < pausedUntilMs
        ? {
            state: 'degraded',
            detail:
              'No DNS resolver answers, so SPF, DKIM, DMARC and ARC of new mail are not recorded; name one in CASEWORK_DNS_SERVERS.',
          }
        : { state: 'ok', detail: 'SPF, DKIM, DMARC and ARC of new mail are recorded.' }
    },
  }
}

const ALL_SKIPPED = allOf('skipped')
const ALL_UNANSWERED = allOf('temperror')

function allOf(result: string): MailAuthentication {
  return { spf: { result }, dkim: { result }, dmarc: { result }, arc: { result } }
}

/** Null when the time is up. */
async function authenticateWithin(
  timeoutMs: number,
  resolver: MailResolver,
  bytes: Buffer,
  envelope: Envelope,
): Promise<MailAuthentication | null> {
  // Loaded here: it takes a second, which is not the mail's, and a node without mail never needs
  // it.
  const { authenticate } = await import('mailauth')
  let timer: NodeJS.Timeout | undefined
  const stream = Readable.from(slice(bytes), { objectMode: false })
  // A stream that is given up has nobody to tell.
  stream.on('error', () => undefined)
  const timeUp = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  try {
    return await Promise.race([ask(authenticate, resolver, stream, envelope), timeUp])
  } catch {
    // mailauth failed on this mail: it is somebody else's text.
    return allOf('permerror')
  } finally {
    clearTimeout(timer)
    resolver.cancel()
    stream.destroy()
  }
}

async function ask(
  authenticate: typeof Authenticate,
  resolver: MailResolver,
  stream: Readable,
  { from, remoteAddress, helo }: Envelope,
): Promise<MailAuthentication> {
  // SPF is about the host that connected to the first server of the receiver; one of your own
  // network says nothing.
  const ip = remoteAddress === null ? null : reportableIp(remoteAddress)
  const result = await authenticate(stream, {
    resolver: resolver.resolve,
    mta: 'casework',
    // Logos: would fetch pictures and certificates over HTTP.
    disableBimi: true,
    trustReceived: false,
    sender: from ?? '',
    ...(ip === null ? {} : { ip }),
    ...(ip === null || helo === null ? {} : { helo }),
  })
  return readChecks(result, ip !== null)
}

function* slice(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES)
}

/** False for a mail whose signatures alone would cost more than they tell. */
function isCheckable(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEADER_BYTES_MAX).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index
  if (end === undefined && bytes.length > HEADER_BYTES_MAX) return false
  const signatures = head.slice(0, end).match(/^(?:dkim-signature|arc-[a-z-]+):/gim) ?? []
  return signatures.length <= SIGNATURES_MAX
}
