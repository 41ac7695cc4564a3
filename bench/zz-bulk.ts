import { join } from 'node:path'
import { findPackageRoot } from '../src/kernel/resources.ts'
import { startServerProcess } from './lib/process.ts'
import { createRandom } from './lib/random.ts'
import { openStage } from './lib/stage.ts'

const PUSHED = Number(process.env['P'] ?? 100_000)
const CUSTOMERS = Number(process.env['C'] ?? 100_000)
const CONNS = Number(process.env['N'] ?? 4)
const ROUNDS = Number(process.env['R'] ?? 2)
const WARM = process.env['W'] === '1'
const TYPES = ['LoginAttack', 'PortScan', 'Spam', 'Phishing', 'Malware', 'Bot', 'DDos', 'WebHack']
const random = createRandom(7)
const make = (index: number) => {
  const customer = random.integer(CUSTOMERS)
  return JSON.stringify({
    event_date: new Date(Date.UTC(2026, 0, 1) + index * 20).toISOString(),
    event_type: random.pick(TYPES),
    sender_email: `reporter-${random.integer(500)}@example.org`,
    ip: `198.${18 + (customer >> 16)}.${(customer >> 8) & 255}.${customer & 255}`,
    event_details: {
      port: 1 + random.integer(65_000),
      protocol: 'tcp',
      attempts: random.integer(500),
    },
  })
}

import { readFileSync } from 'node:fs'
import { Pool } from 'pg'
import { readTreeCpuSeconds } from './lib/process.ts'

const own = await openStage()
const U = process.env['DBDIR']
const stage = U
  ? {
      ...own,
      databaseUrl: `postgresql://postgres@/postgres?host=${encodeURIComponent(U)}`,
      pool: new Pool({ host: U, user: 'postgres', database: 'postgres' }),
      readDatabaseCpuSeconds: () =>
        readTreeCpuSeconds(Number(readFileSync(U + '/d/postmaster.pid', 'utf8').split('\n')[0])),
      close: async () => {
        await own.close()
        process.exit(0)
      },
    }
  : own
if (WARM) {
  await stage.pool.query('create table warm (x text)')
  await stage.pool.query('alter table warm alter x set storage external')
  for (let i = 0; i < 20; i += 1) {
    await stage.pool.query(
      `insert into warm select repeat(md5(i::text), 250) from generate_series(1, 13000) i`,
    )
    await stage.pool.query('truncate warm')
  }
  await stage.pool.query('checkpoint')
  await stage.pool.query('drop table warm')
}
const server = await startServerProcess(
  [
    ...(process.env['EXEC'] ?? '').split(' ').filter(Boolean),
    join(findPackageRoot(), 'bin/casework.js'),
    'serve',
  ],
  0,
  {
    CASEWORK_PORT: '0',
    CASEWORK_SMTP_PORT: 'off',
    CASEWORK_DATA_DIR: join(stage.folder, 'server'),
    CASEWORK_BOOTSTRAP_TOKEN: stage.token,
    DATABASE_URL: stage.databaseUrl,
    CASEWORK_LOG_LEVEL: 'warn',
  },
)
try {
  let base = 0
  for (let r = 0; r < ROUNDS; r += 1) {
    const rows = Array.from({ length: PUSHED }, (_, i) => make(base + i))
    base += PUSHED
    let next = 0
    const [p0, d0] = [server.readCpuSeconds(), stage.readDatabaseCpuSeconds()]
    const own0 = process.cpuUsage()
    const w0 = (
      await stage.pool.query(
        'select wal_records::float8 r, wal_fpi::float8 f, wal_bytes::float8 b from pg_stat_wal',
      )
    ).rows[0]
    const t0 = performance.now()
    const seen = new Map<string, number>()
    let ticks = 0
    let on = process.env['S'] === '1'
    const sampler = (async () => {
      const c = await stage.pool.connect()
      while (on) {
        const a = await c.query(
          `select state, wait_event_type w, left(regexp_replace(query, '\\s+', ' ', 'g'), 50) q from pg_stat_activity where application_name='casework' and state <> 'idle' and backend_type='client backend'`,
        )
        ticks++
        for (const x of a.rows) {
          const k = `${x.state === 'active' ? (x.w === 'Lock' ? 'LOCK' : x.w === null ? 'run' : x.w) : 'JS'} ${x.q}`
          seen.set(k, (seen.get(k) ?? 0) + 1)
        }
        await new Promise((r) => setTimeout(r, 8))
      }
      c.release()
    })()
    await Promise.all(
      Array.from({ length: CONNS }, async () => {
        while (next < rows.length) {
          const batch = rows.slice(next, next + 1000)
          next += 1000
          const answer = await fetch(`http://127.0.0.1:${server.port}/beta/casework/events`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${stage.token}`,
              'content-type': 'application/x-ndjson',
            },
            body: batch.join('\n'),
          })
          const text = await answer.text()
          if (answer.status !== 200 || text.includes('"invalid"'))
            throw new Error(text.slice(0, 300))
        }
      }),
    )
    on = false
    const s = (performance.now() - t0) / 1000
    const own = process.cpuUsage(own0)
    const k = 10_000 / PUSHED
    const [p, d, o] = [
      server.readCpuSeconds() - p0,
      stage.readDatabaseCpuSeconds() - d0,
      (own.user + own.system) / 1e6,
    ]
    await sampler
    if (ticks > 0)
      console.log(
        [...seen]
          .sort((a, b) => b[1] - a[1])
          .slice(0, 40)
          .map(([k, n]) => `${(n / ticks).toFixed(3)} ${k}`)
          .join('\n'),
      )
    if (process.env['H']) {
      const h = await stage.pool.query(
        `select relname, n_tup_ins i, n_tup_upd u, n_tup_hot_upd h, n_tup_newpage_upd np, pg_relation_size(relid)/1024 kb, pg_indexes_size(relid)/1024 ikb from pg_stat_user_tables where n_tup_ins > 1000`,
      )
      for (const x of h.rows) console.log(JSON.stringify(x))
    }
    await new Promise((r) => setTimeout(r, 1500))
    const w1 = (
      await stage.pool.query(
        'select wal_records::float8 r, wal_fpi::float8 f, wal_bytes::float8 b from pg_stat_wal',
      )
    ).rows[0]
    console.log(
      'wal/event',
      ((w1.b - w0.b) / PUSHED).toFixed(0),
      'records',
      ((w1.r - w0.r) / PUSHED).toFixed(1),
      'fpi',
      w1.f - w0.f,
    )
    if (process.env['PS']) {
      const { execSync } = await import('node:child_process')
      console.log(
        execSync(
          `ps -eo pid,ppid,cputime,times,comm,args --sort -times | grep -i 'postgres' | grep -v grep | head -20`,
        ).toString(),
      )
    }
    const cases = await stage.pool.query('select count(*)::int as n from abuse_case')
    console.log(
      `${(PUSHED / s).toFixed(0)}/s prog ${(p * k).toFixed(2)} pg ${(d * k).toFixed(2)} load ${(o * k).toFixed(2)} sum ${((p + d + o) * k).toFixed(2)} util ${(((p + d + o) / s / 2) * 100).toFixed(0)}% cases ${cases.rows[0].n}`,
    )
  }
} finally {
  await server.stop()
  await stage.close()
}
