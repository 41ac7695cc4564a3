// The listener for monitoring (CASEWORK_OPS_PORT), in the main thread whatever the number of HTTP
// threads, and also without the role api.

import { createConnectionGuard, SLOW_READER_LIMITS } from '../kernel/http/connection-guard.ts'
import type { LookupServices } from './compose.ts'
import { buildHttp, type HttpParts } from './http.ts'
import { formatUrl, listen, opsAddress } from './listen.ts'
import { buildOpsRoutes } from './routes.ts'

// Bounds of its own, so that a flood on the other listeners does not keep monitoring out. A few
// scrapers and probes use it.
const CONNECTIONS_MAX = 200
const UNREAD_BYTES_MAX = 64 * 1_024 * 1_024

export interface OpsListener {
  /** Null without a listener for monitoring. */
  readonly url: string | null
  readonly close: () => Promise<void>
}

/** Throws an operating error that names the port in use. */
export async function startOpsListener(
  services: LookupServices,
  parts: HttpParts,
): Promise<OpsListener> {
  const address = opsAddress(services.foundation.config)
  if (address === null) return { url: null, close: async () => undefined }
  const connections = createConnectionGuard({
    ...SLOW_READER_LIMITS,
    connectionsMax: CONNECTIONS_MAX,
    perAddressMax: CONNECTIONS_MAX,
    waitingBytesMax: UNREAD_BYTES_MAX,
    bodyBytesMax: UNREAD_BYTES_MAX,
    isProxy: () => false,
  })
  const app = buildHttp(services, {
    routes: buildOpsRoutes(services),
    parts: { ...parts, connections },
  })
  try {
    const port = await listen(app, address)
    return { url: formatUrl(address.host, port), close: () => app.close() }
  } catch (error) {
    await app.close()
    throw error
  }
}
