/** Kubelets that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'counts-for-the-phase',
    why: 'counts containers by what they do, as upstream does, and decides by the counts',
    edits: [
      [
        `  const sidecars = initContainers.filter(isSidecar).map(look);
  const isStarting = sidecars.some(({ stage, status }) => stage === 'running' && !status?.started);
  if (isStarting && !podHasInitialized) return 'Pending';
  const regular = containers.map(look);
  const stages = [...sidecars.filter(({ stage }) => stage !== 'stopped'), ...regular].map(
    ({ stage }) => stage,
  );

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
    why: 'starts the containers of a pod in the opposite order: they do not depend on each other',
    edits: [
      [
        `    : { ...begun, containersToStart, containersToKill: kills };`,
        `    : { ...begun, containersToStart: containersToStart.reverse(), containersToKill: kills };`,
      ],
    ],
  },
  {
    id: 'counts-failures',
    why: 'the back-off remembers how often a key has failed, and works the wait out of that',
    edits: [
      [
        'new Map<string, { readonly backoffMs: number; readonly lastUpdateMs: number }>()',
        'new Map<string, { readonly failures: number; readonly lastUpdateMs: number }>()',
      ],
      [
        'return this.#entries.get(key)?.backoffMs ?? 0;',
        `const { initialMs, maxMs } = this.#options;
    const failures = this.#entries.get(key)?.failures ?? 0;
    return failures === 0 ? 0 : failures === 1 ? initialMs : Math.min(initialMs * 2 ** (failures - 1), maxMs);`,
      ],
      [
        `    const { clock, initialMs, maxMs } = this.#options;
    const backoffMs = this.#lives(key, eventTimeMs) ? Math.min(2 * this.get(key), maxMs) : initialMs;
    this.#entries.set(key, { backoffMs, lastUpdateMs: clock.now() });`,
        `    const failures = this.#lives(key, eventTimeMs) ? (this.#entries.get(key)?.failures ?? 0) : 0;
    this.#entries.set(key, { failures: failures + 1, lastUpdateMs: this.#options.clock.now() });`,
      ],
    ],
  },
  {
    id: 'asks-all-probes',
    why: 'asks for all results of a container before it decides, also for those that it does not need',
    edits: [
      [
        `  if (hash !== hashContainer(container)) return { message: 'definition changed' };`,
        `  const [liveness, startup] = [probes.liveness(id), probes.startup(id), probes.liveness(id)];
  if (hash !== hashContainer(container)) return { message: 'definition changed' };`,
      ],
      [
        `if (probes.liveness(id) === 'Failure') return { message: 'failed liveness probe'`,
        `if (liveness === 'Failure') return { message: 'failed liveness probe'`,
      ],
      [
        `if (probes.startup(id) === 'Failure') return { message: 'failed startup probe'`,
        `if (startup === 'Failure') return { message: 'failed startup probe'`,
      ],
    ],
  },
  {
    id: 'walks-back',
    why: 'goes through the init containers from the last to the first, as upstream does, and turns the result around',
    edits: [
      [
        '  for (const [i, container] of initContainers.entries()) {\n    if (i > current',
        '  for (const [i, container] of [...initContainers.entries()].reverse()) {\n    if (i > current',
      ],
      [
        `    if (start) initContainersToStart.push(i);
    if (kill && status) containersToKill.set(status.id, kill);
    if (nextMayStart && i === current) {
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
`,
      ],
      [
        '  if (current < 0) initContainersToStart.push(0);\n',
        '  if (current < 0) initContainersToStart.push(0);\n  initContainersToStart.reverse();\n',
      ],
    ],
  },
  {
    id: 'free',
    why: 'one loop for each pod over one picture of the runtime, with none of the functions of the levels, and none of the given parts',
    file: 'variants/free.ts',
    free: true,
    core: true,
  },
];
