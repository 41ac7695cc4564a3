// Scans the raw bytes before they are parsed, so that a mail that exceeds a limit is quarantined
// before anything is decoded or copied.

import { looksLikeMail } from './detect-mail.ts'
import { READING_LIMITS, type ReadingLimits } from './reading-limits.ts'
import { type MimeNode, type MimeTree, splitMime } from './split-mime.ts'

/**
 * Null when the bytes may be read, else a public sentence that names the limit. Linear in the
 * bytes.
 */
export function prescanReport(
  bytes: Uint8Array,
  limits: ReadingLimits = READING_LIMITS,
): string | null {
  if (bytes.length > limits.messageBytesMax) {
    return `The report is not read: it is longer than ${limits.messageBytesMax} bytes.`
  }
  if (!looksLikeMail(bytes)) return null
  const exceeded = scanMail(bytes, limits)
  return exceeded === null ? null : `The mail is not read. ${exceeded}`
}

// Enclosed mails are scanned level by level. Each level is a range of the same bytes, so there are
// at most enclosedDepthMax + 1 passes.
function scanMail(bytes: Uint8Array, limits: ReadingLimits): string | null {
  let level: readonly Uint8Array[] = [bytes]
  let partCount = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.enclosedDepthMax) {
      return `Mails are enclosed in one another more than ${limits.enclosedDepthMax} deep.`
    }
    const enclosed: Uint8Array[] = []
    for (const each of level) {
      const tree = splitMime(each, { ...limits, partsMax: limits.partsMax - partCount })
      partCount += tree.partCount
      if (partCount > limits.partsMax) return `It has more than ${limits.partsMax} parts.`
      if (tree.exceeded !== null) return tree.exceeded
      collectEnclosed(tree, tree.root, enclosed)
    }
    level = enclosed
  }
  return null
}

// A mail is enclosed as it is (RFC 2046 section 5.2.1); packed in base64 it is opened by nobody
// here but once.
function collectEnclosed(tree: MimeTree, node: MimeNode, enclosed: Uint8Array[]): void {
  if (node.contentType.value === 'message/rfc822') {
    enclosed.push(tree.bytes.subarray(node.bodyStart, node.bodyEnd))
  }
  for (const child of node.children) collectEnclosed(tree, child, enclosed)
}
