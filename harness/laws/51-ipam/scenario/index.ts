import type { NetworkPlan } from './networks.ts';

/** An operation on a node: a call of the plugin, as a process, or an event of the machine. */
export type Operation =
  | {
      readonly call: 'ADD';
      readonly network: number;
      readonly container: number;
      /** The requested addresses. */
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
      /** Containers that the list omits, although they have an address. */
      readonly gone: readonly number[];
      /** Whether the list includes containers whose ADD crashed. @defaultValue false */
      readonly begun?: boolean;
      /** Whether the runtime sends no list. @defaultValue false */
      readonly unlisted?: boolean;
      readonly dies?: number;
    }
  | { readonly call: 'STATUS'; readonly network: number; readonly dies?: undefined }
  | { readonly call: 'power cut' }
  /** The disk has only this much room for this long. */
  | { readonly call: 'disk full'; readonly forMs: number; readonly roomBytes: number }
  /** An earlier host-local crashed, and left an empty file for this address of the first set, if it is free. */
  | { readonly call: 'left empty'; readonly network: number; readonly at: number }
  /**
   * An earlier host-local crashed, or the power was cut, while it wrote the last address of a set: the file contains
   * this text.
   */
  | { readonly call: 'left last'; readonly network: number; readonly set: number; readonly text: string }
  /** The configuration of the network changes. */
  | { readonly call: 'configuration'; readonly network: number; readonly plan: NetworkPlan }
  /** Releases everything, and then allocates once per address plus one. */
  | { readonly call: 'inventory'; readonly network: number };

/**
 * An operation, and its delay after the start of the previous one. A call with `dies` is killed before its system call
 * of this number, or, if it makes fewer, before the runtime reads its result.
 */
export type Step = { readonly afterMs: number } & Operation;

/** A generated scenario of the plugin on a node. */
export interface IpamScenario {
  readonly seed: number;
  /** Choices among processes that can run at the same instant. */
  readonly schedule: readonly number[];
  readonly networks: readonly NetworkPlan[];
  readonly steps: readonly Step[];
}

/** Some belong to one container, and some names are prefixes of others. */
const ATTACHMENTS = ['pod-1', 'pod-10', 'pod-2', 'pod-1 net1', 'pod-20', 'pod-2 net1', 'pod-100'] as const;

/** Returns the attachment with this number: `pod-1`, which is interface eth0 of this container, or `pod-1 net1`. */
export function attachmentOf(number: number): string {
  return ATTACHMENTS[number] ?? `pod-${number}`;
}

/** Returns the content of the file of an address that this attachment has. */
export function textOf(attachment: string): string {
  const { containerID, ifname } = ownerOf(attachment);
  return `${containerID}\r\n${ifname}`;
}

/** Returns the container ID and the interface of an attachment. */
export function ownerOf(attachment: string): { readonly containerID: string; readonly ifname: string } {
  const [containerID = '', ifname = 'eth0'] = attachment.split(' ');
  return { containerID, ifname };
}
