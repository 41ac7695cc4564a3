import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readLines } from '../lines/text-lines.ts'
import { listOccurrences } from './occurrence.ts'

// Lines of one form are described once; what is said of the others must be as if each stood alone.
const ALIKE: readonly (readonly string[])[] = [
  [
    'Mar  2 08:00:03 mail sshd[20412]: Invalid user root from 203.0.113.45 port 40001',
    'Mar  2 08:00:09 mail sshd[30777]: Invalid user root from 203.0.113.99 port 50002',
  ],
  [
    'scan from host a.example [203.0.113.45] (our server 12) to 198.51.100.7, 198.51.100.8',
    'scan from host b.example [203.0.113.46] (our server 97) to 198.51.100.1, 198.51.100.2',
  ],
  [
    '2026-03-02 08:00:03 203.0.113.45:4001 -> 198.51.100.7:22 http://a.example/1 and c2 203.0.113.1',
    '2026-03-03 09:11:43 203.0.113.46:4002 -> 198.51.100.9:53 http://b.example/7 and c3 203.0.113.1',
  ],
  ['1772438400 our 2 servers 203.0.113.45', '2772438400 our 7 servers 203.0.113.46'],
]

for (const lines of ALIKE) {
  it(`a line is described as if it stood alone: ${lines[0]}`, () => {
    const together = listOccurrences(read(lines)).map(strip)
    const alone = lines.flatMap((line) => listOccurrences(read([line])).map(strip))
    assert.equal(together.length >= 2, true)
    assert.deepEqual(together, alone)
  })
}

function read(lines: readonly string[]): ReturnType<typeof readLines> {
  return readLines([{ part: 'text', kind: 'body', lines }])
}

// The place of the line differs of course.
function strip({ line, ...rest }: ReturnType<typeof listOccurrences>[number]): object {
  return { ...rest, line: line.raw }
}
