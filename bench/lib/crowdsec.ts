// CrowdSec as a peer: its local API over SQLite in a folder of its own, decisions imported by its
// own tool, asked as a bouncer asks it.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateQuestions } from './intel-set.ts'
import { buildRequest, runLoad } from './load.ts'
import { findFreePort, isInstalled, notInstalled, readCpuSeconds, stopChild } from './peer.ts'
import { type Figure, formatRate } from './report.ts'
import type { Stage } from './stage.ts'

// Its tool imports some thousands a second; the whole set would take five minutes, and its index
// makes a question cost the same.
const DECISIONS = 100_000
const SEED = 20_261_121
const ROUND_MS = 5_000
const COMMAND_TIMEOUT_MS = 300_000
const START_LOOKS_MAX = 100
const KEY = 'bench-key-0123456789'

export async function benchCrowdsec(
  stage: Stage,
  items: readonly string[],
  name: string,
): Promise<Figure> {
  if (!isInstalled('crowdsec') || !isInstalled('cscli')) return notInstalled(name)
  const asked = items.slice(0, DECISIONS)
  let child: ChildProcess | null = null
  try {
    const port = await findFreePort()
    const config = writeConfig(join(stage.folder, 'crowdsec'), port)
    const run = (args: readonly string[]): void => {
      execFileSync('cscli', ['-c', config, ...args], {
        stdio: 'ignore',
        timeout: COMMAND_TIMEOUT_MS,
      })
    }
    const machine = ['machines', 'add', 'bench', '-p', 'bench-password-0123', '--force']
    run([...machine, '-f', `${config}.login`, '-u', `http://127.0.0.1:${port}`])
    run(['bouncers', 'add', 'bench', '-k', KEY])
    child = spawn('taskset', ['-c', '0', 'crowdsec', '-c', config, '-no-cs'], { stdio: 'ignore' })
    await waitUntilAnswers(port)
    const file = join(stage.folder, 'crowdsec', 'decisions.csv')
    writeFileSync(file, `duration,scope,value\n${asked.map((ip) => `240h,ip,${ip}\n`).join('')}`)
    run(['decisions', 'import', '-i', file])
    return await ask(child, port, asked, name)
  } catch (error) {
    return {
      name,
      ours: `did not start: ${String(error).slice(0, 80)}`,
      calibration: '-',
      ratio: null,
    }
  } finally {
    if (child !== null) await stopChild(child)
  }
}

async function ask(
  child: ChildProcess,
  port: number,
  items: readonly string[],
  name: string,
): Promise<Figure> {
  const requests = generateQuestions(items, 20_000, SEED + 1).map((item) =>
    buildRequest('GET', `/v1/decisions?ip=${item}`, { 'x-api-key': KEY }),
  )
  let index = 0
  const before = readCpuSeconds(child)
  const load = await runLoad({
    port,
    connections: 16,
    durationMs: ROUND_MS,
    next: () => {
      index = (index + 1) % requests.length
      return requests[index] ?? Buffer.alloc(0)
    },
  })
  if (Object.keys(load.statuses).join() !== '200') {
    throw new Error(`it answered ${JSON.stringify(load.statuses)}`)
  }
  return {
    name: `${name}, GET /v1/decisions?ip=, SQLite, ${items.length.toLocaleString('en')} decisions: the decision or none`,
    ours: formatRate(load.requests / (readCpuSeconds(child) - before), 'look-ups per CPU-second'),
    calibration: '-',
    ratio: null,
  }
}

async function waitUntilAnswers(port: number): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/health`)
      return
    } catch (error) {
      if (look === START_LOOKS_MAX) throw error
    }
    await delay(200)
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
