// Downloads a published list through the guarded client, on condition that it changed. Size and
// content type are checked here, so that an error page, a picture or a gzip bomb is never read as a
// list.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import {
  explainToOperator,
  type OutboundAnswer,
  type OutboundFailure,
  type OutboundRefusal,
} from '../../../kernel/outbound/outbound-outcome.ts'
import { hasErrorCode } from '../../../kernel/system-error.ts'

// The largest body that the client accepts; about four million addresses.
const LIST_BYTES_MAX = 64 * 1_024 * 1_024
// 64 MiB in two minutes is 4.5 Mbit/s.
const TIMEOUT_MS = 120_000
const VALIDATOR_LENGTH_MAX = 1_000

export interface ListAddress {
  readonly url: string
  /** ETag and Last-Modified of the former answer. */
  readonly etag: string | null
  readonly lastModified: string | null
}

export type FetchedList =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'list'
      readonly body: Buffer
      readonly etag: string | null
      readonly lastModified: string | null
    }
  /** One sentence for the operator. */
  | { readonly kind: 'failed'; readonly trouble: string }

export async function fetchList(
  outbound: Outbound,
  address: ListAddress,
  signal: AbortSignal,
): Promise<FetchedList> {
  const outcome = await outbound.request({
    method: 'GET',
    url: address.url,
    headers: conditionOf(address),
    purpose: 'source',
    timeoutMs: TIMEOUT_MS,
    maxBytes: LIST_BYTES_MAX,
    // The operator chose http in the URL; a redirect from https to http stays refused.
    allowHttp: address.url.startsWith('http:'),
    signal,
  })
  if (outcome.kind !== 'answer') return failed(explainTrouble(outcome, address.url))
  // 304 means something only when a condition was sent.
  if (outcome.status === 304 && (address.etag ?? address.lastModified) !== null) {
    return { kind: 'unchanged' }
  }
  if (outcome.status !== 200) return failed(`The server answered ${outcome.status}.`)
  return await checkAnswer(outcome)
}

// The sentence names the host of the URL where DNS failed, since that is what a person must check.
// Elsewhere it must not show an address that a name led to.
function explainTrouble(outcome: OutboundRefusal | OutboundFailure, url: string): string {
  const sentence = explainToOperator(outcome)
  return outcome.reason === 'dns' ? `${new URL(url).hostname}: ${sentence}` : sentence
}

function conditionOf({ etag, lastModified }: ListAddress): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
}

// Servers send lists as text, as bytes, compressed, or without a type. The types below are those of
// error pages, log-in pages and media.
const WRONG_TYPE =
  /^(?:text\/html|application\/(?:xhtml\+xml|pdf)|(?:image|video|audio|font|multipart)\/)/i

async function checkAnswer({ headers, body }: OutboundAnswer): Promise<FetchedList> {
  const type = headers.get('content-type') ?? ''
  if (WRONG_TYPE.test(type)) {
    return failed(`The server sent ${type.split(';')[0]?.slice(0, 50)}, which is no list.`)
  }
  const unpacked = await unpack(body)
  if (typeof unpacked === 'string') return failed(unpacked)
  const start = unpacked.subarray(0, 200).toString('latin1').trimStart().toLowerCase()
  if (start.startsWith('<')) return failed('The server sent a page or XML, which is no list.')
  return {
    kind: 'list',
    body: unpacked,
    etag: readValidator(headers.get('etag')),
    lastModified: readValidator(headers.get('last-modified')),
  }
}

const unpackGzip = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip)

/** The content of a gzip file (RFC 1952), any other file as it is, or the reason of a failure. */
async function unpack(body: Buffer): Promise<Buffer | string> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return await unpackGzip(body, { maxOutputLength: LIST_BYTES_MAX })
  } catch (error) {
    return hasErrorCode(error, 'ERR_BUFFER_TOO_LARGE')
      ? 'The list is larger than 64 MiB when it is unpacked.'
      : 'The list is packed by gzip and damaged.'
  }
}

// The value is sent back as it came, so it must be fit for a header.
function readValidator(value: string | undefined): string | null {
  if (value === undefined || value === '' || value.length > VALIDATOR_LENGTH_MAX) return null
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) ? value : null
}

function failed(trouble: string): FetchedList {
  return { kind: 'failed', trouble }
}
