/** Correct kubelets with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'counts-for-the-phase',
    why: 'counts containers by their state, like upstream, and decides by the counts',
    edits: [
      [
        `  const sidecars = initContainers.filter(isSidecar).map(look);
  const isStarting = sidecars.some(({ stage, status }) => stage === 'running' && !status?.started);
  if (isStarting && !podHasInitialized) return 'Pending';
  const regular = containers.map(look);
  const those = [...sidecars.filter(({ stage }) => stage !== 'stopped'), ...regular];
  const stages = those.map(({ stage }) => stage);

  if (stages.includes('unknown') || stages.includes('waiting')) return 'Pending';
  if (stages.includes('running')) return 'Running';
  if (!podIsTerminal && regular.some(({ restarts }) => restarts)) return 'Running';
  return regular.every(({ status }) => status?.state?.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
`,
        `  const counts = { unknown: 0, waiting: 0, running: 0, stopped: 0, starting: 0, final: 0, succeeded: 0 };
  for (const container of initContainers.filter(isSidecar)) {
    const { stage, status } = look(container);
    if (stage !== 'stopped') counts[stage]++;
    if (stage === 'running' && status?.started !== true) counts.starting++;
  }
  for (const container of containers) {
    const { stage, status, restarts } = look(container);
    counts[stage]++;
    if (stage === 'stopped' && !restarts) counts.final++;
    if (status?.state?.terminated?.exitCode === 0) counts.succeeded++;
  }
  if ((counts.starting > 0 && !podHasInitialized) || counts.waiting > 0) return 'Pending';
  if (counts.unknown > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if (!podIsTerminal && counts.stopped !== counts.final) return 'Running';
  return counts.stopped === counts.succeeded ? 'Succeeded' : 'Failed';
`,
      ],
    ],
  },
  {
    id: 'last-container-first',
    why: 'starts the containers of a pod in reverse order: they do not depend on each other',
    edits: [
      [
        `    : { ...begun, containersToStart, containersToKill };`,
        `    : { ...begun, containersToStart: containersToStart.reverse(), containersToKill };`,
      ],
    ],
  },
  {
    id: 'counts-failures',
    why: 'the back-off stores the number of failures of a key, and computes the delay from it',
    edits: [
      [
        'export class Backoff extends BackoffTable {',
        `export class Backoff extends BackoffTable {
  readonly #failures = new Map<string, number>();
`,
      ],
      [
        '    this.set(key, this.hasExpired(key, eventTimeMs) ? initialMs : Math.min(2 * this.get(key), maxMs));',
        `    const failures = this.hasExpired(key, eventTimeMs) ? 0 : (this.#failures.get(key) ?? 0);
    this.#failures.set(key, failures + 1);
    this.set(key, failures === 0 ? initialMs : Math.min(initialMs * 2 ** failures, maxMs));`,
      ],
    ],
  },
  {
    id: 'walks-back',
    why: 'goes through the init containers from the last to the first, like upstream, and reverses the result',
    edits: [
      [
        '  for (const [i, container] of initContainers.entries()) {\n    if (i > current',
        '  for (const [i, container] of [...initContainers.entries()].reverse()) {\n    if (i > current',
      ],
      [
        `    if (start) initContainersToStart.push(i);
    if (kill && status) containersToKill.set(status.id, kill);
    if (!nextMayStart || i !== current) continue;
    if (i === initContainers.length - 1) initialized = true;
    else initContainersToStart.push(i + 1);
  }
`,
        `    if (nextMayStart && i === current) {
      if (i === initContainers.length - 1) initialized = true;
      else initContainersToStart.push(i + 1);
    }
    if (start) initContainersToStart.push(i);
    if (kill && status) containersToKill.set(status.id, kill);
  }
  initContainersToStart.reverse();
`,
      ],
    ],
  },
  {
    id: 'free',
    why: 'one loop for each pod with one view of the runtime, without the functions of the levels and the given parts',
    file: 'variants/free.ts',
    free: true,
    core: true,
  },
];
