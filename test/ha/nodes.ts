// Two nodes of Casework from casework.env of deploy/ha. Node 1 reaches the database by HAProxy, as
// the file says; node 2 by the list of hosts, which is the other way that the file names.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { makeOpenFolder, startProgram } from '../startup/program.ts'
import { readNodeExample } from './cluster.ts'
import { type Address, type Machines, readVariables } from './machines.ts'

export const TOKEN = `cw_admin_${'ha'.repeat(20)}`

export interface CaseworkNode {
  readonly url: string
  readonly mail: Address
  readonly send: (method: string, path: string, json?: unknown) => Promise<Answer>
  /** Ends it by SIGTERM; it must say that all is well. */
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** `own` are settings in the place of those of the example. */
export async function startNode(
  t: TestContext,
  machines: Machines,
  number: 1 | 2,
  own: Readonly<Record<string, string>>,
): Promise<CaseworkNode> {
  const http = machines.at(10 + number, 8080)
  const environment = {
    ...readVariables(readNodeExample(machines)),
    CASEWORK_HOST: http.host,
    CASEWORK_DATA_DIR: makeOpenFolder(t),
    CASEWORK_SECRET_KEY: Buffer.alloc(32, 'key of the test').toString('base64'),
    CASEWORK_BOOTSTRAP_TOKEN: TOKEN,
    // Every connection of this machine to its own loopback addresses comes from there.
    CASEWORK_TRUSTED_PROXIES: '127.0.0.1',
    CASEWORK_SMTP_PROXIES: '127.0.0.1',
    ...own,
  }
  const program = startProgram(t, ['serve'], { environment })
  const url = await program.whenReady
  return {
    url,
    mail: machines.at(10 + number, 2525),
    async send(method, path, json) {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      return { status: answer.status, text: await answer.text() }
    },
    async stop() {
      program.child.kill('SIGTERM')
      assert.deepEqual(await program.whenExited, { code: 0, signal: null }, program.stderr())
    },
  }
}
