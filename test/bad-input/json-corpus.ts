// Texts for parsers of JSON, made for this project, in the classes of public suites: `y` has to be
// read, `n` has to be refused, `i` may be either, because RFC 8259 leaves a limit or a meaning
// open.

export interface JsonCase {
  readonly kind: 'y' | 'n' | 'i'
  readonly text: string
}

interface BytesCase {
  readonly what: string
  readonly bytes: Buffer
}

const NUMBERS = `0 -0 1 -1 9 10 123 -123 0.1 -0.1 1.0 0.0 -0.0 1.5 123.456 0e0 0E0 0e+0 0e-0 1e1 1E1 1e+1
  1e-1 1E+22 1E-22 -1e5 1.5e3 1.5E-3 0.000000000000001 123456789 9007199254740991 -9007199254740991
  1e300 1e-300 1.7976931348623157e308 5e-324 20e1 123e45 0.4e006`
const NOT_NUMBERS = `+1 +0 01 -01 00 -00 0123 1. -1. .5 -.5 0. 1.e1 1e 1E 1e+ 1e- 1e1.5 1.2.3 1ee2 1e+-1 --1 -+1
  - + . e E -e 0x1 0X1F 0b1 0o7 1_000 1,000.0.0 1n 1f 1.0f 1L 1a -a 0e 0e+ 0.e1 NaN nan -NaN Infinity
  -Infinity +Infinity Inf inf Number 1- 1+ 1+2 1-2 1/2 1*2 (1) 2.e3 2.e+3 2.e-3 9.e+ -2. 0.3e 0.3e+
  \uFF11 \u0661 \u00B2 \u00BD 0\u200B #1 $1 1% ~1 ^1 !1 @1 =1 1; 1: 0xg 08 09 -012 1e0x1`
const LITERALS = `true false null`
const NOT_LITERALS = `True TRUE False FALSE Null NULL nul tru fals nulll truee falsey undefined None none nil yes no on
  off t f n tr fa nu true1 null0 false_ a abc void this`
const BIG = `1e309 -1e309 1e400 -1e400 1e99999 0.1e309 9007199254740993 -9007199254740993
  18446744073709551616 123456789012345678901234567890 1e-400 -1e-400 0.00000000000000000000000000001
  1.00000000000000000000000001 3.141592653589793238462643383279 4.9e-324 2e-324 1.8e308 99999999999999999999
  -123123123123123123123123123123`

const words = (text: string): readonly string[] => text.split(/\s+/).filter((one) => one !== '')

const STRINGS = [
  '""',
  '" "',
  '"a"',
  '"\\""',
  '"\\\\"',
  '"\\/"',
  '"/"',
  '"\\b\\f\\n\\r\\t"',
  '"\\u0041"',
  '"\\u00e9"',
  '"\\u00E9"',
  '"\\uD83D\\uDE00"',
  '"\\ud83d\\ude00"',
  '"\\uFFFF"',
  '"\\uFDD0"',
  '"\\u2028\\u2029"',
  '"\\u007f"',
  '"\\u0001"',
  '"\\u001f"',
  '"\\\\u0041"',
  '"\\\\\\u0041"',
  '"\u007F"',
  '"\u2028"',
  '"\u2029"',
  '"\uFEFF"',
  '"\uFFFE"',
  '"\u00E9"',
  '"e\u0301"',
  '"\u{1F600}"',
  '"\u{10FFFF}"',
  '"\u200B"',
  '"\u202E"',
  '"null"',
  '"1"',
  '"[]"',
  '"{\\"a\\":1}"',
  '"//"',
  '"/* x */"',
  '"\'"',
  '"&lt;"',
  `"${'a'.repeat(1_000)}"`,
  `"${'\\n'.repeat(200)}"`,
]
const NOT_STRINGS = [
  '"',
  '"a',
  'a"',
  "'a'",
  '`a`',
  '“a”',
  '"a""b"',
  '"a" "b"',
  '"\\"',
  '"\\x41"',
  '"\\a"',
  '"\\v"',
  '"\\0"',
  '"\\1"',
  '"\\\'"',
  '"\\ "',
  '"\\U0041"',
  '"\\u"',
  '"\\u0"',
  '"\\u00"',
  '"\\u004"',
  '"\\u004g"',
  '"\\uD83D\\uDE0"',
  '"\\uD83D\\u"',
  '"\\uD83D\\"',
  '"\\u 041"',
  '"\\u+041"',
  '"\\u{41}"',
  '"\\\u00E9"',
  '"\\\u{1F600}"',
  '"\\\n"',
  '"a\\',
  '\\"a\\"',
  '\\u0022a\\u0022',
  '"a"\\n',
  '&quot;a&quot;',
]
const STRUCTURES = [
  '[]',
  '{}',
  '[[]]',
  '[[[]]]',
  '[1,2,3]',
  '[null, true, false]',
  '["a", 1, [], {}]',
  '{"a":1}',
  '{"a":{"b":{"c":[]}}}',
  '{"":0}',
  '{"a b":1}',
  '{"\\u0061":1}',
  '{"a":[],"b":{}}',
  '[{"a":1},{"a":2}]',
  ' [ 1 , 2 ] ',
  '\t[\r\n1\t]\n',
  '{ "a" : 1 , "b" : 2 }',
  '{\n"a":\r1\t}',
  '[1]\n\n\n',
  '[[],[[]],{}]',
  `[${'1,'.repeat(50)}1]`,
  `{${Array.from({ length: 20 }, (_, at) => `"k${at}":${at}`).join()}}`,
  `${'['.repeat(15)}${']'.repeat(15)}`,
  '{"length":1,"toString":"x","hasOwnProperty":null}',
]
const NOT_STRUCTURES = [
  '[',
  ']',
  '{',
  '}',
  '[[',
  ']]',
  '{{',
  '}}',
  '[}',
  '{]',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[,]',
  '[1,,2]',
  '[1,2,]',
  '[1 2]',
  '[1;2]',
  '[1:2]',
  '["a":1]',
  '[1]]',
  '[[1]',
  '[1]]1',
  '[1]x',
  '[1][2]',
  '[1],',
  '[1],[2]',
  '[...[]]',
  '[1,...]',
  '["a",\n4\n,1,',
  '[#]',
  '[/* x */]',
  '[1] // x',
  '[1] # x',
  '/* x */ [1]',
  '// x\n[1]',
  '<!-- --> [1]',
  '{"a"}',
  '{"a":}',
  '{"a":1',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":1 "b":2}',
  '{"a":1;"b":2}',
  '{"a"=1}',
  '{"a"=>1}',
  '{"a"::1}',
  '{"a":1:2}',
  '{"a","b"}',
  '{"a" 1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '{null:1}',
  '{true:1}',
  '{[]:1}',
  '{{}:1}',
  '{"a":1}}',
  '{"a":1}{',
  '{"a":1}{"b":2}',
  '{"a":1}#',
  '{"a":1}//',
  '{"a":1}/**/',
  '{"a":/* x */1}',
  '{"a":1 # x\n}',
  '{"a":a}',
  '{"a":"b}',
  '{"a:1}',
  '{"a":b:"c"}',
  '{ "a" : 1, "b" }',
  '{"__proto__"}',
  'a',
  'a:1',
  ':',
  ',',
  '1,2',
  '*',
  '<null>',
  '<a>1</a>',
  '---\na: 1',
  'a=1&b=2',
  'function(){}',
  '()=>1',
  'new Date()',
  '[new Date()]',
  '[0x41]',
  ")]}',\n[1]",
  'while(1);[1]',
  'callback([1])',
  '['.repeat(5_000),
  '[{"a":'.repeat(2_000),
]
const OPEN = [
  '"\\u0000"',
  '"a\\u0000b"',
  '{"\\u0000":1}',
  '"\\uD800"',
  '"\\uDC00"',
  '"\\uD800\\uD800"',
  '"\\uDC00\\uD800"',
  '"\\uD83Dx"',
  '"x\\uDE00"',
  '"\\uD83D\\u0041"',
  '{"\\uD800":1}',
  '{"a":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"__proto__":1}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(500)}${']'.repeat(500)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
  '\uFEFF[1]',
  '\uFEFF{}',
]
// Of the blanks of Unicode only four are JSON's.
const OTHER_BLANKS = [
  0x0b, 0x0c, 0x00, 0x1c, 0x85, 0xa0, 0x1680, 0x2000, 0x2009, 0x2028, 0x2029, 0x202f, 0x205f,
  0x2060, 0x3000, 0xfeff, 0x200b,
]
const WHOLE = '{"a":[1,-2.5e+1,"b\\u00e9\\n",true,null]}'

/** At least 318 texts, each once. */
export function buildJsonCorpus(): readonly JsonCase[] {
  const made: JsonCase[] = [
    ...['', ' ', '\n', '\t\r\n '].map((text) => ({ kind: 'n', text }) as const),
    ...[...words(NUMBERS), ...words(LITERALS), ...STRINGS, ...STRUCTURES].map(
      (text) => ({ kind: 'y', text }) as const,
    ),
    ...[...words(NOT_NUMBERS), ...words(NOT_LITERALS), ...NOT_STRINGS, ...NOT_STRUCTURES].map(
      (text) => ({ kind: 'n', text }) as const,
    ),
    ...[...words(BIG), ...OPEN].map((text) => ({ kind: 'i', text }) as const),
    // A control character in a string has to be escaped.
    ...Array.from(
      { length: 0x20 },
      (_, code) => ({ kind: 'n', text: `"a${String.fromCharCode(code)}b"` }) as const,
    ),
    ...OTHER_BLANKS.flatMap((code) => {
      const blank = String.fromCharCode(code)
      return [
        { kind: 'n', text: `[1${blank}]` } as const,
        { kind: 'n', text: `1${blank}` } as const,
      ]
    }),
    ...Array.from(
      { length: WHOLE.length - 1 },
      (_, at) => ({ kind: 'n', text: WHOLE.slice(0, at + 1) }) as const,
    ),
  ]
  return [...new Map(made.map((one) => [one.text, one])).values()]
}

const bytesOf = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'string' ? part : [...part])))

const NOT_UTF8: readonly (readonly number[])[] = [
  [0x80],
  [0xbf],
  [0x80, 0x80],
  [0xc0, 0x80],
  [0xc0, 0xaf],
  [0xc1, 0xbf],
  [0xc2],
  [0xc3, 0x28],
  [0xdf],
  [0xe0, 0x80, 0x80],
  [0xe0, 0x80, 0xaf],
  [0xe0, 0x9f, 0xbf],
  [0xe2, 0x82],
  [0xe2, 0x28, 0xa1],
  [0xe2, 0x82, 0x28],
  [0xed, 0xa0, 0x80],
  [0xed, 0xaf, 0xbf],
  [0xed, 0xb0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  [0xef, 0xbf],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf0, 0x9f, 0x98],
  [0xf0, 0x28, 0x8c, 0xbc],
  [0xf0, 0x90, 0x28, 0xbc],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
  [0xfe],
  [0xff],
  [0xfe, 0xff],
  [0xe9],
  [0xfc],
  [0x93, 0x94],
]
const UTF8: readonly (readonly number[])[] = [
  [0xc2, 0x80],
  [0xdf, 0xbf],
  [0xe0, 0xa0, 0x80],
  [0xed, 0x9f, 0xbf],
  [0xee, 0x80, 0x80],
  [0xef, 0xbf, 0xbd],
  [0xef, 0xbf, 0xbf],
  [0xf0, 0x90, 0x80, 0x80],
  [0xf4, 0x8f, 0xbf, 0xbf],
  [0xef, 0xbb, 0xbf],
]

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex')

/** At least 60 cases of bytes that are no text, or nearly none. */
export function buildBytesCorpus(): readonly BytesCase[] {
  const utf32 = Buffer.alloc(12)
  for (const [at, one] of Array.from('[1]').entries()) {
    utf32.writeUInt32LE(one.charCodeAt(0), at * 4)
  }
  const mark = [0xef, 0xbb, 0xbf]
  return [
    ...[...NOT_UTF8, ...UTF8].map((bytes) => ({
      what: `${hex(bytes)} in a string`,
      bytes: bytesOf('["', bytes, '"]'),
    })),
    ...NOT_UTF8.slice(0, 8).map((bytes) => ({
      what: `${hex(bytes)} in a name`,
      bytes: bytesOf('{"', bytes, '":1}'),
    })),
    ...NOT_UTF8.slice(28, 33).map((bytes) => ({
      what: `${hex(bytes)} between tokens`,
      bytes: bytesOf('[1', bytes, ']'),
    })),
    { what: 'a byte order mark', bytes: bytesOf(mark, '["a"]') },
    { what: 'two byte order marks', bytes: bytesOf(mark, mark, '["a"]') },
    { what: 'a byte order mark alone', bytes: bytesOf(mark) },
    { what: 'a part of a byte order mark', bytes: bytesOf([0xef, 0xbb], '["a"]') },
    { what: 'a byte order mark at the end', bytes: bytesOf('["a"]', mark) },
    { what: 'UTF-16LE', bytes: Buffer.from('["a"]', 'utf16le') },
    { what: 'UTF-16LE with a mark', bytes: Buffer.from('\uFEFF["a"]', 'utf16le') },
    { what: 'UTF-16BE', bytes: Buffer.from('["a"]', 'utf16le').swap16() },
    { what: 'UTF-16BE with a mark', bytes: Buffer.from('\uFEFF["a"]', 'utf16le').swap16() },
    { what: 'UTF-32LE', bytes: utf32 },
    { what: 'NUL', bytes: bytesOf([0]) },
    { what: 'NUL at the end', bytes: bytesOf('["a"]', [0]) },
    { what: 'NUL in a string', bytes: bytesOf('["', [0], '"]') },
    { what: 'NUL between tokens', bytes: bytesOf('[', [0], '"a"]') },
    { what: 'Latin-1', bytes: Buffer.from('["caf\u00E9"]', 'latin1') },
    { what: 'a gzip header', bytes: bytesOf([0x1f, 0x8b, 0x08, 0x00]) },
    { what: 'an escape sequence', bytes: bytesOf([0x1b], '[31m') },
  ]
}
