// Regular expressions that may stay although they are judged slow, or cannot be judged in the time
// that one has. Each with its reason.

/** By the source as it is in the program. */
export const REGEX_EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  [
    String.raw`^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$`,
    'CASEWORK_MAIL_FROM is a setting of the operator.',
  ],
  [
    String.raw`\{\{.*?\}\}|\{%.*?%\}`,
    'The URL of a node has the length that its schema allows (URL_LENGTH_MAX).',
  ],
  [
    String.raw`^bearer(?: +(.*))?$`,
    'A header has no line break, so its end is always found: linear.',
  ],
  [
    String.raw`^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,].*\d{1,2}:\d{2}.*\b\d{4}\b[^\n]{0,40}\r?$`,
    'The first 400 characters of a line are asked, no more.',
  ],
  [
    String.raw`(?<![\w.+-])[\w.+-]{1,64}(?:@|%40| ?[([{]at[)\]}] ?)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}`,
    'Bounded: 64 characters, then at most nine labels that dots divide.',
  ],
  [
    String.raw`(?<![\w.%-])(?<!(?<!\/)\/[^\s/?=&"',;<>()|]{0,64})[\p{L}\p{N}_][\p{L}\p{N}_.:-]*|::[\p{N}a-f][\p{N}a-f:.]*`,
    'One class behind one character; it looks back 64 characters.',
  ],
  [
    '(?<![\\p{L}\\p{N}_.@/\\\\=-])(?:[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_-]{0,61}[\\p{L}\\p{N}_])?\\.){1,8}(?:xn--[a-z0-9-]{2,59}|\\p{L}{2,24})(?![\\p{L}\\p{N}_@]|-[\\p{L}\\p{N}]|\\.[\\p{L}\\p{N}])\\.?(?::(\\d{1,5})(?!\\d))?(\\/[^\\s<>"\'`|{}\\\\^]{0,2000})?',
    'Bounded: nine labels that dots divide, then one path.',
  ],
  [
    String.raw`(?<local>[\p{L}\p{N}_.+~=-]{1,64})(?<at>(?:@|%40|\s?\[\s?at\s?\]\s?|\s?\(\s?at\s?\)\s?|\s?\[\s?@\s?\]\s?))(?<host>(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?|_[\p{L}\p{N}-]{1,40})(?:(?:\.|\s?\[\s?\.\s?\]\s?|\s?\(\s?\.\s?\)\s?|\s?\{\s?\.\s?\}\s?|\s?\[\s?dot\s?\]\s?|\s?\(\s?dot\s?\)\s?)[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?){1,10}|\[(?:IPv6:)?[0-9A-Fa-f.:]{3,45}\])|(?<![\p{L}\p{N}_])(?<ipv4>\d{1,3}(?:(?:\.|\s?\[\s?\.\s?\]\s?|\s?\(\s?\.\s?\)\s?|\s?\{\s?\.\s?\}\s?|\s?\[\s?dot\s?\]\s?|\s?\(\s?dot\s?\)\s?)\d{1,3}){3})(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}:.])(?<label>(?:IPv6|IP|client|host|source|address|from):)??(?<ipv6>(?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9A-Fa-f]{1,4})?(?:(?:\d{1,3}\.){3}\d{1,3})?)(?<port>:\d{5})?(?![\p{L}\p{N}:])|(?<![\p{L}\p{N}])(?<phone>(?:\+|00)\d[\d ()/.-]{6,20}\d)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_])(?<name>(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?|_[\p{L}\p{N}-]{1,40})(?:(?:\.|\s?\[\s?\.\s?\]\s?|\s?\(\s?\.\s?\)\s?|\s?\{\s?\.\s?\}\s?|\s?\[\s?dot\s?\]\s?|\s?\(\s?dot\s?\)\s?)[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?){1,10})(?![\p{L}\p{N}_])|(?<token>[\p{L}\p{N}+_-]{16,})|(?<word>\p{L}[\p{L}\p{M}'’-]*)`,
    'Every repeat is bounded; a person starts it, for one report.',
  ],
  [
    String.raw`(?:^|\W)(?:created|changed|last-modified|modified|regdate|updated|expir\w*|valid (?:from|until|to)|copyright|©|deadline|bis zum|no later than|born)\W{1,12}(?:\w+\W{1,3})?$`,
    'Two words of any length, divided by what is no word; the rest is bounded.',
  ],
  [
    '\\b(?:deny|permit|allow|drop|block|reject|pass)\\s{1,4}(?:(?:in|out|log|quick|ip|tcp|udp|icmp|any|inet6?|proto|host|source|from)\\s{1,4}){0,5}(?:from|source|host)\\s{1,4}$|\\b(?:iptables|ip6tables|ufw|nft|route)\\s[^"\'`]{0,80}$',
    'Bounded: six words with four spaces behind each.',
  ],
])
