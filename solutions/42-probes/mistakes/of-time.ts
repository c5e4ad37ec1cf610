import type { Mistake } from '#harness/testing';

/** Level 8: the timing of the worker. */
export const ofTime: readonly Mistake[] = [
  {
    id: 'waits-after-the-answer',
    why: 'The period starts after the answer: a slow container is probed more and more rarely.',
    origin: 'common: a loop that sleeps',
    law: 'Punctual',
    edits: [
      [
        'if (!this.#isTriggered) await this.#sleepUntil(dueMs);',
        'if (!this.#isTriggered) await this.#sleepUntil(clock.monotonicMs() + periodMs);',
      ],
    ],
  },
  {
    id: 'first-after-a-period',
    why: 'Waits for a period before the first probe.',
    origin: 'common: setInterval',
    law: 'Level 8',
    edits: [
      ['(isYoung ? random.float() * periodMs : 0);', '(isYoung ? random.float() * periodMs : periodMs);'],
    ],
  },
  {
    id: 'period-in-milliseconds',
    why: 'Probes a hundred times as often.',
    origin: 'common',
    law: 'Punctual',
    edits: [
      ['(this.#probed.probe.periodSeconds ?? 10) * 1_000', '(this.#probed.probe.periodSeconds ?? 10) * 10'],
    ],
  },
  {
    id: 'catches-up',
    why: 'Catches up on all ticks that were due during a probe: a slow container gets a burst.',
    origin: 'common',
    law: 'Punctual',
    edits: [
      [
        'while (dueMs <= clock.monotonicMs()) dueMs += periodMs;',
        'if (dueMs <= clock.monotonicMs()) dueMs += periodMs;',
      ],
    ],
  },
  {
    id: 'two-at-a-time',
    why: 'Does not wait for the answer before the next tick: probes of a hanging container accumulate.',
    origin: 'common: setInterval',
    law: 'One at a time',
    edits: [
      [
        `    const result = await probe(this.#state.containerID, status?.podIP ?? '');
    if (result) this.#carryOut(count(this.#probed, this.#state, result));
    return true;`,
        `    void probe(this.#state.containerID, status?.podIP ?? '').then((result) => {
      if (result) this.#carryOut(count(this.#probed, this.#state, result));
    });
    return true;`,
      ],
    ],
  },
  {
    id: 'all-at-once',
    why: 'Does not spread the first probes of a starting kubelet: all pods of the node are probed at the same instant.',
    origin: 'k#52154',
    law: 'Spreads',
    edits: [['(isYoung ? random.float() * periodMs : 0);', '(isYoung ? random.float() * 0 : 0);']],
  },
  {
    id: 'spreads-for-ever',
    why: 'Waits for a part of a period before the first probe of each pod, even if the kubelet has run for long.',
    origin: 'common',
    law: 'Initial results',
    edits: [
      ['const isYoung = clock.now() - startedMs < periodMs;', 'const isYoung = clock.now() >= startedMs;'],
    ],
  },
  {
    id: 'ticks-before-it-spreads',
    why: 'The period starts before the random wait: the first interval is short.',
    origin: 'k#52154',
    law: 'Spreads',
    edits: [
      [
        'let dueMs = clock.monotonicMs() + (isYoung ? random.float() * periodMs : 0);',
        'const addedMs = clock.monotonicMs();\n    let dueMs = addedMs + (isYoung ? random.float() * periodMs : 0);',
      ],
      [
        '    dueMs = clock.monotonicMs() + periodMs;\n    this.#isTriggered = false;',
        '    dueMs = addedMs + periodMs;\n    this.#isTriggered = false;',
      ],
    ],
  },
  {
    id: 'triggers-nothing',
    why: 'Does not probe when triggered: a container becomes ready up to a period late.',
    origin: 'k#98376',
    law: 'Prompt',
    edits: [['    this.#isTriggered = true;\n    this.#wake();', '    if (this.#isStopped) this.#wake();']],
  },
  {
    id: 'forgets-the-period',
    why: 'After a trigger the next tick keeps its time: two probes run right after each other.',
    origin: 'k#98376, found in review',
    law: 'Punctual',
    edits: [['if (this.#isTriggered) dueMs = clock.monotonicMs() + periodMs;\n', '']],
  },
  {
    id: 'stops-when-it-wakes',
    why: 'After a stop, one more tick runs.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        'while (!this.#isStopped && (await this.#tick())) {',
        'while ((await this.#tick()) && !this.#isStopped) {',
      ],
      ["if (tick.next !== 'probe' || this.#isStopped) return", "if (tick.next !== 'probe') return"],
    ],
  },
  {
    id: 'leaves-a-timer',
    why: 'Its timer stays on the clock after a stop, and wakes it up again.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'The timer fires within a period, and then the worker only ends.',
    edits: [
      [
        '        cancel();\n        resolve();',
        '        if (!this.#isStopped) cancel();\n        resolve();',
      ],
    ],
  },
  {
    id: 'the-last-word-counts',
    why: 'Stores the result of a probe that was running when it was stopped: the result of a deleted pod stays forever.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      ['if (!this.#isStopped) cache.set(', 'cache.set('],
      ['    results.remove(this.#state.containerID);\n    onEnd();', '    onEnd();'],
    ],
  },
  {
    id: 'remembers-the-ended',
    why: 'Does not remove its result when it ends by itself.',
    origin: 'common',
    law: 'Cleans up',
    edits: [['    results.remove(this.#state.containerID);\n    onEnd();', '    onEnd();']],
  },
  {
    id: 'remembers-the-one-before',
    why: 'Does not remove the result of the previous container: memory grows with each restart.',
    origin: 'common',
    law: 'Resets',
    edits: [
      [
        'if (state.containerID !== this.#state.containerID) cache.remove(this.#state.containerID);',
        "if (state.containerID === '') cache.remove(this.#state.containerID);",
      ],
    ],
  },
  {
    id: 'spreads-all-alike',
    why: 'Draws one random number for all workers: all wait equally long, and all pods of the node are probed at the same instant.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        `random: random.fork(\`\${pod.metadata.uid}/\${container.name}/\${type}\`),`,
        "random: random.fork('probes'),",
      ],
    ],
  },
  {
    id: 'half-of-the-results',
    why: 'Stores the second result of a tick although the first removed the pod.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        '    for (const result of results) {',
        `    if (this.#isStopped) return;
    for (const result of results) {`,
      ],
      ['if (!this.#isStopped) cache.set(', 'cache.set('],
    ],
  },
  {
    id: 'probes-what-was-removed',
    why: 'Probes once more when the initial result removed the pod.',
    origin: 'common',
    law: 'Quiet',
    edits: [[`if (tick.next !== 'probe' || this.#isStopped) return`, `if (tick.next !== 'probe') return`]],
  },
  {
    id: 'deletes-its-result-later',
    why: 'Deletes the result of a stopped worker only after its running probe.',
    origin: 'common: upstream does so',
    law: 'Quiet',
    edits: [
      [
        `    this.#isStopped = true;
    this.#options.results.remove(this.#state.containerID);`,
        '    this.#isStopped = true;',
      ],
    ],
  },
  {
    id: 'young-at-one-period',
    why: 'Waits for a random time although the kubelet is exactly one period old.',
    origin: 'common',
    law: 'Initial results',
    edits: [['clock.now() - startedMs < periodMs', 'clock.now() - startedMs <= periodMs']],
  },
];
