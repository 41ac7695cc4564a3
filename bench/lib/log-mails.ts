// Made-up complaints with long logs of several kinds, for the rate of the readers.

const MAIL_LENGTH = 20_000

/** A kind of log. */
export interface LogKind {
  readonly name: string
  /** `clock`: `08:00:03`. */
  readonly line: (index: number, clock: string) => string
}

export const LOG_KINDS: readonly LogKind[] = [
  {
    name: 'of sshd',
    line: (index, clock) =>
      `Mar  2 ${clock} mail sshd[${20_000 + ((index * 7) % 9_000)}]: Failed password for invalid user ${['root', 'admin', 'git'][index % 3]} from 203.0.113.45 port ${40_000 + index} ssh2`,
  },
  {
    name: 'of a web server',
    line: (index, clock) =>
      `203.0.113.45 - - [02/Mar/2026:${clock} +0100] "GET /${['wp-login.php', '.env', `luci?x=${index}`][index % 3]} HTTP/1.1" 404 ${(index * 31) % 9_000} "-" "Mozilla/5.0 (X11; Linux x86_64) Chrome/${90 + (index % 30)}.0.${index % 5_000}.1"`,
  },
  {
    name: 'of a packet filter',
    line: (index, clock) =>
      `2026-03-02T${clock}Z fw kernel: DROP IN=eth0 SRC=203.0.113.45 DST=198.51.100.${index % 250} LEN=40 TTL=${index % 250} PROTO=TCP SPT=${40_000 + index} DPT=${[22, 23, 443][index % 3]} SYN`,
  },
  {
    name: 'of sshd, with other words in each',
    line: (index, clock) => {
      const what = [
        `Failed password for invalid user ${nameOf(index)} from`,
        `Invalid user ${nameOf(index)} from`,
        `Connection closed by invalid user ${nameOf(index)}`,
        `Received disconnect from`,
      ][index % 4]
      return `Mar  2 ${clock} mail sshd[${20_000 + ((index * 7) % 9_000)}]: ${what} 203.0.113.45 port ${40_000 + index} [preauth]`
    },
  },
  {
    name: 'of a web server, with a path of its own each',
    line: (index, clock) =>
      `203.0.113.45 - - [02/Mar/2026:${clock} +0100] "GET /${nameOf(index)}/${nameOf(index * 7)}.${['php', 'env', 'sql', 'zip'][index % 4]}${index % 3 === 0 ? `?${nameOf(index * 3)}=1` : ''} HTTP/1.1" 404 ${(index * 31) % 9_000} "-" "${AGENTS[index % AGENTS.length]}"`,
  },
  {
    name: 'of a packet filter, with other hardware addresses',
    line: (index, clock) =>
      `Mar  2 ${clock} fw kernel: [UFW BLOCK] IN=eth0 MAC=52:54:00:${hexOf(index)}:${hexOf(index * 7)}:fe:${hexOf(index * 3)}:08:00 SRC=203.0.113.45 DST=198.51.100.${index % 250} LEN=40 TTL=${index % 250} PROTO=TCP SPT=${40_000 + index} DPT=${[22, 23, 443][index % 3]} SYN`,
  },
  {
    name: 'of prose, with two addresses each',
    line: (index, clock) =>
      `At ${clock} the host 203.0.113.${index % 250} tried ${nameOf(index)} and ${nameOf(index * 5)} on our mail server, as did 203.0.113.${(index * 3) % 250}.`,
  },
  {
    name: 'with an address of its own each',
    line: (index, clock) =>
      `2026-03-02 ${clock} UTC 203.0.113.${index % 200} -> 198.51.100.7:${[22, 80, 443][index % 3]} TCP SYN attempt`,
  },
]

const HEAD = [
  'From: Abuse Desk <desk@reporter.example>',
  'To: abuse@provider.example',
  'Subject: Abuse from 203.0.113.45',
  'Date: Mon, 2 Mar 2026 11:00:00 +0100',
  'Message-ID: <1@reporter.example>',
  '',
  'The address 203.0.113.45 of your network attacked our servers. Lines of our log:',
  '',
]

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/91.0.4472.114 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; rv:109.0) Gecko/20100101 Firefox/115.0',
  'python-requests/2.28.1',
  'curl/7.88.1',
]

/** A word of three to eight letters; most numbers have one of their own. */
function nameOf(number: number): string {
  const letters = Array.from({ length: 3 + (number % 6) }, (_, at) =>
    String.fromCodePoint(0x61 + ((number * 31 + at * at * 17 + (number >> at)) % 26)),
  )
  return letters.join('')
}

function hexOf(number: number): string {
  return ((number * 37) % 256).toString(16).padStart(2, '0')
}

/** A complaint of 20 kB, most of it lines of the log. */
export function makeLogMail(line: LogKind['line']): Uint8Array {
  const head = `${HEAD.join('\r\n')}\r\n`
  const lines: string[] = []
  let length = head.length
  for (let index = 0; length < MAIL_LENGTH; index += 1) {
    const clock = new Date(8 * 3_600_000 + index * 3_000).toISOString().slice(11, 19)
    const next = line(index, clock)
    lines.push(next)
    length += next.length + 2
  }
  return Buffer.from(`${head}${lines.join('\r\n')}\r\n`)
}
