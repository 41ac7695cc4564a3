// Stores many short texts as bytes outside the heap: for the garbage collector 500,000 of them are
// a few large blocks.

const BLOCK_BITS = 20
const BLOCK_BYTES = 2 ** BLOCK_BITS
const LENGTH_BYTES = 2

/** Texts of up to 64 KiB in UTF-8, identified by the numbers that `add` gives. None is removed. */
export class TextPool {
  readonly #blocks: Buffer[] = []
  #end = BLOCK_BYTES

  /** The number of the text, 1 or more. */
  add(text: string): number {
    const length = Buffer.byteLength(text)
    if (length >= 2 ** (LENGTH_BYTES * 8)) throw new RangeError('The text is too long to store.')
    if (this.#end + LENGTH_BYTES + length > BLOCK_BYTES) {
      this.#blocks.push(Buffer.alloc(BLOCK_BYTES))
      this.#end = 0
    }
    const block = this.#blocks.at(-1)
    if (block === undefined) throw new Error('there is a block to write to')
    const at = this.#end
    block.writeUInt16LE(length, at)
    block.write(text, at + LENGTH_BYTES)
    this.#end = at + LENGTH_BYTES + length
    return (this.#blocks.length - 1) * BLOCK_BYTES + at + 1
  }

  read(number: number): string {
    const block = this.#blocks[Math.floor((number - 1) / BLOCK_BYTES)]
    if (block === undefined) throw new RangeError('There is no text of this number.')
    const start = ((number - 1) % BLOCK_BYTES) + LENGTH_BYTES
    return block.toString('utf8', start, start + block.readUInt16LE(start - LENGTH_BYTES))
  }
}
