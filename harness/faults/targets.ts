import type { Status } from '../api/status.ts';

/** The targets of faults. The cluster fixture implements them; the nemesis knows nothing else of it. */
export interface FaultTargets {
  /** Returns a process by name, including processes that have ended. */
  process(name: string): ProcessTarget | undefined;
  /** Returns the processes of a node, including those that have crashed. */
  processesOn(node: string): readonly ProcessTarget[];
  /**
   * Turns off the power of a node's machine. Returns whether the machine exists. Its processes are {@link processesOn}.
   */
  powerOff(node: string): boolean;
  /**
   * Disconnects a node's machine from all others, if the cluster's network supports it. Returns a function that
   * reconnects it.
   */
  cutOff?(node: string): (() => void) | undefined;
  readonly replicas: readonly ReplicaTarget[];
  /** Compacts etcd up to the current revision. */
  compact(): void;
}

/** A process: the current run of a component, and its restarts. */
export interface ProcessTarget {
  readonly name: string;
  cutWatches(): void;
  failWatches(status: Status): void;
  /** Holds back its watch events, of all resources or of one, in order. Returns a function that releases them. */
  holdWatches(resource?: string): () => void;
  /** Crashes the process. Its code has no further effect. */
  crash(): void;
  /** Starts the process with empty memory. Has no effect while it runs. */
  start(): void;
  /** Sets the offset of its clock in ms. */
  skewClock(byMs: number): void;
}

/** One apiserver replica. */
export interface ReplicaTarget {
  /** Stops its watch cache at the current position. */
  hold(): void;
  /** Lets the watch cache continue and catch up. */
  release(): void;
  /** Ends its watches and stops serving requests until it is back. */
  goDown(): void;
  comeBack(): void;
}
