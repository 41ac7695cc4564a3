// Reads the file of a backup in parts and checks it on the way: a caller that has read every part
// without an error has the whole file, unchanged.

import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import {
  type BackupHeader,
  END_OF_ROWS,
  formatCopyLine,
  parseComment,
  parseHeader,
} from './backup-format.ts'
import { backupFileNotReadable } from './errors.ts'

export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly index: number }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'end of table'; readonly rows: number }

/** Throws BACKUP_FILE_NOT_READABLE at the first fault, at the end at the latest. */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  try {
    yield* parseBackup(new ByteReader(readChunks(file)))
  } catch (error) {
    if (error instanceof WrongFile) throw backupFileNotReadable(file, error.message)
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    if (code === null) throw error
    throw backupFileNotReadable(file, explainCode(code), error)
  }
}

class WrongFile extends Error {}

function explainCode(code: string): string {
  if (code === 'Z_BUF_ERROR') return 'it ends too early'
  if (code.startsWith('Z_')) return 'it is damaged, or another kind of file'
  return code === 'ENOENT' ? 'there is no such file' : `the system says ${code}`
}

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const text = createGunzip()
  source.on('error', (error) => text.destroy(error))
  source.pipe(text)
  try {
    for await (const chunk of text) yield toBuffer(chunk)
  } finally {
    source.destroy()
  }
}

function toBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  throw new TypeError('gunzip gave something else than bytes')
}

async function* parseBackup(reader: ByteReader): AsyncGenerator<BackupPart> {
  const header = parseHeader(await reader.readLine())
  if (typeof header === 'string') throw new WrongFile(header)
  yield { kind: 'header', header }
  for (const [index, table] of header.tables.entries()) {
    const line = await reader.readLine()
    if (`${line}\n` !== formatCopyLine(table)) throw new WrongFile(`${table.name} is damaged`)
    yield { kind: 'table', index }
    for await (const bytes of reader.readRows()) yield { kind: 'rows', bytes }
    const end = parseComment(await reader.readLine())
    const rows = end?.['rows']
    if (end?.['table'] !== table.name || typeof rows !== 'number') {
      throw new WrongFile(`${table.name} is damaged`)
    }
    yield { kind: 'end of table', rows }
  }
  const checksum = reader.digest()
  const last = parseComment(await reader.readLine())
  if (last?.['sha256'] !== checksum) throw new WrongFile('its checksum is wrong')
  if (!(await reader.isAtEnd())) throw new WrongFile('something follows its end')
}

// Comment lines hold a few hundred bytes a table.
const LINE_BYTES_MAX = 4 * 1024 * 1024
const NEWLINE = 10
const END_AFTER_ROW = Buffer.concat([Buffer.from('\n'), END_OF_ROWS])

/** Lines and rows out of chunks that are cut anywhere. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash: Hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** The next line without its newline. */
  async readLine(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE)
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end)
      if (this.#rest.length > LINE_BYTES_MAX) throw new WrongFile('a line of it has no end')
      await this.#needMore()
    }
  }

  /** The rows of a table, in pieces; the mark at their end is left out. */
  async *readRows(): AsyncGenerator<Buffer> {
    while (this.#rest.length < END_OF_ROWS.length) await this.#needMore()
    if (this.#rest.indexOf(END_OF_ROWS) === 0) {
      this.#take(END_OF_ROWS.length)
      return
    }
    for (;;) {
      const end = this.#rest.indexOf(END_AFTER_ROW)
      if (end >= 0) {
        yield this.#take(end + 1)
        this.#take(END_OF_ROWS.length)
        return
      }
      // The mark may be cut by the end of the chunk.
      const certain = this.#rest.length - END_AFTER_ROW.length + 1
      if (certain > 0) yield this.#take(certain)
      await this.#needMore()
    }
  }

  /** The checksum of what was read so far. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && (await this.#chunks.next()).done === true
  }

  #take(length: number): Buffer {
    const bytes = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    this.#hash.update(bytes)
    return bytes
  }

  async #needMore(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done === true) throw new WrongFile('it ends too early')
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value])
  }
}
