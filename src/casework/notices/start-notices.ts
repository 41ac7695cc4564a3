// Starts to send notices in a process with the role worker, and reports the state of the relay.

import type { Registry } from 'prom-client'
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
  let last: RelayOutcome | null = null
  readiness.add({
    name: 'relay',
    check: async () => (mail === null ? NOT_SET : describeRelay(last)),
  })
  if (mail === null) return async () => undefined
  return startSending({
    ...deps,
    mail,
    relay: openRelay(config, mail),
    count: createNoticeMetrics(metrics),
    onOutcome: (outcome) => {
      last = outcome
    },
  })
}

const NOT_SET: ReadinessFinding = {
  state: 'off',
  detail: 'No relay is set (CASEWORK_RELAY_URL): notices are held and nothing is sent.',
}

function describeRelay(last: RelayOutcome | null): ReadinessFinding {
  if (last === null) return { state: 'ok', detail: 'The relay was not used since the start.' }
  if (last.kind === 'sent') return { state: 'ok', detail: 'The relay took the last notice.' }
  if (last.isFinal) return { state: 'ok', detail: 'The relay refused the last notice for good.' }
  return { state: 'degraded', detail: `Notices wait. ${last.failure}` }
}
