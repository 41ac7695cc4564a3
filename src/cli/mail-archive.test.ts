// Archives of mail in the forms that are met, each mail byte for byte as it was delivered.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CommandFailure } from './exit-codes.ts'
import { type ArchivedMail, MAIL_BYTES_MAX, openMailArchive, splitMbox } from './mail-archive.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casework-archive-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The stream comes in chunks of `size` bytes, so that lines are cut anywhere. */
async function split(text: string, size = 7): Promise<readonly (string | null)[]> {
  async function* cut(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text, 'latin1')
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return (await collect(splitMbox(cut()))).map(({ bytes }) => bytes?.toString('latin1') ?? null)
}

async function collect(mails: AsyncIterable<ArchivedMail>): Promise<readonly ArchivedMail[]> {
  const all: ArchivedMail[] = []
  for await (const mail of mails) all.push(mail)
  return all
}

const SEPARATOR = 'From reports@reporter.example Sun Mar  1 10:05:00 2026'

test('an mbox is split at separators behind an empty line, and at nothing that looks nearly like one', async () => {
  const first = 'Subject: a\n\nFrom my side\nFrom Monday on 10 hosts\n\nFrom here to there\n'
  const second = 'Subject: b\n\nbody\n'
  assert.deepEqual(await split(`${SEPARATOR}\n${first}\n${SEPARATOR} +0000\n${second}`), [
    first,
    second,
  ])
  assert.deepEqual(await split(`${SEPARATOR}\nno empty line\n${SEPARATOR}\nbehind\n`), [
    `no empty line\n${SEPARATOR}\nbehind\n`,
  ])
})

test('lines that were quoted with > get one back, however deep', async () => {
  const written = `Subject: a\n\n>From me\n>>From you\n> From nobody\n>Fromage\n`
  const delivered = `Subject: a\n\nFrom me\n>From you\n> From nobody\n>Fromage\n`
  assert.deepEqual(await split(`${SEPARATOR}\n${written}`), [delivered])
})

// Of every system; knip would ask for a package of its name.
const MAKE_PIPE = 'mkfifo'

test('a pipe is read, as an mbox or as one mail', async () => {
  const mail = 'Subject: a\n\nbody\n'
  for (const [name, written, expected] of [
    ['mbox', `${SEPARATOR}\n${mail}\n${SEPARATOR}\n${mail}`, [mail, mail]],
    ['one', mail, [mail]],
    ['short', 'x', ['x']],
    ['empty', '', ['']],
  ] as const) {
    const pipe = join(folder, `pipe-${name}`)
    execFileSync(MAKE_PIPE, [pipe])
    const opened = openMailArchive(pipe)
    await writeFile(pipe, written)
    const archive = await opened
    assert.equal(archive.byteLength, null)
    const mails = await collect(archive.mails())
    assert.deepEqual(
      mails.map(({ bytes }) => bytes?.toString('latin1')),
      expected,
      name,
    )
  }
})

test('CRLF, a last line without end and other spellings of the date', async () => {
  const crlf = 'Subject: a\r\n\r\nbody\r\n'
  const mailer = 'From MAILER-DAEMON Mon, 02 Mar 2026 10:05:00 +0100'
  assert.deepEqual(await split(`${SEPARATOR}\r\n${crlf}\r\n${mailer}\r\nSubject: b\r\n\r\nend`), [
    crlf,
    'Subject: b\r\n\r\nend',
  ])
  assert.deepEqual(await split(''), [])
})

test('a mail of an mbox that is too large is passed over, and the next one is whole', async () => {
  const large = `${'x'.repeat(1_023)}\n`.repeat(MAIL_BYTES_MAX / 1_024 + 1)
  const mails = await split(`${SEPARATOR}\n${large}\n${SEPARATOR}\nSubject: b\n`, 1 << 20)
  assert.deepEqual(mails, [null, 'Subject: b\n'])
})

test('a maildir gives what is in new and cur, a file of one mail itself', async () => {
  for (const name of ['new', 'cur', 'tmp']) {
    await mkdir(join(folder, 'maildir', name), { recursive: true })
    await writeFile(join(folder, 'maildir', name, `1.${name}`), `Subject: ${name}\n\n`)
  }
  const archive = await openMailArchive(join(folder, 'maildir'))
  const mails = await collect(archive.mails())
  assert.deepEqual(
    mails.map(({ bytes }) => String(bytes)),
    ['Subject: new\n\n', 'Subject: cur\n\n'],
  )
  assert.equal(archive.byteLength, 28)
  await writeFile(join(folder, 'one.eml'), 'From: a@reporter.example\r\n\r\nx')
  const one = await openMailArchive(join(folder, 'one.eml'))
  assert.deepEqual(
    (await collect(one.mails())).map(({ bytes }) => String(bytes)),
    ['From: a@reporter.example\r\n\r\nx'],
  )
})

test('a folder that is no maildir, and a name that is nothing, are refused in a sentence', async () => {
  await assert.rejects(openMailArchive(folder), /no maildir/)
  await assert.rejects(openMailArchive(join(folder, 'absent')), CommandFailure)
})
