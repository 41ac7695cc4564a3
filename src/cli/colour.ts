// Colours of human-readable output: on a terminal only, and not with NO_COLOR
// (https://no-color.org).

export type Paint = (text: string, colour: 'red' | 'yellow' | 'green' | 'dim' | 'bold') => string

const CODES = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 } as const

/** Adds colour for `stream`, or returns the text unchanged. */
export function createPaint(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const isPainted =
    stream.isTTY === true &&
    (environment['NO_COLOR'] ?? '') === '' &&
    environment['TERM'] !== 'dumb'
  return isPainted ? (text, colour) => `\x1b[${CODES[colour]}m${text}\x1b[0m` : (text) => text
}

/** The colour of an intent; malicious and suspicious stand out. */
export function paintIntent(intent: string, paint: Paint): string {
  switch (intent) {
    case 'malicious':
      return paint(intent, 'red')
    case 'suspicious':
      return paint(intent, 'yellow')
    case 'benign':
      return paint(intent, 'green')
    default:
      return intent
  }
}
