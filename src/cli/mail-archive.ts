// The mails of an archive one by one: a single mail, an mbox (RFC 4155 and the variants before it),
// or a maildir.

import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure, EXIT } from './exit-codes.ts'

export interface ArchivedMail {
  /** Its origin, for messages: the file, or its number in the mbox, from 1. */
  readonly place: string
  /** Null for a mail that is too large, which was skipped. */
  readonly bytes: Buffer | null
}

export interface MailArchive {
  /** True for a file that is no mbox: one mail, or a report of another kind. */
  readonly isSingle: boolean
  /** The size of all files together, for the progress; null for a pipe such as `<(…)`. */
  readonly byteLength: number | null
  /** Call it once: a pipe is read once. */
  readonly mails: () => AsyncGenerator<ArchivedMail>
}

// The limit of POST /beta/casework/reports.
export const MAIL_BYTES_MAX = 25 * 1024 * 1024

/** Throws a `CommandFailure` when there is nothing of that name, or a folder that is no maildir. */
export async function openMailArchive(path: string): Promise<MailArchive> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new CommandFailure(`There is no file ${path}.`, EXIT.notFound)
  if (found.isDirectory()) return await openMaildir(path)
  if (!found.isFile()) return await openPipe(path)
  if (await isMbox(path)) {
    return {
      isSingle: false,
      byteLength: found.size,
      mails: () => splitMbox(createReadStream(path)),
    }
  }
  return {
    isSingle: true,
    byteLength: found.size,
    async *mails() {
      yield { place: path, bytes: found.size > MAIL_BYTES_MAX ? null : await readFile(path) }
    },
  }
}

async function openMaildir(path: string): Promise<MailArchive> {
  const files: { readonly path: string; readonly size: number }[] = []
  for (const folder of ['new', 'cur']) {
    // Two folders; a mail in `tmp` is not delivered yet.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const names = await readdir(join(path, folder)).catch(() => null)
    if (names === null) {
      throw new CommandFailure(
        `${path} is a folder, but no maildir: it has no folder ${folder}.`,
        EXIT.usage,
      )
    }
    for (const name of names.toSorted()) {
      const file = join(path, folder, name)
      // The mail server may move or delete the mail meanwhile.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const found = await stat(file).catch(() => null)
      if (found?.isFile() === true) files.push({ path: file, size: found.size })
    }
  }
  return {
    isSingle: false,
    byteLength: files.reduce((sum, { size }) => sum + size, 0),
    async *mails() {
      for (const { path: file, size } of files) {
        if (size > MAIL_BYTES_MAX) yield { place: file, bytes: null }
        else {
          const bytes = await readFile(file).catch(() => null)
          if (bytes !== null) yield { place: file, bytes }
        }
      }
    },
  }
}

/** A pipe is read once, so its first bytes are kept for the reading of the rest. */
async function openPipe(path: string): Promise<MailArchive> {
  const chunks = createReadStream(path)[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isEnded = false
  while (head.length < FROM.length && !isEnded) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const next = await chunks.next()
    isEnded = next.done === true
    if (next.done !== true) head = Buffer.concat([head, next.value])
  }
  async function* readAll(): AsyncGenerator<Buffer> {
    yield head
    if (!isEnded) yield* { [Symbol.asyncIterator]: () => chunks }
  }
  if (head.subarray(0, FROM.length).equals(FROM)) {
    return { isSingle: false, byteLength: null, mails: () => splitMbox(readAll()) }
  }
  return {
    isSingle: true,
    byteLength: null,
    async *mails() {
      yield { place: path, bytes: await readMail(readAll()) }
    },
  }
}

/** Null for a mail that is too large. */
async function readMail(stream: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MAIL_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function isMbox(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path, { end: 4 })) return String(chunk) === 'From '
  return false
}

// The separator of RFC 4155 appendix A, in its usual form: an address or word, then a date of
// asctime and a year. An unquoted line of text that begins with "From " hardly ever ends like that.
const SEPARATOR =
  /^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,].*\d{1,2}:\d{2}.*\b\d{4}\b[^\n]{0,40}\r?$/
// An address has 254 characters at most.
const SEPARATOR_LENGTH_MAX = 400
const FROM = Buffer.from('From ')
const NEWLINE = 0x0a

/**
 * Mails of a stream in mbox form. A separator stands at the start or behind an empty line; `>From `
 * loses one `>` (mboxrd; mboxo wrote it the same).
 */
export async function* splitMbox(stream: AsyncIterable<Buffer>): AsyncGenerator<ArchivedMail> {
  let lines: Buffer[] = []
  let size = 0
  let number = 0
  let isAfterEmpty = true
  const finish = (): ArchivedMail => {
    const bytes = size > MAIL_BYTES_MAX ? null : Buffer.concat(lines)
    lines = []
    size = 0
    return { place: `mail ${number}`, bytes: bytes === null ? null : dropLastEmptyLine(bytes) }
  }
  for await (const line of readLines(stream)) {
    const startsMail = isAfterEmpty && isSeparator(line)
    isAfterEmpty = line.length <= 2 && line.toString('latin1').trim() === ''
    if (startsMail) {
      if (number > 0) yield finish()
      number += 1
      continue
    }
    const text = unquote(line)
    size += text.length
    // A mail that is too large is counted and not kept.
    if (size <= MAIL_BYTES_MAX) lines.push(text)
    else lines = []
  }
  if (number > 0) yield finish()
}

function isSeparator(line: Buffer): boolean {
  if (!line.subarray(0, FROM.length).equals(FROM)) return false
  return SEPARATOR.test(line.subarray(0, SEPARATOR_LENGTH_MAX).toString('latin1').trimEnd())
}

function unquote(line: Buffer): Buffer {
  let at = 0
  while (line[at] === 0x3e) at += 1
  return at > 0 && line.subarray(at, at + FROM.length).equals(FROM) ? line.subarray(1) : line
}

// The empty line before a separator is no part of the mail.
function dropLastEmptyLine(bytes: Buffer): Buffer {
  const text = bytes.subarray(-4).toString('latin1')
  if (text.endsWith('\r\n\r\n')) return bytes.subarray(0, -2)
  return text.endsWith('\n\n') ? bytes.subarray(0, -1) : bytes
}

/**
 * Lines with their line breaks. An endless line is returned in pieces, one for each chunk, so that
 * memory is bounded.
 */
async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let restLength = 0
  for await (const chunk of stream) {
    let at = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, at)
      if (end < 0) break
      const piece = chunk.subarray(at, end + 1)
      yield restLength === 0 ? piece : Buffer.concat([...rest, piece])
      rest = []
      restLength = 0
      at = end + 1
    }
    if (at < chunk.length) {
      rest.push(chunk.subarray(at))
      restLength += chunk.length - at
    }
    if (restLength > MAIL_BYTES_MAX) {
      yield Buffer.concat(rest)
      rest = []
      restLength = 0
    }
  }
  if (restLength > 0) yield Buffer.concat(rest)
}
