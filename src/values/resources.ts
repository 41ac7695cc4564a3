// Reads the data files that ship with the package (folder `resources`), from the sources and from
// the built `dist` alike.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds this package's package.json. Throws when there is none above this file. */
export function findPackageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  // Ends at the root of the file system, whose parent is itself.
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) {
      throw new Error(`no package.json at or above ${from}: the installation is incomplete`)
    }
  }
}

/**
 * The text of `resources/<name>`; throws when the file is missing, which means a broken
 * installation.
 */
export function readResource(name: string): string {
  return readFileSync(join(findPackageRoot(), 'resources', name), 'utf8')
}

/** The names of the files in `resources/<folder>`. */
export function listResources(folder: string): readonly string[] {
  return readdirSync(join(findPackageRoot(), 'resources', folder))
}

/** The version of this package, as its package.json says. */
export function readPackageVersion(): string {
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8')
  const { version }: Record<string, unknown> = JSON.parse(text)
  return typeof version === 'string' ? version : 'unknown'
}
