// Whether somebody passes on what another complained about: `we received the complaint below`. Then
// what is quoted is what counts, though no mail program marked it as forwarded.

const MATTER =
  'complaints?|reports?|messages?|notices?|notifications?|mails?|e-?mails?|letters?|allegations?|beschwerden?|meldung(?:en)?|nachricht|plaintes?|signalements?|message|denuncias?|quejas?|mensajes?|segnalazion[ei]|reclam[oi]|denúncias?|reclamaç(?:ão|ões)|mensagem|klacht(?:en)?|melding|bericht|жалоб[аыу]|сообщени[ея]|обращени[ея]|skarg[aię]|zgłoszenie'

const PASSED_ON = new RegExp(
  [
    `\\b(?:below|following|forwarded|underneath|enclosed) (?:abuse )?(?:${MATTER})(?!\\p{L})`,
    `(?:${MATTER}) (?:\\p{L}{1,12} ){0,2}(?:below|underneath|that follows)(?!\\p{L})`,
    `\\b(?:see|please find|quoted|details|included|copied) below\\b`,
    `\\b(?:got|received|forwarding|passing on|forward) (?:you )?(?:this|these|the following)(?: (?:${MATTER}|about|regarding|concerning|from|today)(?!\\p{L})|[:.,])`,
    `\\b(?:this|the following|it) (?:was sent to us|was reported to us|reached us|came in)\\b`,
    `\\bsiehe unten\\b|\\bunten ?stehend\\p{L}{0,3}|\\bnachfolgend\\p{L}{0,3} (?:${MATTER})|\\bfolgende\\p{L}? (?:${MATTER})|\\bleite[nt]? .{0,40}weiter\\b|\\berreichte uns\\b`,
    `\\bci-dessous\\b|\\bvoir plus bas\\b|\\bnous (?:vous )?(?:transmettons|transférons)\\b|(?:${MATTER}) suivante?s?(?!\\p{L})`,
    `\\b(?:ver|véase|más) abajo\\b|\\b(?:le|les) reenv[ií]\\p{L}{1,5}|\\bsiguientes? (?:${MATTER})`,
    `\\bdi seguito\\b|\\bqui sotto\\b|\\binoltriamo\\b|\\bseguente (?:${MATTER})`,
    `\\b(?:segue|ver|veja|vide) abaixo\\b|\\bencaminhamos\\b|\\bseguinte (?:${MATTER})`,
    `\\bhieronder\\b|\\bonderstaande?\\b|\\bvolgende (?:${MATTER})`,
    `(?<!\\p{L})(?:см\\. ниже|ниже (?:приведен|следу)\\p{L}*|пересылаем|следующ\\p{L}{1,3} (?:${MATTER}))`,
    `\\bponiżej\\b|\\bponiższ\\p{L}{1,3} (?:${MATTER})|下記の(?:通報|苦情|連絡)|以下の(?:通報|苦情|連絡)|以下(?:投诉|举报)|如下(?:投诉|举报)|다음과 같은 (?:신고|민원)|아래 (?:신고|민원)`,
  ].join('|'),
  'iu',
)

// Whoever passes something on says so in a few sentences.
const INTRODUCTION_LENGTH_MAX = 1_500

/** `lines`: what stands above the first quoted line. */
export function isPassedOn(lines: readonly string[]): boolean {
  const text = lines.map((line) => line.trim()).join(' ')
  return PASSED_ON.test(text.slice(-INTRODUCTION_LENGTH_MAX))
}
