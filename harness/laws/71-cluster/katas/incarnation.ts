import type { Clock } from '../../../sim/index.ts';
import { LocalClock, START_MS } from '../../../sim/index.ts';
import type { ClusterHistory } from '../history.ts';

/** One incarnation of a process, as the clock that it received identifies it. */
export class Incarnation {
  readonly process: string;
  /** When it created the observed object, in virtual ms. */
  readonly fromMs: number;
  readonly #clock: LocalClock;

  /** @throws Error when the clock belongs to no process of a cluster */
  constructor(clock: Clock) {
    if (!(clock instanceof LocalClock))
      throw new Error('Failed to observe a component: its clock has no actor.');
    this.#clock = clock;
    this.process = clock.actor;
    this.fromMs = this.elapsedMs;
  }

  /** Virtual ms since the simulation began, whatever the clock of the process shows. */
  get elapsedMs(): number {
    return this.#clock.now() - this.#clock.skewMs - START_MS;
  }
}

/** The end of an incarnation. */
export interface End {
  readonly atMs: number;
  /** Whether the incarnation ran on until the end of the history, and its clock was never set. */
  readonly isAlive: boolean;
}

const endings = new WeakMap<ClusterHistory, ReadonlyMap<string, readonly number[]>>();

/** Returns the times of the crashes of each process, and those when the clock of its node was set. */
function endingsOf(history: ClusterHistory): ReadonlyMap<string, readonly number[]> {
  const known = endings.get(history);
  if (known) return known;
  const { trace, struck, machines, starts } = history;
  const found = new Map<string, number[]>();
  const end = (process: string, atMs: number): void => {
    found.set(process, [...(found.get(process) ?? []), atMs]);
  };
  for (const { actor, verb, atMs } of trace) if (verb === 'crash' || verb === 'exit') end(actor, atMs);
  const nodeOf = (process: string) => [...machines.keys()].find((node) => process.endsWith(`-${node}`));
  for (const process of new Set(starts.map((start) => start.process))) {
    const node = nodeOf(process);
    for (const { fault, atMs } of struck)
      if (fault.fault === 'clock-jump' && fault.node === node) end(process, atMs);
  }
  endings.set(history, found);
  return found;
}

/**
 * Returns the end of an incarnation, for laws about a component that measures time: its crash, or the first jump of its
 * node's clock.
 */
export function endOf(history: ClusterHistory, { process, fromMs }: Incarnation): End {
  const later = (endingsOf(history).get(process) ?? []).filter((atMs) => atMs >= fromMs);
  return { atMs: Math.min(...later, history.endMs), isAlive: later.length === 0 };
}
