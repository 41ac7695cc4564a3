// Whose request the running code works for, and from where it came. The audit log writes it down in
// the transaction of an act; everything else is handed on as arguments.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '../../vocabulary/caller.ts'

export interface RequestOrigin {
  readonly caller: Caller | null
  /** Empty on the socket in the data folder. */
  readonly remoteAddress: string
  readonly requestId: string
}

const origins = new AsyncLocalStorage<RequestOrigin>()

export function withRequestOrigin<Result>(origin: RequestOrigin, work: () => Result): Result {
  return origins.run(origin, work)
}

/** Null in work that no request has asked for: jobs and commands. */
export function readRequestOrigin(): RequestOrigin | null {
  return origins.getStore() ?? null
}
