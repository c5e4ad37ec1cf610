import type { Cluster } from '#harness/testing';

/** The process that the scheduler runs in. */
export const PROCESS = 'default-scheduler';

/** A fault that the nemesis injects. */
export type Fault = Parameters<Cluster['nemesis']['strike']>[0];
/** `Omit` of each of several. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A fault of the process that the test watches. */
export type StagedFault = DistributiveOmit<Extract<Fault, { readonly process: string }>, 'process'>;
