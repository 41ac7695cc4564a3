// Texts that have broken services, made for this project, by class. A suite draws from each class,
// so that every field meets all of them.

const text = String.fromCodePoint
const times = <Value>(count: number, make: (at: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, at) => make(at))
const lines = (all: string): readonly string[] => all.split('\n').filter((line) => line !== '')

const HALVES = ['\uD800', '\uDBFF', '\uDC00', '\uDFFF']

export const NAUGHTY_STRINGS: Readonly<Record<string, readonly string[]>> = {
  empty: ['', ' ', '  ', '\t', '\n', '\r\n', ' \t\r\n ', '\u00A0', '\u3000', '\u2028', '\u200B'],
  blanks: [
    0x85,
    0xa0,
    0x1680,
    0x180e,
    0x2028,
    0x2029,
    0x202f,
    0x205f,
    0x2060,
    0x3000,
    0xfeff,
    ...times(11, (at) => 0x2000 + at),
  ].flatMap((code) => [`a${text(code)}b`, `${text(code)}ab${text(code)}`]),
  controls: [...times(31, (at) => at + 1), ...times(33, (at) => 0x7f + at)].map(
    (code) => `a${text(code)}b`,
  ),
  zero: ['\0', 'a\0', '\0a', 'a\0b', '\0\0\0', 'x.php\0.jpg', 'a%00b', '\\0', '\\u0000', '&#0;'],
  halves: [...HALVES, ...HALVES.map((one) => `a${one}b`), '\uDC00\uD800', '\uD83D\uD83D\uDE00'],
  odd_points: [
    ...times(32, (at) => text(0xfdd0 + at)),
    ...times(17, (plane) => text(plane * 0x10000 + 0xffff)),
    '\uFFFD',
    '\uFFFE',
    '\uE000',
    '\u{E0001}',
    '\u{10FFFF}',
    '\u{F0000}',
  ],
  overlong: ['%c0%80', '%c0%af', '%e0%80%af', '\u00C0\u00AF', '\\xc0\\x80', '%25%30%30', '%u0000'],
  direction: [
    '\u202Eabc',
    'abc\u202Excod.exe',
    '\u202Dabc\u202C',
    '\u2066a\u2069\u2067b\u2069',
    '\u200Fabc',
    '\u200Eabc',
    '\u061Cabc',
    '\u202A\u202B\u202C\u202D\u202E',
    'user\u202E \u2066// admin\u2069 \u2066',
    '\u05D0\u05D1\u05D2 abc \u0627\u0628\u062A',
    '\u0627\u0644\u0639\u0631\u0628\u064A\u0629',
    '\u05E2\u05D1\u05E8\u05D9\u05EA 123 abc',
    '\uFDFD',
    '\uFDFA',
  ],
  invisible: [
    8203, 8204, 8205, 8288, 8289, 65279, 173, 847, 4447, 12644, 10240, 65039, 65038, 917536, 917631,
    917760,
  ].map((code) => `a${text(code)}b`),
  emoji: lines(`\u{1F600}
\u{1F44D}\u{1F3FF}
\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}
\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}
\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}
\u{1F1E9}
1\uFE0F\u20E3
\u2764\uFE0F
\u2764
\u{1F9D1}\u200D\u{1F4BB}
\u{1F469}\u200D\u2764\uFE0F\u200D\u{1F48B}\u200D\u{1F469}
\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}
a\u{1F600}b
\u{1F3FB}
\u{1FAE0}`),
  combining: [
    'e\u0301',
    '\u00E9',
    '\u0301',
    'a\u0300\u0301\u0302\u0303\u0304\u0305',
    `Z${'\u0337\u0322\u0321'.repeat(20)}algo`,
    `a${'\u0301'.repeat(200)}`,
    '\u1100\u1161\u11A8',
    '\uAC01',
    '\u0928\u093F',
    '\u0E01\u0E33',
    '\u212B',
    'A\u030A',
    '\u{1D15E}',
    '\u0344',
    'q\u0307\u0323',
    'q\u0323\u0307',
  ],
  letter_case: lines(`\u0130stanbul
\u0131
stra\u00DFe
STRASSE
\u1E9E
\uFB01
\uFB03
\u01C5
\u03A3\u03C3\u03C2
\u0391\u0399
\u1F80
\u0149
\u212A
\u017F
\u2126
\uFF21\uFF22\uFF23
\u{1D400}\u{1D401}
\u24B6
\u2460
\u216B
\u0430dm\u0456n
p\u0430yp\u0430l.com
xn--80ak6aa92e.com
\u00B5
\u00AA
\u0345`),
  scripts: lines(`\u6F22\u5B57
\u3072\u3089\u304C\u306A\u30AB\u30BF\u30AB\u30CA
\uD55C\uAD6D\uC5B4
\u0E44\u0E17\u0E22
\u0939\u093F\u0928\u094D\u0926\u0940
\u10E5\u10D0\u10E0\u10D7
\u0420\u0443\u0441\u0441\u043A\u0438\u0439
\u0395\u03BB\u03BB\u03B7\u03BD\u03B9\u03BA\u03AC
\u{20000}\u{2A6D6}
\u{12000}\u{13000}
\u8868\u30DD\u3042A\u9DD7\u0152\u00E9\uFF22\u900D\u00DC\u00DF
\u00C5\u00C6\u00D8\u00FE\u00F0`),
  quotes: lines(`'
"
''
""
'"
"''''"'"
\`
\u2018\u2019\u201A\u201B
\u201C\u201D\u201E\u201F
\u00AB\u00BB
\\
\\\\
\\'
\\"
"\\
a"b
a'b
a\\b
%'%
_%_`),
  sql: lines(`' or '1'='1
' or 1=1--
" or ""="
1; drop table tenant--
1'; drop table abuse_case; --
') or ('1'='1
admin'--
admin' #
admin'/*
1 or 1=1
1' order by 100--
1' union select null--
' union all select version()--
' and 1=0 union select tenant_id from tenant--
'; select pg_sleep(9)--
1;select pg_sleep(9)
'||pg_sleep(9)||'
' and (select 1 from pg_sleep(9))::text='1
$$; select 1; $$
$1
$tag$x$tag$
E'\\\\x41'
U&'\\0041'
' || chr(65) || '
\\'; select 1; --
%27%20or%201=1
like '%'
'::int
1::int[]
{1,2}
(1,2)
{"a'b"}
current_setting('casework.tenant_id')
'; set casework.tenant_id = '*'; --
copy (select 1) to program 'id'
0x31
1e309
~*
a' ~ '(a+)+$
'; --
/**/or/**/1=1`),
  no_sql: lines(`{"$gt":""}
{"$ne":null}
{"$where":"1"}
[$ne]=1
a[$gt]=
';return true;var a='
$where
a.b.c
a[b]
__proto__
constructor
prototype
constructor.prototype
toString
hasOwnProperty
valueOf
then
length`),
  ldap: lines(`*
*)(uid=*))(|(uid=*
)(cn=*
(&(a=b)(c=d))
*()|&'
\\2a\\28\\29
cn=admin,dc=example
admin)(!(&(1=0
!
|`),
  xpath: lines(`' or count(/*)=1 or 'a'='b
//*
/etc/passwd
x' or name()='a
']|//*|a['
<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>
<!ENTITY % x "y">
<?xml version="1.0"?><a/>
]]>
<![CDATA[x]]>`),
  shell: lines(`; id
| id
& id
&& id
|| id
\`id\`
$(id)
\${IFS}id
$HOME
\${PATH}
~
~root
> /tmp/x
< /etc/passwd
;id;
\\nid
a;b
*
?
[a-z]
!!
--help
-rf
--
-
{a,b}
$((1+1))
() { :; }; id
%COMSPEC%
\${jndi:ldap://127.0.0.1/a}`),
  templates: lines(`{{7*7}}
{{ 7 | times: 7 }}
\${7*7}
#{7*7}
<%= 7*7 %>
{% raw %}
{% include 'x' %}
{% for i in (1..100000000) %}x{% endfor %}
{{ case | json }}
{{ constructor.constructor('return 1')() }}
{{__proto__}}
{{
}}
{%
%}
{{{{
{%%}
{{ "a" | append: "b" }}
{{ event.event_details }}
[[\${7*7}]]
@(7*7)
*{7*7}
~{7*7}
%{7*7}
$\{{7}}
event.event_type == "x"
true || true
size(event)
"a".matches("(a+)+$")
event[`),
  markup: lines(`<script>alert(1)</script>
"><script>alert(1)</script>
<img src=x onerror=alert(1)>
<svg/onload=alert(1)>
<svg><script>alert(1)</script></svg>
<iframe src=javascript:alert(1)>
<body onload=alert(1)>
<a href="javascript:alert(1)">x</a>
javascript:alert(1)
JaVaScRiPt:alert(1)
java\tscript:alert(1)
data:text/html,<script>alert(1)</script>
vbscript:msgbox(1)
' onmouseover='alert(1)
" autofocus onfocus=alert(1) x="
</title><script>alert(1)</script>
</textarea><script>alert(1)</script>
<!--><script>alert(1)</script>
<math><mi xlink:href="javascript:alert(1)">
<style>@import'http://127.0.0.1/'</style>
<link rel=stylesheet href=//127.0.0.1>
<meta http-equiv=refresh content=0>
&lt;script&gt;
&#60;script&#62;
&#x3c;script&#x3e;
%3Cscript%3E
\\u003cscript\\u003e
\uFF1Cscript\uFF1E
<scr<script>ipt>
<script src=//127.0.0.1></script>
<object data="data:text/html;base64,PHNjcmlwdD4=">
<details open ontoggle=alert(1)>
<b>bold</b>
<br>
&amp;
&
<
>
</`),
  file_names: lines(`../../../etc/passwd
..\\..\\windows\\win.ini
/etc/passwd
C:\\windows\\system32
\\\\127.0.0.1\\share
file:///etc/passwd
./a
../
..
.
/
//
a/b
a\\b
a//b
/a
a/
con
CON
nul
aux.txt
com1
lpt1
.htaccess
a.txt.
a.txt:stream
a:b
a|b
a?b
a#b
a%2fb
..%2f..%2f
%2e%2e%2f
....//
..;/
~/.ssh/id_rsa
/proc/self/environ
/dev/null
a\u2044b
a\u2215b`),
  numbers: lines(`0
-0
1
-1
00
01
1.0
1.
.5
1e3
1E400
-1e400
NaN
Infinity
-Infinity
0x10
0b1
0o7
1_000
1,000
1 000
1.2.3
999999999999999999999999
9007199254740993
-9223372036854775809
2147483648
4294967296
1e-400
+1
--1
\u0661\u0662
\uFF11
\u00BD
\u2160
true
false
null
undefined
None
nil
TRUE
yes
[object Object]
[]
{}
0/0`),
  times: lines(`2026-02-30
2026-13-01T00:00:00Z
0000-00-00
9999-12-31T23:59:59.999Z
+010000-01-01T00:00:00Z
-000001-01-01T00:00:00Z
2026-01-01T24:00:00Z
2026-12-31T23:59:60Z
2026-01-01T00:00:00+99:99
2026-01-01
2026-W01-1
now
infinity
-infinity
epoch
today
1970-01-01T00:00:00.000000000000Z
01/02/2026
P1Y
0`),
  addresses: lines(`a@b
a@example.org
@
a@
@a
a@@b
"a b"@example.org
a@[192.0.2.1]
a@example.org,b@example.org
a@example.org>
<a@example.org>
a@example.org\u0000
a+b@example.org
a@xn--bcher-kva.example
a@b\u00FCcher.example
a@-.example
a@example.org.
192.0.2.1
192.0.2.256
192.0.2
0300.0.2.1
::
::1%lo
fe80::1%25eth0
::ffff:192.0.2.1
2001:db8::/129
192.0.2.0/33
192.0.2.1/24
http://192.0.2.1/
http://[::1
https://a:b@example.org/
https://example.org:99999/
//example.org
https:example.org
example.org:80
_dmarc.example.org
-a.example.org
a..example.org
*.example.org
xn--a.example
xn--\u00FC`),
  headers: [
    'a\r\nX-Evil: 1',
    'a\nX-Evil: 1',
    'a\rX-Evil: 1',
    'a\r\n\r\n<html>',
    'a%0d%0aX-Evil:%201',
    'a\u560D\u560AX: 1',
    'a\u2028b',
    'Bcc: a@example.org',
    'a\r\n.\r\nQUIT',
    '=?utf-8?q?=0D=0A?=',
  ],
  terminal: [
    '\u001B[31mred\u001B[0m',
    '\u001B]0;title\u0007',
    '\u001B]8;;http://127.0.0.1\u0007x\u001B]8;;\u0007',
    '\u009B31m',
    'a\bb',
    'a\rb',
    '\u001B[2J',
    '\u001Bc',
    '\u0007',
    '\u001BP$q"p\u001B\\',
  ],
  formulas: lines(`=1+1
=cmd|'/c calc'!A0
+1+1
-1+1
@SUM(1)
=HYPERLINK("http://127.0.0.1","x")
\t=1+1
;=1+1
"=1+1"
%s%s%s%s
%n%n%n
%x%d
{0}
{}
%(a)s
:name
?`),
  structures: lines(`{"a":1}
[1,2,3]
{"a":{"b":
"quoted"
a,b,c
a;b;c
a=b&c=d
a: b
- a
# a
// a
/* a */
--- a
&a *a
!!js/function
<<: *a
a\\u0041
\\u{41}
\\x41
null,null`),
  long: [
    'a'.repeat(255),
    'a'.repeat(256),
    'a'.repeat(257),
    'a'.repeat(1_025),
    'a'.repeat(10_001),
    'a'.repeat(100_001),
    '\u{1F600}'.repeat(129),
    '\u{1F600}'.repeat(5_000),
    '\u0301'.repeat(10_000),
    'a.'.repeat(2_000),
    `${'a'.repeat(64)}.example.org`,
    '('.repeat(10_000),
    '\\'.repeat(10_000),
    ' '.repeat(10_000),
    '\n'.repeat(10_000),
  ],
}
