import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type DatabaseProxy, openDatabaseProxy } from '../../../test/database-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { waitUntil } from '../../../test/wait.ts'
import { silentLog } from '../log.ts'
import { createDatabase, type Database } from './database.ts'
import {
  buildQuestions,
  type DueQuestion,
  type QuestionRow,
  readQuestions,
  startDueCarrier,
  watchDue,
} from './due-poll.ts'
import { inInstance } from './instance-acts.ts'

let testDatabase: TestDatabase
let proxy: DatabaseProxy
let database: Database
before(async () => {
  testDatabase = await createTestDatabase()
  proxy = await openDatabaseProxy(testDatabase.connection)
  database = createDatabase({ connection: proxy.connection, poolMax: 3, log: silentLog })
})
after(async () => {
  await database.close()
  await proxy.close()
  await testDatabase.drop()
})

const isCarrier = (statement: string): boolean => statement.includes('"carried"')
const isQuestion = (statement: string): boolean => statement.includes('"due_0"')

/** A carrier that counts its answers and its trouble. */
function startCarrier() {
  const count = { answers: 0, troubles: 0 }
  const stop = startDueCarrier(database.kysely, {
    async ask(questions: readonly DueQuestion[]) {
      const columns = questions.length === 0 ? sql`select` : buildQuestions(questions)
      const { rows } = await inInstance('find work', () =>
        sql<QuestionRow & { carried: number }>`
          select 7 as "carried", due.* from (${columns}) as due`.execute(database.kysely),
      )
      return { answer: rows[0]?.carried, due: readQuestions(questions, rows[0]) }
    },
    async work(answer) {
      assert.equal(answer, 7)
      count.answers += 1
    },
    onTrouble() {
      count.troubles += 1
    },
  })
  return { count, stop }
}

/** A watch that counts its calls. */
function startWatch(isDue: DueQuestion) {
  const count = { calls: 0, answers: 0 }
  const stop = watchDue(database.kysely, {
    isDue,
    async work() {
      count.calls += 1
    },
    onTrouble: () => undefined,
    onAnswer() {
      count.answers += 1
    },
  })
  return { count, stop }
}

test('a carrier takes the questions of all watches along, and only those that are due are called', async () => {
  const carrier = startCarrier()
  const due = startWatch(sql<boolean>`1 = 1`)
  const idle = startWatch(sql<boolean>`1 = 2`)
  const from = proxy.statements().length
  await waitUntil(() => idle.count.answers >= 3 && carrier.count.answers >= 3)
  await Promise.all([due.stop(), idle.stop(), carrier.stop()])
  assert.ok(due.count.calls >= 3)
  assert.equal(idle.count.calls, 0)
  assert.equal(carrier.count.troubles, 0)
  const sent = proxy.statements().slice(from)
  assert.ok(sent.some((one) => isCarrier(one) && isQuestion(one)))
})

test('without a carrier the questions are asked by themselves', async () => {
  const due = startWatch(sql<boolean>`1 = 1`)
  const from = proxy.statements().length
  await waitUntil(() => due.count.calls >= 2)
  await due.stop()
  assert.ok(!proxy.statements().slice(from).some(isCarrier))
})

test('a question that fails costs the carrier one statement more, and its watch is called', async () => {
  const carrier = startCarrier()
  const failing = startWatch(sql<boolean>`1 / (select count(*) - count(*) from pg_class) = 1`)
  const from = proxy.statements().length
  await waitUntil(() => failing.count.calls >= 3 && carrier.count.answers >= 3)
  await Promise.all([failing.stop(), carrier.stop()])
  assert.equal(failing.count.answers, 0)
  assert.equal(carrier.count.troubles, 0)
  // They are carried once. After that they are asked apart.
  const sent = proxy.statements().slice(from)
  assert.equal(sent.filter((one) => isCarrier(one) && isQuestion(one)).length, 1)
})

test('a carrier does not wait for a slow question: after the first time it is asked apart', async () => {
  const carrier = startCarrier()
  const slow = startWatch(sql<boolean>`(select pg_sleep(1)) is null`)
  const from = proxy.statements().length
  await waitUntil(() => slow.count.answers >= 3)
  await Promise.all([slow.stop(), carrier.stop()])
  const sent = proxy.statements().slice(from)
  assert.equal(sent.filter((one) => isCarrier(one) && isQuestion(one)).length, 1)
  assert.ok(sent.filter((one) => isQuestion(one) && !isCarrier(one)).length >= 2)
  assert.ok(carrier.count.answers > slow.count.answers)
})

test('a pool has one carrier', async () => {
  const carrier = startCarrier()
  assert.throws(() => startCarrier(), /has a carrier/)
  await carrier.stop()
})
