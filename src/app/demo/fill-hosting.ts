// The story of the made-up hoster, told in the order of time.

import type { Caller } from '../../vocabulary/caller.ts'
import { actOnOpenCases, correctScanReport } from './act-on-open-cases.ts'
import type { DemoDesk } from './demo-desk.ts'
import { buildEvents, DAY_MS, type DemoEvent, HOUR_MS } from './demo-events.ts'
import { DEMO_SOURCES, DESK_TAG, describeSources, makeDeskTag, planIntel } from './demo-intel.ts'
import { ANSWERS, findMailTimeMs, MAILS, receiveMail, writeBounce } from './demo-mails.ts'
import { asPerson, HOSTING_PEOPLE, makeMachine } from './demo-people.ts'
import { createDemoRandom, type DemoRandom } from './demo-random.ts'
import { HOSTING, recordMade } from './demo-store.ts'
import { planFailedFeed } from './failed-feed.ts'
import { setUpRegistrar } from './fill-registrar.ts'
import { CAMPAIGNS } from './hosting-campaigns.ts'
import { CONTRACTS, CUSTOMERS, RESOURCES } from './hosting-customers.ts'
import { addSecondVersion } from './hosting-playbooks.ts'
import { muteResearchScanner, setUpHostingRules } from './hosting-rules.ts'
import { setUpHostingSettings } from './hosting-settings.ts'
import { type Desk, planCase, type StoryStep } from './hosting-story.ts'
import { createScriptedWorld, type ScriptedWorld } from './scripted-world.ts'

const SEED = 4711
const ROOT = '/beta/casework'

export async function fillHosting(demo: DemoDesk, endMs: number): Promise<void> {
  const admin = asPerson(HOSTING, HOSTING_PEOPLE.per)
  const { send } = demo
  await send(admin, 'POST', `${ROOT}/customers/bulk`, { json: CUSTOMERS })
  await send(admin, 'POST', `${ROOT}/contracts/bulk`, { json: CONTRACTS })
  await send(admin, 'POST', `${ROOT}/resources/bulk`, { json: RESOURCES })
  await setUpHostingSettings(demo, admin, HOSTING)
  const notify = await setUpHostingRules(demo, admin)
  const groups = {
    day: await makeGroup(demo, 'Abuse desk', ['mira', 'tomas', 'aisha', 'lena']),
    night: await makeGroup(demo, 'Night shift', ['jonas', 'lena']),
  }
  const random = createDemoRandom(SEED)
  const steps: StoryStep[] = []
  const { mira, tomas, aisha, jonas, lena } = HOSTING_PEOPLE
  const story: Desk = {
    desk: demo,
    random,
    groups,
    agents: [mira, tomas, aisha, aisha, jonas, lena].map((one) => asPerson(HOSTING, one)),
    plan: (step) => steps.push(step),
  }
  const world = createScriptedWorld(demo)
  const events = buildEvents(CAMPAIGNS, endMs, random)
  const ticks = listTicks(endMs, random)
  planIntake(story, await makeMachine(demo, admin, 'gateway', 'Report gateway'), events, ticks)
  planMails(story, endMs)
  const registrar = await setUpRegistrar(demo, random, endMs)
  const { machine, events: named } = registrar
  planIntake({ ...registrar.story, plan: story.plan }, machine, named, ticks)
  const lead = asPerson(HOSTING, mira)
  steps.push({ atMs: endMs - 2 * HOUR_MS, act: () => actOnOpenCases(demo, lead) })
  const feeder = await makeMachine(demo, admin, 'feeder', 'Sensor gateway')
  steps.push(...planIntel(demo, feeder, endMs, createDemoRandom(SEED + 1)))
  steps.push(...planFailedFeed(demo, feeder, endMs, createDemoRandom(SEED + 2)))
  steps.push({ atMs: endMs - 5 * HOUR_MS, act: () => correctScanReport(demo, lead) })
  steps.push({ atMs: endMs - 24 * DAY_MS, act: () => addSecondVersion(demo, admin, notify) })
  steps.push({ atMs: endMs - 57 * DAY_MS, act: () => muteResearchScanner(demo, admin) })
  // Noted before they are made, so that the removal after a failure finds them.
  const { kysely: db } = demo.services.foundation.database
  await recordMade(db, 'source', DEMO_SOURCES)
  await recordMade(db, 'tag', [DESK_TAG])
  await makeDeskTag(demo, feeder)
  await tell(demo, world, ticks, steps, random)
  await describeSources(demo, feeder)
}

async function makeGroup(
  { send }: DemoDesk,
  name: string,
  people: readonly (keyof typeof HOSTING_PEOPLE)[],
): Promise<string> {
  const admin = asPerson(HOSTING, HOSTING_PEOPLE.per)
  const userIds = people.map((one) => HOSTING_PEOPLE[one].id)
  const made = await send(admin, 'POST', '/beta/admin/groups', {
    json: { name, user_ids: userIds },
  })
  return made.json.id
}

/** Events reach the desk together with others. */
function planIntake(
  story: Desk,
  gateway: Caller,
  events: readonly DemoEvent[],
  ticks: readonly number[],
): void {
  const byTick = Map.groupBy(events, ({ atMs }) => ticks.find((one) => one >= atMs) ?? 0)
  for (const [atMs, batch] of byTick) {
    const act = async (): Promise<void> => {
      const json = batch.map(({ body }) => body)
      const pushed = await story.desk.send(gateway, 'POST', `${ROOT}/events`, { json })
      const types = new Map<string, string>()
      for (const [index, item] of pushed.json.items.entries()) {
        if (item.error !== undefined) {
          throw new Error(`the demo: an event is refused: ${item.error}`)
        }
        if (item.case_id !== undefined) types.set(item.case_id, readType(batch[index]))
      }
      for (const [caseId, type] of types) meetCase(story, caseId, type)
    }
    story.plan({ atMs, act })
  }
}

const met = new WeakMap<Desk, Set<string>>()

function meetCase(story: Desk, caseId: string, type: string): void {
  const known = met.get(story) ?? new Set()
  met.set(story, known)
  if (known.has(caseId)) return
  known.add(caseId)
  planCase(story, caseId, type)
}

function readType(event: DemoEvent | undefined): string {
  const type: unknown = event === undefined ? '' : Reflect.get(event.body, 'event_type')
  return String(type)
}

/** Reports by mail, on their days. */
function planMails({ desk, plan }: Desk, endMs: number): void {
  for (const mail of MAILS) {
    plan({ atMs: findMailTimeMs(mail, endMs), act: () => receiveMail(desk, HOSTING, mail) })
  }
}

/** Some customers answer a notice, and one mailbox does not exist. */
async function answerMails(
  demo: DemoDesk,
  world: ScriptedWorld,
  random: DemoRandom,
): Promise<void> {
  for (const { to, replyTo, bounceTo, subject, messageId } of world.takeMails()) {
    if (replyTo === '') continue
    if (to.endsWith('@fjellstuga.example') || to === 'hello@closed-mailbox.example') continue
    if (to === 'lettings@mottram.example') {
      const bounce = {
        from: 'MAILER-DAEMON <>',
        to: bounceTo,
        subject: 'Undelivered mail',
        envelopeFrom: '',
      }
      await receiveMail(demo, HOSTING, { ...bounce, ...writeBounce(to) })
    } else if (random.chance(0.25)) {
      const headers = ['Content-Type: text/plain; charset=utf-8', `In-Reply-To: ${messageId}`]
      const mail = { from: `<${to}>`, to: replyTo, subject: `Re: ${subject}`, headers }
      await receiveMail(demo, HOSTING, { ...mail, body: random.pick(ANSWERS) })
    }
  }
}

/** Goes from step to step; the workers act at each tick. */
async function tell(
  demo: DemoDesk,
  world: ScriptedWorld,
  ticks: readonly number[],
  steps: StoryStep[],
  random: DemoRandom,
): Promise<void> {
  const { time } = demo
  for (const tickMs of ticks) {
    await answerMails(demo, world, random)
    // What is done may plan more for the same tick.
    for (let next = takeNext(steps, tickMs); next !== null; next = takeNext(steps, tickMs)) {
      await time.goTo(next.atMs)
      await next.act()
    }
    await time.goTo(tickMs)
    await time.dateDefaults()
    await world.work()
  }
}

/** The earliest step that is no later than this time; it is no longer among the others. */
function takeNext(steps: StoryStep[], untilMs: number): StoryStep | null {
  let next: StoryStep | null = null
  for (const one of steps) {
    if (one.atMs <= untilMs && (next === null || one.atMs < next.atMs)) next = one
  }
  if (next !== null) steps.splice(steps.indexOf(next), 1)
  return next
}

/** Times at which reports come in and workers act; at other hours every day. */
function listTicks(endMs: number, random: DemoRandom): readonly number[] {
  const ticks: number[] = []
  let atMs = endMs - 90 * DAY_MS + HOUR_MS
  while (atMs < endMs) {
    ticks.push(atMs)
    atMs += random.between(5 * 60, 14 * 60) * MINUTE_MS
  }
  return [...ticks, endMs]
}

const MINUTE_MS = 60_000
