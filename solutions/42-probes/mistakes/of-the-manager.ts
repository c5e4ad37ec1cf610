import type { Mistake } from '#harness/testing';

/** Levels 9 and 10: all probes of a node; ready and started. */
export const ofTheManager: readonly Mistake[] = [
  {
    id: 'forgets-sidecars',
    why: 'Has no workers for sidecars.',
    origin: 'common: from before 1.28',
    law: 'Initial results',
    edits: [
      [
        'return [...(pod.spec?.containers ?? []), ...sidecarsOf(pod)];',
        'return [...(pod.spec?.containers ?? [])];',
      ],
    ],
  },
  {
    id: 'adds-again',
    why: 'Starts new workers whenever the pod is added, which the kubelet does at each sync.',
    origin: 'common',
    law: 'Punctual',
    edits: [['if (!spec || workers.has(key)) continue;', 'if (!spec) continue;']],
  },
  {
    id: 'kills-what-drains',
    why: 'Continues liveness probes while the pod terminates: a container that closes its port to drain is killed.',
    origin: 'k#52817',
    law: 'Termination',
    edits: [
      [
        "for (const type of ['liveness', 'startup'] as const) workers",
        "for (const type of ['startup'] as const) workers",
      ],
    ],
  },
  {
    id: 'stops-readiness-too',
    why: 'Stops readiness probes while the pod terminates: it stays ready, and gets requests until its end.',
    origin: 'k#110309',
    law: 'Termination',
    edits: [
      ["for (const type of ['liveness', 'startup'] as const) workers", 'for (const type of TYPES) workers'],
    ],
  },
  {
    id: 'goes-on-without-the-pod',
    why: 'Removes the pod without stopping its workers.',
    origin: 'common',
    law: 'Quiet',
    edits: [['for (const worker of this.#workers.get(uid)?.values() ?? []) worker?.stop();', '']],
  },
  {
    id: 'cleans-up-nothing',
    why: 'Does not remove pods that are no longer desired.',
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
    why: 'Removes the desired pods.',
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
    why: 'Starts to probe a pod that is added after the kubelet has stopped.',
    origin: 'common',
    law: 'Cleans up',
    edits: [['if (this.#options.signal.aborted) return;', '']],
  },
  {
    id: 'begins-what-has-ended',
    why: 'Restarts an ended or stopped worker when its pod is added again.',
    origin: 'common',
    law: 'Termination',
    edits: [['if (!spec || workers.has(key)) continue;', 'if (!spec || workers.get(key)) continue;']],
  },
  {
    id: 'outlives-its-kubelet',
    why: 'Continues after its kubelet has stopped.',
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
    why: 'A container that has not started, without a readiness probe, counts as ready, and gets requests while it starts.',
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
    why: 'A container counts as started as soon as it runs.',
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
    why: 'A container whose startup probe has no result yet counts as started.',
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
    why: 'A container counts as not started after its startup probe was stopped: it becomes unready while its pod terminates.',
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
    why: 'A container counts as ready until its readiness probe has failed.',
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
    why: 'A container that was ready once stays ready.',
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
    why: 'A running init container counts as ready.',
    origin: 'common',
    law: 'Ready',
    edits: [['ready: container.state?.terminated?.exitCode === 0,', 'ready: true,']],
  },
  {
    id: 'keeps-only-containers',
    why: 'The status contains only containers: the conditions of the pod are lost.',
    origin: 'common',
    law: 'Ready',
    edits: [
      ['      ...status,\n', "      phase: status.phase ?? 'Running',\n      podIP: status.podIP ?? '',\n"],
    ],
  },
  {
    id: 'no-worker-is-no-probe',
    why: 'Takes a pod that was not added yet for one without probes: an unready container is ready for a moment after each restart of the kubelet.',
    origin: 'k#135795',
    law: 'Stays ready',
    edits: [
      [
        `    if (result || !hasSurvived(container, this.#startedMs)) return !isProbed;
    return wasReady(pod, container);`,
        `    if (result || !hasSurvived(container, this.#startedMs)) return !isProbed;
    return !isProbed || wasReady(pod, container);`,
      ],
    ],
  },
  {
    id: 'a-failed-init-is-ready',
    why: 'An init container is ready when it has ended, whatever its exit code.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        'ready: container.state?.terminated?.exitCode === 0,',
        'ready: container.state?.terminated !== undefined,',
      ],
    ],
  },
  {
    id: 'a-sidecar-was-ready',
    why: 'Looks for the readiness probe of an old container among the containers alone: an unready sidecar becomes ready when the kubelet restarts.',
    origin: 'common: from before 1.28',
    law: 'Stays ready',
    edits: [
      [
        'const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];',
        'const containers = [...(spec?.containers ?? [])];',
      ],
    ],
  },
  {
    id: 'the-old-wait-for-their-period',
    why: 'Does not probe an unready container at once if it is older than the kubelet.',
    origin: 'common',
    law: 'Stays ready',
    edits: [
      [
        `this.#workerOf(pod.metadata.uid, name, 'readiness')?.trigger();`,
        `if (!hasSurvived(container, this.#startedMs)) this.#workerOf(pod.metadata.uid, name, 'readiness')?.trigger();`,
      ],
    ],
  },
  {
    id: 'started-whatever-the-result',
    why: 'Prefers `started` of the status to the result of the startup probe.',
    origin: 'common',
    law: 'Stays ready',
    edits: [
      [
        `    if (result) return result === 'Success';
    return started === true ||`,
        `    if (started === true) return true;
    if (result) return result === 'Success';
    return`,
      ],
    ],
  },
  {
    id: 'cleans-up-one-pod',
    why: 'Removes only the first of several pods that are no longer desired.',
    origin: 'common: find instead of filter',
    law: 'Quiet',
    edits: [
      [
        'for (const uid of [...this.#workers.keys()]) if (!desired.has(uid)) this.#remove(uid);',
        `const uid = [...this.#workers.keys()].find((one) => !desired.has(one));
    if (uid !== undefined) this.#remove(uid);`,
      ],
    ],
  },
  {
    id: 'waits-for-a-stopped-probe',
    why: 'After its startup probe was stopped, a running container has not started.',
    origin: 'common',
    law: 'Level 10',
    hidden:
      'Only a container that terminates before its start shows it, and Kubernetes promises neither value there: the laws accept both.',
    edits: [
      [
        `      if (workers?.has(keyOf(name, 'startup'))) workers.set(keyOf(name, 'startup'), undefined);
`,
        '',
      ],
    ],
  },
];
