// Closes the connections of clients that do not read their responses. Node limits slow headers and
// idle connections. But a client that reads a byte now and then would keep its response in memory
// forever (the slow read attack, `slowhttptest -X`), and many of them would fill the memory.

import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface SlowReaderLimits {
  /** A client with a waiting response must take `bytesMin` in each window, on average. */
  readonly windowMs: number
  readonly bytesMin: number
  /** The longest time without progress that a client earns by the bytes it took before. */
  readonly creditMs: number
  /** Maximum of bytes that wait for the clients of all connections. */
  readonly waitingBytesMax: number
  /** How often the connections are checked. */
  readonly checkMs: number
}

/** `slow`: the client reads too slowly. `crowded`: too many bytes wait for all clients together. */
export type CutReason = 'slow' | 'crowded'

export interface SlowReaderGuard {
  /** Checks the connections of this server too. Call it before the server listens. */
  readonly watch: (server: Server) => void
  /**
   * Counts a large response as waiting from now until it is closed: the part of it that was not yet
   * written to the socket is in memory as well.
   */
  readonly hold: (socket: Socket, response: ServerResponse, bytes: number) => void
}

interface Watch {
  /** Bytes that the system had taken at the last check. */
  bytesTaken: number
  /** Bytes of large responses on their way. */
  bytesHeld: number
  /** Null while no response waits. */
  reading: Reading | null
}

/** A client that has a response waiting. */
interface Reading {
  readonly sinceMs: number
  readonly bytesBefore: number
  /** The client is too slow at this time, unless it takes more. */
  deadlineMs: number
}

/**
 * A timer checks every connection, so a small response costs nothing. It runs while there are
 * connections.
 *
 * The measure is the bytes that the operating system took. It takes them by leaps: its send buffer
 * of up to 4 MB (Linux) accepts more when a third of it is free. So bytes taken earn time at the
 * lowest rate allowed, and a client above that rate is not cut between two leaps.
 */
export function createSlowReaderGuard(
  limits: SlowReaderLimits,
  onCut: (reason: CutReason) => void = () => undefined,
): SlowReaderGuard {
  const watches = new Map<Socket, Watch>()
  let timer: NodeJS.Timeout | null = null
  let heldBytes = 0
  const forget = (socket: Socket): void => {
    heldBytes -= watches.get(socket)?.bytesHeld ?? 0
    watches.delete(socket)
    if (watches.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
  const cut = (socket: Socket, reason: CutReason): void => {
    // Its 'close' comes later, and its bytes must not be counted until then.
    forget(socket)
    socket.destroy()
    onCut(reason)
  }
  const relieve = (waitingBytes: number, nowMs: number): void => {
    // An eighth more than necessary, so that a flood of responses is not ranked for each of them.
    const excess = waitingBytes - (limits.waitingBytesMax * 7) / 8
    for (const socket of chooseSlowest(watches, excess, nowMs)) cut(socket, 'crowded')
  }
  const checkAll = (): void => {
    const nowMs = performance.now()
    let waitingBytes = 0
    for (const [socket, watch] of watches) {
      check(socket, watch, nowMs, limits)
      if (watch.reading === null) continue
      if (watch.reading.deadlineMs > nowMs) waitingBytes += countWaiting(socket, watch)
      else cut(socket, 'slow')
    }
    if (waitingBytes > limits.waitingBytesMax) relieve(waitingBytes, nowMs)
  }
  return {
    watch(server) {
      server.on('connection', (socket: Socket) => {
        watches.set(socket, { bytesTaken: 0, bytesHeld: 0, reading: null })
        timer ??= setInterval(checkAll, limits.checkMs).unref()
        socket.once('close', () => forget(socket))
      })
      // Silence on a socket. A client that reads slowly is silent between two leaps.
      server.on('timeout', (socket: Socket) => {
        const reading = watches.get(socket)?.reading ?? null
        if (reading === null) socket.destroy()
      })
    },
    hold(socket, response, bytes) {
      const watch = watches.get(socket)
      // A connection that is not checked, such as the one of the socket in the data folder.
      if (watch === undefined) return
      watch.bytesHeld += bytes
      heldBytes += bytes
      response.once('close', () => {
        if (!watches.has(socket)) return
        watch.bytesHeld -= bytes
        heldBytes -= bytes
      })
      if (heldBytes > limits.waitingBytesMax) relieve(heldBytes, performance.now())
    },
  }
}

function countWaiting(socket: Socket, { bytesHeld }: Watch): number {
  return Math.max(socket.writableLength, bytesHeld)
}

function check(socket: Socket, watch: Watch, nowMs: number, limits: SlowReaderLimits): void {
  const bytesTaken = countTaken(socket)
  const gained = bytesTaken - watch.bytesTaken
  watch.bytesTaken = bytesTaken
  if (countWaiting(socket, watch) === 0) {
    watch.reading = null
    return
  }
  watch.reading ??= { sinceMs: nowMs, bytesBefore: bytesTaken, deadlineMs: nowMs + limits.windowMs }
  const earnedMs = (gained * limits.windowMs) / limits.bytesMin
  watch.reading.deadlineMs = Math.min(
    watch.reading.deadlineMs + earnedMs,
    nowMs + Math.max(limits.creditMs, limits.windowMs),
  )
}

/**
 * Bytes that the system has taken. `bytesWritten - writableLength` counts a write only when its
 * last byte was taken, so a response in one write would seem to stand still. The handle knows
 * better; it is not documented, but Node's own timeout of sockets asks it (lib/net.js).
 */
function countTaken(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle === 'object' && handle !== null) {
    const { bytesWritten, writeQueueSize }: { bytesWritten?: unknown; writeQueueSize?: unknown } =
      handle
    if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number') {
      return bytesWritten - writeQueueSize
    }
  }
  return socket.bytesWritten - socket.writableLength
}

// The send buffer of Linux takes so much of a response from which the client reads nothing.
const TAKEN_UNREAD_MAX = 4 * 1_024 * 1_024

/**
 * The slowest clients, of equally slow ones the oldest, who hold more than `excess` bytes together.
 */
function chooseSlowest(
  watches: ReadonlyMap<Socket, Watch>,
  excess: number,
  nowMs: number,
): readonly Socket[] {
  const ranked = [...watches]
    .filter(([socket, watch]) => countWaiting(socket, watch) > 0)
    .map(([socket, watch]) => ({ socket, watch, rate: measureRate(watch, nowMs) }))
    .toSorted((one, other) => one.rate - other.rate)
  let left = excess
  const chosen: Socket[] = []
  for (const { socket, watch } of ranked) {
    if (left <= 0) break
    left -= countWaiting(socket, watch)
    chosen.push(socket)
  }
  return chosen
}

/** Bytes a millisecond that the client itself has certainly read; the map is by age already. */
function measureRate({ bytesTaken, reading }: Watch, nowMs: number): number {
  if (reading === null) return 0
  const bytesRead = Math.max(0, bytesTaken - reading.bytesBefore - TAKEN_UNREAD_MAX)
  return bytesRead / Math.max(1, nowMs - reading.sinceMs)
}
