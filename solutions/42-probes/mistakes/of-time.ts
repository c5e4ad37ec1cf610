import type { Mistake } from '#harness/testing';

/** Level 8: the worker in time. */
export const ofTime: readonly Mistake[] = [
  {
    id: 'waits-after-the-answer',
    why: 'Begins to wait for the next tick when the answer is there: a slow container is asked ever later.',
    origin: 'common: a loop that sleeps',
    law: 'Punctual',
    edits: [
      [
        'if (!this.#isTriggered) await this.#sleepUntil(dueMs);',
        'if (!this.#isTriggered) await this.#sleepUntil(clock.now() + periodMs);',
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
    why: 'Asks a hundred times as often.',
    origin: 'common',
    law: 'Punctual',
    edits: [
      ['(this.#probed.probe.periodSeconds ?? 10) * 1_000', '(this.#probed.probe.periodSeconds ?? 10) * 10'],
    ],
  },
  {
    id: 'catches-up',
    why: 'Makes up for each tick that fell due while a probe was under way: a slow container gets a burst.',
    origin: 'common',
    law: 'Punctual',
    edits: [
      ['while (dueMs <= clock.now()) dueMs += periodMs;', 'if (dueMs <= clock.now()) dueMs += periodMs;'],
    ],
  },
  {
    id: 'two-at-a-time',
    why: 'Does not wait for the answer before the next tick: probes of a container that hangs pile up.',
    origin: 'common: setInterval',
    law: 'One at a time',
    edits: [
      [
        `    const result = await probe(this.#state.containerID, status?.podIP ?? '');
    if (result && !this.#isStopped) this.#carryOut(count(this.#probed, this.#state, result));
    return true;`,
        `    void probe(this.#state.containerID, status?.podIP ?? '').then((result) => {
      if (result && !this.#isStopped) this.#carryOut(count(this.#probed, this.#state, result));
    });
    return true;`,
      ],
    ],
  },
  {
    id: 'all-at-once',
    why: 'Does not spread the first probes of a kubelet that starts: all pods of the node are asked at the same instant.',
    origin: 'k#52154',
    law: 'Spreads',
    edits: [['(isYoung ? random.float() * periodMs : 0);', '(isYoung ? random.float() * 0 : 0);']],
  },
  {
    id: 'spreads-for-ever',
    why: 'Waits for a part of a period before the first probe of each pod, also when the kubelet is old.',
    origin: 'common',
    law: 'Begins',
    edits: [
      ['const isYoung = clock.now() - startedMs < periodMs;', 'const isYoung = clock.now() >= startedMs;'],
    ],
  },
  {
    id: 'ticks-before-it-spreads',
    why: 'Counts the period from before the random wait: the first interval is short.',
    origin: 'k#52154',
    law: 'Spreads',
    edits: [
      [
        'let dueMs = clock.now() + (isYoung ? random.float() * periodMs : 0);',
        'const addedMs = clock.now();\n    let dueMs = addedMs + (isYoung ? random.float() * periodMs : 0);',
      ],
      [
        '    dueMs = clock.now() + periodMs;\n    this.#isTriggered = false;',
        '    dueMs = addedMs + periodMs;\n    this.#isTriggered = false;',
      ],
    ],
  },
  {
    id: 'triggers-nothing',
    why: 'Does not ask when it is triggered: a container is ready up to a period later than it could be.',
    origin: 'k#98376',
    law: 'Prompt',
    edits: [['    this.#isTriggered = true;\n    this.#wake();', '    if (this.#isStopped) this.#wake();']],
  },
  {
    id: 'forgets-the-period',
    why: 'After a trigger the next tick comes when it would have come anyway: two probes right after each other.',
    origin: 'k#98376, found in review',
    law: 'Punctual',
    edits: [['if (this.#isTriggered) dueMs = clock.now() + periodMs;\n', '']],
  },
  {
    id: 'stops-when-it-wakes',
    why: 'Notices that it was stopped only after one tick more.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        'while (!this.#isStopped && (await this.#tick())) {',
        'while ((await this.#tick()) && !this.#isStopped) {',
      ],
    ],
  },
  {
    id: 'leaves-a-timer',
    why: 'Leaves its timer on the clock when it is stopped: it wakes up again.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'The timer is gone within a period, and all that it does is to notice the end.',
    edits: [
      [
        '        cancel();\n        resolve();',
        '        if (!this.#isStopped) cancel();\n        resolve();',
      ],
    ],
  },
  {
    id: 'the-last-word-counts',
    why: 'Stores the answer of a probe that was under way when it was stopped: a pod that is gone is known for ever.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      ['if (result && !this.#isStopped) this.#carryOut(', 'if (result) this.#carryOut('],
      ['    results.remove(this.#state.containerID);\n    onEnd();', '    onEnd();'],
    ],
  },
  {
    id: 'remembers-the-ended',
    why: 'Does not forget what it knew when it ends by itself.',
    origin: 'common',
    law: 'At rest',
    edits: [['    results.remove(this.#state.containerID);\n    onEnd();', '    onEnd();']],
  },
  {
    id: 'remembers-the-one-before',
    why: 'Does not forget the container before when there is another one: memory grows with each restart.',
    origin: 'common',
    law: 'Fresh',
    edits: [
      [
        'if (state.containerID !== this.#state.containerID) cache.remove(this.#state.containerID);',
        "if (state.containerID === '') cache.remove(this.#state.containerID);",
      ],
    ],
  },
  {
    id: 'spreads-all-alike',
    why: 'Draws one number for all workers: they all wait equally long, and all pods of the node are asked at the same instant.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        `random: random.fork(\`\${pod.metadata.uid}/\${container.name}/\${type}\`),`,
        "random: random.fork('probes'),",
      ],
    ],
  },
];
