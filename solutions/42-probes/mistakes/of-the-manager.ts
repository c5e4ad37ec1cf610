import type { Mistake } from '#harness/testing';

/** Levels 9 and 10: all probes of a node, ready and started. */
export const ofTheManager: readonly Mistake[] = [
  {
    id: 'forgets-sidecars',
    why: 'Has no workers for sidecars.',
    origin: 'common: from before 1.28',
    law: 'Begins',
    edits: [
      [
        'return [...(pod.spec?.containers ?? []), ...sidecarsOf(pod)];',
        'return [...(pod.spec?.containers ?? [])];',
      ],
    ],
  },
  {
    id: 'adds-again',
    why: 'Begins new workers each time that the pod is added, and the kubelet does so at each sync.',
    origin: 'common',
    law: 'Punctual',
    edits: [['if (!spec || workers.has(key)) continue;', 'if (!spec) continue;']],
  },
  {
    id: 'kills-what-drains',
    why: 'Goes on with liveness probes when the pod is to end: what closes its port and drains is killed.',
    origin: 'k#52817',
    law: 'Ends',
    edits: [
      [
        "for (const type of ['liveness', 'startup'] as const) workers",
        "for (const type of ['startup'] as const) workers",
      ],
    ],
  },
  {
    id: 'stops-readiness-too',
    why: 'Stops readiness probes when the pod is to end: it stays ready, and gets requests until it is gone.',
    origin: 'k#110309',
    law: 'Ends',
    edits: [
      ["for (const type of ['liveness', 'startup'] as const) workers", 'for (const type of TYPES) workers'],
    ],
  },
  {
    id: 'goes-on-without-the-pod',
    why: 'Forgets the pod, and does not stop its workers.',
    origin: 'common',
    law: 'Quiet',
    edits: [['for (const worker of this.#workers.get(uid)?.values() ?? []) worker?.stop();', '']],
  },
  {
    id: 'cleans-up-nothing',
    why: 'Does not remove pods that are not desired any more.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        "signal.addEventListener('abort', () => this.cleanupPods(new Set()), { once: true });",
        "signal.addEventListener('abort', () => { for (const uid of [...this.#workers.keys()]) this.#remove(uid); }, { once: true });",
      ],
      [
        'if (!desired.has(uid)) this.#remove(uid);',
        `if (desired.has(\`\${uid} is gone\`)) this.#remove(uid);`,
      ],
    ],
  },
  {
    id: 'cleans-up-the-others',
    why: 'Removes the pods that are desired.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        "signal.addEventListener('abort', () => this.cleanupPods(new Set()), { once: true });",
        "signal.addEventListener('abort', () => { for (const uid of [...this.#workers.keys()]) this.#remove(uid); }, { once: true });",
      ],
      ['if (!desired.has(uid)) this.#remove(uid);', 'if (desired.has(uid)) this.#remove(uid);'],
    ],
  },
  {
    id: 'adds-after-the-end',
    why: 'Begins to probe a pod that is added when the kubelet has ended.',
    origin: 'common',
    law: 'At rest',
    edits: [['if (this.#options.signal.aborted) return;', '']],
  },
  {
    id: 'begins-what-has-ended',
    why: 'Begins a worker again that has ended or was stopped, when its pod is added once more.',
    origin: 'common',
    law: 'Ends',
    edits: [['if (!spec || workers.has(key)) continue;', 'if (!spec || workers.get(key)) continue;']],
  },
  {
    id: 'outlives-its-kubelet',
    why: 'Goes on when its kubelet ends.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        "signal.addEventListener('abort', () => this.cleanupPods(new Set()), { once: true });",
        'signal.throwIfAborted();',
      ],
    ],
  },
  {
    id: 'ready-before-started',
    why: 'Holds a container for ready that has not started: it has no readiness probe, and gets requests while it starts.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        'return { ...container, started, ready: started && this.#isReady(pod, container) };',
        'return { ...container, started, ready: !!container.state?.running && this.#isReady(pod, container) };',
      ],
    ],
  },
  {
    id: 'started-when-it-runs',
    why: 'Holds a container for started as soon as it runs.',
    origin: 'common',
    law: 'Started',
    edits: [
      [
        "if (result) return result === 'Success';\n    return started",
        "if (result) return result !== 'Failure';\n    return started",
      ],
    ],
  },
  {
    id: 'not-known-is-started',
    why: 'Takes a container whose startup probe has said nothing yet for started.',
    origin: 'common',
    law: 'Started',
    edits: [
      [
        "return started === true || !this.#workerOf(metadata.uid, name, 'startup');",
        "return started === true || !this.#workerOf(metadata.uid, name, 'startup') || state.running !== null;",
      ],
    ],
  },
  {
    id: 'started-no-more',
    why: 'Takes a container for not started when its startup probe was stopped: it is not ready any more while its pod ends.',
    origin: 'k#110309, found in review',
    law: 'Started',
    edits: [
      [
        "return started === true || !this.#workerOf(metadata.uid, name, 'startup');",
        "return !this.#options.signal.aborted && started === true && this.#workerOf(metadata.uid, name, 'startup') !== undefined;",
      ],
    ],
  },
  {
    id: 'ready-without-proof',
    why: 'Takes a container for ready until its readiness probe has failed.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        'if (result || !hasSurvived(container, this.#startedMs)) return !isProbed;',
        'if (result || !hasSurvived(container, this.#startedMs)) return !isProbed || result === undefined;',
      ],
    ],
  },
  {
    id: 'ready-as-long-as-it-was',
    why: 'Takes a container that was ready once for ready.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        "if (result === 'Success') return true;",
        "if (result === 'Success' || container.restartCount > 0) return true;",
      ],
    ],
  },
  {
    id: 'init-is-always-ready',
    why: 'Takes an init container for ready while it runs.',
    origin: 'common',
    law: 'Ready',
    edits: [['ready: container.state?.terminated?.exitCode === 0,', 'ready: true,']],
  },
  {
    id: 'keeps-only-containers',
    why: 'Makes a status of containers alone: the conditions of the pod are gone.',
    origin: 'common',
    law: 'Ready',
    edits: [
      ['      ...status,\n', "      phase: status.phase ?? 'Running',\n      podIP: status.podIP ?? '',\n"],
    ],
  },
];
