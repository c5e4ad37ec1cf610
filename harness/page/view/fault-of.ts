import type { Fault } from '../../faults/index.ts';
import { faultNames } from '../../faults/index.ts';
import type { TraceEntry } from '../../sim/index.ts';

/** Returns the fault that an entry of the nemesis records; undefined for a heal, and for a fault without a target. */
export function faultOf({ verb, note = '{}', outcome }: TraceEntry): Fault | undefined {
  if (outcome !== undefined || !faultNames.includes(verb as Fault['fault'])) return undefined;
  return { ...JSON.parse(note), fault: verb } as Fault;
}
