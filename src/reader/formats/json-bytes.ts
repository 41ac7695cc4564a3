// Parses JSON from bytes. Only UTF-8 is accepted; a byte order mark is ignored (RFC 8259 section
// 8.1).

export type JsonBytesResult =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'no_json'; readonly reason: string }

export function parseJsonBytes(bytes: Uint8Array): JsonBytesResult {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { kind: 'no_json', reason: 'is not UTF-8 text' }
  }
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: 'no_json', reason: 'is not JSON' }
  }
}
