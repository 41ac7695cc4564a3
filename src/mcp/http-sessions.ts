// The sessions of `casework mcp --http`. A session belongs to the token that opened it: its calls
// go out with that token, and a request with another one does not find it.

import { hash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Server, StreamableHTTPServerTransport } from './sdk.ts'

export interface SessionBounds {
  readonly sessionsMax: number
  readonly perCallerMax: number
  readonly idleMs: number
}

// A session is a server object of some 50 kB. The oldest of a caller gives way to its next, those
// without an open request first: a client that crashes leaves its session behind.
export const SESSION_BOUNDS: SessionBounds = {
  sessionsMax: 500,
  perCallerMax: 20,
  idleMs: 30 * 60_000,
}

export interface McpSession {
  readonly id: string
  readonly tokenHash: Buffer
  readonly server: Server
  readonly transport: StreamableHTTPServerTransport
  requestsOpen: number
  usedAtMs: number
}

export interface McpSessions {
  /** Null when there is none, or when it is somebody else's. */
  readonly find: (id: string, token: string) => McpSession | null
  /** False when there is no place for another session. */
  readonly makeRoom: (token: string) => boolean
  readonly add: (session: McpSession) => void
  readonly remove: (id: string) => void
  readonly closeAll: () => Promise<void>
}

export function hashCaller(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export function createSessionId(): string {
  return randomUUID()
}

export function createSessions(bounds: SessionBounds): McpSessions {
  // In the order of their last use.
  const sessions = new Map<string, McpSession>()
  const sweep = setInterval(closeIdle, Math.min(bounds.idleMs, 60_000))
  sweep.unref()

  function closeIdle(): void {
    const since = performance.now() - bounds.idleMs
    for (const session of sessions.values()) {
      if (session.requestsOpen === 0 && session.usedAtMs < since) close(session)
    }
  }

  function close(session: McpSession): void {
    sessions.delete(session.id)
    // Its streams end; the client opens a new session when it calls again.
    void session.server.close()
  }

  function listOf(token: string): readonly McpSession[] {
    const tokenHash = hashCaller(token)
    return [...sessions.values()].filter((one) => timingSafeEqual(one.tokenHash, tokenHash))
  }

  return {
    find(id, token) {
      const session = sessions.get(id)
      if (session === undefined) return null
      if (!timingSafeEqual(session.tokenHash, hashCaller(token))) return null
      sessions.delete(id)
      sessions.set(id, session)
      session.usedAtMs = performance.now()
      return session
    },
    makeRoom(token) {
      closeIdle()
      const own = listOf(token)
      const [oldest] = own
      const unused = own.find(({ requestsOpen }) => requestsOpen === 0) ?? oldest
      if (own.length >= bounds.perCallerMax && unused !== undefined) close(unused)
      return sessions.size < bounds.sessionsMax
    },
    add: (session) => sessions.set(session.id, session),
    remove: (id) => sessions.delete(id),
    async closeAll() {
      clearInterval(sweep)
      const all = [...sessions.values()]
      sessions.clear()
      await Promise.all(all.map(({ server }) => server.close()))
    },
  }
}
