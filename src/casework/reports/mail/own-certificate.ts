// Makes a self-signed certificate for STARTTLS when the operator has configured none. It is made
// once and stored in the data folder. Mail servers encrypt with it as with any other (RFC 7435).

import {
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certified {
  /** PEM. */
  readonly key: string
  /** PEM. */
  readonly cert: string
}

const FILE_NAME = 'smtp-self-signed.pem'
const DAY_MS = 86_400_000
const VALID_DAYS = 3_650
// A new certificate is made well before the old one expires.
const RENEW_DAYS = 30

/**
 * The certificate in the data folder. A new one is made and stored there when it is missing, for
 * another name, or about to expire at `nowMs`.
 */
export function ensureOwnCertificate(dataDir: string, name: string, nowMs: number): Certified {
  const path = join(dataDir, FILE_NAME)
  const known = existsSync(path) ? readPem(readFileSync(path, 'utf8'), name, nowMs) : null
  if (known !== null) return known
  const made = makeCertificate(name, nowMs)
  writeFileSync(path, made.key + made.cert, { mode: 0o600 })
  return made
}

/** Null when it is for another name, about to expire, or unreadable. */
function readPem(text: string, name: string, nowMs: number): Certified | null {
  const [key, cert] = ['PRIVATE KEY', 'CERTIFICATE'].map(
    (kind) => new RegExp(`-----BEGIN ${kind}-----[^-]+-----END ${kind}-----\\n`).exec(text)?.[0],
  )
  if (key === undefined || cert === undefined) return null
  try {
    const certificate = new X509Certificate(cert)
    const isFresh = Date.parse(certificate.validTo) > nowMs + RENEW_DAYS * DAY_MS
    const fits = certificate.checkPrivateKey(createPrivateKey(key))
    return isFresh && fits && certificate.checkHost(name) !== undefined ? { key, cert } : null
  } catch {
    return null
  }
}

// Tags of DER. The last three are tags of the context: of a certificate and of a name.
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
const DNS_NAME = 0x82
const VERSION = 0xa0
const EXTENSIONS = 0xa3

// 1.2.840.10045.4.3.2
const ECDSA_WITH_SHA256 = der(OBJECT_ID, hex('2a8648ce3d040302'))
// 2.5.4.3
const COMMON_NAME = der(OBJECT_ID, hex('550403'))
// 2.5.29.17
const SUBJECT_ALTERNATIVE_NAMES = der(OBJECT_ID, hex('551d11'))

/** Self-signed (RFC 5280). Encoded here, because Node makes keys and signatures only. */
export function makeCertificate(name: string, nowMs: number): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256)
  const commonName = der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, textOf(name)))
  const subject = der(SEQUENCE, der(SET, commonName))
  const alternatives = der(SEQUENCE, der(DNS_NAME, textOf(name)))
  const extension = der(SEQUENCE, SUBJECT_ALTERNATIVE_NAMES, der(OCTET_STRING, alternatives))
  const body = der(
    SEQUENCE,
    // Version 3, which is written as 2.
    der(VERSION, der(INTEGER, hex('02'))),
    // The serial number: positive and not guessable (section 4.1.2.2).
    der(INTEGER, Buffer.concat([hex('01'), randomBytes(15)])),
    algorithm,
    // The issuer, which is the subject itself.
    subject,
    der(SEQUENCE, time(nowMs - DAY_MS), time(nowMs + VALID_DAYS * DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, extension)),
  )
  // The first byte is the number of unused bits.
  const signature = der(BIT_STRING, hex('00'), sign('sha256', body, privateKey))
  const lines =
    der(SEQUENCE, body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex')
}

function textOf(value: string): Buffer {
  return Buffer.from(value, 'latin1')
}

// UTCTime has two digits of the year and ends in 2049 (section 4.1.2.5.1). Later dates are
// GeneralizedTime.
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
  return digits < '2050'
    ? der(UTC_TIME, textOf(`${digits.slice(2)}Z`))
    : der(GENERALIZED_TIME, textOf(`${digits}Z`))
}

/** One value of the distinguished encoding rules (X.690): tag, length, content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  // Below 128: the length itself. Else the number of its bytes, then the bytes. No content here
  // reaches 64 KiB.
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
