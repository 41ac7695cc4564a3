// The background work of the program in a process of its own, for proofs that kill it:
// `node test/proof/worker-process.ts <connection and settings as JSON>`. It says "open", begins its
// work with the first line on its standard input, says "ready", and works until it is killed, or
// ends cleanly on SIGTERM.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../src/app/compose.ts'
import { startJobs } from '../../src/app/worker-jobs.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { buildTestConfig, type SocketConnection } from '../harness.ts'

interface Settings {
  readonly connection: SocketConnection
  readonly environment: Record<string, string>
}

const { connection, environment } = JSON.parse(process.argv[2] ?? '') as Settings
const dataDir = mkdtempSync(join(tmpdir(), 'casework-worker-'))
const config = buildTestConfig({ CASEWORK_DATA_DIR: dataDir, ...environment })
const services = await compose({ config, connection, log: silentLog, clock: systemClock })
process.stdout.write('open\n')
await once(process.stdin, 'data')
const jobs = await startJobs(services)
process.once('SIGTERM', () => {
  void jobs
    .stop()
    .then(() => services.close())
    .finally(() => {
      rmSync(dataDir, { recursive: true, force: true })
      process.exit(0)
    })
})
process.stdout.write('ready\n')
