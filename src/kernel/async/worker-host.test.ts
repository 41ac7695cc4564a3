import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { ThreadLost, WorkerHost, type WorkerHostOptions } from './worker-host.ts'

const SERVE = new URL('./serve-thread.ts', import.meta.url)

/** A thread that answers each message with the value of this expression. */
function answerWith(expression: string): URL {
  const text = `
    import { serveThread } from '${SERVE.href}'
    serveThread(async (message, id) => ({ reply: ${expression} }))`
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

const hosts: WorkerHost<unknown, unknown>[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

function open(script: URL, options: Partial<WorkerHostOptions> = {}): WorkerHost<unknown, unknown> {
  const host = new WorkerHost<unknown, unknown>({
    script,
    name: 'test thread',
    lingerMs: 60_000,
    isBehind: true,
    ...options,
  })
  hosts.push(host)
  return host
}

describe('a worker host', () => {
  test('starts its thread with the first job, and answers each job with its own reply', async () => {
    const host = open(answerWith('message * 2'))
    assert.equal(host.isRunning, false)
    assert.deepEqual(await Promise.all([host.run(1), host.run(2)]), [2, 4])
    assert.equal(host.isRunning, true)
  })

  test('gives the bytes of a transfer list away', async () => {
    const host = open(answerWith('message.byteLength'))
    const bytes = new Uint8Array(100)
    assert.equal(await host.run(bytes, [bytes.buffer]), 100)
    assert.equal(bytes.byteLength, 0)
  })

  test('fails the job that throws and does the next in the same thread', async () => {
    const host = open(answerWith('message.length'))
    await assert.rejects(host.run(null), /TypeError/)
    assert.equal(await host.run('four'), 4)
  })

  test('fails all jobs of a thread that ends, and starts another for the next', async () => {
    const host = open(answerWith(`message === 'die' ? process.exit() : message`))
    const [dying, behind] = await Promise.allSettled([host.run('die'), host.run('behind')])
    for (const end of [dying, behind]) {
      assert.ok(end.status === 'rejected' && end.reason instanceof ThreadLost)
      assert.equal(end.reason.why, 'crashed')
    }
    assert.equal(await host.run('next'), 'next')
  })

  test('says so when the thread cannot start', async () => {
    const host = open(new URL('data:text/javascript,throw new Error("broken")'))
    await assert.rejects(host.run(1), { name: 'ThreadLost', why: 'not_started' })
  })

  test('fails what is running when it is closed, and takes nothing more', async () => {
    const host = open(answerWith('await new Promise(() => undefined)'))
    const running = assert.rejects(host.run(1), { why: 'closed' })
    await host.close()
    await running
    await assert.rejects(host.run(2), { why: 'closed' })
  })

  test('hears no more of a conversation that was ended', async () => {
    const host = open(answerWith('message'))
    const replies: unknown[] = []
    const listener = { onReply: (reply: unknown) => replies.push(reply), onFailure: assert.fail }
    const conversation = host.open(listener)
    conversation.post('first')
    assert.equal(await host.run('second'), 'second')
    conversation.post('third')
    conversation.end()
    assert.equal(await host.run('fourth'), 'fourth')
    assert.deepEqual(replies, ['first'])
  })
})
