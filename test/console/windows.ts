// The windows of the browser in which the console is tested. A test gets new pages in a browser
// context that earlier tests used and that was emptied since. Such a page costs Chromium 1.2 s of a
// core until the console is shown, one in a new context 3.1 s (measured on 2026-11-27): a new
// context has a process of its own, which loads and compiles the scripts again.

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

// The same engine without the windows of a desktop, at half of the processor time (the tests of the
// sources page on 2026-11-27: 22 s against 43 s).
const HEADLESS = '/usr/bin/chromium-headless-shell'

/** Where the console keeps what a person chose in a browser. */
export const PREFERENCES = 'casework-preferences'

export const WINDOW_SIZE = { width: 1440, height: 900 } as const

// Only a page that never gets there takes so long, also on a machine with much to do.
export const TIMEOUT_MS = 60_000
// Bounds what one process of the browser keeps of pages that are closed.
const USES_MAX = 40

// A toast leaves after 4 s, or after 10 s when it offers Undo. On a machine with much to do that is
// over before a test looks, so both stay for half a minute.
const KEEP_TOASTS = `{
  const wait = window.setTimeout
  window.setTimeout = (act, ms, ...more) =>
    wait(act, ms === 4_000 || ms === 10_000 ? 30_000 : ms, ...more)
}`

export interface Windows {
  /** A context without cookies, storage and permissions. */
  readonly open: () => Promise<BrowserContext>
  /** Closes the pages of all contexts and empties these for the next test. */
  readonly closeAll: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Kept {
  readonly context: BrowserContext
  /** It is never closed, so that the process of the context goes on. */
  readonly anchor: Page
  uses: number
  /** Its clock was set, which holds for each later page of the context too. */
  hasOwnTime: boolean
}

/** Each page of the windows is handed to `watch` before anything is loaded in it. */
export async function openWindows(url: string, watch: (page: Page) => void): Promise<Windows> {
  const browser = await openBrowser()
  const free: Kept[] = []
  const used = new Set<Kept>()
  return {
    async open() {
      const kept = free.pop() ?? (await openContext(browser, url, watch))
      kept.uses += 1
      used.add(kept)
      return kept.context
    },
    async closeAll() {
      const all = [...used]
      used.clear()
      await Promise.all(
        all.map(async (kept) => {
          if (kept.uses >= USES_MAX || kept.hasOwnTime) return await kept.context.close()
          await empty(kept)
          free.push(kept)
        }),
      )
    },
    close: () => browser.close(),
  }
}

async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: existsSync(HEADLESS) ? HEADLESS : '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      // All pages of a context are in one process.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
    ],
  })
}

async function openContext(
  browser: Browser,
  url: string,
  watch: (page: Page) => void,
): Promise<Kept> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: WINDOW_SIZE,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  // The tour is a matter of its own test, and would stand in the pictures of all others.
  await context.addInitScript(
    `try { localStorage.getItem('${PREFERENCES}') ?? localStorage.setItem('${PREFERENCES}', '{"tour":"done"}') } catch {}`,
  )
  await context.addInitScript(KEEP_TOASTS)
  context.on('page', watch)
  const anchor = await context.newPage()
  // A file of the same origin, whose storage is emptied there.
  await anchor.goto('/robots.txt')
  const kept: Kept = { context, anchor, uses: 0, hasOwnTime: false }
  watchClock(kept)
  return kept
}

function watchClock(kept: Kept): void {
  const { clock } = kept.context
  const note =
    <Value>(act: (value: Value) => Promise<void>) =>
    async (value: Value): Promise<void> => {
      kept.hasOwnTime = true
      await act(value)
    }
  Object.assign(clock, {
    install: note(clock.install.bind(clock)),
    setFixedTime: note(clock.setFixedTime.bind(clock)),
    setSystemTime: note(clock.setSystemTime.bind(clock)),
  })
}

async function empty({ context, anchor }: Kept): Promise<void> {
  const others = context.pages().filter((page) => page !== anchor)
  await Promise.all(others.map((page) => page.close()))
  await context.clearCookies()
  await context.clearPermissions()
  await anchor.evaluate('localStorage.clear()')
}
