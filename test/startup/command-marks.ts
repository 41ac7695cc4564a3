// What divides the output of commands that run one after the other in one process
// (command-runner.ts).

/** Comes before the exit code of a command. */
export const EXIT_CODE = '\0exit code '

/** Ends what is told of a command. */
export const COMMAND_END = '\0end\n'
