import type { FieldChoices, KindName } from './kinds.ts';

/** A run: an operator applies manifests, and other clients change the same objects. */
export interface ApplyScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly latencyMs: number;
  /** Number of apiservers; requests go to them in turn. */
  readonly replicas: number;
  /** Whether the apiservers track the owners of fields from the creation of an object on. */
  readonly tracksOwners?: boolean;
  readonly steps: readonly Step[];
}

/** A step, and the pause before it. An apply ends before the next step starts. */
export type Step = { readonly afterMs: number } & Operation;

/** An operation of the scenario. */
export type Operation = ApplyPlan | ({ readonly do: 'act' } & Act);

/** One `kubectl apply`. */
export interface ApplyPlan {
  readonly do: 'apply';
  readonly documents: readonly DocumentPlan[];
  readonly options?: OptionsPlan;
  /** Acts of others while it runs. */
  readonly during?: readonly Interruption[];
  readonly faults?: readonly RequestFault[];
}

/** The flags of an apply. */
export interface OptionsPlan {
  /** @defaultValue default */
  readonly namespace?: string;
  readonly required?: boolean;
  readonly force?: boolean;
  readonly timeoutMs?: number;
  readonly dryRun?: 'client' | 'server';
  readonly serverSide?: boolean;
  readonly forceConflicts?: boolean;
  readonly prune?: Readonly<Record<string, string>>;
}

/** One document of a manifest. */
export type DocumentPlan =
  | ObjectPlan
  /** A `List`, possibly with lists in it; or a list of one kind, such as `ConfigMapList`, whose items do not name theirs. */
  | { readonly list: readonly DocumentPlan[]; readonly kind?: string }
  | { readonly broken: Broken };

/** Documents without an object. `null`, an empty document, is allowed. */
export type Broken =
  | 'not parsed'
  | 'null'
  | 'text'
  | 'number'
  | 'no kind'
  | 'no apiVersion'
  | 'no name'
  | 'generated name'
  | 'unknown kind';

/** An object of a manifest. */
export interface ObjectPlan {
  readonly kind: KindName;
  readonly name: string;
  /** The namespace in the manifest. @defaultValue none */
  readonly namespace?: string;
  readonly fields: FieldChoices;
  /** Writes lists that merge by key in the reverse order. @defaultValue false */
  readonly reversed?: boolean;
  /** Writes the keys of all maps in the reverse order. @defaultValue false */
  readonly keysReversed?: boolean;
}

/** A stored object. */
export interface Target {
  readonly kind: KindName;
  readonly name: string;
  readonly namespace?: string;
}

/** An act of another client. It takes no time. */
export type Act =
  /** An editor or a controller reads the object, changes one field and updates the object. Value 0 removes the field. */
  | { readonly act: 'edit'; readonly target: Target; readonly field: string; readonly value: number }
  /** An autoscaler. */
  | { readonly act: 'scale'; readonly target: Target; readonly replicas: number }
  /** Another operator applies another manifest of the object. */
  | { readonly act: 'apply'; readonly object: ObjectPlan }
  /** Another operator applies one field by server-side apply. */
  | {
      readonly act: 'server-side apply';
      readonly target: Target;
      readonly field: string;
      readonly value: number;
      readonly manager: string;
    }
  /** Creates the object without the annotation of apply. */
  | { readonly act: 'create'; readonly object: ObjectPlan }
  /** A tool that applies by updates, with the manager of kubectl, writes the status. */
  | { readonly act: 'report'; readonly target: Target }
  | { readonly act: 'delete'; readonly target: Target }
  /** Deletes the object and creates another one of its name. */
  | { readonly act: 'replace'; readonly object: ObjectPlan }
  /** Removes all finalizers, so that a deleted object disappears. */
  | { readonly act: 'finalize'; readonly target: Target }
  /** Writes something into the annotation of apply that is no JSON object. */
  | { readonly act: 'corrupt'; readonly target: Target; readonly text: string }
  /** Removes the annotation of apply. */
  | { readonly act: 'forget'; readonly target: Target }
  /** Reverses a list that merges by key. */
  | { readonly act: 'reorder'; readonly target: Target }
  /** The cache of an apiserver stops for a while. */
  | { readonly act: 'lag'; readonly replica: number; readonly forMs: number };

/** An act while an apply runs: directly before or after the server handles one of its requests. */
export type Interruption = Act & {
  readonly when: 'before' | 'after';
  readonly verb: RequestVerb;
  /** The number of earlier requests of this verb in this apply. */
  readonly skip: number;
};

/** The verbs of requests that faults and interruptions name. `write`: any verb that changes the object in place. */
export type RequestVerb = 'get' | 'list' | 'create' | 'write' | 'delete';

/** Requests of an apply that fail. */
export interface RequestFault {
  readonly verb: RequestVerb;
  /** The number of earlier requests of this verb in this apply. */
  readonly skip: number;
  readonly times: number;
  readonly reason: FaultReason;
}

/** Why a request fails. `lost before`, `lost after`: the connection breaks before or after the server handles it. */
export type FaultReason =
  | 'Conflict'
  | 'Invalid'
  | 'Forbidden'
  | 'InternalError'
  | 'TooManyRequests'
  | 'Timeout'
  | 'lost before'
  | 'lost after';
