import type * as rbac from '#api/rbac/v1';
import type { KubeObject, ObjectKey, RbacObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Clock } from '../../sim/index.ts';
import type { ObjectCache } from '../object-cache.ts';
import type { Attributes } from './attributes.ts';
import type { User } from './user.ts';

/**
 * The part of an apiserver that decides about each request before it looks at the body: who sends it, and whether this
 * user may. Each apiserver has its own.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go DefaultBuildHandlerChain
 */
export interface Access {
  /** Identifies the user of a request. A rejected request gets a 401 and nothing else. */
  authenticate(credentials: Credentials): Authentication;
  /**
   * Identifies the user of a bearer token, for a TokenReview.
   *
   * @param audiences - the accepted audiences; the token must be for at least one of them
   */
  authenticateToken(token: string, audiences: readonly string[]): TokenAuthentication;
  /**
   * Returns the user that `user` asks to act as.
   *
   * @throws StatusError Forbidden when `user` may not; BadRequest when the headers name no user
   */
  impersonate(user: User, asked: Impersonation): User;
  /** Decides whether the user may do what the request asks for. Never throws. */
  authorize(attributes: Attributes): Decision;
  /** Returns the rules that a user has in a namespace, for a SelfSubjectRulesReview. Empty namespace: cluster-wide. */
  rulesFor(user: User, namespace: string): UserRules;
  /**
   * Checks a write of a role or a binding, after its authorization.
   *
   * @throws StatusError Forbidden when the user would grant rights that the user does not have
   */
  checkGrant(write: GrantWrite): void;
}

/** Creates the access control of one apiserver. */
export type NewAccess = (context: AccessContext) => Access;

/** What an apiserver provides to its access control. */
export interface AccessContext {
  readonly clock: Pick<Clock, 'now'>;
  /** Roles, bindings and other objects, as far as this apiserver has observed them. */
  readonly cache: ObjectCache;
  /** Reads the newest state of an object from the storage. Use it only where the cache is too old to decide. */
  read<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined;
  readonly configuration: AccessConfiguration;
}

/** The flags of an apiserver about authentication and authorization. */
export interface AccessConfiguration {
  /** Whether requests without credentials have the user `system:anonymous`; `paths`: only requests for exactly these. */
  readonly anonymous: boolean | { readonly paths: readonly string[] };
  /** The users by token, from `--token-auth-file`. */
  readonly staticTokens: ReadonlyMap<string, User>;
  /** The issuer of this cluster's service account tokens, `iss`. */
  readonly issuer: string;
  /** The audiences of this apiserver. A token without one of them is for somebody else. */
  readonly audiences: readonly string[];
  /** Checks the signature of a token, and decodes its claims. Checks nothing else. */
  verifyToken(token: string): VerifiedToken;
  /** The authorizers, in their order. */
  readonly authorizers: readonly ('Node' | 'RBAC')[];
}

/** The result of checking the signature of a token. */
export type VerifiedToken =
  | { readonly claims: TokenClaims }
  /** Not a JWT, or not a JWT of this cluster's issuer. */
  | { readonly foreign: true }
  /** This cluster is named as the issuer, but did not sign it. */
  | { readonly error: string };

/**
 * The claims of a service account token. All times are in seconds since 1970.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/claims.go privateClaims
 */
export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  /** Not valid any more after this time. */
  readonly exp: number;
  /** Not valid yet before this time. */
  readonly nbf: number;
  readonly iat: number;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: ObjectClaim;
    /** The object that the token is bound to, if any: it is valid only while this object exists. */
    readonly pod?: ObjectClaim;
    readonly secret?: ObjectClaim;
    /** With `pod`: the pod's node, for information only. Alone: the object that the token is bound to. */
    readonly node?: ObjectClaim;
    readonly warnafter?: number;
  };
}

/**
 * The claims of a token that a Secret holds. The token is valid as long as the Secret holds it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/legacy.go LegacyClaims
 */
export interface LegacyTokenClaims {
  readonly iss: 'kubernetes/serviceaccount';
  readonly sub: string;
  readonly 'kubernetes.io/serviceaccount/namespace': string;
  readonly 'kubernetes.io/serviceaccount/secret.name': string;
  readonly 'kubernetes.io/serviceaccount/service-account.name': string;
  readonly 'kubernetes.io/serviceaccount/service-account.uid': string;
}

/** An object in the claims of a token. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** The credentials of one request. */
export interface Credentials {
  /** The certificate that the client presented on the connection of this request, if any. */
  readonly certificate?: ClientCertificate;
  /** The header `Authorization`, if present. */
  readonly authorization?: string;
  /** The path of the request. */
  readonly path: string;
}

/** The leaf certificate of a client. The TLS layer has checked that the client has its key, and nothing else. */
export interface ClientCertificate {
  /** The common name of the subject; empty if there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The values of the attribute 1.3.6.1.4.1.57683.2 of the subject. */
  readonly uids: readonly string[];
  /** The SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
  /**
   * Verifies the chain up to an authority for clients, the key usage, and the validity at a time in ms since 1970.
   *
   * @returns the reason why it is not valid; undefined if it is
   */
  verify(nowMs: number): string | undefined;
}

/** The outcome of authentication. */
export type Authentication =
  | { readonly user: User }
  /** 401. The reasons are for the log of the apiserver; the client does not see them. */
  | { readonly rejected: readonly string[] };

/** The outcome for one token. */
export type TokenAuthentication =
  | { readonly user: User; readonly audiences: readonly string[] }
  | { readonly rejected: readonly string[] };

/** The headers `Impersonate-*` of a request. */
export interface Impersonation {
  /** Empty if absent. */
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * The decision about a request. Without an opinion, the next authorizer decides; without any opinion, the request is
 * forbidden.
 */
export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'no opinion';
  /** The reason, for the message to the client. */
  readonly reason?: string;
  /** An error that left the decision open. Without an allow, the request fails with a 500. */
  readonly error?: string;
}

/** The rules of a user. */
export interface UserRules {
  readonly rules: readonly rbac.PolicyRule[];
  /** Whether some authorizer has rules that it cannot list. */
  readonly incomplete: boolean;
  /** Problems while resolving rules, such as a missing role. */
  readonly errors: readonly string[];
}

/** A write of a role or a binding. */
export interface GrantWrite {
  readonly user: User;
  readonly resource: Resource<RbacObject>;
  readonly object: RbacObject;
  /** The stored object, for an update. */
  readonly old?: RbacObject;
}
