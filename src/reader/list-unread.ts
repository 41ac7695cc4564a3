// What of a report nobody read: texts beyond a limit, and parts of kinds that are not opened here.
// Told as findings, so that a person knows that there is more.

import { looksLikeOffice } from './archive/office-file.ts'
import { countSheets, SHEETS_MAX } from './formats/xlsx-table.ts'
import { sniffMediaType } from './mail/detect-mail.ts'
import type { Mail, MailPart, ReadableText } from './mail/mail.ts'
import { openSignedData } from './mail/signed-data.ts'
import type { MailReport } from './mail-format.ts'
import type { Finding } from './reading.ts'

// A mail with more of them is told of by the first.
const UNREAD_MAX = 20

export function listUnread({ mail, texts }: MailReport): readonly Finding[] {
  const cut = texts.filter(({ unread }) => unread !== undefined).map(describeCut)
  const parts = mail.parts.flatMap((part) => {
    const why = explainUnread(part, mail)
    return why === null ? describeSheets(part) : [describePart(part, why)]
  })
  return [...cut, ...parts].slice(0, UNREAD_MAX)
}

/**
 * The names of the parts that are not opened here and may be the report itself, with their kind.
 */
export function listSealed({ mail }: MailReport): readonly string[] {
  return mail.parts
    .flatMap((part) => {
      const kind = kindOfSealed(part)
      return kind === null ? [] : [`${nameOf(part)} (${kind})`]
    })
    .slice(0, UNREAD_MAX)
}

/** The names of the pictures, which nobody here looks at. */
export function listPictures({ mail }: MailReport): readonly string[] {
  return mail.parts
    .filter(({ mediaType, fileName }) => isPicture(mediaType, fileName))
    .map((part) => `${nameOf(part)} (a picture)`)
    .slice(0, UNREAD_MAX)
}

function isPicture(mediaType: string, fileName: string | null): boolean {
  return mediaType.startsWith('image/') || PICTURE_NAME.test(fileName ?? '')
}

const PICTURE_NAME = /\.(?:png|jpe?g|gif|bmp|webp|tiff?|heic)$/i

function describeCut({ part, lines, unread = '' }: ReadableText): Finding {
  const reason = `The rest of the text was not read: it lies ${unread}.`
  return findingOf(part, lines.length + 1, reason)
}

function describeSheets(part: MailPart): readonly Finding[] {
  const count = countSheets(part)
  if (count <= SHEETS_MAX) return []
  const reason = `Of the ${count} sheets of part ${part.path} the first ${SHEETS_MAX} were read.`
  return [findingOf(nameOf(part), null, reason)]
}

function describePart(part: MailPart, why: string): Finding {
  return findingOf(nameOf(part), null, `Part ${part.path} was not read: ${why}.`)
}

function findingOf(part: string, line: number | null, reason: string): Finding {
  const place = { part, line, excerpt: '', role: null, rank: null }
  return { field: '', value: '', ...place, reason, rule: 'not-read' }
}

function nameOf({ fileName, mediaType }: MailPart): string {
  return `attachment ${fileName ?? mediaType}`
}

/**
 * Null for what is read, and for what belongs to the form of a mail: pictures, signatures, keys.
 */
function explainUnread(part: MailPart, mail: Mail): string | null {
  const sealed = kindOfSealed(part)
  if (sealed !== null) return `${sealed} is not opened here`
  if (isArchive(part)) {
    const isOpened = mail.parts.some(({ path }) => path.startsWith(`${part.path}/`))
    return isOpened ? null : 'the archive holds nothing that is read here'
  }
  const isFile = part.isAttachment || part.fileName !== null
  return isFile && isEmpty(part) ? 'it is empty' : null
}

function isArchive(part: MailPart): boolean {
  const { bytes } = part
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
  return isGzip || (isZip && !looksLikeOffice(part))
}

function isEmpty({ bytes, text }: MailPart): boolean {
  return bytes.length === 0 || (text !== null && text.trim() === '')
}

const KINDS: readonly (readonly [kind: string, mediaType: RegExp, fileName: RegExp])[] = [
  ['TNEF, the envelope of Outlook,', /^application\/(?:vnd\.)?ms-tnef$/, /^winmail\.dat$/i],
  ['a tar archive', /^application\/(?:x-)?(?:gtar|tar)$/, /\.(?:tar|tgz|tbz2?|txz)$/i],
  ['a 7z archive', /^application\/x-7z-compressed$/, /\.7z$/i],
  ['a RAR archive', /^application\/(?:x-rar(?:-compressed)?|vnd\.rar)$/, /\.rar$/i],
  ['a compressed file', /^application\/(?:x-)?(?:bzip2?|xz|zstd)$/, /\.(?:bz2|xz|zst)$/i],
  ['PDF', /^application\/pdf$/, /\.pdf$/i],
  [
    'a document of an office program',
    /^application\/(?:msword|rtf|vnd\.ms-(?:excel|word|powerpoint)|vnd\.oasis\..*|vnd\.openxmlformats-officedocument\.(?:word|presentation).*)$/,
    /\.(?:docx?|docm|pptx?|xls|odt|ods|odp|rtf)$/i,
  ],
  ['an encrypted mail', /^application\/pgp-encrypted$/, /\.(?:pgp|gpg)$/i],
  ['a recording', /^(?:audio|video)\//, /\.(?:mp3|mp4|m4a|wav|ogg|mov|avi|mkv|amr|3gp)$/i],
]

function kindOfSealed(part: MailPart): string | null {
  const { mediaType, fileName } = part
  if (/^application\/(?:x-)?pkcs7-mime$/.test(mediaType)) {
    return openSignedData(part.bytes) === null ? 'an encrypted or damaged S/MIME mail' : null
  }
  // The entry of a tar that was gzipped says at its byte 257 what it is.
  if (holdsAt(part, 257, 'ustar')) return 'a tar archive'
  // A table of text is often called one of a spreadsheet program.
  const isText = part.text !== null || (mediaType.includes('excel') && isPlain(part))
  const found = KINDS.find(
    ([, type, name]) => !isText && (type.test(mediaType) || name.test(fileName ?? '')),
  )
  if (found !== undefined) return found[0]
  // Some programs call every file a stream of bytes.
  if (holdsAt(part, 0, '%PDF-')) return 'PDF'
  if (ARMOUR.test(part.text?.slice(0, ARMOUR_WITHIN) ?? '')) return 'an encrypted text'
  return isUnknown(part) ? 'a file of an unknown kind' : null
}

const ARMOUR = /^-----BEGIN PGP MESSAGE-----\s*$/m
const ARMOUR_WITHIN = 4_000

function holdsAt({ bytes }: MailPart, from: number, magic: string): boolean {
  for (let at = 0; at < magic.length; at += 1) {
    if (bytes[from + at] !== magic.charCodeAt(at)) return false
  }
  return true
}

/** Bytes that say neither by their kind nor by themselves what they are. */
function isUnknown(part: MailPart): boolean {
  const { mediaType, fileName, text, bytes } = part
  const isFile = part.isAttachment || fileName !== null
  if (!isFile || mediaType !== 'application/octet-stream' || text !== null) return false
  if (isPicture(mediaType, fileName) || isArchive(part) || looksLikeOffice(part)) return false
  return bytes.length > 0 && !isPlain(part) && sniffMediaType(bytes) === null
}

function isPlain({ bytes }: MailPart): boolean {
  const head = bytes.subarray(0, 8_192)
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}
