import type { KeyEvent, KeyRange } from '../../../contracts/store/index.ts';
import { covers } from '../history.ts';
import type { Call } from './calls.ts';
import { matches } from './matches.ts';
import { endLease, FRESH, type State, type Step, step } from './model.ts';

/** The changes that some watch has sent for a revision. */
export interface Witness {
  /** The entry of their arrival. */
  readonly at: number;
  readonly range: KeyRange;
  readonly events: readonly KeyEvent[];
}

/** The result of a search: an order of all calls, or the longest order that was found. */
export interface Order {
  /** Whether all calls have their place. */
  readonly isWhole: boolean;
  /** The state after the calls of the order. */
  readonly state: State;
  /** The calls in their order, each with the state after it. */
  readonly placed: readonly { readonly call: Call; readonly state: State }[];
  /** The call that has no place, if the order is not whole: its answer came first. */
  readonly blocked?: Call;
}

/** The most states that one search visits. Histories are short: a right one needs hardly more states than calls. */
const STATES_MAX = 20_000;

/**
 * Searches an order of the calls in which the model gives their answers, and in which no call comes before another that
 * was answered before it began. Then the history is linearizable.
 *
 * The search follows Wing and Gong, with Lowe's memory of visited states: J. M. Wing and C. Gong, Testing and Verifying
 * Concurrent Objects, 1993; G. Lowe, Testing for linearizability, 2017.
 *
 * @param witnesses the changes that watches have sent, by revision: they decide which unanswered call has happened
 */
export function linearize(
  calls: readonly Call[],
  witnesses: ReadonlyMap<number, readonly Witness[]> = new Map(),
): Order {
  return new Search(calls, witnesses).run();
}

type Placed = Order['placed'][number];

class Search {
  readonly #calls: readonly Call[];
  readonly #witnesses: ReadonlyMap<number, readonly Witness[]>;
  readonly #visited = new Set<string>();
  #best: Order | undefined;

  constructor(calls: readonly Call[], witnesses: ReadonlyMap<number, readonly Witness[]>) {
    this.#calls = calls;
    this.#witnesses = witnesses;
  }

  run(): Order {
    const whole = this.#visit(FRESH, new Set(this.#calls), []);
    if (whole) return whole;
    return this.#best as Order;
  }

  /** Returns a whole order that continues `placed`, if there is one. */
  #visit(start: State, open: ReadonlySet<Call>, before: readonly Placed[]): Order | undefined {
    const remaining = new Set(open);
    const placed = [...before];
    let state = start;
    // A call that changes nothing takes its place at once: later, it would be as good at most.
    for (;;) {
      const firstAnswer = this.#firstAnswer(remaining);
      if (firstAnswer === undefined) return { isWhole: true, state, placed };
      const next = this.#candidates(remaining, firstAnswer.to);
      const idle = next.find((call) => {
        const result = apply(state, call);
        const isIdle =
          result.state === state && (call.answer ? matches(call.answer, result.expected) : call.isDue);
        return isIdle && overBy(call, remaining).length === 0;
      });
      if (idle) {
        remaining.delete(idle);
        placed.push({ call: idle, state });
        continue;
      }
      const steps = next.flatMap((call) => this.#stepOf(state, call));
      if (steps.length === 0) this.#note({ isWhole: false, state, placed, blocked: firstAnswer });
      if (steps.length === 1 && steps[0]) {
        state = steps[0].state;
        take(steps[0].call, remaining);
        placed.push(steps[0]);
        continue;
      }
      if (steps.length > 1) this.#note({ isWhole: false, state, placed, blocked: firstAnswer });
      return this.#branch(steps, remaining, placed);
    }
  }

  #branch(
    steps: readonly Placed[],
    remaining: ReadonlySet<Call>,
    placed: readonly Placed[],
  ): Order | undefined {
    for (const one of steps) {
      const rest = new Set(remaining);
      take(one.call, rest);
      const key = this.#keyOf(one.state, rest);
      if (this.#visited.has(key) || this.#visited.size >= STATES_MAX) continue;
      this.#visited.add(key);
      const found = this.#visit(one.state, rest, [...placed, one]);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns the call that must take its place first. */
  #firstAnswer(remaining: ReadonlySet<Call>): Call | undefined {
    let first: Call | undefined;
    for (const call of remaining)
      if ((call.answer || call.isDue) && (!first || call.to < first.to)) first = call;
    return first;
  }

  #candidates(remaining: ReadonlySet<Call>, firstTo: number): readonly Call[] {
    const found: Call[] = [];
    for (const call of remaining) if (call.from < firstTo) found.push(call);
    return found.sort((a, b) => Number(Boolean(b.answer)) - Number(Boolean(a.answer)) || a.from - b.from);
  }

  /** Returns the step of a call that can be next. */
  #stepOf(state: State, call: Call): readonly Placed[] {
    const result = apply(state, call);
    if (call.answer) return matches(call.answer, result.expected) ? [{ call, state: result.state }] : [];
    if (result.state === state && !call.isDue) return [];
    const { revision, events } = result.state;
    const isSeen =
      revision === state.revision ||
      (this.#witnesses.get(revision) ?? []).every(
        ({ at, range, events: seen }) => call.from < at && agree(range, events, seen),
      );
    return isSeen ? [{ call, state: result.state }] : [];
  }

  #keyOf(state: State, remaining: ReadonlySet<Call>): string {
    const open = this.#calls.flatMap((call, i) => (remaining.has(call) ? [i] : [])).join();
    const kvs = [...state.kvs.values()]
      .map(({ key, value, modRevision, lease }) => `${key}=${value}@${modRevision}/${lease}`)
      .sort();
    return `${open}|${state.revision}|${state.compacted}|${[...state.leases].join()}|${kvs.join()}`;
  }

  #note(order: Order): void {
    if (!this.#best || order.placed.length > this.#best.placed.length) this.#best = order;
  }
}

/** Returns the open calls that cannot follow a call: they never had an answer, and their process ended before it. */
function overBy(call: Call, open: ReadonlySet<Call>): readonly Call[] {
  return [...open].filter((other) => !other.answer && !other.isDue && other.to <= call.from);
}

/** Removes a call that has its place, and the calls that cannot have a place after it. */
function take(call: Call, open: Set<Call>): void {
  open.delete(call);
  for (const other of overBy(call, open)) open.delete(other);
}

/** Runs a call on the model. */
export function apply(state: State, { request, answer }: Call): Step {
  if (request.call === 'expire') return { state: endLease(state, request.lease), expected: { kind: 'done' } };
  return step(state, request, answer?.kind === 'lease' ? answer.lease.id : undefined);
}

function agree(range: KeyRange, events: readonly KeyEvent[], seen: readonly KeyEvent[]): boolean {
  const say = ({ type, kv }: KeyEvent): string => `${type} ${kv.key} ${kv.value ?? ''}`;
  const own = events.filter(({ kv }) => covers(range, kv.key)).map(say);
  return own.sort().join('\n') === seen.map(say).sort().join('\n');
}
