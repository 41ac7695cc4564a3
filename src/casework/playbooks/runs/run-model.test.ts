// Random playbooks against a model of what they mean. The model knows no tokens: it is the tree
// of the playbook, in which a block goes on when its item is through, and a fork when enough of its
// branches are. It shares no code with the engine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import { endRunsOfCases } from './run-store.ts'
import { ringTimers, wakeWatchers } from './timer-store.ts'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})
const SCOPE = { tenantId: 'default' }

type Item =
  | { readonly kind: 'trigger'; readonly endsLate: boolean }
  | { readonly kind: 'delay' }
  | { readonly kind: 'until' }
  | { readonly kind: 'fork'; readonly mode: 'all' | 'any'; readonly branches: readonly Item[][] }
  | { readonly kind: 'each'; readonly times: number; readonly body: readonly Item[] }

const { item } = fc.letrec<{ item: Item; block: Item[] }>((tie) => ({
  block: fc.array(tie('item'), { maxLength: 3 }),
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('trigger' as const), endsLate: fc.boolean() }),
    fc.constant<Item>({ kind: 'delay' }),
    fc.constant<Item>({ kind: 'until' }),
    fc.record({
      kind: fc.constant('fork' as const),
      mode: fc.constantFrom('all' as const, 'any' as const),
      branches: fc.array(tie('block'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('each' as const),
      times: fc.integer({ min: 0, max: 3 }),
      body: tie('block'),
    }),
  ),
}))

// The graph of a tree.

class Graph {
  readonly nodes: GraphNode[] = []
  readonly ids = new Map<Item, string>()
  #count = 0

  constructor(block: readonly Item[]) {
    this.nodes.push({ id: 'stop', kind: 'end' }, { id: 'cut', kind: 'end' })
    const next = this.#addBlock(block, 'stop')
    this.nodes.push({ id: 'begin', kind: 'start', paths: { next } })
    // An end that nothing leads to is refused.
    const used = new Set(this.nodes.flatMap(({ paths }) => Object.values(paths ?? {})))
    const kept = this.nodes.filter(({ id }) => id === 'begin' || used.has(id))
    this.nodes.splice(0, this.nodes.length, ...kept)
  }

  #addBlock(block: readonly Item[], next: string): string {
    return block.reduceRight((after, one) => this.#addItem(one, after), next)
  }

  #addItem(one: Item, next: string): string {
    this.#count += 1
    const id = `n${this.#count}`
    this.ids.set(one, id)
    this.nodes.push(this.#build(one, id, next))
    return id
  }

  #build(one: Item, id: string, next: string): GraphNode {
    switch (one.kind) {
      case 'trigger': {
        const config = { paths: ['go', 'cut'], timeout: 'P1D' }
        const timeout = one.endsLate ? 'cut' : next
        return { id, kind: 'trigger', config, paths: { go: next, cut: 'cut', timeout } }
      }
      case 'delay':
        return { id, kind: 'delay', config: { duration: 'P1D' }, paths: { next } }
      case 'until': {
        const config = { condition: "case.severity == 'critical'" }
        return { id, kind: 'wait_until', config, paths: { met: next } }
      }
      case 'fork': {
        const join = `${id}-join`
        this.nodes.push({ id: join, kind: 'join', config: { mode: one.mode }, paths: { next } })
        const starts = one.branches.map((branch, at) => [`b${at}`, this.#addBlock(branch, join)])
        const config = { paths: starts.map(([name]) => name) }
        return { id, kind: 'fork', config, paths: Object.fromEntries(starts) }
      }
      case 'each': {
        const list = `[${Array.from({ length: one.times }, (_, at) => at).join(', ')}]`
        const config = { list, as: id }
        return { id, kind: 'for_each', config, paths: { each: this.#addBlock(one.body, id), next } }
      }
    }
  }
}

// The model.

type Status = 'running' | 'through' | 'ended'

interface World {
  isCritical: boolean
}

class BlockModel {
  status: Status = 'running'
  #at = 0
  #current: ItemModel | null = null
  readonly #items: readonly Item[]

  constructor(items: readonly Item[]) {
    this.#items = items
  }

  goOn(world: World): void {
    while (this.status === 'running') {
      const next = this.#items[this.#at]
      if (next === undefined) this.status = 'through'
      else {
        this.#current ??= new ItemModel(next)
        this.#current.goOn(world)
        if (this.#current.status === 'running') return
        if (this.#current.status === 'ended') this.status = 'ended'
        this.#current = null
        this.#at += 1
      }
    }
  }

  listWaiting(): readonly ItemModel[] {
    return this.status === 'running' ? (this.#current?.listWaiting() ?? []) : []
  }
}

class ItemModel {
  status: Status = 'running'
  readonly item: Item
  readonly #branches: readonly BlockModel[]
  #round: BlockModel | null = null
  #rounds = 0

  constructor(one: Item) {
    this.item = one
    this.#branches = one.kind === 'fork' ? one.branches.map((each) => new BlockModel(each)) : []
  }

  goOn(world: World): void {
    if (this.status !== 'running') return
    switch (this.item.kind) {
      case 'until':
        if (world.isCritical) this.status = 'through'
        return
      case 'fork':
        return this.#goOnBranches(this.item.mode, world)
      case 'each':
        return this.#goRound(this.item.times, this.item.body, world)
      case 'trigger':
      case 'delay':
    }
  }

  #goOnBranches(mode: 'all' | 'any', world: World): void {
    for (const branch of this.#branches) branch.goOn(world)
    const isThrough = this.#branches.some(({ status }) => status === 'through')
    const isOpen = this.#branches.some(({ status }) => status === 'running')
    if (isThrough && (mode === 'any' || !isOpen)) this.status = 'through'
    else if (!isOpen) this.status = 'ended'
  }

  #goRound(times: number, body: readonly Item[], world: World): void {
    while (this.status === 'running') {
      if (this.#round === null && this.#rounds === times) {
        this.status = 'through'
        return
      }
      this.#round ??= new BlockModel(body)
      this.#round.goOn(world)
      if (this.#round.status === 'running') return
      if (this.#round.status === 'ended') this.status = 'ended'
      this.#round = null
      this.#rounds += 1
    }
  }

  listWaiting(): readonly ItemModel[] {
    if (this.status !== 'running') return []
    if (this.item.kind === 'fork') return this.#branches.flatMap((branch) => branch.listWaiting())
    return this.item.kind === 'each' ? (this.#round?.listWaiting() ?? []) : [this]
  }
}

// What happens to both.

const event = fc.record({
  what: fc.constantFrom(
    'go',
    'go',
    'go',
    'cut',
    'timer',
    'timer',
    'timer',
    'change',
    'first',
    'late',
    'merge',
    'pause',
    'resume',
    'resume',
    'cancel',
    'migrate',
  ),
  pick: fc.nat({ max: 20 }),
})

class Pair {
  readonly graph: Graph
  readonly model: BlockModel
  readonly world: World = { isCritical: false }
  readonly caseId: string
  readonly playbook: string
  end: 'ended' | 'cancelled' | null = null
  isPaused = false
  /** Version 2 is version 1 with other ids; the run goes to and fro. */
  version: 1 | 2 = 1
  #hasSecond = false

  constructor(block: readonly Item[], graph: Graph, playbook: string, caseId: string) {
    this.playbook = playbook
    this.graph = graph
    this.model = new BlockModel(block)
    this.caseId = caseId
  }

  nameOf(one: Item): string {
    return this.#rename(this.graph.ids.get(one) ?? '')
  }

  #rename(id: string, version = this.version): string {
    return version === 1 ? id : `other-${id}`
  }

  async post(path: string, json?: object): Promise<void> {
    const answer = await app.send('POST', `/beta/casework/${path}`, {
      token,
      ...(json === undefined ? {} : { json }),
    })
    assert.ok(answer.status < 300, answer.text)
  }

  async control(act: string, json: object = {}): Promise<void> {
    const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [
      this.caseId,
    ])
    await this.post(`runs/${run?.id}/${act}`, json)
  }

  async migrate(): Promise<void> {
    if (!this.#hasSecond) {
      const nodes = this.graph.nodes.map(({ paths = {}, ...node }) => ({
        ...node,
        id: this.#rename(node.id, 2),
        paths: Object.fromEntries(
          Object.entries(paths).map(([name, to]) => [name, this.#rename(to, 2)]),
        ),
      }))
      await this.post(`playbooks/${this.playbook}/versions`, { nodes })
      await this.post(`playbooks/${this.playbook}/versions/2/activate`)
      this.#hasSecond = true
    }
    const to = this.version === 1 ? 2 : 1
    const renamed = this.graph.nodes.map(({ id }) => [this.#rename(id), this.#rename(id, to)])
    await this.control('migrate', { version: to, nodes: Object.fromEntries(renamed) })
    this.version = to
  }

  /** What a person does to the run, as the model has it: a flag. False when it was not that. */
  async playControl(what: string): Promise<boolean> {
    const isRunning = this.model.status === 'running'
    if (what === 'migrate') {
      if (isRunning) await this.migrate()
    } else if (what === 'cancel') {
      if (!isRunning) return true
      await this.control('cancel')
      this.end = 'cancelled'
    } else if (what === 'pause' || what === 'resume') {
      if (!isRunning) return true
      await this.control(what)
      this.isPaused = what === 'pause'
    } else return false
    return true
  }

  async send(node: string, path: string): Promise<number> {
    const target = `/beta/casework/cases/${this.caseId}/trigger-playbook`
    return (await app.send('POST', target, { token, json: { node, path } })).status
  }

  async ring(node: string): Promise<void> {
    await query(
      app,
      "update run_token set timer_at = now() where case_id = $1 and node = $2 and state = 'waiting'",
      [this.caseId, node],
    )
    await ringTimers({ db: app.services.foundation.database.kysely, log: silentLog }, 100)
  }

  async play(what: string, pick: number): Promise<void> {
    const waiting = this.model.listWaiting()
    const one = waiting[pick % Math.max(waiting.length, 1)]
    if (what === 'change') await this.change()
    else if (what === 'cancel' && pick > 4) return
    else if (await this.playControl(what)) await this.#settle()
    else if (what === 'merge') {
      if (pick < 3) await this.merge()
    } else if (this.isPaused && one !== undefined) await this.playPaused(one, what)
    else if (one?.item.kind === 'delay') {
      const node = this.nameOf(one.item)
      if (what !== 'timer') assert.equal(await this.send(node, 'next'), 409)
      else {
        await this.ring(node)
        one.status = 'through'
      }
    } else if (one?.item.kind === 'trigger') await this.playTrigger(one, one.item, what)
    await this.#settle()
  }

  async #settle(): Promise<void> {
    if (!this.isPaused) this.model.goOn(this.world)
    await runDueSteps(app)
  }

  /** No trigger is taken, and a timer does not ring. */
  async playPaused(one: ItemModel, what: string): Promise<void> {
    const node = this.nameOf(one.item)
    if (what === 'timer' || what === 'late') await this.ring(node)
    else assert.equal(await this.send(node, 'go'), 409)
  }

  async playTrigger(one: ItemModel, { endsLate }: { endsLate: boolean }, what: string) {
    const node = this.nameOf(one.item)
    if (what === 'go' || what === 'cut') {
      assert.equal(await this.send(node, what), 202)
      one.status = what === 'go' ? 'through' : 'ended'
    } else if (what === 'first') {
      // The trigger is faster than the timer.
      assert.equal(await this.send(node, 'go'), 202)
      await this.ring(node)
      one.status = 'through'
    } else if (what === 'timer' || what === 'late') {
      await this.ring(node)
      if (what === 'late') assert.equal(await this.send(node, 'cut'), 409)
      one.status = endsLate ? 'ended' : 'through'
    }
  }

  async change(): Promise<void> {
    this.world.isCritical = !this.world.isCritical
    await query(app, 'update abuse_case set severity = $2 where id = $1', [
      this.caseId,
      this.world.isCritical ? 'critical' : 'low',
    ])
    await inTransaction(app.services.foundation.database.kysely, async (tx) => {
      await wakeWatchers(tx, SCOPE, [this.caseId])
    })
  }

  async merge(): Promise<void> {
    await inTransaction(app.services.foundation.database.kysely, (tx) =>
      endRunsOfCases(tx, SCOPE, [this.caseId]),
    )
    this.end = 'ended'
  }

  async compare(): Promise<void> {
    const rows = await query<{ node: string }>(
      app,
      'select node from run_token where case_id = $1 and state = $2 and node not like $3',
      [this.caseId, this.isPaused ? 'paused' : 'waiting', '%-join'],
    )
    const [run] = await query<{ state: string }>(app, 'select state from run where case_id = $1', [
      this.caseId,
    ])
    const expected = this.end !== null ? [] : this.model.listWaiting()
    assert.deepEqual(
      rows.map(({ node }) => node).toSorted(),
      expected.map((one) => this.nameOf(one.item)).toSorted(),
    )
    const isRunning = this.end === null && this.model.status === 'running'
    const live = this.isPaused ? 'paused' : 'active'
    assert.equal(run?.state, isRunning ? live : (this.end ?? 'ended'))
    const left = await query(
      app,
      "select 1 from run_token where case_id = $1 and (state = 'ready' or state in ('waiting', 'paused') and $2)",
      [this.caseId, !isRunning],
    )
    assert.deepEqual(left, [])
  }
}

test('random playbooks wait where their model waits, and end when it ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 4 }),
      fc.array(event, { minLength: 4, maxLength: 14 }),
      async (drawn, events) => {
        // Every item once, as a node has one model.
        const block: Item[] = JSON.parse(JSON.stringify(drawn))
        const graph = new Graph(block)
        const playbook = await createActivePlaybook(app, token, graph.nodes)
        const [caseId] = await createCases(app, 'default', playbook, 1)
        assert.ok(caseId)
        const pair = new Pair(block, graph, playbook, caseId)
        pair.model.goOn(pair.world)
        await runDueSteps(app)
        await pair.compare()
        for (const { what, pick } of events) {
          if (pair.end !== null) break
          await pair.play(what, pick)
          await pair.compare()
        }
      },
    ),
    { numRuns: 60, endOnFailure: true },
  )
})
