import type { NetworkPlan } from './networks.ts';

/** What is done to a node: a call of the plugin, which is a process of its own, or something that befalls the machine. */
export type Operation =
  | {
      readonly call: 'ADD';
      readonly network: number;
      readonly container: number;
      /** The addresses that are asked for. */
      readonly asksFor?: readonly string[];
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
      /** Whether the runtime does not say which are valid. @defaultValue false */
      readonly unlisted?: boolean;
      readonly dies?: number;
    }
  | { readonly call: 'STATUS'; readonly network: number; readonly dies?: undefined }
  | { readonly call: 'power cut' }
  /** The disk is full, except for so many bytes, and for so long. */
  | { readonly call: 'disk full'; readonly forMs: number; readonly roomBytes: number }
  /** A host-local of before died, and has left the file of an address empty: this one of the first set, if it is free. */
  | { readonly call: 'left empty'; readonly network: number; readonly at: number }
  /** A host-local of before died, or the power was cut, while it wrote down which address of a set was the last: the file says this. */
  | { readonly call: 'left last'; readonly network: number; readonly set: number; readonly text: string }
  /** From now on the network is configured so. */
  | { readonly call: 'configuration'; readonly network: number; readonly plan: NetworkPlan }
  /** Everything is released, and then as many containers come as there are addresses, and one more. */
  | { readonly call: 'inventory'; readonly network: number };

/**
 * A operation, and how long after the beginning of the last one. A call that `dies` does so before its so manieth call of the kernel, or,
 * if it makes fewer, before its answer is read.
 */
export type Step = { readonly afterMs: number } & Operation;

/** One life of the plugin on a node, as values that fast-check makes and shrinks. */
export interface IpamScenario {
  readonly seed: number;
  /** Which process goes first among those that could at the same instant. */
  readonly schedule: readonly number[];
  readonly networks: readonly NetworkPlan[];
  readonly steps: readonly Step[];
}

/** Some are of one container, and some containers have names of which one is the beginning of another. */
const ATTACHMENTS = ['pod-1', 'pod-10', 'pod-2', 'pod-1 net1', 'pod-20', 'pod-2 net1', 'pod-100'] as const;

/** The attachment of this number: `pod-1`, which is interface eth0 of this container, or `pod-1 net1`. */
export function attachmentOf(number: number): string {
  return ATTACHMENTS[number] ?? `pod-${number}`;
}

/** What the plugin is told of an attachment. */
export function ownerOf(attachment: string): { readonly containerID: string; readonly ifname: string } {
  const [containerID = '', ifname = 'eth0'] = attachment.split(' ');
  return { containerID, ifname };
}
