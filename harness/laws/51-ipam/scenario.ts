import type { NetworkPlan } from './networks.ts';

/** What is done to a node: a call of the plugin, which is a process of its own, or something that befalls the machine. */
export type Deed =
  | {
      readonly call: 'ADD';
      readonly network: number;
      readonly container: number;
      /** The address that is asked for. */
      readonly asksFor?: string;
      readonly dies?: number;
    }
  | {
      readonly call: 'DEL' | 'CHECK';
      readonly network: number;
      readonly container: number;
      readonly dies?: number;
    }
  | {
      readonly call: 'GC';
      readonly network: number;
      /** Containers that are no longer valid, though they are in hand. */
      readonly gone: readonly number[];
      /** Whether containers are valid, too, whose ADD died. @defaultValue false */
      readonly begun?: boolean;
      readonly dies?: number;
    }
  | { readonly call: 'STATUS'; readonly network: number; readonly dies?: undefined }
  | { readonly call: 'power cut' }
  /** The disk is full, but for so many bytes, and for so long. */
  | { readonly call: 'disk full'; readonly forMs: number; readonly roomBytes: number }
  /** Everything is released, and then as many containers come as there are addresses, and one more. */
  | { readonly call: 'inventory'; readonly network: number };

/**
 * A deed, and how long after the beginning of the last one. A call that `dies` does so before its so manieth call of the kernel, or,
 * if it makes fewer, before its answer is read.
 */
export type Step = { readonly afterMs: number } & Deed;

/** One life of the plugin on a node, as values that fast-check makes and shrinks. */
export interface IpamScenario {
  readonly seed: number;
  /** Which process goes first among those that could at the same instant. */
  readonly schedule: readonly number[];
  readonly networks: readonly NetworkPlan[];
  readonly steps: readonly Step[];
}

/** The container of this number. */
export function containerID(container: number): string {
  return `pod-${container}`;
}

/** The interface of every container. */
export const IFNAME = 'eth0';
