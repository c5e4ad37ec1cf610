import type { LogEntry } from '../../apiserver/storage/storage.ts';
import type {
  Attributes,
  Authentication,
  Credentials,
  Decision,
  GrantWrite,
  Impersonation,
  TokenAuthentication,
  TokenClaims,
  User,
  UserRules,
} from '../../contracts/access/index.ts';
import type { AccessScenario, ConfigurationPlan } from './scenario/index.ts';

/** The refusal of a request: the code and the message of its Status. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** A call of the access control, and its result. */
export type Call =
  | { readonly call: 'authenticate'; readonly credentials: Credentials; readonly result: Authentication }
  | {
      readonly call: 'authenticateToken';
      readonly token: string;
      readonly audiences: readonly string[];
      readonly result: TokenAuthentication;
    }
  | {
      readonly call: 'impersonate';
      readonly user: User;
      readonly asked: Impersonation;
      readonly result: User | { readonly refused: Refusal };
    }
  | {
      readonly call: 'authorize';
      readonly attributes: Attributes;
      readonly result: Decision;
      /** The decision about the same request if its object did not exist. */
      readonly ifAbsent?: Decision;
      /** The decision with the bindings and the rules in the opposite order. */
      readonly ifReversed?: Decision;
    }
  | { readonly call: 'checkGrant'; readonly write: GrantWrite; readonly refused?: Refusal }
  | {
      readonly call: 'rulesFor';
      readonly user: User;
      readonly namespace: string;
      readonly result: UserRules;
      /** The decisions about some requests of this user in this namespace. */
      readonly asked: readonly { readonly attributes: Attributes; readonly allowed: boolean }[];
    };

/** A call, and the state at that time. */
export type HistoryEntry = Call & {
  readonly atMs: number;
  /** The revision that the cache had observed, and the newest one. */
  readonly position: number;
  readonly revision: number;
  /** For a write of a role or a binding: the revisions before and after it, if it was stored. */
  stored?: { readonly before: number; readonly after: number };
};

/** A write, as far as the laws read it. */
export type LoggedWrite = Pick<LogEntry, 'resource' | 'key' | 'type' | 'object' | 'revision'>;

/** The record of one run. */
export interface AccessHistory {
  readonly scenario: AccessScenario;
  readonly configuration: ConfigurationPlan;
  readonly startMs: number;
  readonly entries: readonly HistoryEntry[];
  /** Every write of the run. */
  readonly log: readonly LoggedWrite[];
  /** The claims of the tokens, by their text. */
  readonly claims: ReadonlyMap<string, TokenClaims | 'foreign' | 'forged'>;
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}
