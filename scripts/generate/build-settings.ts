// docs/reference/settings.md and .env.example, from the table of settings.

import { environmentNameOf, SETTINGS, type SettingName } from '../../src/kernel/settings.ts'

const NAMES = Object.keys(SETTINGS).filter((name): name is SettingName =>
  Object.hasOwn(SETTINGS, name),
)

export function buildSettingsPage(): string {
  const rows = NAMES.map((name) => {
    const flag = `--${name.replaceAll('_', '-')}`
    const names = `\`${environmentNameOf(name)}\`<br>\`${flag}\`<br>\`${name}\``
    return `| ${names} | ${describeFallback(name)} | ${SETTINGS[name].meaning}${describeValues(name)} |`
  })
  return `# Settings

Made from \`src/kernel/settings.ts\` by \`npm run write\`.

Every setting is an environment variable, a flag of \`npx casework serve\` and a key of \`casework.toml\`. Flags win over the environment, the
environment over the file. Names that are not listed here are refused, with the nearest one as a suggestion.
\`npx casework config\` shows each value and where it came from, with secrets masked.

| Names | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

export function buildEnvironmentExample(): string {
  const blocks = NAMES.map((name) => {
    const fallback = SETTINGS[name].fallback
    const value = Array.isArray(fallback) ? fallback.join(',') : (fallback ?? '')
    return `# ${SETTINGS[name].meaning}${describeValues(name).replaceAll('`', '')}\n#${environmentNameOf(name)}=${String(value)}\n`
  })
  return `# Settings of Casework with their defaults, made from src/kernel/settings.ts by "npm run write".\n\n${blocks.join('\n')}`
}

function describeFallback(name: SettingName): string {
  const { fallback } = SETTINGS[name]
  if (Array.isArray(fallback)) return fallback.length === 0 ? 'none' : `\`${fallback.join(',')}\``
  return fallback === null ? 'unset' : `\`${String(fallback)}\``
}

function describeValues(name: SettingName): string {
  const setting = SETTINGS[name]
  switch (setting.kind) {
    case 'choice':
      return ` One of ${quoteAll(setting.choices)}.`
    case 'list':
      return 'choices' in setting ? ` Comma-separated, of ${quoteAll(setting.choices)}.` : ''
    case 'integer':
      return ` From ${setting.min} to ${setting.max}.`
    case 'port':
    case 'text':
      return ''
  }
}

function quoteAll(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ')
}
