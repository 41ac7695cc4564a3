// The windows of the browser in which the console is tested. A test gets a browser context that
// earlier tests used and that was emptied since, and with it, when a person signs in, the page that
// the last of them left open, as the next person does who comes to the same desk. Opening the
// console in a new page costs Chromium 1.2 s of a core, in a new context 3.1 s (measured on
// 2026-11-27): a new context has a process of its own, which loads and compiles the scripts again.

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

// The same engine without the windows of a desktop, at half of the processor time (the tests of the
// sources page on 2026-11-27: 22 s against 43 s).
const HEADLESS = '/usr/bin/chromium-headless-shell'

/** Where the console keeps what a person chose in a browser. */
export const PREFERENCES = 'casework-preferences'
/** The tour is a matter of its own test, and would stand in the pictures of all others. */
const CHOSEN = '{"tour":"done"}'
/** Mantine keeps a chosen scheme here, and an open page goes on with it. */
const SCHEME = 'mantine-color-scheme-value'
/** No page has this address, so that what is shown there is the frame and one sentence. */
const LEFT_AT = '/left-by-a-test'

export const WINDOW_SIZE = { width: 1440, height: 900 } as const

// Only a page that never gets there takes so long, also on a machine with much to do.
export const TIMEOUT_MS = 60_000
// Bounds what one process of the browser keeps of pages that are closed.
const USES_MAX = 40
const LEAVE_MS = 5_000

// A toast leaves after 4 s, or after 10 s when it offers Undo. On a machine with much to do that is
// over before a test looks, so both stay for half a minute.
const KEEP_TOASTS = `{
  const wait = window.setTimeout
  window.setTimeout = (act, ms, ...more) =>
    wait(act, ms === 4_000 || ms === 10_000 ? 30_000 : ms, ...more)
}`

export interface Windows {
  /** A context without pages, cookies, storage and permissions. */
  readonly open: () => Promise<BrowserContext>
  /** The same, with the page that the test before has left, if it can be gone on with. */
  readonly openLeft: () => Promise<LeftWindow>
  /** Leaves or closes the pages of all contexts, and empties these for the next test. */
  readonly closeAll: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface LeftWindow {
  readonly context: BrowserContext
  /** The console, signed in as somebody of an earlier test. */
  readonly page: Page | null
  /** Another tab of this browser signs in as this person: the page follows. */
  readonly enterAs: (userId: string) => Promise<void>
}

interface Kept {
  readonly context: BrowserContext
  /** A file of the same origin. It is never closed, so that the process of the context goes on. */
  readonly anchor: Page
  uses: number
  /** A test gave it a clock, scripts or devices, which each later page would have too. */
  isChanged: boolean
  left: Page | null
}

/** Each page of the windows is handed to `watch` before anything is loaded in it. */
export async function openWindows(url: string, watch: (page: Page) => void): Promise<Windows> {
  const browser = await openBrowser()
  const free: Kept[] = []
  const used = new Set<Kept>()
  const take = async (): Promise<Kept> => {
    const kept = free.pop() ?? (await openContext(browser, url, watch))
    kept.uses += 1
    used.add(kept)
    return kept
  }
  return {
    async open() {
      const kept = await take()
      await kept.left?.close()
      kept.left = null
      await kept.context.clearCookies()
      return kept.context
    },
    async openLeft() {
      const { context, anchor, left } = await take()
      return {
        context,
        page: left,
        async enterAs(userId) {
          await anchor.evaluate(`localStorage.setItem('casework-person', '${userId}')`)
        },
      }
    },
    async closeAll() {
      const all = [...used]
      used.clear()
      await Promise.all(
        all.map(async (kept) => {
          if (kept.uses >= USES_MAX || kept.isChanged) return await kept.context.close()
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
  await context.addInitScript(
    `try { localStorage.getItem('${PREFERENCES}') ?? localStorage.setItem('${PREFERENCES}', '${CHOSEN}') } catch {}`,
  )
  await context.addInitScript(KEEP_TOASTS)
  context.on('page', watch)
  const anchor = await context.newPage()
  await anchor.goto('/robots.txt')
  const kept: Kept = { context, anchor, uses: 0, isChanged: false, left: null }
  context.on('page', (page) => noteCalls(kept, page, ['addInitScript']))
  noteCalls(kept, context, ['addInitScript', 'newCDPSession'])
  noteCalls(kept, context.clock, ['install', 'setFixedTime', 'setSystemTime'])
  return kept
}

/** Calls of these methods of the object mark the context as changed. */
function noteCalls(kept: Kept, object: object, names: readonly string[]): void {
  for (const name of names) {
    const act: unknown = Reflect.get(object, name)
    if (typeof act !== 'function') throw new Error(`there is no ${name} to note`)
    Reflect.set(object, name, (...values: readonly unknown[]): unknown => {
      kept.isChanged = true
      return Reflect.apply(act, object, values)
    })
  }
}

async function empty(kept: Kept): Promise<void> {
  const { context, anchor } = kept
  const [page, ...others] = context.pages().filter((one) => one !== anchor)
  await Promise.all(others.map((one) => one.close()))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  kept.left = page !== undefined && (await leave(page)) ? page : null
  if (kept.left === null) await page?.close()
  await context.clearPermissions()
  // The page hears of the preferences as it would from another tab.
  await anchor.evaluate(`localStorage.clear(); localStorage.setItem('${PREFERENCES}', '${CHOSEN}')`)
}

/** False when the page cannot be gone on with. */
async function leave(page: Page): Promise<boolean> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const name of ['request', 'response', 'dialog', 'download', 'domcontentloaded'] as const) {
    page.removeAllListeners(name)
  }
  await page.setViewportSize(WINDOW_SIZE)
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
  // One that was opened in the pseudo-locale or got another scheme stays so.
  const isThere = await page
    .evaluate<boolean>(
      `new Promise((resolve) => {
        setTimeout(resolve, ${LEAVE_MS}, false)
        const [{ name: opened }] = performance.getEntriesByType('navigation')
        const isOwn = opened.includes('locale=') || localStorage.getItem('${SCHEME}') !== null
        if (isOwn || window.hasRun || !document.querySelector('.frame')) return resolve(false)
        __TSR_ROUTER__.subscribe('onRendered', () => resolve(location.pathname === '${LEFT_AT}'))
        __TSR_ROUTER__.history.push('${LEFT_AT}')
      })`,
    )
    .catch(() => false)
  return isThere
}
