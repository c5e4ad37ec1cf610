/** Deployment controllers that are odd but right: every test must let them pass. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'in-other-words',
    why: 'Another hash, a status with zeros in it, one worker: nobody can tell from outside, or nobody may mind.',
    edits: [
      [
        "return [...String(fnv32a(text))].map((digit) => ALPHABET[Number(digit)]).join('');",
        'return fnv32a(ALPHABET + text).toString(36);',
      ],
      ['Object.entries(counts).filter(([, count]) => count !== 0)', 'Object.entries(counts)'],
      [
        'if (!deepEqual(status, deployment.status)) {',
        `const printed = JSON.parse(JSON.stringify(status, (_, value) => (value === 0 ? undefined : value)));
    if (!deepEqual(printed, deployment.status)) {`,
      ],
      ['const WORKERS = 5;', 'const WORKERS = 1;'],
    ],
  },
  {
    id: 'slow-and-careful',
    why: 'One order a sync, the rest is decided anew; and whether old pods are gone is asked of the server, not of a cache.',
    edits: [
      [
        '    for (const { replicaSet, replicas } of changes) {',
        '    for (const { replicaSet, replicas } of changes.slice(0, 1)) {',
      ],
      [
        "const oldPods = before.old.flatMap(({ metadata }) => this.#pods.byIndex('controller', metadata.uid));",
        `const owners = new Set(before.old.map(({ metadata }) => metadata.uid));
    const { items } = await this.#client.list(pods, { namespace: before.deployment.metadata.namespace ?? '' });
    const oldPods = items.filter((pod) => owners.has(controllerOf(pod)?.uid ?? ''));`,
      ],
    ],
  },
  {
    id: 'one-step-at-a-time',
    why: 'Without a queue and without a cache: it lists everything whenever anything happens, writes one thing, as a patch, and starts over.',
    file: 'variants/one-step-at-a-time.ts',
  },
];
