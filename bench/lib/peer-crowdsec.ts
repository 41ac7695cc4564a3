// CrowdSec as a peer: its local API over SQLite in a folder of its own, decisions imported by its
// own tool, asked as a bouncer asks it.

import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../test/loopback.ts'
import { generateQuestions } from './intel-set.ts'
import { buildRequest, createCycle, runLoad } from './load.ts'
import { describePeer, isInstalled } from './peer.ts'
import { endProcess, pidOf, spawnPinned } from './process.ts'
import { readCpuSeconds } from './processor-time.ts'
import { type Figure, formatRate } from './report.ts'
import type { Stage } from './stage.ts'

// Its tool imports some thousands a second; the whole set would take five minutes, and its index
// makes a question cost the same.
const DECISIONS = 100_000
const QUESTIONS = 20_000
const SEED = 20_261_122
const ROUND_MS = 5_000
const COMMAND_TIMEOUT_MS = 300_000
const START_LOOKS_MAX = 100
const START_PAUSE_MS = 200
const KEY = 'bench-key-0123456789'

/** Look-ups of `items`, which are IPv4 addresses. */
export async function benchCrowdsec(
  stage: Stage,
  items: readonly string[],
  name: string,
): Promise<Figure> {
  if (!isInstalled('crowdsec') || !isInstalled('cscli')) return describePeer(name, 'not installed')
  const decided = items.slice(0, DECISIONS)
  const port = await findFreePort()
  const config = writeConfig(join(stage.folder, 'crowdsec'), port)
  let child: ChildProcess | null = null
  try {
    const place = ['-f', `${config}.login`, '-u', `http://127.0.0.1:${port}`]
    const password = ['-p', 'bench-password-0123']
    runTool(config, ['machines', 'add', 'bench', ...password, '--force', ...place])
    runTool(config, ['bouncers', 'add', 'bench', '-k', KEY])
    child = spawnPinned('crowdsec', ['-c', config, '-no-cs'], { stdio: 'ignore' })
    await waitUntilAnswers(port)
    const file = join(stage.folder, 'crowdsec', 'decisions.csv')
    writeFileSync(file, `duration,scope,value\n${decided.map((ip) => `240h,ip,${ip}\n`).join('')}`)
    runTool(config, ['decisions', 'import', '-i', file])
    const rate = await measureRate(pidOf(child), port, decided)
    return describePeer(
      `${name}, GET /v1/decisions?ip=, SQLite, ${decided.length.toLocaleString('en')} decisions: the decision or none`,
      formatRate(rate, 'look-ups per CPU-second'),
    )
  } catch (error) {
    // Its versions differ in their settings: the other products are measured all the same.
    return describePeer(name, `was not measured: ${String(error).slice(0, 80)}`)
  } finally {
    if (child !== null) await endProcess(child, 'SIGTERM')
  }
}

function runTool(config: string, args: readonly string[]): void {
  execFileSync('cscli', ['-c', config, ...args], { stdio: 'ignore', timeout: COMMAND_TIMEOUT_MS })
}

/** Look-ups per CPU-second. */
async function measureRate(pid: number, port: number, items: readonly string[]): Promise<number> {
  const requests = generateQuestions(items, QUESTIONS, SEED).map((item) =>
    buildRequest('GET', `/v1/decisions?ip=${item}`, { 'x-api-key': KEY }),
  )
  const before = readCpuSeconds(pid)
  const load = await runLoad({
    port,
    connections: 16,
    durationMs: ROUND_MS,
    next: createCycle(requests),
  })
  return load.requests / (readCpuSeconds(pid) - before)
}

async function waitUntilAnswers(port: number): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/health`)
      return
    } catch (error) {
      if (look === START_LOOKS_MAX) throw error
    }
    await delay(START_PAUSE_MS)
  }
}

/**
 * Everything of it in one folder, nothing sent to anyone: no central API, no log processing, no
 * metrics.
 */
function writeConfig(folder: string, port: number): string {
  for (const name of ['data', 'hub', 'notifications', 'plugins']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const place = (name: string): string => JSON.stringify(join(folder, name))
  const config = join(folder, 'config.yaml')
  writeFileSync(join(folder, 'simulation.yaml'), 'simulation: off\n')
  writeFileSync(join(folder, 'acquis.yaml'), '')
  writeFileSync(join(folder, 'hub', '.index.json'), '{}')
  writeFileSync(`${config}.login`, '')
  writeFileSync(join(folder, 'profiles.yaml'), PROFILES)
  writeFileSync(
    config,
    `common: { daemonize: false, log_media: stdout, log_level: error, working_dir: . }
config_paths: { config_dir: ${place('')}, data_dir: ${place('data')}, simulation_path: ${place('simulation.yaml')}, hub_dir: ${place('hub')}, index_path: ${place('hub/.index.json')}, notification_dir: ${place('notifications')}, plugin_dir: ${place('plugins')} }
crowdsec_service: { enable: false, acquisition_path: ${place('acquis.yaml')}, parser_routines: 1 }
cscli: { output: human }
db_config: { log_level: error, type: sqlite, db_path: ${place('data/crowdsec.db')}, use_wal: true, flush: { max_items: 5000000, max_age: 7d } }
api:
  client: { insecure_skip_verify: false, credentials_path: ${place('config.yaml.login')} }
  server: { log_level: error, listen_uri: "127.0.0.1:${port}", profiles_path: ${place('profiles.yaml')} }
prometheus: { enabled: false }
`,
  )
  return config
}

// The API does not start without one; decisions that are imported pass no profile.
const PROFILES = `name: bench
filters:
 - Alert.GetScope() == "Ip"
decisions:
 - type: ban
   duration: 4h
on_success: break
`
