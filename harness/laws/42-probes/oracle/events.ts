import { type HistoryEntry, type ProbeKey, sayKey } from '../history.ts';

/** Checks the events of one probe: exactly one for each failure, each warning, and each probe that ended in an error. */
export class EventsJudge {
  readonly #key: ProbeKey;
  readonly #kind: string;
  #errors = 0;
  #isOver = false;
  hasMet = false;

  constructor(key: ProbeKey) {
    this.#key = key;
    this.#kind = `${key.type.charAt(0).toUpperCase()}${key.type.slice(1)} probe `;
  }

  /** Returns the problems with the events of one instant. */
  pass(entries: readonly HistoryEntry[]): readonly string[] {
    const { pod, container, type } = this.#key;
    const owed = entries.flatMap((entry) => this.#owedBy(entry));
    const emitted = entries.flatMap((entry) =>
      entry.kind === 'event' &&
      entry.pod === pod &&
      entry.container.endsWith(`{${container}}`) &&
      entry.message.startsWith(this.#kind)
        ? [`${entry.type} ${entry.reason} ${entry.message}`]
        : [],
    );
    if (owed.length > 0) this.hasMet = true;
    const missing = this.#isOver ? [] : without(owed, emitted);
    const more = without(emitted, owed);
    const name = sayKey({ pod, container, type });
    return [
      ...missing.map((text, i) =>
        more[i] === undefined
          ? `${name}: the prober did not emit the event "${text}"`
          : `${name}: the prober emitted the event "${more[i]}"; expected "${text}"`,
      ),
      ...more
        .slice(missing.length)
        .map((text) => `${name}: the prober emitted the event "${text}", which no answer explains`),
    ];
  }

  #owedBy(entry: HistoryEntry): readonly string[] {
    if (entry.kind === 'abort' || entry.kind === 'remove') this.#isOver = true;
    if (entry.kind === 'stop' && this.#key.type !== 'readiness') this.#isOver = true;
    if (entry.kind !== 'answer') return [];
    if (entry.key.container !== this.#key.container || entry.key.type !== this.#key.type) return [];
    this.#errors = entry.means === 'error' ? this.#errors + 1 : 0;
    if (entry.means === 'error' && this.#errors % 3 !== 0) return [];
    return entry.says === undefined ? [] : [`Warning ${entry.reason} ${entry.says}`];
  }
}

function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return some.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
