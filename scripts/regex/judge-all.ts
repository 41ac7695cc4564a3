// Judges many regular expressions in as many threads as there are processors.

import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { judgeRegex, type Verdict } from './judge-regex.ts'

export interface AskedRegex {
  readonly source: string
  readonly flags: string
  readonly degreeMax: number
}

interface Task {
  readonly share: readonly AskedRegex[]
}

/** The verdicts in the order of what is asked. */
export async function judgeAll(asked: readonly AskedRegex[]): Promise<readonly Verdict[]> {
  const threads = availableParallelism()
  // Slow ones stand together in their files, so each thread takes every n-th.
  const shares = await Promise.all(
    Array.from({ length: threads }, (_, at) =>
      judgeInThread(asked.filter((__, index) => index % threads === at)),
    ),
  )
  return asked.map((regex, index) => {
    const verdict = shares[index % threads]?.[Math.floor(index / threads)]
    if (verdict === undefined) throw new Error(`no verdict on /${regex.source}/`)
    return verdict
  })
}

function judgeInThread(share: readonly AskedRegex[]): Promise<readonly Verdict[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { share } satisfies Task })
    worker.once('message', resolve)
    worker.once('error', reject)
    // Behind its message this changes nothing.
    worker.once('exit', () => reject(new Error('a thread ended without its verdicts')))
  })
}

if (!isMainThread) {
  const { share }: Task = workerData
  parentPort?.postMessage(
    share.map(({ source, flags, degreeMax }) => judgeRegex(source, flags, degreeMax)),
  )
}
