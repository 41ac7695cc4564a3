// Opens the mail channels of a process with the role smtp, as configured: SMTP, LMTP on a port and
// on a socket, an IMAP mailbox.

import { existsSync, readFileSync } from 'node:fs'
import { chmod, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import type { Registry } from 'prom-client'
import { findTenant } from '../../../access/tenant-store.ts'
import { every } from '../../../kernel/async/every.ts'
import { createQuota } from '../../../kernel/async/quota.ts'
import type { Config } from '../../../kernel/config.ts'
import { settingsNotUsable } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Readiness, ReadinessFinding } from '../../../kernel/readiness.ts'
import { hasErrorCode } from '../../../kernel/system-error.ts'
import type { ReportDeps } from '../process-report.ts'
import type { MailIngest } from './keep-mail.ts'
import {
  MAIL_LIMITS,
  type MailLimits,
  type MailListener,
  type MailListenerOptions,
  startMailListener,
} from './mail-listener.ts'
import { createMailMetrics } from './mail-metrics.ts'
import { startMailbox } from './mailbox.ts'
import { type Certified, ensureOwnCertificate } from './own-certificate.ts'
import { createReadingQueue } from './reading-queue.ts'

export interface MailChannels {
  /** The ports that are bound; null without such a listener, and while it cannot listen. */
  readonly smtpPort: () => number | null
  readonly lmtpPort: () => number | null
  /** The locations of the listeners that are open, for people: `SMTP port 2525`. */
  readonly listLocations: () => readonly string[]
  readonly close: () => Promise<void>
}

export interface MailDeps {
  readonly config: Config
  readonly log: Log
  readonly metrics: Registry
  readonly readiness: Readiness
  readonly reports: ReportDeps
  /** The state of mail authentication, for `/readyz`. */
  readonly checkMailAuthentication: () => ReadinessFinding
}

// Five mails of the largest size at once, or thousands of the usual size (20 kB).
const MEMORY_BYTES = 128 * 1024 * 1024
// So that the connections of one address cannot use up all memory.
const MEMORY_BYTES_PER_ADDRESS = MEMORY_BYTES / 4
const LISTEN_AGAIN_MS = 10_000

/**
 * Throws settingsNotUsable. A port that is in use is retried until it is free, and `/readyz`
 * reports it meanwhile.
 */
export async function openMailChannels(deps: MailDeps): Promise<MailChannels> {
  const { config, log, metrics: registry, readiness, reports } = deps
  await requireMailboxTenant(deps)
  const metrics = createMailMetrics(registry)
  const reading = createReadingQueue(reports, metrics)
  const intake: MailIngest = {
    reports,
    reading,
    metrics,
    log,
    storeMs: config.mailStoreTimeoutMs,
  }
  const listeners: ConfiguredListener[] = []
  const closers: (() => Promise<void>)[] = []
  try {
    for (const options of planListeners(deps, intake)) {
      // Three at most.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const listener = await openListener(options)
      listeners.push(listener)
      closers.push(listener.close)
      readiness.add({ name: listener.name, check: async () => listener.check() })
    }
    const mailbox = startMailbox({ ...reports, config, log }, intake)
    if (mailbox !== null) {
      closers.push(mailbox.close)
      readiness.add({ name: 'mailbox', check: async () => mailbox.check() })
    }
  } catch (error) {
    await Promise.all(closers.map((close) => close()))
    throw error
  }
  if (closers.length > 0) {
    const check = async () => deps.checkMailAuthentication()
    readiness.add({ name: 'mail-authentication', check })
  }
  const portOf = (name: string) => (): number | null =>
    listeners.find((listener) => listener.name === name)?.port() ?? null
  return {
    smtpPort: portOf('smtp'),
    lmtpPort: portOf('lmtp'),
    listLocations: () => listeners.flatMap((listener) => listener.location() ?? []),
    async close() {
      await Promise.all(closers.map((close) => close()))
      await reading.close()
    },
  }
}

/**
 * Throws settingsNotUsable when the tenant of the mailbox does not exist, because no mail could be
 * stored for it.
 */
async function requireMailboxTenant({ config, reports }: MailDeps): Promise<void> {
  const { imapUrl, imapTenant } = config
  if (imapUrl === null || (await findTenant(reports.db, imapTenant)) !== null) return
  throw settingsNotUsable([
    `CASEWORK_IMAP_TENANT names ${imapTenant}, and there is no such tenant; create it, or name another`,
  ])
}

function planListeners(
  { config, reports: { clock } }: MailDeps,
  intake: MailIngest,
): readonly MailListenerOptions[] {
  const { smtpPort, smtpHost, lmtpPort, lmtpSocket } = config
  if (smtpPort === null && lmtpPort === null && lmtpSocket === null) return []
  const name = config.smtpName ?? readMachineName()
  const shared = {
    name,
    certified: readCertified(config, name, clock.nowMs()),
    intake,
    budget: createQuota({ max: MEMORY_BYTES, keyMax: MEMORY_BYTES_PER_ADDRESS }),
    limits: readLimits(config),
    clock,
  }
  const own = { ...shared, via: 'lmtp', proxies: [] } as const
  return [
    ...(smtpPort === null
      ? []
      : [
          {
            ...shared,
            via: 'smtp' as const,
            address: { host: smtpHost, port: smtpPort },
            proxies: config.smtpProxies,
          },
        ]),
    ...(lmtpPort === null ? [] : [{ ...own, address: { host: smtpHost, port: lmtpPort } }]),
    ...(lmtpSocket === null ? [] : [{ ...own, address: { path: lmtpSocket } }]),
  ]
}

function readLimits(config: Config): MailLimits {
  return {
    ...MAIL_LIMITS,
    bytesMax: config.mailSizeLimit,
    connectionsMax: config.smtpConnections,
    connectionsPerAddress: config.smtpConnectionsPerAddress,
    recipientsMax: config.smtpRecipients,
    mailsPerMinute: config.smtpRateLimit,
  }
}

// The name of a container may have characters that no host name has.
function readMachineName(): string {
  const name = hostname()
  return /^[A-Za-z0-9.-]+$/.test(name) ? name : 'localhost'
}

function readCertified(config: Config, name: string, nowMs: number): Certified {
  const { smtpTlsKey, smtpTlsCert, dataDir } = config
  if (smtpTlsKey === null && smtpTlsCert === null) return ensureOwnCertificate(dataDir, name, nowMs)
  if (smtpTlsKey === null || smtpTlsCert === null) {
    throw settingsNotUsable([
      'CASEWORK_SMTP_TLS_KEY and CASEWORK_SMTP_TLS_CERT go together; set both or neither',
    ])
  }
  return {
    key: readFile(smtpTlsKey, 'CASEWORK_SMTP_TLS_KEY'),
    cert: readFile(smtpTlsCert, 'CASEWORK_SMTP_TLS_CERT'),
  }
}

function readFile(path: string, setting: string): string {
  if (!existsSync(path)) {
    throw settingsNotUsable([`${setting} names ${path}, where there is no file`])
  }
  return readFileSync(path, 'utf8')
}

/** A listener of the settings, open or still waiting for its port. */
interface ConfiguredListener {
  readonly name: 'smtp' | 'lmtp' | 'lmtp-socket'
  readonly port: () => number | null
  /** Null while it is not open. */
  readonly location: () => string | null
  readonly check: () => ReadinessFinding
  readonly close: () => Promise<void>
}

/** Listens at once if possible, else retries: the previous process may still have the port. */
async function openListener(options: MailListenerOptions): Promise<ConfiguredListener> {
  const { via, address, intake } = options
  const nameOf = (port: number | null): string =>
    'path' in address ? address.path : `${address.host} port ${port ?? address.port}`
  const location = nameOf(null)
  let listener: MailListener | null = null
  let trouble = ''
  const open = async (): Promise<void> => {
    if (listener !== null) return
    try {
      if ('path' in address) await removeLeftSocket(address.path)
      listener = await startMailListener(options)
      // The mail server runs as another user. The folder's permissions protect the socket.
      if ('path' in address) await chmod(address.path, 0o666)
      intake.log.info(describeOpen(via, nameOf(listener.port)).detail)
    } catch (error) {
      if (!hasErrorCode(error, 'EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOENT')) throw error
      const code = String(Object(error).code)
      if (trouble !== code) intake.log.warn(describeTrouble(via, location, code).detail)
      trouble = code
    }
  }
  await open()
  const stop = every(LISTEN_AGAIN_MS, open, (error) =>
    intake.log.warn('A mail listener cannot listen', { via, location, error: String(error) }),
  )
  return {
    name: 'path' in address ? 'lmtp-socket' : via,
    port: () => listener?.port ?? null,
    location() {
      if (listener === null) return null
      const where = 'path' in address ? `socket ${address.path}` : `port ${listener.port}`
      return `${via.toUpperCase()} ${where}`
    },
    check: () =>
      listener === null
        ? describeTrouble(via, location, trouble)
        : describeOpen(via, nameOf(listener.port)),
    async close() {
      await stop()
      await listener?.close()
    },
  }
}

function describeOpen(via: string, location: string): ReadinessFinding {
  return { state: 'ok', detail: `Mail is accepted by ${via.toUpperCase()} on ${location}.` }
}

function describeTrouble(via: string, location: string, trouble: string): ReadinessFinding {
  const protocol = via.toUpperCase()
  return {
    state: 'degraded',
    detail: `No mail is accepted by ${protocol}: Casework cannot listen on ${location} (${trouble}). It tries again every ten seconds. Free the port, or choose another with CASEWORK_${protocol}_PORT.`,
  }
}

/**
 * Removes the socket of a process that has ended. A socket that answers stays, and listening on it
 * then fails.
 */
async function removeLeftSocket(path: string): Promise<void> {
  if (!existsSync(path)) return
  const isAnswered = await new Promise<boolean>((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => resolve(!hasErrorCode(error, 'ECONNREFUSED')))
  })
  if (!isAnswered) await unlink(path)
}
