// The casework area put together: what its endpoints and workers stand on. Opened once per HTTP thread by app/compose.ts.

import { type CursorSealer, createCursorSealer } from '../kernel/cursor.ts'
import type { Foundation } from '../kernel/foundation.ts'
import { createCommitEvents } from './commit-events.ts'
import { type CommitEvents, createEventQueue, type EventQueue } from './event-queue.ts'
import { createMailAuthenticator, type MailAuthenticator } from './mail/authenticate-mail.ts'
import { openPlaybooks, type Playbooks } from './playbooks/playbooks.ts'
import type { ReportDeps } from './settle-report.ts'
import { ensureCursorKey } from './store/cursor-key-store.ts'

export interface Casework {
  readonly foundation: Foundation
  readonly playbooks: Playbooks
  /** For events that come one by one. */
  readonly eventQueue: EventQueue
  /** For events that come many at once. */
  readonly commitEvents: CommitEvents
  readonly cursors: CursorSealer
  /** For reports, from every door. */
  readonly reports: ReportDeps
  readonly mailAuthenticator: MailAuthenticator
  readonly close: () => Promise<void>
}

export async function openCasework(foundation: Foundation): Promise<Casework> {
  const playbooks = openPlaybooks()
  const commitEvents = createCommitEvents(foundation, playbooks.hint)
  const eventQueue = createEventQueue(commitEvents)
  const mailAuthenticator = createMailAuthenticator({
    ...foundation.config,
    clock: foundation.clock,
  })
  return {
    foundation,
    playbooks,
    eventQueue,
    commitEvents,
    cursors: createCursorSealer(await ensureCursorKey(foundation.database.kysely)),
    reports: { ...foundation, hint: playbooks.hint, authenticate: mailAuthenticator.authenticate },
    mailAuthenticator,
    async close() {
      await eventQueue.close()
      playbooks.close()
    },
  }
}
