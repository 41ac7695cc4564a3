// What the tests use of oidc-provider, which comes without types.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
    Grant: new (
      properties: object,
    ) => Grant
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  /** The context of a request, as the configuration gets it. */
  export interface RequestContext {
    readonly oidc: {
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
      readonly provider: Provider
    }
  }
}
