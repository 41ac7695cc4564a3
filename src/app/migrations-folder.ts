// Where the files of the migrations lie, in a checkout and in the package.

import { join } from 'node:path'
import { findPackageRoot } from '../values/resources.ts'

export const MIGRATIONS_FOLDER = join(findPackageRoot(), 'migrations')
