// What sign-in needs in one process: settings, the hasher of passwords with its bound, its counts,
// and the address at which people open the program.

import type { Registry } from 'prom-client'
import { loadProviders, type ProviderSettings } from '../access/oidc/provider-settings.ts'
import type { SignInSettings } from '../access/routes.ts'
import { buildPublicUrl } from '../access/sessions/check-origin.ts'
import { createPasswordHasher } from '../access/sign-in/password-hash.ts'
import { createSignInMetrics } from '../access/sign-in/sign-in-metrics.ts'
import type { Config } from '../kernel/config.ts'

export interface SignIn extends SignInSettings {
  /** With port 0 the port is known once it is listened on. */
  readonly notePort: (port: number) => void
  readonly providerSettings: readonly ProviderSettings[]
}

export function openSignIn(
  {
    publicUrl,
    port,
    sessionIdleMinutes,
    sessionMaxHours,
    providersFile,
    secondFactor,
    relayUrl,
  }: Config,
  registry: Registry,
): SignIn {
  let listening = port
  return {
    publicUrl,
    readPublicUrl: () => buildPublicUrl(publicUrl, listening),
    notePort(used) {
      listening = used
    },
    providerSettings: loadProviders(providersFile),
    sessionIdleMs: sessionIdleMinutes * 60_000,
    sessionMaxMs: sessionMaxHours * 3_600_000,
    secondFactor,
    sendsMail: relayUrl !== null,
    hasher: createPasswordHasher(),
    metrics: createSignInMetrics(registry),
  }
}
