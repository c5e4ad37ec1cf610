import type { Mistake } from '#harness/testing';

/** Levels 4 to 7, and 13: the result of a tick, and the stored results. */
export const ofTheTick: readonly Mistake[] = [
  {
    id: 'failures-add-up',
    why: 'Counts all failures instead of consecutive ones: a container that fails occasionally is killed in the end.',
    origin: 'common',
    law: 'Counts',
    edits: [
      [
        'const resultRun = before.lastResult === result ? before.resultRun + 1 : 1;',
        'const resultRun = before.resultRun + 1;',
      ],
    ],
  },
  {
    id: 'one-too-many',
    why: 'Waits for one failure more than the threshold.',
    origin: 'common',
    law: 'Counts',
    edits: [['if (resultRun < threshold) return', 'if (resultRun <= threshold && threshold > 1) return']],
  },
  {
    id: 'one-success-is-enough',
    why: 'Ignores the success threshold.',
    origin: 'common',
    law: 'Counts',
    edits: [
      [
        "const threshold = result === 'Success' ? successThreshold : failureThreshold;",
        "const threshold = result === 'Success' ? Math.min(successThreshold, 1) : failureThreshold;",
      ],
    ],
  },
  {
    id: 'one-failure-kills-again',
    why: 'After a kill the failures of the old container still count: the next one is killed at its first failure, and so on.',
    origin: 'k#53530',
    law: 'Counts',
    edits: [
      [
        'state: isDecided ? { ...state, onHold: true, resultRun: 0 } : state,',
        'state: isDecided ? { ...state, onHold: true } : state,',
      ],
    ],
  },
  {
    id: 'asks-the-dying',
    why: 'Keeps probing a container that is being killed.',
    origin: 'k#21751',
    law: 'On hold',
    edits: [
      [
        'state: isDecided ? { ...state, onHold: true, resultRun: 0 } : state,',
        'state: isDecided ? { ...state, resultRun: 0 } : state,',
      ],
    ],
  },
  {
    id: 'a-startup-never-ends',
    why: 'Keeps running the startup probe of a container that has failed to start.',
    origin: 'k#117153',
    law: 'On hold',
    edits: [
      [
        "const isDecided = type === 'startup' || (type === 'liveness' && result === 'Failure');",
        "const isDecided = result === 'Failure' && type === 'liveness';",
      ],
    ],
  },
  {
    id: 'on-hold-for-good',
    why: 'The worker stays on hold after a restart of the container, and never probes it again.',
    origin: 'common',
    law: 'Punctual',
    edits: [['state: { ...before, containerID, onHold: false },', 'state: { ...before, containerID },']],
  },
  {
    id: 'ready-at-once',
    why: 'A new container counts as ready until its probe fails.',
    origin: 'common',
    law: 'Level 5',
    edits: [["readiness: 'Failure',", "readiness: 'Success',"]],
  },
  {
    id: 'started-at-once',
    why: 'A new container counts as started: its startup probe has no effect.',
    origin: 'common',
    law: 'Level 5',
    edits: [["startup: 'Unknown',", "startup: 'Success',"]],
  },
  {
    id: 'alive-without-proof',
    why: 'A new container counts as failed until its first liveness probe.',
    origin: 'common',
    law: 'Level 5',
    edits: [["liveness: 'Success',", "liveness: 'Failure',"]],
  },
  {
    id: 'never-looks-again',
    why: 'Compares the names of containers, not their ids: a restarted container keeps the results of its predecessor.',
    origin: 'k#141155',
    law: 'Resets',
    edits: [
      [
        'if (containerID === before.containerID) return { state: before, results: [] };',
        "if (before.containerID !== '') return { state: before, results: [] };",
      ],
    ],
  },
  {
    id: 'liveness-before-startup',
    why: 'Runs liveness probes before the container has started: a slow container is killed again and again.',
    origin: 'common',
    law: 'Startup first',
    edits: [
      [
        "return (type === 'startup') === started;",
        "return type === 'startup' ? started : type === 'readiness' && !started;",
      ],
    ],
  },
  {
    id: 'readiness-before-startup',
    why: 'Runs readiness probes before the container has started.',
    origin: 'common',
    law: 'Startup first',
    edits: [
      [
        "return (type === 'startup') === started;",
        "return type === 'startup' ? started : type === 'liveness' && !started;",
      ],
    ],
  },
  {
    id: 'no-delay',
    why: 'Ignores the initial delay.',
    origin: 'common',
    law: 'Initial delay',
    edits: [
      [
        'if (ageMs < initialDelaySeconds * 1_000) return true;',
        'if (ageMs < -initialDelaySeconds * 1_000) return true;',
      ],
    ],
  },
  {
    id: 'delay-in-milliseconds',
    why: 'Treats the initial delay in seconds as milliseconds.',
    origin: 'common',
    law: 'Initial delay',
    edits: [
      [
        'if (ageMs < initialDelaySeconds * 1_000) return true;',
        'if (ageMs < initialDelaySeconds) return true;',
      ],
    ],
  },
  {
    id: 'the-dead-are-well',
    why: 'Sets no result for a terminated container: it stays ready.',
    origin: 'common',
    law: 'Not running',
    edits: [
      [
        "results: [...results, 'Failure'], next: comesBack ? 'wait' : 'end'",
        "results, next: comesBack ? 'wait' : 'end'",
      ],
    ],
  },
  {
    id: 'ends-with-its-container',
    why: 'The worker ends with its container, although the container will restart.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        "results: [...results, 'Failure'], next: comesBack ? 'wait' : 'end'",
        "results: [...results, 'Failure'], next: comesBack && !terminated ? 'wait' : 'end'",
      ],
    ],
  },
  {
    id: 'kills-what-is-deleted',
    why: 'Runs liveness probes of a pod that was already being deleted when the kubelet first saw it.',
    origin: 'k#52817',
    law: 'Level 5',
    hidden: 'A kubelet does not add a terminating pod, and tells the manager to stop its probes.',
    edits: [
      [
        "if (pod.metadata.deletionTimestamp !== undefined && type !== 'readiness') {",
        "if (pod.metadata.deletionTimestamp === '' && type !== 'readiness') {",
      ],
    ],
  },
  {
    id: 'tells-each-time',
    why: 'Reports every result, even if it has not changed: the kubelet computes a status after each probe.',
    origin: 'common',
    law: 'Notifies',
    edits: [['if (this.#cache.get(containerID) === result) return;', '']],
  },
  {
    id: 'tells-no-first',
    why: 'Reports changes, but not the first result.',
    origin: 'common',
    law: 'Initial results',
    edits: [
      [
        '    this.#cache.set(containerID, result);\n    this.#onUpdate(',
        '    const isFirst = !this.#cache.has(containerID);\n    this.#cache.set(containerID, result);\n    if (!isFirst) this.#onUpdate(',
      ],
    ],
  },
  {
    id: 'flaps-when-it-restarts',
    why: 'Starts with a failure even for containers that ran before: an update of the kubelet makes all pods of its node unready.',
    origin: 'k#78733',
    law: 'Stays ready',
    edits: [
      [
        'results: hasSurvived(container, startedMs) ? inheritedResults(probed, container) : [INITIAL[probed.type]],',
        'results: startedMs < 0 ? inheritedResults(probed, container) : [INITIAL[probed.type]],',
      ],
    ],
  },
  {
    id: 'ready-because-old',
    why: 'Every container that is older than the kubelet counts as ready, even if it was not.',
    origin: 'k#133535, found in review',
    law: 'Stays ready',
    edits: [['return !isProbed || isReady === true;', 'return !isProbed || isReady !== undefined;']],
  },
  {
    id: 'on-failure-is-never',
    why: 'The worker ends when a container of a pod with policy OnFailure fails: the restarted container is never probed.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'shouldRestart(spec, pod.spec ?? {}, terminated.exitCode) ||',
        "pod.spec?.restartPolicy === 'Always' ||",
      ],
    ],
  },
  {
    id: 'asks-a-sidecar-again',
    why: 'Ignores that a sidecar had started before the kubelet: the containers after it wait forever.',
    origin: 'common',
    law: 'Stays ready',
    edits: [
      [
        "return type === 'startup' && isSidecar && started ? ['Success'] : [];",
        "return type === 'readiness' && isSidecar && started ? ['Success'] : [];",
      ],
    ],
  },
  {
    id: 'unknown-breaks-the-run',
    why: 'A probe that could not run interrupts a run of failures: a runtime with hiccups keeps a dead container alive.',
    origin: 'common',
    law: 'Counts',
    edits: [
      [
        '    if (result) this.#carryOut(',
        `    if (!result) this.#state = { ...this.#state, resultRun: 0 };
    if (result) this.#carryOut(`,
      ],
    ],
  },
  {
    id: 'a-delay-and-a-bit',
    why: 'Waits one more period if the delay ends exactly at a tick.',
    origin: 'common',
    law: 'Punctual',
    edits: [['if (ageMs < initialDelaySeconds * 1_000)', 'if (ageMs <= initialDelaySeconds * 1_000)']],
  },
  {
    id: 'deleted-before-dead',
    why: 'Reports Success for a container of a terminating pod that does not run.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'A kubelet does not add a terminating pod: it calls stopLivenessAndStartup.',
    edits: [
      [
        '  if (!running) {',
        `  if (pod.metadata.deletionTimestamp !== undefined && type !== 'readiness') {
    return { state, results: [...results, 'Success'], next: 'end' };
  }
  if (!running) {`,
      ],
    ],
  },
];
