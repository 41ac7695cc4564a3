// `npm run screenshots [-- name …]`: the pictures of README and docs, docs/images/*.png, taken in
// Chromium from a server of its own that `--demo` has filled. The demo is dated by the day of its
// start, so each run makes new pictures.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const ROOT = join(import.meta.dirname, '..')
const IMAGES = join(ROOT, 'docs', 'images')
const SIZE = { width: 1440, height: 810 }
// On a machine with much to do the demo alone takes minutes; a page that is there does not.
const START_TIMEOUT_MS = 600_000
const PAGE_TIMEOUT_MS = 60_000
// A page that was not loading for so long is whole. Its requests are no sign: the stream of changes
// never ends.
const QUIET_MS = 500
// A page of the demo is whole after a few.
const QUIET_LOOKS_MAX = 100
const TENANT = 'demo-hosting'
const BYTES_MAX = 200_000

interface Picture {
  readonly name: string
  /** Opens the page and waits until everything on it is there. */
  readonly open: (page: Page) => Promise<void>
}

interface Listed {
  readonly id?: string
  readonly report_id?: string
  readonly name?: string
}

function parseItems(text: string): readonly Listed[] {
  return JSON.parse(text).items
}

/** The id of the first record of the list, or of the first one of this name. */
async function findId(page: Page, path: string, name?: string): Promise<string> {
  const answer = await page.request.get(`/beta/casework/${path}`)
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  const found = parseItems(await answer.text()).find(
    (one) => name === undefined || one.name === name,
  )
  const id = found?.id ?? found?.report_id
  if (id === undefined) throw new Error(`${path} lists nothing`)
  return id
}

const PICTURES: readonly Picture[] = [
  {
    name: 'queue',
    async open(page) {
      await page.goto('/cases?state=any&sort=-last_event_date')
      await page.getByRole('row').nth(12).click()
      await page.getByRole('complementary').getByRole('link', { name: 'Open case' }).waitFor()
    },
  },
  {
    name: 'case',
    async open(page) {
      const id = await findId(page, 'cases?waiting_on=agent&severity=high&limit=1')
      await page.goto(`/cases/${id}`)
      await page.getByRole('list', { name: 'Timeline' }).waitFor()
      await page.locator('.react-flow__node').first().waitFor()
    },
  },
  {
    name: 'lookup',
    async open(page) {
      await page.goto('/lookup/203.0.113.17')
      await page.getByRole('note', { name: 'Verdict' }).waitFor()
    },
  },
  {
    name: 'playbook-editor',
    async open(page) {
      const id = await findId(page, 'playbooks', 'Notify and escalate')
      await page.goto(`/playbooks/${id}/edit`)
      await page.getByTestId('rf__node-critical').click()
    },
  },
  {
    name: 'overview',
    async open(page) {
      await page.goto('/overview?range=30d')
      await page.getByRole('figure').first().waitFor()
    },
  },
  {
    name: 'report',
    async open(page) {
      const id = await findId(page, 'reports?corrected=true&limit=1')
      await page.goto(`/reports/${id}`)
      await page.getByRole('region', { name: 'What was read' }).waitFor()
    },
  },
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !PICTURES.some((picture) => picture.name === name))
if (unknown.length > 0) {
  const names = PICTURES.map(({ name }) => name).join(', ')
  console.error(`There is no picture ${unknown.join(', ')}; the pictures are ${names}.`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'casework-pictures-'))
chmodSync(folder, 0o711)
const server = spawn(process.execPath, [join(ROOT, 'bin', 'casework.js'), 'serve', '--demo'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    CASEWORK_DATA_DIR: folder,
    CASEWORK_PORT: '0',
    CASEWORK_SMTP_PORT: 'off',
    CASEWORK_REVERSE_DNS: 'off',
    CASEWORK_LOG_LEVEL: 'warn',
  },
})
try {
  await takePictures(await readSetupLink(server))
} finally {
  const whenGone = new Promise((resolve) => server.once('exit', resolve))
  if (server.kill('SIGTERM')) await whenGone
  rmSync(folder, { recursive: true, force: true })
}

function readSetupLink(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const fail = (what: string): void => {
      clearTimeout(timer)
      reject(new Error(`${what}:\n${printed}`))
    }
    const timer = setTimeout(() => fail('the server gave no setup link'), START_TIMEOUT_MS)
    child.once('exit', (code) => fail(`the server ended with ${code}`))
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8')
      const link = /first user (\S+)/.exec(printed)?.[1]
      if (link === undefined || !/ready at \S+/.test(printed)) return
      clearTimeout(timer)
      resolve(link)
    })
  })
}

async function takePictures(link: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const context = await browser.newContext({
      baseURL: new URL(link).origin,
      viewport: SIZE,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(PAGE_TIMEOUT_MS)
    await context.addInitScript(
      `try { localStorage.setItem('casework-preferences', '{"tour":"done"}') } catch {}`,
    )
    const page = await context.newPage()
    page.on('response', (answer) => {
      if (answer.status() >= 400) console.error(`${answer.status()} ${answer.url()}`)
    })
    await enter(page, link)
    mkdirSync(IMAGES, { recursive: true })
    for (const { name, open } of PICTURES) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      await open(page)
      await settle(page)
      const path = join(IMAGES, `${name}.png`)
      await page.screenshot({ path, animations: 'disabled' })
      const { size } = statSync(path)
      console.log(`docs/images/${name}.png ${Math.round(size / 1_000)} kB`)
      if (size > BYTES_MAX) throw new Error(`${name} is larger than ${BYTES_MAX} bytes`)
    }
  } finally {
    await browser.close()
  }
}

/** Waits until no part of the page says that it is loading. */
async function settle(page: Page): Promise<void> {
  const busy = page.locator('[aria-busy=true], .loading, .loading-line')
  for (let look = 0; look < QUIET_LOOKS_MAX; look += 1) {
    await busy.first().waitFor({ state: 'detached' })
    await page.waitForTimeout(QUIET_MS)
    if ((await busy.count()) === 0) return
  }
  throw new Error(`${page.url()} goes on loading`)
}

/** The first person, who is a member of both tenants of the demo. */
async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('textbox', { name: 'Your name' }).fill('Alex Rivera')
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('alex@desk.nordhafen.example')
  await page.getByLabel('Password', { exact: true }).fill('seven green bottles')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  await page.getByRole('button', { name: /^Tenant/ }).click()
  await page.getByRole('menuitem', { name: TENANT }).click()
  await page.getByRole('button', { name: `Tenant: ${TENANT}` }).waitFor()
}
