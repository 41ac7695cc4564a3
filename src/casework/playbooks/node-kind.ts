// The contract of a node kind: its config, the paths by which a token leaves it, what it decides,
// and its effect. A file of nodes/ defines each kind, and nodes/node-kinds.ts lists all of them.
// docs/internals/playbook-engine.md explains the walk of a token.

import type { Static, TSchema } from 'typebox'
import type { BriefItem } from '../../intel/lookup/item-brief.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseMoveDeps } from '../cases/case-move-store.ts'
import type { Actor } from '../cases/case-tables.ts'
import type { MailIdentity } from '../notices/mail-identity.ts'
import type { WorkBudget } from '../rules/condition-meter.ts'
import type { Calendar } from './calendars/calendar.ts'
import type { Facts } from './case-facts.ts'
import type { ChoiceDemands } from './choice-demands.ts'

/** Whom or what a case waits for while a token waits at a node. */
export type WaitingParty = 'agent' | 'customer' | 'reporter' | 'third_party' | 'timer'

/** Who may answer a notice of ours by mail so that a playbook goes on. */
export type AnsweringParty = Extract<WaitingParty, 'customer' | 'reporter'>

/** Values that nodes keep for later nodes, at most 64 kB as JSON. */
export type Vars = Readonly<Record<string, unknown>>

/** One token at one node, as its decision sees it. */
export interface TokenAtNode {
  readonly runId: string
  readonly caseId: string
  readonly tokenId: number
  readonly nodeId: string
  /** The number of this visit, counted over all nodes of the token; the first is 1. */
  readonly visit: number
  /** `run:token:visit`, the key of an effect: the same at every attempt, and never used again. */
  readonly key: string
  readonly enteredAt: Date
  /** The time of the database at the begin of this transaction. */
  readonly now: Date
  /** The path that an accepted trigger chose at this visit; null before that. */
  readonly chosenPath: string | null
  /** True when the timer of this visit has rung. */
  readonly timerRang: boolean
  readonly vars: Vars
  /** As the last `wait` of this visit left it; null before that. */
  readonly memo: object | null
  /** Whether the path leads to a node. */
  readonly isConnected: (path: string) => boolean
  /** Those that `calendars` of the kind names, by name; one that is not there is left out. */
  readonly calendars: ReadonlyMap<string, Calendar>
  /** The work that conditions may do at this visit; see rules/condition-meter.ts. */
  readonly work: WorkBudget
}

/** What a token does at a node. Pure: a decision is made again after a crash. */
export type Decision =
  /**
   * By a path of the node. An unconnected path ends the token, but for `error`: then the run fails
   * with the reason `failure` of the output.
   */
  | {
      readonly kind: 'leave'
      readonly path: string
      /** Stored with the visit, and shown with the run. */
      readonly output?: object
      /** Added to the token's vars. */
      readonly vars?: Vars
    }
  /** Ends the token. */
  | { readonly kind: 'end'; readonly output?: object }
  | Waiting
  /** Then `apply` or `call` of the kind gives the outcome. */
  | { readonly kind: 'act' }
  /** The token goes on by the first path, and a new token by each of the others. */
  | { readonly kind: 'fork'; readonly paths: readonly string[] }
  /**
   * Waits for the other tokens of its fork: `all` until each of them waits at a join too or has
   * ended, `any` not at all, and the others end. One token goes on by `next`.
   */
  | { readonly kind: 'join'; readonly mode: JoinMode }
  /**
   * Starts a run of another playbook on the case, and waits for its end. Then the node decides
   * again; the chosen path is `next`, or `error` for a child that did not come to its end.
   */
  | { readonly kind: 'start_child'; readonly playbookId: string }
  /** Can never succeed: the path `error` where it is connected, else the run fails. */
  | Refused

export type JoinMode = 'all' | 'any'

/**
 * Waits for a trigger (`choices` of the kind), for a time, or for a change of the case. Then the
 * node decides again.
 */
interface Waiting {
  readonly kind: 'wait'
  /** Shown as `waiting_on` of the case meanwhile; null leaves it as it is. */
  readonly waitsFor: WaitingParty | null
  readonly timerAt: Date | null
  readonly watchesCase: boolean
  /** Null or absent: the memo of the visit stays as it is. */
  readonly memo?: object | null
  /** A deadline has just passed: the history of the case gets an entry. */
  readonly isOverdue?: boolean
}

export interface Refused {
  readonly kind: 'refused'
  /** One stable word, shown as the `failure` of the run. Never a text from outside. */
  readonly reason: string
  readonly output?: object
}

/** How a node is left whose wait may end early. */
export interface EarlyLeave {
  readonly path: string
  readonly output: object
  readonly vars: Vars
}

interface Done {
  readonly kind: 'done'
  /** `next` when left out; a node without paths ends the token. */
  readonly path?: string
  readonly output: object
  readonly vars?: Vars
}

interface Busy {
  readonly kind: 'busy'
}

/** The outcome of an effect. */
export type Outcome =
  | Done
  /** Nothing is left to do for the case: the run ends, and the history says why. */
  | { readonly kind: 'over'; readonly reason: string }
  | Refused
  /**
   * Of `apply` only: the effect was made, by this `apply` or an earlier one, and its end is
   * awaited. Then the node decides again; `apply` looks by its key for the effect, and makes no
   * second.
   */
  | Waiting
  /**
   * Of `apply` only: nothing was done, since another transaction has a lock that must not be waited
   * for here (`isFirst`). The token stays, and its next transaction applies the effect.
   */
  | Busy

/** The outcome of a call, which may also fail for a time. An error that is thrown counts as one. */
export type CallOutcome =
  | Exclude<Outcome, Waiting | Busy | Done>
  | (Done & {
      /** Set in the metadata of the case, in the transaction that takes the outcome. */
      readonly setMetadata?: Readonly<Record<string, unknown>>
    })
  | {
      readonly kind: 'retry'
      readonly reason: string
      readonly output?: object
      /** The other side asked for this pause at least; at most a day is kept. */
      readonly afterMs?: number
    }

/** An effect that is due: a token at a node whose decision was `act`. */
export interface Due<Config> {
  readonly scope: TenantScope
  readonly caseId: string
  readonly runId: string
  readonly tokenId: number
  readonly nodeId: string
  readonly visit: number
  /** `run:token:visit`. Two effects under one key must count once. */
  readonly key: string
  /** For history and comments: the run and the name of its playbook. */
  readonly actor: Actor
  readonly config: Config
  readonly enteredAt: Date
  /** The time of the database at the begin of this transaction. */
  readonly now: Date
  /** True when the timer of this visit has rung. */
  readonly timerRang: boolean
  /** As the last `wait` of this visit left it; null before that. */
  readonly memo: object | null
  readonly isConnected: (path: string) => boolean
  /** Whom the node waits for to which the path leads; null where it waits for nobody. */
  readonly partyBehind: (path: string) => WaitingParty | null
  readonly vars: Vars
  /** Empty values, unless the kind has `needsFacts`. */
  readonly facts: Facts
  /** As a decision sees them; none for a call. */
  readonly calendars: ReadonlyMap<string, Calendar>
}

export interface DueCall<Config> extends Due<Config> {
  /** From 1. An attempt that a crash interrupted counts. */
  readonly attempt: number
  /** Aborted when the worker stops; pass it on. */
  readonly signal: AbortSignal
}

export interface ApplyDeps extends CaseMoveDeps {
  readonly briefItem: BriefItem
  readonly clock: Clock
  /** Null where no relay is set: no mail leaves the house. */
  readonly mail: MailIdentity | null
  /** This transaction has locked no case yet, so it may wait for the correlation lock. */
  readonly isFirst: boolean
}

export interface CallDeps {
  readonly briefItem: BriefItem
  /** Opens secrets of tenants; see nodes/secret-config.ts. */
  readonly secrets: SecretCipher
  readonly db: Db
  readonly clock: Clock
  readonly outbound: Outbound
  /** Whether the operator opened the target for plain HTTP (CASEWORK_OUTBOUND_ALLOW). */
  readonly allowsPlainHttp: (url: string) => boolean
}

export interface SimulatedCall {
  readonly kind: 'call'
  readonly request: Readonly<Record<string, unknown>>
}

/** Attempts of a call. The pause doubles from `seconds` up to `maxSeconds`. */
export interface RetryPolicy {
  readonly attempts: number
  readonly seconds: number
  readonly maxSeconds: number
}

export interface ConfigReading {
  /**
   * Adds a problem at a member of the config, such as `paths/1` or `['headers', name]`, and returns
   * null for `read` to return.
   */
  readonly refuse: (field: string | readonly (string | number)[], reason: string) => null
}

interface KindTexts {
  /** As graphs name it: lower case and underscores. Never changed once released. */
  readonly kind: string
  /** For people, such as `Set State`. */
  readonly title: string
  /** One or two sentences for the reference and for editors. */
  readonly description: string
  /** A node of this kind that is valid; shown in the reference, and parsed by a test. */
  readonly example: { readonly config: Readonly<Record<string, unknown>> }
}

/** Define a kind with it. Members without a word are explained in the interface. */
export interface NodeKindSpec<Schema extends TSchema, Config extends object> extends KindTexts {
  /**
   * Strict (`additionalProperties: false`), with a description for each member. It is the JSON
   * Schema that editors get.
   */
  readonly config: Schema
  /** The config as the other functions take it. What no schema can say is refused here. */
  readonly read: (config: Static<Schema>, reading: ConfigReading) => Config | null
  /** In the order in which they are shown; empty for a node that ends the token. */
  readonly paths: (config: Config) => readonly string[]
  /** The paths that a trigger may choose while a token waits here; none when left out. */
  readonly choices?: (config: Config) => readonly string[]
  /** What they ask of those who choose; nothing when left out. */
  readonly asks?: (config: Config) => ChoiceDemands
  /** The path of an answer by mail of this party while a token waits here; null for none. */
  readonly answerPath?: (config: Config, party: AnsweringParty) => string | null
  /** Of a kind with `choices`: whom the case waits for while a token waits here. */
  readonly waitsFor?: (config: Config) => WaitingParty | null
  /**
   * Of the memo of a wait that only looks whether the effect still fails: how the node is left when
   * somebody chooses a path of the node behind it meanwhile. Null for any other wait.
   */
  readonly leavesEarly?: (memo: object) => EarlyLeave | null
  /** A trigger may choose while no token waits here; a further token of the run begins then. */
  readonly isAnytime?: (config: Config) => boolean
  /**
   * True when every visit waits, or visits of one loop are bounded otherwise. A loop of a graph
   * must hold such a node.
   */
  readonly breaksLoops?: true
  /** A remark for people: no path leads to it, and no token is ever at it. */
  readonly isRemark?: true
  /** Paths that a loop takes a limited number of times, so that the loop needs no waiting node. */
  readonly boundedPaths?: readonly string[]
  /** Of a kind that decides `join`: how. The engine asks it of tokens that wait there already. */
  readonly joinMode?: (config: Config) => JoinMode
  /** Its waits may end by a change of the case (`watchesCase`). */
  readonly watchesCases?: true
  /** The calendars that are loaded for `decide` and `apply`; none when left out. */
  readonly calendars?: (config: Config) => readonly string[]
  /** The ids of users and groups that it names; asked before a version is active. */
  readonly assignees?: (config: Config) => readonly string[]
  /** The facts of the case are loaded for `decide`, `apply` and `call`; of some configs only. */
  readonly needsFacts?: true | ((config: Config) => boolean)
  readonly decide: (config: Config, token: TokenAtNode, facts: Facts) => Decision
  /**
   * The effect in the transaction of the step, for nodes of one tenant at once; the outcomes in
   * their order. Kinds that share one function get their nodes in one call. An error that is thrown
   * rolls the step back, and it is repeated. After the outcome `wait` it is called again.
   */
  readonly apply?: (
    tx: Tx,
    deps: ApplyDeps,
    dues: readonly Due<Config>[],
  ) => Promise<readonly Outcome[]>
  /**
   * The effect outside of the transaction. It may happen again after a crash, with the same key,
   * so it sends the key along. It ends within 60 s by itself.
   */
  readonly call?: (deps: CallDeps, due: DueCall<Config>) => Promise<CallOutcome>
  /**
   * Of a kind that sends to its member `url`: that URL as far as it is constant, so that one that
   * the guarded client refuses is told before a run.
   */
  readonly targetUrl?: (config: Config) => string
  /**
   * What `call` would send, for a simulation, which calls nothing. Secrets are shown by their
   * names.
   */
  readonly simulate?: (due: Due<Config>) => SimulatedCall | Refused
  /** Of a kind with `call`, where the node has none of its own; DEFAULT_RETRY when left out. */
  readonly retry?: RetryPolicy
}

/** Eight attempts within an hour and a half. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 8, seconds: 30, maxSeconds: 3_600 }

/** A kind as everything but its own file sees it: its config is what its `read` returned. */
export type NodeKind = NodeKindSpec<TSchema, object>

export function defineNodeKind<Schema extends TSchema, Config extends object>(
  spec: NodeKindSpec<Schema, Config>,
): NodeKind {
  // The one cast that stands for "a kind is given only what its own `read` returned".
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return spec as unknown as NodeKind
}

/** The decision of a kind that only acts. */
export function act(): Decision {
  return { kind: 'act' }
}
