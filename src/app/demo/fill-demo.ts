// Fills two tenants of a made-up world with the last 90 days (docs/guides/try-the-demo.md). All of
// it goes through the real routes and workers in the time of the story, so that each page of the
// console shows what it would show at a desk. Nothing of it leaves the machine: see
// scripted-world.ts for the filling, and access/demo-tenants.ts for later.

import type { Config } from '../../kernel/config.ts'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { silentLog } from '../../kernel/log.ts'
import { demoIsThere } from '../errors.ts'
import { openDemoDesk } from './demo-desk.ts'
import { DAY_MS } from './demo-events.ts'
import {
  beginFilling,
  countDemo,
  type DemoCounts,
  makeDemoTenants,
  retirePeople,
  TENANT_IDS,
} from './demo-store.ts'
import { fillHosting } from './fill-hosting.ts'
import { openPastTime } from './past-time.ts'
import { removeDemo } from './remove-demo.ts'

export interface FillDemoOptions {
  readonly config: Config
  readonly connection: DatabaseConnection
  /** The end of the story; now when left out. */
  readonly endMs?: number
}

const DAYS = 90

/**
 * Fills the demo. Throws APP_DEMO_IS_THERE when there is one, or a tenant of one of its ids, or
 * another process fills it. When it fails in the middle, what was made is removed again; what a
 * filling has left that was killed is removed first.
 */
export async function fillDemo(options: FillDemoOptions): Promise<DemoCounts> {
  const filling = await beginFilling(options.connection)
  if (filling === null) throw demoIsThere()
  let state: 'whole' | 'broken' = 'broken'
  try {
    if (filling.isSecond) await removeDemo(options)
    if (!(await makeDemoTenants(options.config, options.connection))) {
      state = 'whole'
      throw demoIsThere()
    }
    const counts = await fillTenants(options).catch(async (error: unknown) => {
      await removeDemo(options)
      state = 'whole'
      throw error
    })
    state = 'whole'
    return counts
  } finally {
    await filling.end(state)
  }
}

async function fillTenants(options: FillDemoOptions): Promise<DemoCounts> {
  const { config, connection } = options
  const endMs = options.endMs ?? Date.now()
  const time = await openPastTime(connection, endMs - DAYS * DAY_MS, TENANT_IDS)
  try {
    const desk = await openDemoDesk(config, time, silentLog)
    try {
      await fillHosting(desk, endMs)
      await time.goTo(endMs)
    } finally {
      await desk.close()
    }
  } finally {
    await time.end()
  }
  await retirePeople(connection)
  return await countDemo(connection)
}
