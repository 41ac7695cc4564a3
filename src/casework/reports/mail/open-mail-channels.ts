// The doors for report mail of a process with the role smtp, as the settings have them: SMTP, LMTP
// on a port and on a socket, a mailbox.

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
import type { MailIntake } from './keep-mail.ts'
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
  /** The ports that were really taken; null where there is no such door (yet). */
  readonly smtpPort: () => number | null
  readonly lmtpPort: () => number | null
  /** Where mail is taken, for people: `SMTP port 2525`; those that are open. */
  readonly listPlaces: () => readonly string[]
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

// Five mails of the largest size at once, or thousands of the usual one (20 kB).
const MEMORY_BYTES = 128 * 1024 * 1024
// So that the connections of one address cannot keep out all others.
const MEMORY_BYTES_PER_ADDRESS = MEMORY_BYTES / 4
const LISTEN_AGAIN_MS = 10_000

/**
 * Throws the operating error of settings that cannot be used; a port that is taken is tried again
 * and again, and `/readyz` says so.
 */
export async function openMailChannels(deps: MailDeps): Promise<MailChannels> {
  const { config, log, metrics: registry, readiness, reports } = deps
  await requireMailboxTenant(deps)
  const metrics = createMailMetrics(registry)
  const reading = createReadingQueue(reports, metrics)
  const intake: MailIntake = {
    reports,
    reading,
    metrics,
    log,
    storeMs: config.mailStoreTimeoutMs,
  }
  const doors: Door[] = []
  const closers: (() => Promise<void>)[] = []
  try {
    for (const options of planListeners(deps, intake)) {
      // Three at most.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const door = await openDoor(options)
      doors.push(door)
      closers.push(door.close)
      readiness.add({ name: door.name, check: async () => door.check() })
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
    doors.find((door) => door.name === name)?.port() ?? null
  log.info('Mail is taken', {
    doors: doors.map((door) => door.name),
    mailbox: config.imapUrl !== null,
  })
  return {
    smtpPort: portOf('smtp'),
    lmtpPort: portOf('lmtp'),
    listPlaces: () => doors.flatMap((door) => door.place() ?? []),
    async close() {
      await Promise.all(closers.map((close) => close()))
      await reading.close()
    },
  }
}

/**
 * Throws the operating error of unusable settings: nothing could ever be kept for a tenant that is
 * not there.
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
  intake: MailIntake,
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

// A container may be named with characters that no host name has.
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

interface Door {
  readonly name: 'smtp' | 'lmtp' | 'lmtp-socket'
  readonly port: () => number | null
  /** Null while it is not open. */
  readonly place: () => string | null
  readonly check: () => ReadinessFinding
  readonly close: () => Promise<void>
}

/**
 * Listens at once if it can; else again and again: who holds the port may be the process before us,
 * or another program.
 */
async function openDoor(options: MailListenerOptions): Promise<Door> {
  const { via, address, intake } = options
  const nameOf = (port: number | null): string =>
    'path' in address ? address.path : `${address.host} port ${port ?? address.port}`
  const place = nameOf(null)
  let listener: MailListener | null = null
  let trouble = ''
  const open = async (): Promise<void> => {
    if (listener !== null) return
    try {
      if ('path' in address) await removeLeftSocket(address.path)
      listener = await startMailListener(options)
      // Your mail server runs as another user; the folder says who may come to the socket.
      if ('path' in address) await chmod(address.path, 0o666)
    } catch (error) {
      if (!hasErrorCode(error, 'EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOENT')) throw error
      const code = String(Object(error).code)
      if (trouble !== code) intake.log.warn('Mail cannot be taken yet', { via, place, code })
      trouble = code
    }
  }
  await open()
  const stop = every(LISTEN_AGAIN_MS, open, (error) =>
    intake.log.warn('Mail cannot be taken', { via, place, error: String(error) }),
  )
  return {
    name: 'path' in address ? 'lmtp-socket' : via,
    port: () => listener?.port ?? null,
    place() {
      if (listener === null) return null
      const where = 'path' in address ? `socket ${address.path}` : `port ${listener.port}`
      return `${via.toUpperCase()} ${where}`
    },
    check: () => describe(listener !== null, via, nameOf(listener?.port ?? null), trouble),
    async close() {
      await stop()
      await listener?.close()
    },
  }
}

function describe(isOpen: boolean, via: string, place: string, trouble: string): ReadinessFinding {
  const protocol = via.toUpperCase()
  if (isOpen) return { state: 'ok', detail: `Mail is taken by ${protocol} on ${place}.` }
  return {
    state: 'degraded',
    detail: `No mail is taken by ${protocol}: this machine does not let us listen on ${place} (${trouble}). It is tried again every ten seconds; free it, or choose another with CASEWORK_${protocol}_PORT.`,
  }
}

/**
 * Removes the socket of a process that is gone; one that answers is left, and listening on it then
 * fails.
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
