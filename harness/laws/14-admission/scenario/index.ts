import type * as core from '#api/core/v1';
import type * as meta from '#api/meta/v1';
import type { HookPlan } from './hooks.ts';

/** A scenario: one or two apiservers, which ask the admission about requests of many users. */
export interface AdmissionScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  /** The longest latency of a message between the admission and its apiserver, one way. */
  readonly latencyMs: number;
  readonly facts: Facts;
  readonly steps: readonly Step[];
}

/** The objects that admission plugins read, at the beginning. */
export interface Facts {
  /** The labels of the namespaces `ns-0`, `ns-1`, … */
  readonly namespaces: readonly Labels[];
  readonly ranges: readonly RangePlan[];
  readonly classes: readonly ClassPlan[];
  readonly accounts: readonly AccountPlan[];
  readonly quotas: readonly QuotaPlan[];
  readonly hooks: readonly HookPlan[];
  /** The names of nodes, with their labels. @defaultValue none */
  readonly nodes?: Readonly<Record<string, Labels>>;
  /** The disabled plugins. @defaultValue none */
  readonly disabled?: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** A LimitRange. */
export interface RangePlan {
  readonly namespace: number;
  readonly limits: readonly core.LimitRangeItem[];
}

/** A PriorityClass. */
export interface ClassPlan {
  readonly name: string;
  readonly value: number;
  readonly isDefault: boolean;
  readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority';
}

/** A ServiceAccount. Each namespace has `default`. */
export interface AccountPlan {
  readonly namespace: number;
  readonly name: string;
  readonly automounts?: boolean;
  readonly pullSecrets?: readonly string[];
}

/** A ResourceQuota, counted from its start. */
export interface QuotaPlan {
  readonly namespace: number;
  readonly hard: Readonly<Record<string, string>>;
  /** Usage at the beginning, from objects that existed before. @defaultValue none */
  readonly used?: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly selector?: readonly core.ScopedResourceSelectorRequirement[];
}

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & Operation;

export type Operation =
  | RequestPlan
  /** An admin changes an object around the admission. */
  | { readonly do: 'change'; readonly change: Change }
  /** The apiserver's cache stops, or goes on. */
  | { readonly do: 'hold'; readonly server: number }
  | { readonly do: 'release'; readonly server: number };

/** A request of a user. */
export interface RequestPlan {
  readonly do: 'request';
  readonly server: number;
  readonly verb: RequestVerb;
  readonly object: ObjectPlan;
  readonly dryRun?: boolean;
  /** The user: a node's kubelet if set. */
  readonly node?: string;
  /** The token of a `token`. @defaultValue bound to the pod, for no audience */
  readonly token?: TokenPlan;
  /** The user: an administrator, or a controller of the cluster. @defaultValue an ordinary user */
  readonly by?: 'administrator' | 'controller';
}

/** A token that is requested. */
export interface TokenPlan {
  readonly bound?: 'to nothing' | 'without a uid' | 'with another uid' | 'to a secret';
  readonly audiences?: readonly string[];
}

/**
 * `apply` creates the object if it is missing. `update` is unconditional; `replace` has the version that the object
 * has when the request starts.
 */
export type RequestVerb =
  | 'create'
  | 'update'
  | 'replace'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'status'
  | 'scale'
  | 'bind'
  | 'evict'
  /** Requests a token of the account `default` that is bound to the pod. */
  | 'token'
  /** Connects to a container, or to a port. The pod may be missing. */
  | 'exec'
  | 'attach'
  | 'portforward'
  | 'proxy';

/** A change by an admin. */
export type Change =
  | { readonly of: 'labels'; readonly namespace: number; readonly labels: Labels }
  /** Starts the deletion of a namespace. */
  | { readonly of: 'end'; readonly namespace: number }
  /** Removes a namespace whose deletion started, and everything in it. */
  | { readonly of: 'removal'; readonly namespace: number }
  /** Creates a namespace that was removed. */
  | { readonly of: 'return'; readonly namespace: number }
  | { readonly of: 'range'; readonly range: RangePlan }
  | { readonly of: 'no ranges' }
  | { readonly of: 'class'; readonly plan: ClassPlan }
  | { readonly of: 'no class'; readonly name: string }
  | { readonly of: 'account'; readonly plan: AccountPlan }
  | { readonly of: 'no account'; readonly namespace: number; readonly name: string }
  | { readonly of: 'no quota'; readonly namespace: number; readonly index: number }
  /** Somebody writes an annotation of a quota each millisecond. */
  | { readonly of: 'busy quota'; readonly namespace: number; readonly index: number; readonly forMs: number }
  /** Writes of quotas fail, because the storage is out of order. */
  | { readonly of: 'quota fault'; readonly forMs: number }
  /** Deletes a webhook configuration. */
  | { readonly of: 'no config'; readonly phase: HookPlan['phase']; readonly config: string };

/** An object of a request. */
export type ObjectPlan =
  | ({ readonly kind: 'pod' } & Named & { readonly pod: PodPlan })
  | ({ readonly kind: 'configmap' | 'secret' | 'event' | 'lease' | 'account' } & Named)
  | ({ readonly kind: 'service' } & Named & { readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' })
  | ({ readonly kind: 'claim' } & Named & { readonly storage: string; readonly storageClass?: string })
  | ({ readonly kind: 'deployment' } & Named & { readonly pod: PodPlan })
  | ({ readonly kind: 'namespace' } & Omit<Named, 'namespace'>)
  | ({ readonly kind: 'node'; readonly taints?: readonly core.Taint[]; readonly isOwned?: boolean } & Omit<
      Named,
      'namespace'
    >)
  | { readonly kind: 'class'; readonly plan: ClassPlan }
  /** A webhook configuration that matches nothing. */
  | { readonly kind: 'hooks'; readonly phase: HookPlan['phase']; readonly name: string };

interface Named {
  readonly namespace: number;
  /** `a`; ends with `-` for a generated name. */
  readonly name: string;
  readonly labels?: Labels;
}

/** The parts of a pod that admission plugins read. */
export interface PodPlan {
  readonly containers: readonly ContainerPlan[];
  readonly inits?: readonly ContainerPlan[];
  readonly tolerations?: readonly core.Toleration[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly serviceAccountName?: string;
  readonly automounts?: boolean;
  readonly pullSecrets?: readonly string[];
  /** `activeDeadlineSeconds` */
  readonly deadline?: number;
  /** The pod has a volume `kube-api-access-mine` already. */
  readonly hasVolume?: boolean;
  readonly nodeName?: string;
  /** Whether it has the annotation of a mirror pod. */
  readonly mirrors?: boolean | 'without a hash';
  /** The node in its owner reference. @defaultValue its node, for a mirror pod */
  readonly owner?: string;
  /** The fault of its owner reference. @defaultValue none */
  readonly ownerFlaw?: 'two' | 'another uid' | 'no controller' | 'blocking';
  /** The API version of its owner. @defaultValue v1 */
  readonly ownerVersion?: string;
  readonly securityContext?: core.PodSecurityContext;
  readonly spec?: Partial<core.PodSpec>;
}

/** A container. */
export interface ContainerPlan {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
  /** It claims a device. */
  readonly claims?: boolean;
  /** Something is mounted at the path of the token, or below it. */
  readonly mounted?: boolean | 'below';
  readonly securityContext?: core.SecurityContext;
  readonly ports?: readonly core.ContainerPort[];
}

export type Selector = meta.LabelSelector;

/** The index of the namespace `kube-system`. */
export const KUBE_SYSTEM = 8;

/** The index of a namespace that never exists. */
export const NOWHERE = 9;

/** Returns the name of a namespace of a scenario. */
export const nameOfNamespace = (index: number): string =>
  index === KUBE_SYSTEM ? 'kube-system' : `ns-${index}`;
