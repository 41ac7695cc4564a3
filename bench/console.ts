// The queue of the web console over 100,000 cases, scrolled in Chromium: the processor time that
// script, style and layout take in each frame, as the browser's own trace has it. What other
// processes do to the wall time of a frame is not in it.

import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createCaller, readMember } from './lib/call.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { readPercentile, sortNumbers } from './lib/statistics.ts'
import { readFrames } from './lib/trace-frames.ts'
import { writeCustomers, writeEvents } from './lib/write-events.ts'

// A million events of 100,000 customers, a case each; some thirty customers have none.
const EVENTS = readCount('BENCH_CONSOLE_EVENTS', 1_000_000)
const FRAMES = readCount('BENCH_CONSOLE_FRAMES', 600)
// The aim of the console: half of a frame at 60 Hz.
const AIM_MS = 8
const ROW_PX = 36
const WAIT_MS = 600_000
const CHROMIUM = '/usr/bin/chromium'

// Five rows a frame is a hard turn of the wheel; fifty are a drag of the scroll bar, where a frame
// has no row of the one before.
const SPEEDS = [
  { name: 'by wheel, 5 rows a frame', stepPx: 5 * ROW_PX },
  { name: 'by scroll bar, 50 rows a frame', stepPx: 50 * ROW_PX },
] as const

const GRID = `document.querySelector('[role=grid]')`

export async function benchConsole(stage: Stage): Promise<void> {
  if (!existsSync(CHROMIUM)) {
    console.log(`console was not measured: there is no ${CHROMIUM}.`)
    return
  }
  await stage.makeTables()
  await writeEvents(stage, EVENTS)
  await writeCustomers(stage)
  const found = await stage.pool.query<{ count: string }>('select count(*) from abuse_case')
  const cases = Number(found.rows[0]?.count)
  const server = await stage.startServer()
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const bare = await openBareList(browser, cases)
    const page = await openQueue(browser, stage.token, `http://localhost:${server.port}`)
    const loading = await traceFrames(browser, page, loadAll(cases))
    const figures: Figure[] = [
      {
        name: 'while the list is read to its end, page by page',
        ours: describe(loading),
        calibration: '-',
        ratio: null,
      },
    ]
    for (const { name, stepPx } of SPEEDS) {
      const ours = await traceFrames(browser, page, scroll(stepPx))
      const least = await traceFrames(browser, bare, scroll(stepPx))
      figures.push({
        name: `${name} (aim: p95 ${AIM_MS} ms)`,
        ours: describe(ours),
        calibration: `a bare list of as many rows and cells: ${describe(least)}`,
        ratio: readPercentile(ours, 0.95) / readPercentile(least, 0.95),
      })
    }
    const title = `Queue of ${cases.toLocaleString('en')} cases in Chromium ${browser.version()}: script, style and layout a frame`
    printFigures(title, figures)
  } finally {
    await browser.close()
    await server.stop()
  }
}

function describe(framesMs: readonly number[]): string {
  const read = (share: number): string => readPercentile(framesMs, share).toFixed(1)
  return `p50 ${read(0.5)} ms, p95 ${read(0.95)} ms, worst ${read(1)} ms of ${framesMs.length.toLocaleString('en')} frames`
}

/** A new person, signed in, with the queue of all cases. */
async function openQueue(browser: Browser, token: string, url: string): Promise<Page> {
  const person = { email: 'bench@desk.example', name: 'Bench', roles: ['agent'] }
  const call = createCaller(Number(new URL(url).port), token)
  const link = readMember(await call('POST', '/beta/admin/users', person), 'link')
  // Its cookie is needed, which a call does not give.
  const entered = await fetch(`${url}/beta/session/links`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link, password: 'seven green bottles' }),
  })
  if (!entered.ok) throw new Error(`sign-in: ${entered.status} ${await entered.text()}`)
  const [name = '', value = ''] = entered.headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? []
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(
    `try { localStorage.setItem('casework-preferences', '{"tour":"done"}') } catch {}`,
  )
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(`${url}/cases?state=any`, { timeout: WAIT_MS })
  await page.locator('[aria-rowindex="20"]').waitFor()
  return page
}

/** The least that such a list costs: its cells get their texts without any framework. */
async function openBareList(browser: Browser, rows: number): Promise<Page> {
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 } })
  ).newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.evaluate(`(() => {
    document.body.innerHTML = '<div role=grid style="height:800px;overflow:auto"><div style="position:relative"></div></div>'
    const grid = ${GRID}
    grid.firstChild.style.height = ${rows * ROW_PX} + 'px'
    const shown = Array.from({ length: 40 }, () => {
      const row = document.createElement('div')
      row.style.cssText = 'position:absolute;width:100%;height:${ROW_PX}px;display:grid;grid-template-columns:repeat(11,1fr)'
      for (let cell = 0; cell < 11; cell += 1) row.append(document.createElement('span'))
      grid.firstChild.append(row)
      return row
    })
    const show = () => {
      const first = Math.max(0, Math.floor(grid.scrollTop / ${ROW_PX}) - 8)
      shown.forEach((row, index) => {
        row.style.transform = 'translateY(' + (first + index) * ${ROW_PX} + 'px)'
        for (const cell of row.children) cell.textContent = 'row ' + (first + index)
      })
    }
    grid.addEventListener('scroll', show)
    show()
  })()`)
  return page
}

/** Scrolls so far in each frame, which is marked so that the trace tells them apart. */
function scroll(stepPx: number): string {
  return `new Promise((resolve) => {
    const grid = ${GRID}
    grid.scrollTop = 0
    let left = ${FRAMES}
    const step = () => {
      performance.mark('frame')
      grid.scrollTop += ${stepPx}
      left -= 1
      if (left > 0) requestAnimationFrame(step)
      else resolve(undefined)
    }
    requestAnimationFrame(step)
  })`
}

/** Scrolls to the end of what is loaded, until the last row is there. */
function loadAll(rows: number): string {
  return `new Promise((resolve, reject) => {
    const grid = ${GRID}
    const endsAt = performance.now() + ${WAIT_MS}
    const step = () => {
      performance.mark('frame')
      grid.scrollTop = grid.scrollHeight
      if (grid.querySelector('[aria-rowindex="${rows + 1}"]') !== null) resolve(undefined)
      else if (performance.now() < endsAt) requestAnimationFrame(step)
      else reject(new Error('the last row did not come'))
    }
    requestAnimationFrame(step)
  })`
}

/** Milliseconds of every frame, the shortest first. */
async function traceFrames(
  browser: Browser,
  page: Page,
  script: string,
): Promise<readonly number[]> {
  await page.bringToFront()
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing', 'v8'] })
  await page.evaluate(script)
  const trace = await browser.stopTracing()
  return sortNumbers(readFrames(trace.toString('utf8')))
}
