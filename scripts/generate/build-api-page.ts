// docs/reference/api.md: every route on one page, from the route table.

import { chooseTag, listTags, sortRoutes } from '../../src/app/openapi-tags.ts'
import type { Access, Route } from '../../src/kernel/http/route.ts'

export function buildApiPage(routes: readonly Route[]): string {
  const sorted = sortRoutes(routes)
  const sections = listTags(routes).map(({ name: tag, description }) => {
    const rows = sorted.filter((route) => chooseTag(route) === tag).map(buildRow)
    return `## ${tag}\n\n${description}\n\n| Request | What it does | Scope |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Endpoints

Made from the route table by \`npm run write\`. Parameters, bodies and answers are in the OpenAPI document, \`openapi/beta.json\`, which a
running server gives at \`/openapi.json\` and as a page for people at \`/docs\`.

${sections.join('\n')}`
}

function buildRow(route: Route): string {
  return `| \`${route.method} ${route.path}\` | ${route.summary} | ${describeAccess(route.access)} |`
}

function describeAccess(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'none, open to all'
    case 'any-token':
      return 'any token'
    case 'open-intel':
      return `none; \`${access.scope}\` with \`CASEWORK_INTEL_ACCESS=token\``
    case 'scope':
      return `\`${access.scope}\``
    case 'one-of':
      return access.ways.map((scopes) => `\`${scopes.join(' ')}\``).join(' or ')
  }
}
