// Checks SPF, DKIM, DMARC and ARC of a mail (vocabulary/mail-authentication.ts) over DNS, within a
// timeout. The results are recorded and never refuse a mail: abuse desks get their most useful
// reports through forwarders that break all four checks.

import { Readable } from 'node:stream'
import type { authenticate as Authenticate, AuthenticateResult } from 'mailauth'
import type { Clock } from '../../../kernel/clock.ts'
import type { Config } from '../../../kernel/config.ts'
import type { ReadinessFinding } from '../../../kernel/readiness.ts'
import type { MailAuthentication, MailCheck } from '../../../vocabulary/mail-authentication.ts'
import { reportableIp } from '../../../vocabulary/reportable-ip.ts'
import type { AuthenticateMail } from '../process-report.ts'
import type { Envelope } from '../report-tables.ts'
import { type MailResolver, openMailResolver } from './mail-resolver.ts'

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
// With `auto`: the pause without DNS queries after mails for which no resolver answered at all.
const PAUSE_MS = 60_000
// One mail may name zones that are silent on purpose. This many mails in a row without any answer
// mean that the resolver is down.
const SILENT_MAILS_MAX = 5
// mailauth checks every signature it finds. Real mail has one to four signatures, and three headers
// for each hop of ARC.
const SIGNATURES_MAX = 20
const HEADER_BYTES_MAX = 262_144
// A mail of 25 MiB is hashed in slices, so that other requests are served in between.
const SLICE_BYTES = 65_536

/** Throws settingsNotUsable when an entry of `dnsServers` is no address. */
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

/** Null after the timeout. */
async function authenticateWithin(
  timeoutMs: number,
  resolver: MailResolver,
  bytes: Buffer,
  envelope: Envelope,
): Promise<MailAuthentication | null> {
  // Loaded before the timer starts, because loading takes a second. A node without mail never needs
  // it.
  const { authenticate } = await import('mailauth')
  let timer: NodeJS.Timeout | undefined
  const stream = Readable.from(slice(bytes), { objectMode: false })
  // After the timeout the stream is destroyed, and its error is expected.
  stream.on('error', () => undefined)
  const timeUp = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  try {
    return await Promise.race([ask(authenticate, resolver, stream, envelope), timeUp])
  } catch {
    // mailauth failed on this mail; hostile text may do that.
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
  // SPF checks the host that connected to the receiver's first server. A private address, such as
  // your own relay, proves nothing.
  const ip = remoteAddress === null ? null : reportableIp(remoteAddress)
  const result = await authenticate(stream, {
    resolver: resolver.resolve,
    mta: 'casework',
    // BIMI (logos) would fetch pictures and certificates over HTTP.
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

/** False when the mail has too many signatures to check, or a header that is too large. */
function isCheckable(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEADER_BYTES_MAX).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index
  if (end === undefined && bytes.length > HEADER_BYTES_MAX) return false
  const signatures = head.slice(0, end).match(/^(?:dkim-signature|arc-[a-z-]+):/gim) ?? []
  return signatures.length <= SIGNATURES_MAX
}

// The longest domain name.
const DOMAIN_LENGTH_MAX = 253

/** `hasClient`: the address of the sending host is known. Without it there is no SPF result. */
function readChecks(result: AuthenticateResult, hasClient: boolean): MailAuthentication {
  const { spf, dkim, dmarc, arc } = result
  const signatures = dkim.results ?? []
  const best =
    signatures.find(({ status }) => status.result === 'pass' && status.aligned !== false) ??
    signatures.find(({ status }) => status.result === 'pass') ??
    signatures[0]
  return {
    spf: hasClient && spf ? checkOf(spf.status.result, spf.domain) : { result: 'skipped' },
    dkim: best === undefined ? { result: 'none' } : checkOf(best.status.result, best.signingDomain),
    dmarc: dmarc
      ? {
          ...checkOf(dmarc.status.result, dmarc.domain),
          ...(typeof dmarc.policy === 'string' ? { policy: dmarc.policy } : {}),
        }
      : { result: 'none' },
    arc: arc
      ? checkOf(arc.status.result, arc.signature ? arc.signature.signingDomain : null)
      : { result: 'none' },
  }
}

function checkOf(result: string, domain: unknown): MailCheck {
  const isDomain = typeof domain === 'string' && domain !== '' && domain.length <= DOMAIN_LENGTH_MAX
  return isDomain
    ? { result, domain: domain.toLowerCase().toWellFormed().replaceAll('\0', '') }
    : { result }
}
