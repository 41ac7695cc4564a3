// Scans the raw bytes before they are parsed, so that a mail that exceeds a limit is quarantined
// before anything is decoded or copied.

import { looksLikeMail } from './detect-mail.ts'
import { READING_LIMITS, type ReadingLimits } from './reading-limits.ts'
import { type MimeNode, type MimeTree, splitMime } from './split-mime.ts'

export interface Prescan {
  /** Null when the bytes may be read, else a public sentence that names the limit. */
  readonly exceeded: string | null
  /** Null for what is no mail. */
  readonly tree: MimeTree | null
}

/** Linear in the bytes. */
export function prescanReport(bytes: Uint8Array, limits: ReadingLimits = READING_LIMITS): Prescan {
  if (bytes.length > limits.messageBytesMax) {
    const exceeded = `The report is not read: it is longer than ${limits.messageBytesMax} bytes.`
    return { exceeded, tree: null }
  }
  if (!looksLikeMail(bytes)) return { exceeded: null, tree: null }
  const tree = splitMime(bytes, limits)
  const exceeded = scanMail(tree, limits)
  return { exceeded: exceeded === null ? null : `The mail is not read. ${exceeded}`, tree }
}

interface Scan {
  partCount: number
  /** The mails of the next level. */
  enclosed: Uint8Array[]
}

// Enclosed mails are scanned level by level. Each level is a range of the same bytes, so there are
// at most enclosedDepthMax + 1 passes.
function scanMail(tree: MimeTree, limits: ReadingLimits): string | null {
  const scan: Scan = { partCount: 0, enclosed: [] }
  const exceeded = scanTree(scan, tree, limits)
  if (exceeded !== null) return exceeded
  for (let depth = 1; scan.enclosed.length > 0; depth += 1) {
    if (depth > limits.enclosedDepthMax) {
      return `Mails are enclosed in one another more than ${limits.enclosedDepthMax} deep.`
    }
    const level = scan.enclosed
    scan.enclosed = []
    for (const each of level) {
      const left = { ...limits, partsMax: limits.partsMax - scan.partCount }
      const within = scanTree(scan, splitMime(each, left), limits)
      if (within !== null) return within
    }
  }
  return null
}

function scanTree(scan: Scan, tree: MimeTree, { partsMax }: ReadingLimits): string | null {
  scan.partCount += tree.partCount
  if (scan.partCount > partsMax) return `It has more than ${partsMax} parts.`
  if (tree.exceeded === null) collectEnclosed(tree, tree.root, scan.enclosed)
  return tree.exceeded
}

// A mail is enclosed as it is (RFC 2046 section 5.2.1); packed in base64 it is opened by nobody
// here but once.
function collectEnclosed(tree: MimeTree, node: MimeNode, enclosed: Uint8Array[]): void {
  if (node.contentType.value === 'message/rfc822') {
    enclosed.push(tree.bytes.subarray(node.bodyStart, node.bodyEnd))
  }
  for (const child of node.children) collectEnclosed(tree, child, enclosed)
}
