// Operating errors of backup and restore. The operator reads all of them; see
// docs/reference/errors.md.

import { defineErrors } from '../../kernel/define-errors.ts'

export const {
  backupFileExists,
  backupFileNotWritable,
  backupFileNotReadable,
  backupIsNewer,
  restoreTargetInUse,
  restoreTargetNotEmpty,
  restoreTargetVersion,
} = defineErrors({
  backupFileExists: [
    500,
    'BACKUP_FILE_EXISTS',
    (file: string) =>
      `${file} exists already; choose another name, or remove it if nothing is writing it.`,
  ],
  backupFileNotWritable: [
    500,
    'BACKUP_FILE_NOT_WRITABLE',
    (file: string, cause: unknown) => ({
      text: `${file} cannot be written (${readReason(cause)}); choose another place.`,
      cause,
    }),
  ],
  /** `reason` names the fault, as a part of a sentence. */
  backupFileNotReadable: [
    500,
    'BACKUP_FILE_NOT_READABLE',
    (file: string, reason: string, cause?: unknown) => ({
      text: `${file} is not a whole backup of casework (${reason}); nothing was changed.`,
      cause,
    }),
  ],
  backupIsNewer: [
    500,
    'BACKUP_IS_NEWER',
    (file: string, backupVersion: number, programVersion: number) =>
      `${file} holds schema version ${backupVersion}, this program knows ${programVersion} only; restore it with the program that wrote it or a newer one.`,
  ],
  restoreTargetInUse: [
    500,
    'BACKUP_TARGET_HAS_DATA',
    (place: string) =>
      `The database (${place}) has been used before, and a restore overwrites nothing; restore into a new folder (--data-dir) or an empty database.`,
  ],
  restoreTargetNotEmpty: [
    500,
    'BACKUP_TARGET_NOT_OURS',
    (place: string) =>
      `The database (${place}) holds tables of another program; restore into an empty database.`,
  ],
  restoreTargetVersion: [
    500,
    'BACKUP_TARGET_VERSION',
    (place: string, targetVersion: number, backupVersion: number) =>
      `The database (${place}) is at schema version ${targetVersion} and the backup at ${backupVersion}; restore into an empty database, which is then upgraded.`,
  ],
})

function readReason(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
}
