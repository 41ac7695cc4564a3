// The tests of the web console: one real server with the built console, one Chromium, and people of
// every role. All files of a run share them; `withConsole()` at the top of a file is all it needs.
//
// Selectors go by role and name, as people find things: `getByRole('button', { name: 'Close' })`.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { BUILT_CONSOLE, createConsolePages } from '../../src/app/console/open-console.ts'
import { isStale } from '../../src/app/console/refresh-console.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { runGroup } from '../group.ts'
import { openTestApp, type SharedApp } from '../harness.ts'
import { createPerson, type InvitedPerson } from '../people-kit.ts'
import { waitForRest } from './keyboard.ts'
import { noteLookedOver } from './looked-over.ts'
import { openWindows, TIMEOUT_MS, WINDOW_SIZE } from './windows.ts'

const run = promisify(execFile)

export interface SignedIn {
  readonly page: Page
  readonly context: BrowserContext
  readonly person: InvitedPerson
}

export interface ConsoleKit {
  /** `http://localhost:PORT` */
  readonly url: string
  /** The program behind it: `app.send('POST', …, { token: app.token })` makes data. */
  readonly app: SharedApp
  /** A new browser window without a session. */
  readonly open: (path: string) => Promise<Page>
  /**
   * A window in which a new person of this role is signed in. It may be the page of an earlier
   * test, whose person is gone from it; so a test that changes the document itself closes its page.
   */
  readonly signIn: (role: string, path?: string, tenantId?: string) => Promise<SignedIn>
}

export const SCHEMES = ['light', 'dark'] as const
export const WIDTHS = [390, 768, 1440] as const
type Scheme = (typeof SCHEMES)[number]
const STATE_VIEWS = [
  ['dark', 390],
  ['light', 1440],
] as const satisfies readonly (readonly [Scheme, (typeof WIDTHS)[number]])[]
// Each differs from the one before it in one thing, so that no more is laid out anew.
const VIEWS = [
  ['light', 1440],
  ['light', 768],
  ['light', 390],
  ['dark', 390],
  ['dark', 768],
  ['dark', 1440],
] as const satisfies readonly (readonly [Scheme, (typeof WIDTHS)[number]])[]
const POLL_MS = 50
const SHOTS = join(findPackageRoot(), 'coverage', 'console')
/** What strangers write into every field that they can reach; a page shows it as text. */
export const EVIL_TEXTS = [
  '<img src=x onerror="window.hasRun=1">',
  '"><script>window.hasRun=1</script>',
  "javascript:window.hasRun=1//'",
  '{{constructor.constructor("window.hasRun=1")()}}',
] as const

interface OpenKit extends ConsoleKit {
  readonly closeWindows: () => Promise<void>
  readonly close: () => Promise<void>
}

let shared: Promise<OpenKit> | undefined
after(async () => {
  await (await shared)?.close()
})

/** Runs the files of these patterns with one server and one browser, and closes both at the end. */
export function runConsoleGroup(patterns: readonly string[]): void {
  runGroup(patterns)
}

/** Its members throw outside of tests. */
export function withConsole(): ConsoleKit {
  let kit: ConsoleKit | null = null
  before(async () => {
    shared ??= openKit()
    kit = await shared
  })
  // A window that nobody looks at any more still follows the changes.
  afterEach(async () => {
    await (await shared)?.closeWindows()
  })
  const use = (): ConsoleKit => kit ?? assert.fail('the console is open in tests only')
  return {
    get url() {
      return use().url
    },
    get app() {
      return use().app
    },
    open: (path) => use().open(path),
    signIn: (role, path, tenantId) => use().signIn(role, path, tenantId),
  }
}

async function openKit(): Promise<OpenKit> {
  const root = findPackageRoot()
  if (isStale(root)) {
    // In a process of its own: the builder's promises lose the scope that tests of the database
    // run in.
    await run(process.execPath, [join(root, 'scripts', 'build-console.ts')], { cwd: root })
  }
  const { app, url } = await openServer()
  const faults: string[] = []
  const windows = await openWindows(url, (page) => watchFaults(page, faults))
  return {
    url,
    app,
    async open(path) {
      const page = await (await windows.open()).newPage()
      await page.goto(path)
      return page
    },
    async signIn(role, path = '/', tenantId = 'default') {
      const options = { roles: [role], tenantId }
      const { browser: session, ...person } = await createPerson(app, app.token, options)
      const { context, page: left, enterAs } = await windows.openLeft()
      const [name = '', value = ''] = session.cookie.split('; ')[0]?.split('=') ?? []
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
      if (left !== null) {
        await enterAs(person.id)
        const account = `Account of ${session.session.user.name}`
        await left.getByRole('button', { name: account, exact: true }).waitFor()
        await moveTo(left, path)
        return { page: left, context, person }
      }
      const page = await context.newPage()
      await page.goto(path)
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor({ state: 'attached' })
      return { page, context, person }
    },
    closeWindows: windows.closeAll,
    async close() {
      await windows.close()
      await app.close()
      assert.deepEqual(faults, [], 'faults of pages')
    },
  }
}

/** A server of its own, for a test of its beginning: nobody is there yet. Close its `app`. */
export async function openServer(
  environment: Record<string, string> = {},
): Promise<{ readonly app: SharedApp; readonly url: string }> {
  const findPage = createConsolePages(join(findPackageRoot(), BUILT_CONSOLE))
  const opened = await openTestApp({ findPage, environment })
  const app = { ...opened, token: await opened.createToken() }
  const listening = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }))
  return { app, url: `http://localhost:${listening.port}` }
}

/** A page that throws or is stopped by its own policy fails the run. */
function watchFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${String(error)}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|React|Warning:/.test(text)) faults.push(`${page.url()}: ${text}`)
  })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const AXE_OPTIONS = {
  // What passes is not described, and what violates a rule is told by its HTML: a quarter of axe.
  // No page plays anything, which is all that axe would load for these rules.
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: {
    // The head of a dialog of Mantine is a header element, which is no banner (HTML: inside of a
    // section), though axe takes it for one.
    'landmark-no-duplicate-banner': { enabled: false },
    'landmark-unique': { enabled: false },
  },
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Throws with the violations of WCAG 2.2 AA on the page as it is. */
export async function checkAxe(page: Page): Promise<void> {
  const judge = `typeof axe === 'undefined'
    ? null
    : axe.run(${JSON.stringify(AXE_OPTIONS)}).then((result) => result.violations)`
  let violations = await page.evaluate<readonly Violation[] | null>(judge)
  if (violations === null) {
    // Once a document. Not as a script element, which the policy of the page forbids.
    await page.evaluate(axe)
    violations = await page.evaluate<readonly Violation[]>(judge)
  }
  const said = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((one) => `${one.html}\n  ${one.failureSummary}`).join('\n')}`,
  )
  assert.deepEqual(said, [], page.url())
}

/** Writes a picture to coverage/console, which git ignores. A PNG takes Chromium twice the time. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name}.jpg`), quality: 95, caret: 'initial' })
}

/**
 * Goes to another page of the console as its links do. That takes a fifth of the processor time of
 * `goto`, and axe need not be loaded and compiled again.
 */
export async function moveTo(page: Page, path: string): Promise<void> {
  // The router puts itself there.
  await page.evaluate(`new Promise((resolve, reject) => {
    const stop = __TSR_ROUTER__.subscribe('onRendered', () => {
      stop()
      resolve()
    })
    setTimeout(reject, ${TIMEOUT_MS}, new Error('the page does not come'))
    __TSR_ROUTER__.history.push(${JSON.stringify(path)})
  })`)
}

/**
 * Axe on a page as it is, in both schemes and three widths. Pictures of all six with
 * CASEWORK_PICTURES=all, else one a scheme.
 */
export async function lookOver(page: Page, name: string): Promise<void> {
  noteLookedOver(new URL(page.url()).pathname)
  for (const [colorScheme, width] of VIEWS) await lookAt(page, name, colorScheme, width)
}

/**
 * Axe on what a page shows beside its usual self (an empty list, a failure, a dialog): once in each
 * scheme, wide and narrow. The page itself is looked over elsewhere.
 */
export async function lookOverState(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of STATE_VIEWS) await lookAt(page, name, colorScheme, width)
}

async function lookAt(page: Page, name: string, colorScheme: Scheme, width: number): Promise<void> {
  await show(page, colorScheme, width)
  if (width === WINDOW_SIZE.width || process.env['CASEWORK_PICTURES'] === 'all') {
    await screenshot(page, `${name}-${colorScheme}-${width}`)
  }
  await checkAxe(page)
  await assertNoSidewaysScroll(page)
}

async function show(page: Page, colorScheme: Scheme, width: number): Promise<void> {
  // Over the window's corner it would open the rail, which covers a part of a narrow page.
  await page.mouse.move(-1, -1)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: WINDOW_SIZE.height })
  // Two frames with the scheme: the first one lays out, the second one has been painted. A table
  // that measures itself is drawn anew after that.
  await page.evaluate(`new Promise((resolve, reject) => {
    setTimeout(reject, ${TIMEOUT_MS}, new Error('the page does not become ${colorScheme}'))
    const look = () => {
      const { mantineColorScheme } = document.documentElement.dataset
      requestAnimationFrame(
        mantineColorScheme === '${colorScheme}' ? () => requestAnimationFrame(resolve) : look,
      )
    }
    look()
  })`)
  await waitForRest(page)
}

/** WCAG 1.4.10: a page has no second scroll bar; a table may have one of its own. */
async function assertNoSidewaysScroll(page: Page): Promise<void> {
  const extra = await page.evaluate(
    '(document.querySelector("#main") ?? document.documentElement).scrollWidth - window.innerWidth',
  )
  assert.ok(Number(extra) <= 0, `${page.url()} is ${String(extra)} px too wide`)
}

/** Waits for what no locator sees: as long as for all else. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + TIMEOUT_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, `${what}: never so`)
    await delay(POLL_MS)
  }
}

/** Nothing that a stranger wrote has run. */
export async function assertNothingRan(page: Page): Promise<void> {
  assert.equal(await page.evaluate('window.hasRun'), undefined)
}
