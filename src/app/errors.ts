// Operating errors of starting and stopping. See docs/reference/errors.md.

import { defineErrors } from '../kernel/define-errors.ts'
import { OperatingError } from '../kernel/operating-error.ts'

/** An address to listen on, and the flags that change it. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly hostFlag: string
  readonly portFlag: string
}

export const {
  portTaken,
  addressNotUsable,
  databaseNotUsable,
  noErasureLog,
  databaseTooOld,
  serverNotReady,
  noDataThere,
  demoIsThere,
  docsScriptMissing,
  schemaNotReady,
} = defineErrors({
  portTaken: [
    500,
    'APP_PORT_TAKEN',
    ({ host, port, portFlag }: ListenAddress, cause: unknown) => ({
      text: `Port ${port} on ${host} is taken by another program; stop that one, or choose another port with ${portFlag} (0 picks a free one).`,
      cause,
    }),
  ],
  addressNotUsable: [
    500,
    'APP_ADDRESS_NOT_USABLE',
    ({ host, port, hostFlag, portFlag }: ListenAddress, reason: string, cause: unknown) => ({
      text: `Casework cannot listen on ${host} port ${port} (${reason}); choose another address with ${hostFlag} or another port with ${portFlag}.`,
      cause,
    }),
  ],
  /** `place` is the database's address without credentials; `reason` is part of the sentence. */
  databaseNotUsable: [
    500,
    'APP_DATABASE_NOT_USABLE',
    (place: string, reason: string, cause: unknown) => ({
      text: `${place} cannot be used: ${reason}; check DATABASE_URL and that the database runs.`,
      cause,
    }),
  ],
  noErasureLog: [
    500,
    'APP_NO_ERASURE_LOG',
    (file: string) =>
      `There is no log of erasures at ${file}; the log is erasures.jsonl in the data folder of each server, or the file in CASEWORK_ERASURE_LOG.`,
  ],
  databaseTooOld: [
    500,
    'APP_DATABASE_TOO_OLD',
    (place: string, version: string) =>
      `${place} is ${version.split(' ').slice(0, 2).join(' ')}, and casework needs 15 or newer; upgrade it, or leave DATABASE_URL unset to use the embedded one.`,
  ],
  serverNotReady: [
    500,
    'APP_SERVER_NOT_READY',
    (dataDir: string) =>
      `The server on ${dataDir} is still starting, or is stopping; try again in a moment.`,
  ],
  /** For commands that use a database: a mistyped name must not create one. */
  noDataThere: [
    500,
    'APP_NO_DATA',
    (place: string) =>
      `There is no data of casework in ${place}; name the right folder with --data-dir or the right database with DATABASE_URL, or create it with "npx casework serve" or "npx casework migrate".`,
  ],
  demoIsThere: [
    409,
    'APP_DEMO_IS_THERE',
    'The demo is there already, or a tenant has one of its ids; "casework demo remove" takes the demo away.',
  ],
  docsScriptMissing: [
    503,
    'APP_DOCS_SCRIPT_MISSING',
    'This installation has no script for the reference; its operator runs "npm ci && npm run build" in the checkout. The document itself is at /openapi.json.',
  ],
  schemaNotReady: [
    500,
    'APP_SCHEMA_NOT_READY',
    (reason: string) =>
      `A node with the role lookup changes no schema, and ${reason}: start or upgrade a node with the role api first.`,
  ],
})

/**
 * `place` is the public address of the instance, null where this node does not know it. The header
 * names it to those whose answer has no body, too (RFC 8288).
 */
export function lookupNodeOnly(place: string | null, path: string): OperatingError {
  return new OperatingError({
    code: 'APP_LOOKUP_NODE_ONLY',
    status: 503,
    publicMessage: `This node answers look-ups and quick checks only (role lookup): send the request to ${place ?? 'a node with the role api'}.`,
    ...(place === null
      ? {}
      : { headers: { link: `<${new URL(path, place).href}>; rel="alternate"` } }),
  })
}
