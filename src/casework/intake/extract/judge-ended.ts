// Mails that name an address or a link of ours though nothing is wrong with it any more: answers of customers who mended it, tickets that
// are over, entries that were taken off a list. Patterns are matched against folded text.

import { isAnswer, known, type Refusal, type View } from './judge-view.ts'
import { GOES_ON, OUR_REPORT, PLEA } from './judge-words.ts'

/** What somebody did about a notice of ours. */
const MENDED =
  /\b(?:(?:we|i)(?: have| had|'ve)?(?: now| already| just)? (?:removed|deleted|cleaned|fixed|reinstalled|patched|updated|closed|stopped|mended|repaired|changed (?:all |the )?passwords?)|is (?:clean|fine|safe) (?:now|again)|(?:have|has) been (?:cleaned|reinstalled|patched)|(?:haben|habe) .{0,80}?(?:entfernt|geloscht|bereinigt|behoben|neu aufgesetzt|neu installiert|aktualisiert)|(?:nous avons|j'ai) .{0,30}?(?:supprime|nettoye|corrige|reinstalle)|(?:hemos|he) (?:eliminado|limpiado|corregido|reinstalado|borrado)|(?:abbiamo|ho) (?:rimosso|pulito|corretto|reinstallato|eliminato)|(?:removemos|removi|limpamos|corrigimos|apagamos|apaguei)|(?:hebben|heb) .{0,60}?(?:verwijderd|opgeschoond|opgelost))|мы (?:удалили|исправили|очистили)|(?:я )?(?:удалил|исправил|почистил)|usunelismy|usunalem|naprawilismy|削除しました|対応しました|修正しました|삭제했습니다|조치했습니다|已删除|已修复|已处理/

/** What he wants in turn. */
const LET_GO =
  /\b(?:unblock|unlock|unsuspend|un-suspend|re-?enable|re-?activate|enable (?:it|the server|my server|our server) again|lift the (?:block|suspension|ban)|bring (?:it|the server|my server) back|remove the (?:block|suspension|null ?route)|entsperr|freischalt|reaktivier|wieder frei|debloquer|reactiver|desbloque|reactiv|sblocc|riattiv|deblokk|heractiv)|разблок|включите|odblok|解除して|再開して|차단 해제|해제해|解封|解除封/

/** Whom we told tells us what became of it. */
const DONE =
  /\b(?:we (?:have |had |'ve )?(?:now |already |today |since )?(?:resolved|removed|fixed|suspended|terminated|disabled|taken (?:the |appropriate |the necessary )?(?:action|measures|care)|took (?:action|care|the necessary)|dealt with)|(?:customer|client|account|user|server|site|page|content)(?: \S{1,20}){0,3} (?:was|were|has been|have been|is) (?:now |today |already )?(?:suspended|terminated|removed|disabled|taken down|taken offline|notified|cleaned)|wir haben .{0,60}?(?:gesperrt|entfernt|behoben|gekundigt|abgeschaltet)|der kunde wurde|nous avons (?:supprime|suspendu|resolu|desactive)|hemos (?:suspendido|eliminado|resuelto|desactivado)|abbiamo (?:sospeso|rimosso|risolto|disattivato)|suspendemos|removemos|wij hebben .{0,60}?(?:verwijderd|afgesloten|opgelost))|мы (?:заблокировали|удалили|отключили)|клиент (?:заблокирован|отключен)|zablokowalismy|停止しました|削除しました|차단하였습니다|삭제하였습니다|已暂停|已删除|已关闭/

/** What follows is no end. */
const YET =
  /\b(?:but|yet|however|as before|you (?:said|wrote|claimed)|aber|jedoch|trotzdem|dennoch|mais|pourtant|pero|sin embargo|tuttavia|maar|toch)\b|однако|しかし|하지만|但是|但/

/** An entry of a list is gone. */
const DELISTED =
  /\b(?:(?:has|have|was|were|is|are|been)(?: now| been| successfully)* (?:delisted|de-listed|unlisted|removed from (?:the|our|this) (?:black|block|deny)?list)|(?:is|are) no longer (?:listed|blocked|on our list)|(?:removal|delisting) request (?:was|has been) (?:accepted|approved|processed|granted)|wurde (?:aus|von) (?:der|unserer) (?:liste|sperrliste|blacklist|blockliste) (?:entfernt|gestrichen|geloscht)|ist nicht mehr gelistet|nicht mehr gelistet|n'est plus (?:liste|repertorie)|ha sido (?:eliminad[ao]|retirad[ao]) de (?:la|nuestra) lista|ya no esta en la lista|e stato rimosso dalla (?:lista|blacklist)|foi removid[oa] da (?:lista|nossa lista)|is (?:van de|uit de) lijst (?:gehaald|verwijderd))|(?:удален|исключен)\S{0,3} из (?:списка|черного списка|нашего списка)|больше не значится|リストから削除され|해제되었습니다|已从(?:列表|黑名单)(?:中)?(?:移除|删除)/

/** Here our own words are quoted. */
const OUR_WORDS =
  /(?:\byour (?:original )?(?:message|request|report|submission|complaint|enquiry|inquiry|ticket)(?: was| said| reads?| follows?| contents?| below)?\s{0,3}[-–—]*\s{0,3}:|-{2,} ?(?:your|original) (?:message|request|report|submission)|\bihre (?:nachricht|anfrage|meldung)\s?:|-{2,} ?ihre (?:nachricht|anfrage|meldung)|\bvotre (?:message|demande|signalement)\s?:|\bsu (?:mensaje|solicitud|denuncia)\s?:|\bil (?:suo|tuo) messaggio\s?:|\bsua mensagem\s?:|\buw (?:bericht|melding)\s?:|ваше (?:сообщение|обращение)\s?:|お問い合わせ内容|문의 내용|您的(?:留言|举报内容))/

const STILL =
  /\bstill (?:online|active|up|there|live|running|reachable|sending|attacking|available|hosted)\b|\b(?:immer noch|nach wie vor|toujours (?:en ligne|actif|active)|sigue (?:activ|en linea|online)|ancora (?:online|attiv)|ainda (?:esta|no ar)|nog steeds)\b|все еще|まだ|여전히|仍然|仍在/

/** Whatever it thanks for: something goes on. */
export function goesOn(start: string): boolean {
  return STILL.test(withoutOurWords(start))
}

// Below `Your message was:` the words are ours.
export function withoutOurWords(start: string): string {
  const at = start.search(OUR_WORDS)
  return at === -1 ? start : start.slice(0, at)
}

// An end is told at the beginning.
const END_LENGTH = 300

/** Somebody tells that a matter is over, and names what it was about. Whoever says that it goes on complains after all. */
export function readEnd({ mail, subject, start }: View): Refusal | null {
  const own = withoutOurWords(start)
  // `It is fine again`: here the word tells of no complaint.
  const mended = MENDED.test(own) ? known('an answer to a notice', own, LET_GO) : null
  if (mended !== null) return mended
  if (GOES_ON.test(own)) return null
  const gone = known('a notice of an end', `${subject} ${own.slice(0, END_LENGTH)}`, DELISTED)
  if (gone !== null) return gone
  const isOurs = isAnswer(mail) || own.length < start.length || OUR_REPORT.test(own)
  if (!isOurs || PLEA.test(own) || YET.test(own)) return null
  return known('an answer to an earlier report', own.slice(0, END_LENGTH), DONE)
}
