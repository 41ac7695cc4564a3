// The lines of a file, for commands. A file of its own, because the readers of formats load the
// list of public suffixes (20 MB).

export { readLines } from '../intel/sources/formats/read-list-lines.ts'
