// A document as an answer: JSON, or YAML where `format` or Accept says so.

import { Type } from 'typebox'
import { namesMediaType } from '../../../kernel/http/accept.ts'
import type { Reply } from '../../../kernel/http/route.ts'
import { type PlaybookDocument, presentDocument } from './playbook-document.ts'
import { writeYaml } from './yaml-text.ts'

/** RFC 9512. */
export const YAML_TYPE = 'application/yaml'

export const DOCUMENT_QUERY = Type.Object({
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('yaml')], {
      description: `As Accept says when left out: YAML for ${YAML_TYPE}, else JSON.`,
    }),
  ),
})

interface Wish {
  readonly format: 'json' | 'yaml' | undefined
  readonly accept: string | string[] | undefined
}

export function sendDocument(
  document: PlaybookDocument,
  fileName: string,
  { format, accept }: Wish,
): Reply {
  const isYaml =
    format === undefined
      ? typeof accept === 'string' && namesMediaType(accept, YAML_TYPE)
      : format === 'yaml'
  const json = presentDocument(document)
  const headers = { vary: 'accept', 'content-disposition': nameFile(fileName, isYaml) }
  if (!isYaml) return { status: 200, headers, text: `${JSON.stringify(json, null, 2)}\n` }
  return { status: 200, headers, contentType: `${YAML_TYPE}; charset=utf-8`, text: writeYaml(json) }
}

function nameFile(name: string, isYaml: boolean): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)
  return `attachment; filename="${plain === '' ? 'playbook' : plain}.${isYaml ? 'yaml' : 'json'}"`
}
