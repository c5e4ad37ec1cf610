import type { SetPlan } from '../scenario/networks.ts';
import type { Flight } from './ledger.ts';

/** ADDs that overlap: the order of their ends does not reveal which one reserved last. */
interface Batch {
  readonly from: readonly Last[];
  /** By set. */
  readonly granted: readonly string[][];
  adds: number;
  flying: number;
  /** Whether an address was released meanwhile, or requested out of order. */
  freed: boolean;
  /** Whether one of them may have reserved an address that it did not report. */
  spoiled: boolean;
}

/** The last allocated address: `none` before the first; undefined if unknown. */
type Last = string | 'none' | undefined;

/** Tracks the order of allocation in a network: the last address, and the next one. */
export class Round {
  #sets: readonly SetPlan[];
  #last: readonly Last[];
  #batch: Batch | undefined;
  /** Number of running calls that release addresses. */
  #releasing = 0;

  constructor(sets: readonly SetPlan[]) {
    this.#sets = sets;
    this.#last = sets.map(() => 'none');
  }

  /** The last address of each set, if known and no ADD is running. */
  get last(): readonly Last[] {
    return this.#batch ? this.#sets.map(() => undefined) : this.#last;
  }

  /** Changes the ranges while no ADD is running. A last address that is still in a range remains the last. */
  configure(sets: readonly SetPlan[]): void {
    this.#sets = sets;
    this.#last = sets.map(({ addresses }, i) => {
      const last = this.#last[i];
      return last === 'none' || (last !== undefined && addresses.includes(last)) ? last : undefined;
    });
  }

  /** Records that another program has overwritten the last address of a set. */
  forget(set: number): void {
    this.#last = this.#last.map((last, i) => (i === set ? undefined : last));
  }

  beginRelease(): void {
    this.#releasing++;
    if (this.#batch) this.#batch.freed = true;
  }

  endRelease(): void {
    this.#releasing--;
  }

  /** @param asks - whether it requests an address, and may get it out of order */
  beginAdd(asks: boolean): void {
    const freed = this.#releasing > 0;
    this.#batch ??= {
      from: this.#last,
      granted: this.#sets.map(() => []),
      adds: 0,
      flying: 0,
      freed,
      spoiled: false,
    };
    this.#batch.adds++;
    this.#batch.freed ||= asks;
    this.#batch.flying++;
  }

  cut(): void {
    this.#batch = undefined;
    this.#releasing = 0;
    this.#last = this.#sets.map(() => undefined);
  }

  /**
   * @param addresses - the allocated addresses; undefined if the ADD may have reserved an address that it does not
   * report; empty if it reserved none
   */
  endAdd(addresses: readonly string[] | undefined): void {
    const batch = this.#batch;
    if (!batch) return;
    batch.flying--;
    if (!addresses) batch.spoiled = true;
    for (const [i, { addresses: own }] of this.#sets.entries())
      batch.granted[i]?.push(...(addresses ?? []).filter((address) => own.includes(address)));
    if (batch.flying > 0) return;
    this.#last = this.#sets.map((set, i) => lastOf(set, batch, i));
    this.#batch = undefined;
  }

  /**
   * Returns the first free address that comes before `address` in the order: the plugin has skipped it. Returns
   * undefined for an ADD that ran beside others.
   */
  jumped(flight: Flight, set: number, address: string): string | undefined {
    const [from, plan] = [this.#batch?.from[set], this.#sets[set]];
    if (from === undefined || !plan || this.#batch?.adds !== 1) return undefined;
    const others = [...flight.others.values()];
    const allocated = new Set(others.flatMap(({ addresses }) => addresses));
    const order = orderFrom(plan.addresses, from);
    const free = order.slice(0, order.indexOf(address)).filter((each) => !allocated.has(each));
    return free.length > others.filter(({ wild }) => wild).length ? free[0] : undefined;
  }
}

function lastOf(set: SetPlan, { from, granted, freed, spoiled, adds }: Batch, i: number): Last {
  const own = granted[i] ?? [];
  if (spoiled) return undefined;
  if (own.length === 0) return from[i];
  if (own.length === 1 && adds === 1) return own[0];
  const start = from[i];
  if (freed || start === undefined) return undefined;
  const order = orderFrom(set.addresses, start);
  // No address was released, so each ADD reserved one further on in the order.
  return own.reduce((far, each) => (order.indexOf(each) > order.indexOf(far) ? each : far));
}

/** Returns the addresses from the one after `last`, up to `last` itself. */
function orderFrom(addresses: readonly string[], last: string): readonly string[] {
  const at = addresses.indexOf(last) + 1;
  return [...addresses.slice(at), ...addresses.slice(0, at)];
}
