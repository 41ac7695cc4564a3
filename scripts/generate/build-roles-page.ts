// docs/reference/roles.md: which role may what, from the scopes of roles and of routes.

import { chooseTag } from '../../src/app/openapi-tags.ts'
import type { Access, Route } from '../../src/kernel/http/route.ts'
import {
  ROLE_DESCRIPTIONS,
  ROLE_NAMES,
  ROLE_SCOPES,
  SCOPE_DESCRIPTIONS,
  SCOPES,
  type Scope,
} from '../../src/vocabulary/scopes.ts'

export function buildRolesPage(routes: readonly Route[]): string {
  const roles = ROLE_NAMES.map((name) => `| \`${name}\` | ${ROLE_DESCRIPTIONS[name]} |`)
  const matrix = SCOPES.map((scope) => {
    const cells = ROLE_NAMES.map((role) => (holds(role, scope) ? 'yes' : ''))
    return `| \`${scope}\` | ${cells.join(' | ')} |`
  })
  return `# Roles and scopes

Made from the source by \`npm run write\`. A token has scopes, by itself (\`scopes\`) or by its roles (\`roles\`). \`GET /beta/whoami\` shows them. The guide
[Tenants, people and tokens](../guides/tenants-people-and-tokens.md) shows how to hand them out.

## Roles that ship

They are the same for all tenants and cannot be changed. A tenant makes roles of its own (\`POST /beta/admin/roles\`) of scopes that their maker holds.

| Role | Who gets it |
| --- | --- |
${roles.join('\n')}

## Which role has which scope

| Scope | ${ROLE_NAMES.map((name) => `\`${name}\``).join(' | ')} |
| --- | ${ROLE_NAMES.map(() => '---').join(' | ')} |
${matrix.join('\n')}

## What a scope allows

An operation that needs several scopes at once stands at each of them.

${SCOPES.map((scope) => buildScope(scope, routes)).join('\n')}`
}

function holds(role: keyof typeof ROLE_SCOPES, scope: Scope): boolean {
  const scopes: readonly Scope[] = ROLE_SCOPES[role]
  return scopes.includes(scope)
}

function buildScope(scope: Scope, routes: readonly Route[]): string {
  const byTag = Map.groupBy(
    routes.filter(({ access }) => listScopes(access).includes(scope)),
    chooseTag,
  )
  const lines = [...byTag]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([tag, own]) => `- ${tag}: ${own.map(({ summary }) => summary.toLowerCase()).join('; ')}.`)
  const list =
    lines.length === 0
      ? 'Every operation, for every tenant, by what it adds to other scopes.'
      : lines.join('\n')
  return `### \`${scope}\`

May ${SCOPE_DESCRIPTIONS[scope]}.

${list}
`
}

function listScopes(access: Access): readonly Scope[] {
  switch (access.kind) {
    case 'public':
    case 'any-token':
      return []
    case 'open-intel':
    case 'scope':
      return [access.scope]
    case 'one-of':
      return access.ways.flat()
  }
}
