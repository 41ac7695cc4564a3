// Bytes of a request body to a JSON value: well-formed UTF-8, JSON, bounded depth, no member that
// could reach a prototype.

import { isUtf8 } from 'node:buffer'
import { requestNotValid } from '../errors.ts'

// Deeper than this nothing of ours looks at a value, and a recursive walk must end.
const DEPTH_MAX = 200

/**
 * Throws the operating error 400 for anything else. A byte order mark is dropped (RFC 8259 section
 * 8.1 allows it).
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw requestNotValid('The request body is empty; JSON is expected.')
  // Bytes that are not UTF-8 would be replaced silently, and what is stored would differ from what
  // was sent.
  if (!isUtf8(bytes)) throw requestNotValid('The request body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (error) {
    throw requestNotValid('The request body is not valid JSON.', [], error)
  }
  // No honest body has such a member, and it becomes dangerous as soon as someone copies the
  // object.
  if (mayNamePrototype(text) && hasPrototypeMember(value, 0)) {
    throw requestNotValid(
      'The request body nests too deep, or has a member that is not allowed: __proto__ or constructor.prototype.',
    )
  }
  return value
}

// A cheap look first: the walk is needed only when there is an object and the text can hold such a
// name, plain or escaped. A list of 1,000 items has no brace, and one search for it costs less than
// 1 µs; a regular expression over all names takes 40.
function mayNamePrototype(text: string): boolean {
  return (
    text.includes('{') &&
    (text.includes('__proto__') || text.includes('prototype') || text.includes('\\u'))
  )
}

function hasPrototypeMember(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > DEPTH_MAX) return true
  if (Array.isArray(value)) return value.some((member) => hasPrototypeMember(member, depth + 1))
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__' || (key === 'constructor' && hasOwnPrototype(member))) return true
    if (hasPrototypeMember(member, depth + 1)) return true
  }
  return false
}

function hasOwnPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}
