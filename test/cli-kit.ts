// Runs commands of the command line as child processes against an app of the harness that listens
// on a port.

import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { findPackageRoot } from '../src/values/resources.ts'
import type { TestApp } from './harness.ts'
import { listenUntilEnd } from './loopback.ts'

/** Makes the app listen on a free loopback port until it is closed; returns the address. */
export async function listen(app: TestApp): Promise<string> {
  return await app.app.listen({ port: 0, host: '127.0.0.1' })
}

/** A server of the test in the place of Casework, until the test ends; returns its address. */
export async function serveStub(
  test: Pick<TestContext, 'after'>,
  answer: RequestListener,
): Promise<string> {
  return `http://127.0.0.1:${await listenUntilEnd(test, createServer(answer))}`
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly url: string
  readonly token?: string
  /** Standard input; of an iterable each piece when it comes. */
  readonly input?: string | AsyncIterable<string>
  readonly environment?: Readonly<Record<string, string>>
  /** Closes standard output after so many bytes, as `| head` does. */
  readonly readBytesMax?: number
  /** Called once, with the first lines of standard error. */
  readonly onStderr?: (text: string) => Promise<void>
}

/** Runs `casework <args>` to its end. */
export async function runCasework(
  test: Pick<TestContext, 'signal'>,
  args: readonly string[],
  options: CommandOptions,
): Promise<Outcome> {
  const root = findPackageRoot()
  const child = spawn(process.execPath, [join(root, 'bin/casework.js'), ...args], {
    cwd: root,
    env: {
      CASEWORK_URL: options.url,
      ...(options.token === undefined ? {} : { CASEWORK_TOKEN: options.token }),
      ...options.environment,
    },
    signal: test.signal,
  })
  let stdout = ''
  let stderr = ''
  let called: Promise<void> | undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length >= (options.readBytesMax ?? Number.POSITIVE_INFINITY)) child.stdout.destroy()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr === '') called = options.onStderr?.(text)
    stderr += text
  })
  // A command may end without reading its input.
  child.stdin.on('error', () => undefined)
  Readable.from(typeof options.input === 'object' ? options.input : [options.input ?? '']).pipe(
    child.stdin,
  )
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  await called
  return { code, stdout, stderr }
}
