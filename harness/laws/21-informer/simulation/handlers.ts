import { type ConfigMap, keyOf, keyToString } from '../../../api/objects.ts';
import { DeletedFinalStateUnknown, type ResourceEventHandler } from '../../../contracts/informer.ts';
import type { Clock, Simulation, TraceEntry } from '../../../sim/index.ts';
import type { AskedRequest, Notification } from '../history.ts';
import { PROCESS } from '../operations.ts';
import type { HandlerName } from '../scenario.ts';
import { Recorder } from './recorder.ts';

/** The time that a slow handler takes for each notification. */
const SLOW_MS = 2_000;
/** The slow handlers. */
const SLOW: ReadonlySet<HandlerName> = new Set(['slow', 'leaving']);

/** The error of the handler that throws on purpose. */
export class HandlerBroke extends Error {
  override readonly name = 'HandlerBroke';
}

/** The handlers of a scenario. Their notifications are also rows of the timeline. */
export class Handlers extends Recorder {
  /** By handler and key: the last state of the object that the handler got. */
  readonly views = new Map<HandlerName, Map<string, ConfigMap>>();
  readonly #sim: Simulation;
  /** The watches of the trace that are streaming lists. */
  readonly #streams = new Set<TraceEntry>();
  readonly #busy = new Set<HandlerName>();

  constructor(sim: Simulation) {
    super(() => sim.elapsedMs);
    this.#sim = sim;
  }

  /** Whether a handler is busy. */
  get busy(): boolean {
    return this.#busy.size > 0;
  }

  /** Returns a copy of the trace for a timeline: its rows distinguish streaming lists from watches. */
  rows(): readonly TraceEntry[] {
    return this.#sim.trace.entries.map((entry) =>
      this.#streams.has(entry) ? { ...entry, verb: 'streaming list' } : entry,
    );
  }

  /** Returns the handler of this name, and records its notifications. */
  handler(name: HandlerName, clock: Clock): ResourceEventHandler<ConfigMap> {
    this.views.set(name, new Map());
    return this.handling(name, () => {
      if (name === 'throwing') throw new HandlerBroke('this handler throws at each notification');
      if (!SLOW.has(name)) return;
      this.#busy.add(name);
      return clock.sleep(SLOW_MS);
    });
  }

  protected override told(handler: HandlerName, what: Notification): void {
    super.told(handler, what);
    const view = this.views.get(handler);
    const object = what.type === 'update' ? what.current : what.object;
    const [name, revision] =
      object instanceof DeletedFinalStateUnknown
        ? [object.key, undefined]
        : [keyToString(keyOf(object)), Number(object.metadata.resourceVersion)];
    if (what.type === 'delete') view?.delete(name);
    else view?.set(name, object as ConfigMap);
    this.#sim.trace.record({
      actor: `handler ${handler}`,
      verb: what.type,
      object: `configmaps/${name}`,
      ...(revision === undefined ? { outcome: 'final state unknown' } : { revision }),
    });
  }

  protected override done(handler: HandlerName): void {
    this.#busy.delete(handler);
    super.done(handler);
  }

  protected override answered<R>(asked: AskedRequest, answer: Promise<R>): Promise<R> {
    const answering = super.answered(asked, answer);
    if (asked.request !== 'stream') return answering;
    const { length } = this.#sim.trace.entries;
    return answering.finally(() => this.#noteStream(length));
  }

  /** @param from the length of the trace when the request was sent */
  #noteStream(from: number): void {
    const answered = this.#sim.trace.entries.slice(from);
    const row = answered.findLast(({ actor, verb }) => actor === PROCESS && verb === 'watch');
    if (row) this.#streams.add(row);
  }
}
