// Nothing of a tenant of the demo leaves this machine, whatever somebody tries there later:
// webhooks, adapters, systems that playbooks call, owner resolvers. Mail is kept back by
// casework/notices/send-notices.ts.

import type { IsDemoTenant } from '../access/demo-tenants.ts'
import { readRowScope } from '../kernel/db/row-scope.ts'
import type { Outbound } from '../kernel/outbound/outbound.ts'
import { refuse } from '../kernel/outbound/outbound-outcome.ts'

/** The client, which refuses the requests and probes that are made for a tenant of the demo. */
export function keepDemoQuiet(outbound: Outbound, isDemoTenant: IsDemoTenant): Outbound {
  const isOfDemo = async (): Promise<boolean> => {
    const tenantId = readRowScope()
    return tenantId !== null && (await isDemoTenant(tenantId))
  }
  return {
    ...outbound,
    request: async (asked) => ((await isOfDemo()) ? refuse('demo') : await outbound.request(asked)),
    probe: async (asked) => ((await isOfDemo()) ? refuse('demo') : await outbound.probe(asked)),
  }
}
