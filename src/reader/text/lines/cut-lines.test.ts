import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cutLines } from './cut-lines.ts'

function cut(text: string): readonly string[] {
  const lines = text.split('\n')
  return cutLines(lines, 'body').flatMap((each, at) =>
    each === null ? [] : [`${at + 1} ${each.what}`],
  )
}

describe('what says nothing about the report', () => {
  test('is a signature behind its mark', () => {
    assert.deepEqual(cut('a\n-- \nBob'), ['2 a signature', '3 a signature'])
  })

  for (const closing of [
    'Kind regards,',
    'Mit freundlichen Grüßen',
    'Cordialement,',
    'Un saludo,',
    'Cordiali saluti',
    'Atenciosamente,',
    'Met vriendelijke groet,',
    'Z poważaniem',
    'С уважением,',
    '敬具',
    'Med vänliga hälsningar',
    'S pozdravem',
    'Saygılarımızla,',
  ]) {
    test(`is a signature behind “${closing}”`, () => {
      assert.deepEqual(cut(`a\n\n${closing}\nBob\nhttps://bob.example`).length, 3)
    })
  }

  test('ends where a log begins', () => {
    const log = 'Mar  1 00:00:01 host sshd[1]: Failed password for root from 192.0.2.1'
    assert.deepEqual(cut(`Regards\nBob\n\n${log}`), [
      '1 a signature',
      '2 a signature',
      '3 a signature',
    ])
  })

  test('is registry data, but not a single field of its kind', () => {
    assert.equal(cut('inetnum: 192.0.2.0 - 192.0.2.255\nnetname: X\ncountry: ZZ').length, 3)
    assert.deepEqual(cut('CIDR: 192.0.2.0/24'), [])
  })

  test('is the header of a mail that was pasted in, which is read by itself', () => {
    const text = 'see\n\nReceived: from a (b [192.0.2.1])\n by c; today\nSubject: x\n\nbody'
    assert.deepEqual(
      cut(text),
      [3, 4, 5].map((line) => `${line} the header of an enclosed mail`),
    )
  })

  for (const start of [
    'On Mon, 2 Mar 2026 at 10:00, Bob <bob@a.example> wrote:',
    'Am 02.03.2026 um 10:00 schrieb Bob:',
    'Le lun. 2 mars 2026 à 10:00, Bob a écrit :',
    'El 2 mar 2026, a las 10:00, Bob escribió:',
    '-----Original Message-----',
    'From: Bob\nSent: Monday\nTo: Ann\nSubject: x',
    'Von: Bob\nGesendet: Montag\nAn: Ann\nBetreff: x',
    'De : Bob\nEnvoyé : lundi\nÀ : Ann\nObjet : x',
  ]) {
    test(`is the thread below “${start.split('\n', 1)[0]}”`, () => {
      const lines = cut(`a\n\n${start}\nold 192.0.2.1`)
      assert.equal(lines.at(-1), `${start.split('\n').length + 3} an earlier mail that is quoted`)
    })
  }

  test('is a disclaimer to the end of its paragraph', () => {
    assert.deepEqual(
      cut('a\n\nThis email and any attachments are confidential\nand more\n\nb').length,
      2,
    )
  })

  test('is a footer and a style sheet', () => {
    assert.deepEqual(cut('Unsubscribe: https://a.example/u\n.x1 { color: red; margin: 1px; }'), [
      '1 a footer',
      '2 a style sheet',
    ])
  })

  test('is not the report itself, nor a report that was forwarded', () => {
    assert.deepEqual(
      cut('Your IP 192.0.2.1 attacks us.\nSource: 192.0.2.1\nThanks for your help'),
      [],
    )
    assert.deepEqual(cut('Begin forwarded message:\n\nYour IP 192.0.2.1 attacks us.'), [])
  })
})
