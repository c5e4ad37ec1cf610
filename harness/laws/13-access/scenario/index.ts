import type * as rbac from '#api/rbac/v1';
import type { Attributes, Impersonation } from '../../../contracts/access/index.ts';

/** A generated scenario of one apiserver and its access control. */
export interface AccessScenario {
  readonly seed: number;
  readonly configuration: ConfigurationPlan;
  readonly steps: readonly Step[];
}

/** The flags of the apiserver that differ between scenarios. */
export interface ConfigurationPlan {
  readonly anonymous: boolean | { readonly paths: readonly string[] };
  readonly authorizers: readonly ('Node' | 'RBAC')[];
}

/** An operation, and its delay after the previous one. */
export type Step = { readonly afterMs: number } & Operation;

export type Operation =
  /** A request that changes no role. Only its authentication, impersonation and authorization are recorded. */
  | { readonly act: 'ask'; readonly caller: Caller; readonly question: Question }
  /** A write of a role or a binding. */
  | { readonly act: 'write'; readonly caller: Caller; readonly verb: WriteVerb; readonly grant: Grant }
  /**
   * A write of another object by the administrator. `remove` is a delete, which finalizers and grace periods delay;
   * `vanish` removes the object at once.
   */
  | { readonly act: 'make' | 'remove' | 'vanish' | 'remake'; readonly object: ObjectPlan }
  /** The cluster issues a token for a service account. */
  | { readonly act: 'issue'; readonly token: string; readonly plan: TokenPlan }
  /** A TokenReview. */
  | { readonly act: 'review'; readonly header: string; readonly audiences: readonly string[] }
  /** A SelfSubjectRulesReview. */
  | { readonly act: 'rules'; readonly caller: Caller; readonly namespace: string }
  /** The time moves to an edge of a token or of an object that it is bound to, unless that is past. */
  | { readonly act: 'clock'; readonly token: string; readonly edge: Edge; readonly offsetMs: number }
  /** The cache stops, or catches up. */
  | { readonly act: 'hold' | 'release' };

/** `apply` is a server-side apply, `patch` a JSON merge patch. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'apply' | 'delete';

/**
 * An instant when the answer about a token can change: the end of its last second, the start of its first, or the
 * deletion of an object; each with the leeway.
 */
export type Edge = 'exp' | 'nbf' | 'iat' | 'gone';

/** A request without its user. */
export type Question = Omit<Attributes, 'user'>;

/** The credentials of a request, and its headers `Impersonate-*`. */
export interface Caller {
  readonly certificate?: CertificatePlan;
  /** The header `Authorization`. A token that the scenario issues is named in braces: `Bearer {t1}`. */
  readonly header?: string;
  readonly as?: Impersonation;
}

export interface CertificatePlan {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids?: readonly string[];
  /** The reason why it is invalid. */
  readonly flaw?: 'unknown authority' | 'server only' | 'not yet valid';
  /** It is valid until this time after the start. @defaultValue always */
  readonly untilMs?: number;
}

/** A token for a service account. */
export interface TokenPlan {
  readonly namespace: string;
  readonly account: string;
  /** Bound to this object. A pod's node is named, too, for information. */
  readonly bound?: { readonly kind: 'Pod' | 'Secret' | 'Node'; readonly name: string };
  readonly audiences: readonly string[];
  readonly seconds: number;
  /** Valid, or issued, only this time later. @defaultValue 0 */
  readonly laterSeconds?: { readonly nbf?: number; readonly iat?: number };
  /** Its claims name the account, or the bound object, without a uid. */
  readonly withoutUid?: 'account' | 'bound';
  /** Not a token of this cluster, or not signed by it. */
  readonly flaw?: 'foreign' | 'forged';
}

/** An object other than a role or a binding. */
export interface ObjectPlan {
  readonly kind:
    | 'ServiceAccount'
    | 'Secret'
    | 'ConfigMap'
    | 'Pod'
    | 'Node'
    | 'PersistentVolumeClaim'
    | 'PersistentVolume';
  readonly namespace?: string;
  readonly name: string;
  /** It has a finalizer, so it stays while it is being deleted. */
  readonly finalized?: boolean;
  /** Of a pod: its node, its service account, and the objects that it refers to. */
  readonly node?: string;
  readonly account?: string;
  readonly refers?: readonly Reference[];
  /** A mirror pod: the node has created it for a pod in its files. */
  readonly mirror?: boolean;
  /** Of a claim: its volume. */
  readonly volume?: string;
  /** Of a volume: its claim, and the secret of its driver, both in the namespace `a`. */
  readonly claim?: string;
  readonly secret?: string;
}

/** A reference of a pod, and the field that contains it. */
export interface Reference {
  readonly to: 'Secret' | 'ConfigMap' | 'PersistentVolumeClaim';
  readonly name: string;
  readonly by: 'volume' | 'projected' | 'env' | 'envFrom' | 'init' | 'pull';
}

/** A role or a binding. */
export interface Grant {
  readonly kind: 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly rules?: readonly rbac.PolicyRule[];
  /** The label that the aggregated roles have. */
  readonly aggregates?: string;
  readonly roleRef?: { readonly kind: 'Role' | 'ClusterRole'; readonly name: string };
  readonly subjects?: readonly rbac.Subject[];
}

/** The namespaces of every scenario. */
export const NAMESPACES = ['a', 'b'] as const;

/** The API group of roles and bindings. */
export const RBAC = 'rbac.authorization.k8s.io';

/** The audience of the apiserver, which is also its issuer. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** The audiences of the apiserver. */
export const AUDIENCES: readonly string[] = [ISSUER, 'api'];

/** The label that `aggregates` selects. */
export const AGGREGATE_TO = 'aggregate-to';

/** The static tokens: the user of each. */
export const STATIC_TOKENS = {
  'jane-token': { name: 'jane', uid: 'u-1', groups: ['dev'] },
  'eve-token': { name: 'eve', groups: [] },
  'root-token': { name: 'root', groups: ['system:masters'] },
  'known-token': { name: 'known', groups: ['system:authenticated', 'dev'] },
} as const;

/** The administrator. */
export const ADMIN: Caller = { certificate: { commonName: 'admin', organizations: ['system:masters'] } };

/** Returns the attributes of a request for a resource; fields that it does not name are empty. */
export function resourceRequest(fields: Partial<Question>): Question {
  return {
    verb: 'get',
    isResourceRequest: true,
    path: '',
    apiGroup: '',
    apiVersion: 'v1',
    namespace: '',
    resource: 'pods',
    subresource: '',
    name: '',
    ...fields,
  };
}

/** Returns the attributes of a request for a path. */
export function pathRequest(verb: string, path: string): Question {
  return { ...resourceRequest({ verb, path, resource: '' }), isResourceRequest: false, apiVersion: '' };
}
