import type { Mistake } from '#harness/testing';

/** Level 4 · Later */
export const level4: readonly Mistake[] = [
  {
    id: 'keeps-the-latest',
    why: 'The later of two times counts: an item that is delayed again and again is never processed.',
    misconception: 'You seem to believe that the newest wish about a time replaces the earlier wishes.',
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
    why: 'A delayed item cannot be added with a shorter delay.',
    misconception: 'You seem to believe that the first wish about a time holds, whatever comes later.',
    origin: 'common',
    law: 'Patient',
    edits: [['if (known && known.readyAtMs <= readyAtMs) return;', 'if (known) return;']],
  },
  {
    id: 'keeps-both-times',
    why: 'Sets a timer for each call: an item that is delayed ten times is processed ten times.',
    misconception: 'You seem to believe that every delayed add asks for a sync of its own.',
    origin: 'client-go until k#28179',
    law: 'Deduplicating',
    edits: [['if (known && known.readyAtMs <= readyAtMs) return;\n    known?.cancel();\n', '']],
  },
  {
    id: 'compares-delays',
    why: 'Compares delays, not times: a new delay of 30 ms beats the remaining 10 ms of an old one of 50.',
    misconception: 'You seem to believe that the shorter of two delays always ends first.',
    origin: 'common',
    law: 'Patient',
    edits: [['const readyAtMs = this.#clock.now() + delayMs;', 'const readyAtMs = delayMs;']],
  },
  {
    id: 'a-little-early',
    why: 'Wakes up in steps of 10 ms, and takes all items that become ready within the next step.',
    misconception: 'You seem to believe that a few milliseconds early are no error.',
    origin: 'common',
    law: 'Patient',
    edits: [['this.#clock.after(delayMs, () => {', 'this.#clock.after(delayMs - (delayMs % 10), () => {']],
  },
  {
    id: 'early-by-a-fraction',
    why: 'Rounds delays down to whole milliseconds: 10.5 ms end after 10.',
    misconception: 'You seem to believe that a delay has whole milliseconds.',
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
    why: 'Checks only every 10 ms for items that have become ready.',
    misconception: 'You seem to believe that a few milliseconds late are no error.',
    origin: 'common: polling',
    law: 'Patient',
    edits: [
      ['this.#clock.after(delayMs, () => {', 'this.#clock.after(Math.ceil(delayMs / 10) * 10, () => {'],
    ],
  },
  {
    id: 'waits-once',
    why: 'Remembers the time of an item forever, so that it cannot be delayed a second time.',
    misconception: 'You seem to believe that an item is delayed only once.',
    origin: 'common',
    law: 'Patient',
    edits: [['this.#timers.delete(item);\n      this.add(item);', 'this.add(item);']],
  },
  {
    id: 'add-calls-off-the-wait',
    why: 'An add cancels the delayed add of the same item: the later sync is lost.',
    misconception: 'You seem to believe that a sync now replaces a sync that was asked for later.',
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
    why: 'A delay of 0 counts as the earlier of two times and cancels the later one: the later sync is lost.',
    misconception: 'You seem to believe that a sync now replaces a sync that was asked for later.',
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
    why: 'Drops an item that becomes ready during its processing: the requested later sync is lost.',
    misconception: 'You seem to believe that the running sync covers a sync that was asked for this moment.',
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
        `  /** After a shutdown, delayed items`,
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

  /** After a shutdown, delayed items`,
      ],
    ],
  },
  {
    id: 'timers-left-behind',
    why: 'The timers stay after the shutdown: a process without work waits up to a quarter of an hour before it exits.',
    misconception: 'You seem to believe that timers end with the work that set them.',
    origin: 'common',
    law: 'Ends clean',
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
    why: `Identifies delayed items by their string: 1 and "1" share one time.`,
    misconception: 'You seem to believe that two items that print alike are the same item.',
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
  {
    id: 'compares-whole-milliseconds',
    why: 'Rounds the times of delayed items down before it compares them: of 10.75 ms and 10 ms, the first counts, although it ends a millisecond later.',
    misconception: 'You seem to believe that times within one millisecond are equal.',
    origin: 'found in a trial',
    law: 'Patient',
    edits: [
      [
        'const readyAtMs = this.#clock.now() + delayMs;',
        'const readyAtMs = Math.floor(this.#clock.now() + delayMs);',
      ],
    ],
  },
];
