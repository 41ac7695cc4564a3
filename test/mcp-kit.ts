// The official client of the Model Context Protocol against `casework mcp` as a child process, in
// front of an app of the harness that listens on a port.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { findPackageRoot } from '../src/values/resources.ts'
import { endProcess } from './child-process.ts'

const LAUNCHER = join(findPackageRoot(), 'bin', 'casework.js')

/** A test, or the root of a file: what is opened for it is closed after it. */
export interface TestScope {
  readonly after: (end: () => unknown) => void
}

interface Launch {
  readonly url: string
  readonly args?: readonly string[]
  readonly command?: readonly string[]
  /** A token in the environment of the server over HTTP, which must not use it. */
  readonly ownToken?: string
}

/** A client whose server is a process of its own, until the test ends. */
export async function connectByStdio(
  t: TestScope,
  { url, token, args = [], command = [process.execPath, LAUNCHER] }: Launch & { token: string },
): Promise<Client> {
  const [program = '', ...words] = command
  return await connect(
    t,
    new StdioClientTransport({
      command: program,
      args: [...words, 'mcp', ...args],
      env: { CASEWORK_URL: url, CASEWORK_TOKEN: token },
      stderr: 'pipe',
    }),
  )
}

/** A client of a server that runs already. */
export async function connectByHttp(t: TestScope, url: string, token: string): Promise<Client> {
  const headers = { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  return await connect(t, transport)
}

async function connect(t: TestScope, transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}

/** `casework mcp --http` on a free port; its address. */
export async function startMcpHttp(
  t: TestScope,
  { url, args = [], command = [process.execPath, LAUNCHER], ownToken }: Launch,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const [program = '', ...words] = command
  const child = spawn(program, [...words, 'mcp', '--http', '0', ...args], {
    env: { CASEWORK_URL: url, ...(ownToken === undefined ? {} : { CASEWORK_TOKEN: ownToken }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => endProcess(child))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ready = await new Promise<string>((resolve, reject) => {
    let shown = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const found = /^casework mcp is ready at (\S+)$/m.exec(shown)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)))
  })
  return { url: ready, child }
}

export interface ToolAnswer {
  readonly isError: boolean
  /** The text, which is all that some clients show to the model. */
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came, whatever it is
  readonly body: any
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  const [first, ...others] = content as readonly { readonly type: string; readonly text: string }[]
  assert(first?.type === 'text' && others.length === 0)
  return { isError: isError === true, text: first.text, body: structuredContent }
}

/** A call that must have a result. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export async function useTool(client: Client, name: string, args = {}): Promise<any> {
  const { isError, text, body } = await callTool(client, name, args)
  assert.equal(isError, false, text)
  assert.deepEqual(JSON.parse(text), body, 'text and structure are the same')
  return body
}
