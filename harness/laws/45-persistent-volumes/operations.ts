import type { Fault } from '../../faults/index.ts';

/** The processes under test, as faults, trace and journal name them. */
export const BINDER = 'persistentvolume-binder-controller';
export const PROVISIONER = 'local-path-provisioner';
export const CLAIM_PROTECTION = 'persistentvolumeclaim-protection-controller';
export const VOLUME_PROTECTION = 'persistentvolume-protection-controller';
export const SCHEDULER = 'default-scheduler';

export const PROCESSES = [BINDER, PROVISIONER, CLAIM_PROTECTION, VOLUME_PROTECTION, SCHEDULER] as const;

/**
 * The class of a volume or a claim:
 *
 * - empty: no class, and no default one;
 * - `manual`: only a name, without a StorageClass;
 * - `local`: volumes of administrators, chosen with the node of a pod;
 * - `standard`: the default class, with the provisioner.
 */
export type ClassName = '' | 'manual' | 'local' | 'standard';

/** A volume that an administrator creates. */
export interface VolumePlan {
  readonly gib: number;
  /** Whether it also has the mode ReadOnlyMany. */
  readonly many: boolean;
  readonly className: ClassName;
  readonly policy: 'Retain' | 'Delete';
  /** Whether the binder may delete its directory. */
  readonly isTemporary: boolean;
  /** The label `tier`. */
  readonly tier: Tier;
  /** The claim that the administrator reserves it for. */
  readonly reservedFor?: number;
  /** The only node that can use it. */
  readonly node?: number;
}

/** A claim of a user. */
export interface ClaimPlan {
  readonly gib: number;
  readonly many: boolean;
  /** Absent: the default class. */
  readonly className?: ClassName;
  /** Selects volumes with this label. */
  readonly tier?: Tier;
  /** The volume that the user asks for. */
  readonly volume?: number;
}

export type Tier = 'slow' | 'fast';

/** An operation of a user or an administrator. Claims, volumes, pods and nodes have numbers. */
export type Operation =
  | ({ readonly do: 'volume'; readonly n: number } & VolumePlan)
  | ({ readonly do: 'claim'; readonly n: number } & ClaimPlan)
  /** A pod with these claims. */
  | { readonly do: 'pod'; readonly n: number; readonly claims: readonly number[] }
  | { readonly do: 'delete'; readonly kind: 'volume' | 'claim' | 'pod'; readonly n: number }
  /** The claim is removed by force, and created again under its name. */
  | { readonly do: 'replace'; readonly n: number }
  /** A volume is removed by force. */
  | { readonly do: 'destroy'; readonly n: number }
  /** The user asks for a volume of a claim that has none yet. */
  | { readonly do: 'ask'; readonly n: number; readonly volume: number }
  /** The data of a volume must be kept. */
  | { readonly do: 'retain'; readonly n: number }
  /** A released volume may be used again. */
  | { readonly do: 'free'; readonly n: number }
  /** A node leaves the cluster, or joins again. */
  | { readonly do: 'leave' | 'join'; readonly n: number }
  /** Nothing happens. All faults end with the last step, so this one prolongs them. */
  | { readonly do: 'wait'; readonly n: 0 };

/** A step of a scenario, some time after the step before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

export const nameOf = {
  volume: (n: number): string => `disk-${n}`,
  claim: (n: number): string => `data-${n}`,
  pod: (n: number): string => `db-${n}`,
  node: (n: number): string => `node-${n}`,
};

/** The numbers of objects. */
export const COUNT = { volumes: 5, claims: 4, pods: 3, nodes: 2 } as const;

/** A scenario for the controllers of volumes. */
export interface VolumesScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}
