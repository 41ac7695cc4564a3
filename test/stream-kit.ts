// Puts changes into the streams of an app of the harness, as the worker of the program does.

import { Registry } from 'prom-client'
import { createChangeFeed } from '../src/casework/changes/feed-changes.ts'
import { createStreamListener } from '../src/casework/desk/stream/feed-stream.ts'
import { findCasesOfEvents } from '../src/casework/events/event-store.ts'
import { every } from '../src/kernel/async/every.ts'
import { silentLog } from '../src/kernel/log.ts'
import type { TestApp } from './harness.ts'

/** Hands on the changes that are stored now. */
export async function feedStreams({ services }: Pick<TestApp, 'services'>): Promise<void> {
  const { kysely: db } = services.foundation.database
  const listeners = [createStreamListener({ findCasesOfEvents })]
  await createChangeFeed({ db, log: silentLog, metrics: new Registry(), listeners }).feed(10)
}

/** Does so every 50 ms until the returned function is called. */
export function startFeeding(app: Pick<TestApp, 'services'>): () => Promise<void> {
  return every(
    50,
    () => feedStreams(app),
    (error) => {
      throw error
    },
  )
}
