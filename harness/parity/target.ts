import type { Clock } from '../sim/index.ts';

/** The result of a command in a container. */
export interface Executed {
  readonly stdout: string;
  readonly stderr: string;
  /** Absent if the server reports an error instead. */
  readonly code: number | undefined;
}

/** Names a container. */
export interface ContainerName {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** A cluster to check. */
export interface Target {
  /** The address of the apiserver, without a trailing slash. */
  readonly url: string;
  /** Sends a request with the credentials of the user. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Counts the time of the cluster: real time, unless the cluster is ours and runs faster. */
  readonly clock: Clock;
  /** Runs a command in a container. Absent if the connection has no streams. */
  readonly exec?: (at: ContainerName, command: readonly string[]) => Promise<Executed>;
}
