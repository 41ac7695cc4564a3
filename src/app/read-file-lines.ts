// The lines of a file, for commands. Apart from the readers of formats, which bring the list of
// public suffixes with them (20 MB).

export { readLines } from '../intel/sources/formats/read-list-lines.ts'
