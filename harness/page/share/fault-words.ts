import type { Fault } from '../../faults/index.ts';
import { sayFault } from '../../faults/say-fault.ts';

/** Describes a fault in one line, with times in seconds: `hold back the events of kubelet-node-1 for 30 s`. */
export function faultWords(fault: Fault): string {
  return inSeconds(sayFault(fault));
}

/** Replaces the milliseconds of a text with seconds, from one second on. */
export function inSeconds(text: string): string {
  return text.replace(/(\d{4,}) ms\b/g, (_, ms) => `${Number(ms) / 1_000} s`);
}
