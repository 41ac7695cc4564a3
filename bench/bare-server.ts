// The calibration of the HTTP figures: a bare node:http server that gives answers of the same
// shapes and does nothing else: no authentication, limits, log or metrics. Of the work on an item
// of a quick check it does the least that any such server must: it reads the address, probes one
// hash of a million keys, and writes the six members by hand. A look-up gets a fixed text of the
// length that is given: `node bench/bare-server.ts 320`.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const [, , answerLengthText = ''] = process.argv
const answerLength = Number(answerLengthText)
const envelope = { status: 'success', statusCode: 200, pad: '' }
const padLength = answerLength - JSON.stringify(envelope).length
if (!(padLength >= 0)) throw new Error(`"${answerLengthText}" is no length of an answer`)
const lookup = JSON.stringify({ ...envelope, pad: 'x'.repeat(padLength) })

// A million random keys in a hash table of two million entries, like an index of addresses.
const SLOTS = 2 ** 21
const keys = new Uint32Array(SLOTS)
for (let added = 0; added < 1_000_000; added += 1) {
  const key = Math.floor(Math.random() * 2 ** 32)
  let slot = hash(key)
  while (keys[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
  keys[slot] = key
}

function hash(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 11
}

/** The slot of the key, or 0 when the key is not there. */
function probe(key: number): number {
  for (let slot = hash(key); keys[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    if (keys[slot] === key) return slot
  }
  return 0
}

/** Dotted decimal as a number; what has other characters gives some number too. */
function readAddress(text: string): number {
  let value = 0
  let part = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 46) {
      value = (value << 8) | part
      part = 0
    } else part = part * 10 + code - 48
  }
  return ((value << 8) | part) >>> 0
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function answerCheck(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const items: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    let text = '{"status":"success","statusCode":200,"result":['
    let separator = ''
    for (const item of Array.isArray(items) ? items : []) {
      const ip = String(item)
      const bits = probe(readAddress(ip))
      text += `${separator}{"item":"${ip}","serviceMailBlocklist":"${(bits & 1) === 0 ? 'ACTIVE' : 'INACTIVE'}","type":"${(bits & 2) === 0 ? 'IP' : 'DOMAIN'}","bogon":${(bits & 4) === 0},"intent":"${(bits & 8) === 0 ? 'malicious' : 'unknown'}","activity":${(bits & 16) === 0}}`
      separator = ','
    }
    send(response, `${text}]}`)
  })
}

const server = createServer((request, response) => {
  if (request.method === 'POST') answerCheck(request, response)
  else send(response, lookup)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `ready at http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}\n`,
  )
})
process.once('SIGTERM', () => process.exit(0))
