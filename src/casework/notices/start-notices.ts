// Starts to send notices in a process with the role worker, and reports the state of the relay.

import type { Registry } from 'prom-client'
import { createIsDemoTenant } from '../../access/demo-tenants.ts'
import { every } from '../../kernel/async/every.ts'
import type { Config } from '../../kernel/config.ts'
import type { Readiness, ReadinessFinding } from '../../kernel/readiness.ts'
import { readMailIdentity } from './mail-identity.ts'
import { createNoticeMetrics } from './notice-metrics.ts'
import { openRelay, type RelayOutcome } from './relay.ts'
import { type NoticeSenderDeps, startSending } from './send-notices.ts'

export interface StartNoticesDeps
  extends Pick<NoticeSenderDeps, 'db' | 'log' | 'clock' | 'ids' | 'buildEvidence'> {
  readonly config: Config
  readonly metrics: Registry
  readonly readiness: Readiness
}

/** Returns the function that stops it. */
export function startNotices(deps: StartNoticesDeps): () => Promise<void> {
  const { config, metrics, readiness } = deps
  const mail = readMailIdentity(config)
  let last: LastUse | null = null
  readiness.add({
    name: 'relay',
    check: async () => (mail === null ? NOT_SET : describeRelay(last)),
  })
  if (mail === null) return async () => undefined
  const relay = openRelay(config, mail)
  const stopSending = startSending({
    ...deps,
    mail,
    relay,
    count: createNoticeMetrics(metrics),
    isDemoTenant: createIsDemoTenant(deps.db),
    onOutcome: (outcome) => {
      last = { outcome, atMs: performance.now() }
    },
  })
  // A relay that nobody used for a while is probed, so that /readyz is true before the next notice.
  const probe = async (): Promise<void> => {
    if (last !== null && performance.now() - last.atMs < PROBE_MS) return
    last = { outcome: (await relay.probe()) ?? REACHED, atMs: performance.now() }
  }
  const stopProbing = every(PROBE_MS, probe, (error) =>
    deps.log.warn('The relay could not be probed', { error: String(error) }),
  )
  return async () => {
    await stopProbing()
    await stopSending()
  }
}

const PROBE_MS = 60_000
const REACHED = { kind: 'reached' } as const

interface LastUse {
  readonly outcome: RelayOutcome | typeof REACHED
  readonly atMs: number
}

const NOT_SET: ReadinessFinding = {
  state: 'off',
  detail: 'No relay is set (CASEWORK_RELAY_URL): notices are held and nothing is sent.',
}

function describeRelay(last: LastUse | null): ReadinessFinding {
  if (last === null) return { state: 'ok', detail: 'The relay was not used since the start.' }
  const { outcome } = last
  if (outcome.kind === 'reached') return { state: 'ok', detail: 'The relay answers.' }
  if (outcome.kind === 'sent') return { state: 'ok', detail: 'The relay took the last notice.' }
  if (outcome.isFinal) return { state: 'ok', detail: 'The relay refused the last notice for good.' }
  return { state: 'degraded', detail: `Notices wait. ${outcome.failure}` }
}
