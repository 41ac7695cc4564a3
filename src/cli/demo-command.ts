// `casework demo …`: made-up data to look around in, on the machine of the server, beside it or
// without one.

import type { DemoNews } from '../app/serve.ts'
import { createLog } from '../kernel/log.ts'
import { requireConsent } from './confirm.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

type Flags = Readonly<Record<string, unknown>>

export async function runDemoFill(flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
  const { withDatabase } = await import('../app/reach-database.ts')
  const { fillDemo } = await import('../app/demo/fill-demo.ts')
  process.stderr.write(`${describeDemo({ kind: 'filling' })}\n`)
  const counts = await withDatabase(config, log, (connection, _, used) =>
    fillDemo({ config: used, connection }),
  )
  process.stdout.write(`${describeDemo({ kind: 'filled', counts })}\n`)
}

export async function runDemoRemove(flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
  await requireConsent(
    'Remove the tenants of the demo with everything in them, also what was added by hand?',
    flags,
  )
  const { withDatabase } = await import('../app/reach-database.ts')
  const { removeDemo } = await import('../app/demo/remove-demo.ts')
  const gone = await withDatabase(config, log, (connection, _, used) =>
    removeDemo({ config: used, connection }),
  )
  const news = gone.length === 0 ? 'There is no demo.' : `Removed: ${gone.join(', ')}.`
  process.stdout.write(`${news}\n`)
}

/** One line for people. */
export function describeDemo(news: DemoNews): string {
  switch (news.kind) {
    case 'filling':
      return 'filling two tenants with made-up data; this takes some seconds …'
    case 'filled': {
      const { tenants, cases, events } = news.counts
      return `${tenants} tenants with ${cases} cases and ${events} events are there; nothing of them is sent out, and "casework demo remove" takes them away.`
    }
    case 'there':
      return 'is there already; "casework demo remove" takes it away.'
  }
}
