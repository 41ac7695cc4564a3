// The stream of changes of the real program with several HTTP threads.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUsedFolder, startServe } from './program.ts'

const STREAMS = 8

test('streams of all HTTP threads tell the same changes in the same order, and end with a stop', async (t) => {
  const { dataDir, token } = await createUsedFolder(t)
  const server = startServe(t, dataDir, ['--threads', '3'])
  const url = await server.whenReady
  const authorization = `Bearer ${token}`
  // Each stream keeps its connection, so the threads share them.
  const answers = await Promise.all(
    Array.from({ length: STREAMS }, () =>
      fetch(`${url}/beta/casework/stream?kinds=case`, { headers: { authorization } }),
    ),
  )
  for (const answer of answers) assert.equal(answer.status, 200)
  const told = answers.map(countMessages)
  const events = ['a', 'b', 'c'].map((name) => ({
    event_date: '2026-02-01T00:00:00Z',
    event_type: 'Spam',
    sender_email: 'desk@example.com',
    customer_id: `threads-${name}`,
  }))
  const pushed = await fetch(`${url}/beta/casework/events`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  assert.ok(pushed.ok, await pushed.text())
  await Promise.all(told.map(({ whenTold }) => whenTold(events.length)))
  server.child.kill('SIGTERM')
  const texts = await Promise.all(told.map(({ whole }) => whole))
  assert.deepEqual(await server.whenExited, { code: 0, signal: null })
  const [first = ''] = texts
  assert.equal(readCases(first).length, events.length)
  for (const text of texts) {
    assert.deepEqual(readCases(text), readCases(first))
    assert.match(text, /event: end\ndata: \{"reason":"shutdown"\}\n\n$/)
  }
})

const readCases = (text: string): readonly string[] =>
  [...text.matchAll(/^id: \d+\nevent: case\ndata: .*$/gm)].map(([frame]) => frame)

interface Told {
  readonly whenTold: (count: number) => Promise<void>
  /** All of the stream, at its end. */
  readonly whole: Promise<string>
}

function countMessages(answer: Response): Told {
  let text = ''
  const waiting: (() => void)[] = []
  const read = async (): Promise<string> => {
    assert.ok(answer.body !== null)
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      text += part
      for (const look of waiting) look()
    }
    return text
  }
  return {
    whole: read(),
    whenTold: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (readCases(text).length >= count) resolve()
        }
        waiting.push(look)
        look()
      }),
  }
}
