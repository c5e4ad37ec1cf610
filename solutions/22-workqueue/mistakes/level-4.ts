import type { Mistake } from '#harness/testing';

/** Level 4 · Later */
export const level4: readonly Mistake[] = [
  {
    id: 'keeps-the-latest',
    why: 'Of two times the later one counts: an item that is put off again and again is never seen to.',
    origin: 'common: a debounce in the place of a delay',
    law: 'Patient',
    edits: [
      [
        'if (known && known.readyAtMs <= readyAtMs) return;',
        'if (known && known.readyAtMs >= readyAtMs) return;',
      ],
    ],
  },
  {
    id: 'keeps-the-first',
    why: 'An item that waits for its time cannot be wanted sooner.',
    origin: 'common',
    law: 'Patient',
    edits: [['if (known && known.readyAtMs <= readyAtMs) return;', 'if (known) return;']],
  },
  {
    id: 'keeps-both-times',
    why: 'Sets a timer for each call: an item that is put off ten times is seen to ten times.',
    origin: 'client-go until k#28179',
    law: 'Deduplicating',
    edits: [['if (known && known.readyAtMs <= readyAtMs) return;\n    known?.cancel();\n', '']],
  },
  {
    id: 'compares-delays',
    why: 'Compares how long to wait, not until when: 30 ms from now on beats the 10 ms that are left of 50.',
    origin: 'common',
    law: 'Patient',
    edits: [['const readyAtMs = this.#clock.now() + delayMs;', 'const readyAtMs = delayMs;']],
  },
  {
    id: 'a-little-early',
    why: 'Wakes up in steps of 10 ms, and takes what is ready within this one.',
    origin: 'common',
    law: 'Patient',
    edits: [['this.#clock.after(delayMs, () => {', 'this.#clock.after(delayMs - (delayMs % 10), () => {']],
  },
  {
    id: 'early-by-a-fraction',
    why: 'Counts in whole milliseconds and rounds down: 10.5 ms are over after 10.',
    origin: 'common',
    law: 'Patient',
    edits: [
      [
        `const cancel = this.#clock.after(delayMs, () => {`,
        `const cancel = this.#clock.after(Math.floor(delayMs), () => {`,
      ],
    ],
  },
  {
    id: 'a-little-late',
    why: 'Looks every 10 ms what has become ready.',
    origin: 'common: polling',
    law: 'Patient',
    edits: [
      ['this.#clock.after(delayMs, () => {', 'this.#clock.after(Math.ceil(delayMs / 10) * 10, () => {'],
    ],
  },
  {
    id: 'waits-once',
    why: 'Remembers when an item was ready, for ever: it is never put off again.',
    origin: 'common',
    law: 'Patient',
    edits: [['this.#timers.delete(item);\n      this.add(item);', 'this.add(item);']],
  },
  {
    id: 'add-calls-off-the-wait',
    why: 'An item that is added now is not added when its time comes: what was to be looked at again in a minute is not.',
    origin: 'proposed in k#112328, which would have stopped roll-outs',
    law: 'Patient',
    edits: [
      [
        `  override shutDown(): void {
    this.#cancelAll();`,
        `  override add(item: T): void {
    this.#timers.get(item)?.cancel();
    this.#timers.delete(item);
    super.add(item);
  }

  override shutDown(): void {
    this.#cancelAll();`,
      ],
    ],
  },
  {
    id: 'now-calls-off-the-wait',
    why: 'Takes a delay of 0 for the earlier of two times, and forgets the later one: it is not looked at again then.',
    origin: 'found in a trial',
    law: 'Patient',
    edits: [
      [
        'if (delayMs <= 0) {\n      this.add(item);',
        `if (delayMs <= 0) {
      this.#timers.get(item)?.cancel();
      this.#timers.delete(item);
      this.add(item);`,
      ],
    ],
  },
  {
    id: 'later-is-dropped-while-in-hand',
    why: 'Drops an item whose time comes while it is in hand: the look again that sync asked for never comes.',
    origin: 'common',
    law: 'Patient',
    edits: [
      [
        `      this.#timers.delete(item);
      this.add(item);`,
        `      this.#timers.delete(item);
      if (!this.#held.has(item)) this.add(item);`,
      ],
      [
        `  /** What is not ready by now would be dropped`,
        `  readonly #held = new Set<T>();

  override async get(): Promise<T | undefined> {
    const item = await super.get();
    if (item !== undefined) this.#held.add(item);
    return item;
  }

  override done(item: T): void {
    this.#held.delete(item);
    super.done(item);
  }

  /** What is not ready by now would be dropped`,
      ],
    ],
  },
  {
    id: 'timers-left-behind',
    why: 'A process that has nothing left to do stays for the longest wait, a quarter of an hour.',
    origin: 'common',
    law: 'At rest',
    edits: [
      [
        `    this.#cancelAll();
    super.shutDown();`,
        `    super.shutDown();`,
      ],
    ],
  },
  {
    id: 'waits-by-its-name',
    why: `Remembers what waits by its name: 1 and "1" share one time.`,
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [`new Map<T, { readonly readyAtMs`, `new Map<string, { readonly readyAtMs`],
      [
        `this.#timers.get(item);
    if (known &&`,
        `this.#timers.get(String(item));
    if (known &&`,
      ],
      [
        `      this.#timers.delete(item);
`,
        `      this.#timers.delete(String(item));
`,
      ],
      [`this.#timers.set(item, {`, `this.#timers.set(String(item), {`],
    ],
  },
];
