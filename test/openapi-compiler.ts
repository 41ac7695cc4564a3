// Compiles the schemas of the OpenAPI document as JSON Schema 2020-12.

import { Ajv2020 } from 'ajv/dist/2020.js'

/** What is wrong with the value; null for nothing. */
type Explain = (value: unknown) => string | null

/**
 * Throws for what is no schema. Each text is compiled once: nine of ten schemas of the document
 * are those of refusals, which all operations have.
 */
export function createCompiler(components: unknown): (schema: object) => Explain {
  // The code runs once or twice, so making it short costs three times what it saves.
  const code = { optimize: false }
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code })
  ajv.addSchema({ $id: 'openapi', components })
  const compiled = new Map<string, Explain>()
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')
    const known = compiled.get(text)
    if (known !== undefined) return known
    const validate = ajv.compile(JSON.parse(text))
    const explain = (value: unknown): string | null =>
      validate(value) ? null : ajv.errorsText(validate.errors)
    compiled.set(text, explain)
    return explain
  }
}
