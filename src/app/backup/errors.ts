// Operating errors of backup and restore. The operator reads all of them; see
// docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

export function backupFileExists(file: string): OperatingError {
  return new OperatingError({
    code: 'BACKUP_FILE_EXISTS',
    status: 500,
    publicMessage: `${file} exists already; choose another name, or remove it if nothing is writing it.`,
  })
}

export function backupFileNotWritable(file: string, cause: unknown): OperatingError {
  return new OperatingError({
    code: 'BACKUP_FILE_NOT_WRITABLE',
    status: 500,
    publicMessage: `${file} cannot be written (${readReason(cause)}); choose another place.`,
    cause,
  })
}

/** `reason` names the fault, as a part of a sentence. */
export function backupFileNotReadable(
  file: string,
  reason: string,
  cause?: unknown,
): OperatingError {
  return new OperatingError({
    code: 'BACKUP_FILE_NOT_READABLE',
    status: 500,
    publicMessage: `${file} is not a whole backup of casework (${reason}); nothing was changed.`,
    cause,
  })
}

export function backupIsNewer(
  file: string,
  backupVersion: number,
  programVersion: number,
): OperatingError {
  return new OperatingError({
    code: 'BACKUP_IS_NEWER',
    status: 500,
    publicMessage: `${file} holds schema version ${backupVersion}, this program knows ${programVersion} only; restore it with the program that wrote it or a newer one.`,
  })
}

export function restoreTargetInUse(place: string): OperatingError {
  return new OperatingError({
    code: 'BACKUP_TARGET_HAS_DATA',
    status: 500,
    publicMessage: `The database (${place}) has been used before, and a restore overwrites nothing; restore into a new folder (--data-dir) or an empty database.`,
  })
}

export function restoreTargetNotEmpty(place: string): OperatingError {
  return new OperatingError({
    code: 'BACKUP_TARGET_NOT_OURS',
    status: 500,
    publicMessage: `The database (${place}) holds tables of another program; restore into an empty database.`,
  })
}

export function restoreTargetVersion(
  place: string,
  targetVersion: number,
  backupVersion: number,
): OperatingError {
  return new OperatingError({
    code: 'BACKUP_TARGET_VERSION',
    status: 500,
    publicMessage: `The database (${place}) is at schema version ${targetVersion} and the backup at ${backupVersion}; restore into an empty database, which is then upgraded.`,
  })
}

function readReason(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
}
