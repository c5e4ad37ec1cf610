import type { Mistake } from '#harness/testing';

/** Levels 4 to 7, and 13: what a tick comes to, and what is known. */
export const ofTheTick: readonly Mistake[] = [
  {
    id: 'failures-add-up',
    why: 'Counts failures, and not failures in a row: a container that fails now and then is killed in the end.',
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
    why: 'Forgets the threshold for successes.',
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
    why: 'After a kill the failures of the dead container still count: the next one is killed at its first failure, and so on.',
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
    why: 'Goes on asking a container that is being killed.',
    origin: 'k#21751',
    law: 'Decided',
    edits: [
      [
        'state: isDecided ? { ...state, onHold: true, resultRun: 0 } : state,',
        'state: isDecided ? { ...state, resultRun: 0 } : state,',
      ],
    ],
  },
  {
    id: 'a-startup-never-ends',
    why: 'Goes on asking whether a container has started that failed to.',
    origin: 'k#117153',
    law: 'Decided',
    edits: [
      [
        "const isDecided = type === 'startup' || (type === 'liveness' && result === 'Failure');",
        "const isDecided = result === 'Failure' && type === 'liveness';",
      ],
    ],
  },
  {
    id: 'on-hold-for-good',
    why: 'The worker stays on hold when the container was started again: it is never asked again.',
    origin: 'common',
    law: 'Punctual',
    edits: [['state: { ...before, containerID, onHold: false },', 'state: { ...before, containerID },']],
  },
  {
    id: 'ready-at-once',
    why: 'Holds a new container for ready until its probe fails.',
    origin: 'common',
    law: 'Level 5',
    edits: [["readiness: 'Failure',", "readiness: 'Success',"]],
  },
  {
    id: 'started-at-once',
    why: 'Holds a new container for started: its startup probe protects nothing.',
    origin: 'common',
    law: 'Level 5',
    edits: [["startup: 'Unknown',", "startup: 'Success',"]],
  },
  {
    id: 'alive-without-proof',
    why: 'Holds a new container for dead until it was asked.',
    origin: 'common',
    law: 'Level 5',
    edits: [["liveness: 'Success',", "liveness: 'Failure',"]],
  },
  {
    id: 'never-looks-again',
    why: 'Remembers the name of a container, and not its id: a container that was started again keeps what was known of the last.',
    origin: 'k#141155',
    law: 'Fresh',
    edits: [
      [
        'if (containerID === before.containerID) return { state: before, results: [] };',
        "if (before.containerID !== '') return { state: before, results: [] };",
      ],
    ],
  },
  {
    id: 'liveness-before-startup',
    why: 'Makes liveness probes before the container has started: what is slow to start is killed for ever.',
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
    why: 'Makes readiness probes before the container has started.',
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
    why: 'Forgets the initial delay.',
    origin: 'common',
    law: 'Delayed',
    edits: [
      [
        'if (ageMs < initialDelaySeconds * 1_000) return true;',
        'if (ageMs < -initialDelaySeconds * 1_000) return true;',
      ],
    ],
  },
  {
    id: 'delay-in-milliseconds',
    why: 'Takes the seconds of the initial delay for milliseconds.',
    origin: 'common',
    law: 'Delayed',
    edits: [
      [
        'if (ageMs < initialDelaySeconds * 1_000) return true;',
        'if (ageMs < initialDelaySeconds) return true;',
      ],
    ],
  },
  {
    id: 'the-dead-are-well',
    why: 'Says nothing of a container that has ended: it stays ready.',
    origin: 'common',
    law: 'Gone',
    edits: [
      [
        "results: [...results, 'Failure'], next: comesBack ? 'wait' : 'end'",
        "results, next: comesBack ? 'wait' : 'end'",
      ],
    ],
  },
  {
    id: 'ends-with-its-container',
    why: 'Ends when its container ends, though that is started again.',
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
    why: 'Makes liveness probes of a pod that was being deleted when the kubelet met it.',
    origin: 'k#52817',
    law: 'Level 5',
    hidden: 'A kubelet does not add a pod that is being deleted; it tells the manager to stop.',
    edits: [
      [
        "if (pod.metadata.deletionTimestamp !== undefined && type !== 'readiness') {",
        "if (pod.metadata.deletionTimestamp === '' && type !== 'readiness') {",
      ],
    ],
  },
  {
    id: 'tells-each-time',
    why: 'Tells of each result, also when nothing has changed: the kubelet makes a status after each probe.',
    origin: 'common',
    law: 'Tells',
    edits: [['if (this.#cache.get(containerID) === result) return;', '']],
  },
  {
    id: 'tells-no-first',
    why: 'Tells of changes, and not of what it finds out first.',
    origin: 'common',
    law: 'Begins',
    edits: [
      [
        '    this.#cache.set(containerID, result);\n    this.#onUpdate(',
        '    const isFirst = !this.#cache.has(containerID);\n    this.#cache.set(containerID, result);\n    if (!isFirst) this.#onUpdate(',
      ],
    ],
  },
  {
    id: 'flaps-when-it-restarts',
    why: 'Begins with a failure also of containers that were there before: when a kubelet is updated, all pods of its node are not ready.',
    origin: 'k#78733',
    law: 'Steady',
    edits: [
      [
        'results: hasSurvived(container, startedMs) ? inheritedResults(probed, container) : [INITIAL[probed.type]],',
        'results: startedMs < 0 ? inheritedResults(probed, container) : [INITIAL[probed.type]],',
      ],
    ],
  },
  {
    id: 'ready-because-old',
    why: 'Takes every container that is older than the kubelet for ready, also one that was not.',
    origin: 'k#133535, found in review',
    law: 'Steady',
    edits: [['return !isProbed || isReady === true;', 'return !isProbed || isReady !== undefined;']],
  },
  {
    id: 'on-failure-is-never',
    why: 'Ends when a container has failed whose pod has the policy OnFailure: it is started again, and never asked again.',
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
    why: 'Knows nothing of a sidecar that had started before the kubelet: the containers after it wait for ever.',
    origin: 'common',
    law: 'Steady',
    edits: [
      [
        "return type === 'startup' && isSidecar && started ? ['Success'] : [];",
        "return type === 'readiness' && isSidecar && started ? ['Success'] : [];",
      ],
    ],
  },
];
