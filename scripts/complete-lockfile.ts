// Completes package-lock.json with the optional platform packages that npm leaves out when the
// registry does not serve them, because `npm ci` then refuses the lockfile (EUSAGE, measured with
// npm 11.19). Run after every dependency change.

import { readFileSync, writeFileSync } from 'node:fs'

interface LockedPackage {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

interface Lockfile {
  packages: Record<string, LockedPackage>
}

const LOCKFILE = 'package-lock.json'
const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
  'wasi',
]
const PROCESSORS = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

/**
 * The lock entry of a platform package, derived from its name: `@oxlint/binding-linux-arm64-musl`
 * is for linux, arm64, musl. Returns null for a name that names no system, which is then not a
 * platform package.
 */
function buildPlatformEntry(name: string, version: string, isDev: boolean): LockedPackage | null {
  const words = (name.split('/').at(-1) ?? name).split('-')
  const system = SYSTEMS.find((candidate) => words.includes(candidate))
  const processor = PROCESSORS.find((candidate) => words.includes(candidate))
  if (system === undefined || processor === undefined) return null
  const isMusl = words.some((word) => word.startsWith('musl'))
  const isGlibc = words.some((word) => word.startsWith('gnu'))
  return {
    version,
    ...(isDev ? { dev: true } : {}),
    optional: true,
    // WebAssembly is a processor to npm, on any system.
    ...(system === 'wasi' ? {} : { os: [system] }),
    cpu: [processor],
    ...(isMusl ? { libc: ['musl'] } : {}),
    ...(isGlibc ? { libc: ['glibc'] } : {}),
  }
}

function completeLockfile(lockfile: Lockfile): string[] {
  const added: string[] = []
  for (const owner of Object.values(lockfile.packages)) {
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      if (lockfile.packages[path] !== undefined) continue
      const entry = buildPlatformEntry(name, version, owner.dev === true)
      if (entry === null) continue
      lockfile.packages[path] = entry
      added.push(`${name}@${version}`)
    }
  }
  lockfile.packages = Object.fromEntries(
    Object.entries(lockfile.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
  return added
}

// Our own JSON file, written by npm in a documented shape: the one place where a cast stands for a
// parser.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const lockfile = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as Lockfile
const added = completeLockfile(lockfile)
writeFileSync(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`)
console.log(
  added.length === 0
    ? 'The lockfile is complete.'
    : `Added ${added.length} entries:\n${added.join('\n')}`,
)
