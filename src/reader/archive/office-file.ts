// Recognises office documents, which are zip files but are read as documents, not as archives.

import type { MailPart } from '../mail/mail.ts'

const EXTENSIONS = /\.(?:xlsx|xlsm|docx|docm|pptx|ods|odt|odp|jar|apk|epub)$/i

export function looksLikeOffice({ mediaType, fileName, bytes }: MailPart): boolean {
  if (/openxmlformats|opendocument|ms-excel|java-archive/.test(mediaType)) return true
  if (EXTENSIONS.test(fileName ?? '')) return true
  // The first entry of such a file by its format; the name stands uncompressed in the first 100
  // bytes.
  const head = Buffer.from(bytes.subarray(0, 100)).toString('latin1')
  return head.startsWith('PK\x03\x04') && /\[Content_Types\]\.xml|mimetypeapplication/.test(head)
}
