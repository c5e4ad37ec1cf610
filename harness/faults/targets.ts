import type { Status } from '../api/status.ts';

/** What faults strike. The cluster fixture implements these; the nemesis needs to know nothing else of it. */
export interface FaultTargets {
  /** Every process that ever ran, by name. */
  process(name: string): ProcessTarget | undefined;
  /** The processes that run on a node. */
  processesOn(node: string): readonly ProcessTarget[];
  /** Takes the power from a node's machine, and gives whether there is one. The processes on it are {@link processesOn}. */
  powerOff(node: string): boolean;
  /** Cuts a node's machine off from all others, if the cluster's network knows of that. Returns what joins it again. */
  cutOff?(node: string): (() => void) | undefined;
  readonly replicas: readonly ReplicaTarget[];
  /** Makes etcd forget everything before the present. */
  compact(): void;
}

/** One run of a component, and the next ones. */
export interface ProcessTarget {
  readonly name: string;
  cutWatches(): void;
  failWatches(status: Status): void;
  /** Holds back what its watches bring, of all resources or of one, in order. Returns what lets it through. */
  holdWatches(resource?: string): () => void;
  /** Ends it without warning. Nothing that its code still does has any effect. */
  crash(): void;
  /** Starts it with empty memory. Does nothing when it runs. */
  start(): void;
  /** Sets its clock: how far off it is. */
  skewClock(byMs: number): void;
}

/** One apiserver replica. */
export interface ReplicaTarget {
  /** Stops its watch cache where it stands. */
  hold(): void;
  /** Lets it go on and catch up. */
  release(): void;
  /** Ends its watches and answers no request, until it is back. */
  goDown(): void;
  comeBack(): void;
}
