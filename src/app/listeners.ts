// Opens the listening sockets: one HTTP server in this thread, or several threads with a server
// each, which share the port (`reusePort`).

import { createServer, type Server } from 'node:net'
import { Worker } from 'node:worker_threads'
import { locateScript } from '../kernel/async/worker-host.ts'
import { type Config, hasListeners } from '../kernel/config.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import type { LookupServices } from './compose.ts'
import type { ListenAddress } from './errors.ts'
import { buildHttp, type HttpParts } from './http.ts'
import type { ThreadMessage, ThreadStart } from './http-thread.ts'
import { explainListenTrouble, formatUrl, intelAddress, listen, mainAddress } from './listen.ts'
import { openIntelFeed } from './open-intel.ts'
import { buildIntelSite, type Site } from './site.ts'
import { warmUp } from './warm-up.ts'

export interface Listeners {
  /** Null without the roles api and lookup. */
  readonly url: string | null
  /** Null without a separate listener for the intel group. */
  readonly intelUrl: string | null
  /** Resolves with an error message when a thread ends unexpectedly. */
  readonly whenBroken: Promise<string>
  readonly close: () => Promise<void>
}

export interface ListenersOptions {
  readonly services: LookupServices
  readonly site: Site
  readonly parts: HttpParts
  readonly connection: DatabaseConnection
}

/** Listens on the configured addresses. Throws an operating error that names the port in use. */
export async function startListeners(options: ListenersOptions): Promise<Listeners> {
  const { config } = options.services.foundation
  if (!hasListeners(config)) {
    return {
      url: null,
      intelUrl: null,
      whenBroken: new Promise(() => undefined),
      close: async () => undefined,
    }
  }
  return config.threads === 1 ? await listenHere(options) : await listenInThreads(options, config)
}

async function listenHere({ services, site, parts }: ListenersOptions): Promise<Listeners> {
  const { config } = services.foundation
  await warmUp(services)
  const app = buildHttp(services, { ...site, parts })
  const closers = [() => app.close()]
  try {
    const port = await listen(app, mainAddress(config))
    site.notePort(port)
    let intelUrl: string | null = null
    const intelPlace = intelAddress(config)
    if (intelPlace !== null) {
      const intelApp = buildHttp(services, { ...buildIntelSite(site), parts })
      closers.push(() => intelApp.close())
      const intelPort = await listen(intelApp, intelPlace)
      intelUrl = formatUrl(config.host, intelPort)
    }
    return {
      url: formatUrl(config.host, port),
      intelUrl,
      whenBroken: new Promise(() => undefined),
      close: async () => {
        await Promise.all(closers.map((closer) => closer()))
      },
    }
  } catch (error) {
    await Promise.all(closers.map((closer) => closer()))
    throw error
  }
}

// With `reusePort` two instances, or two listeners of this one, would share one port without an
// error. So a plain, exclusive bind of all of them together must succeed first (design section 10).
async function claimPorts(addresses: readonly ListenAddress[]): Promise<readonly number[]> {
  const probes: Server[] = []
  try {
    const ports: number[] = []
    for (const address of addresses) {
      const probe = createServer()
      probes.push(probe)
      // The flag of the second listener is named when both want one port.
      ports.push(await claimPort(probe, address))
    }
    return ports
  } finally {
    await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))))
  }
}

function claimPort(probe: Server, address: ListenAddress): Promise<number> {
  const { host, port } = address
  return new Promise((resolve, reject) => {
    probe.once('error', (error) => reject(explainListenTrouble(error, address)))
    probe.listen({ host, port, exclusive: true }, () => {
      const bound = probe.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}

async function listenInThreads(
  { services, site, parts, connection }: ListenersOptions,
  config: Config,
): Promise<Listeners> {
  const intelPlace = intelAddress(config)
  const [port = config.port, intelPort = null] = await claimPorts([
    mainAddress(config),
    ...(intelPlace === null ? [] : [intelPlace]),
  ])
  site.notePort(port)
  const rateBuffer = parts.rates.buffer
  const start = { config: { ...config, port, intelPort }, connection, rateBuffer }
  const threads: HttpThread[] = []
  const close = async (): Promise<void> => {
    await Promise.all(threads.map((thread) => thread.close()))
  }
  try {
    for (let index = 0; index < config.threads; index += 1) {
      threads.push(startThread({ ...start, intelFeed: openIntelFeed(services.intel) }))
    }
    await Promise.all(threads.map((thread) => thread.whenReady))
  } catch (error) {
    await close()
    throw error
  }
  services.foundation.log.info('HTTP threads are up', { threads: config.threads, port })
  return {
    url: formatUrl(config.host, port),
    intelUrl: intelPort === null ? null : formatUrl(config.host, intelPort),
    whenBroken: Promise.race(threads.map((thread) => thread.whenBroken)),
    close,
  }
}

interface HttpThread {
  readonly whenReady: Promise<void>
  readonly whenBroken: Promise<string>
  readonly close: () => Promise<void>
}

function startThread(start: ThreadStart): HttpThread {
  const worker = new Worker(locateScript('http-thread', import.meta.url), {
    workerData: start,
    transferList: [start.intelFeed.index, start.intelFeed.networks],
  })
  let isClosing = false
  const whenReady = Promise.withResolvers<void>()
  const whenBroken = Promise.withResolvers<string>()
  worker.on('message', (message: ThreadMessage) => {
    if (message.kind === 'ready') whenReady.resolve()
  })
  worker.on('error', (error: Error) => {
    whenReady.reject(error)
    whenBroken.resolve(`An HTTP thread failed: ${error.message}`)
  })
  const whenExited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      whenReady.reject(new Error(`an HTTP thread ended with code ${code} before it was ready`))
      if (!isClosing) whenBroken.resolve(`An HTTP thread ended with code ${code}.`)
      resolve()
    })
  })
  // A later failure rejects this promise when no caller waits for it any more.
  whenReady.promise.catch(() => undefined)
  return {
    whenReady: whenReady.promise,
    whenBroken: whenBroken.promise,
    async close() {
      isClosing = true
      // The rule is about browser windows; this is a port between threads.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage({ kind: 'stop' })
      await whenExited
    },
  }
}
