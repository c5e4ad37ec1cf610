import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'all-ready',
    why: 'An address that is not ready is mirrored as ready, and proxies send it traffic.',
    origin: 'k#102683',
    law: 'Mirrors',
    edits: [
      [
        'set(memberKey(address), { address, ready: false });',
        'set(memberKey(address), { address, ready: true });',
      ],
    ],
  },
  {
    id: 'ready-wins',
    why: 'An address that is both ready and not ready counts as ready.',
    origin: 'common',
    law: 'Mirrors',
    edits: [
      [
        'for (const address of notReadyAddresses) members.set(memberKey(address), { address, ready: false });',
        'for (const address of notReadyAddresses) {\n        const key = memberKey(address);\n        if (!members.has(key)) members.set(key, { address, ready: false });\n      }',
      ],
    ],
  },
  {
    id: 'keeps-slices-of-a-selector',
    why: 'The slices stay when the Service gets a selector, and proxies read them beside the new ones.',
    origin: 'k#105987',
    law: 'Mirrors',
    edits: [
      [
        'if (hasNoSelector(old) !== hasNoSelector(service)) enqueue(service);',
        'if (!hasNoSelector(old) && hasNoSelector(service)) enqueue(service);',
      ],
    ],
  },
  {
    id: 'ignores-the-owner',
    why: 'A slice keeps the uid of deleted Endpoints as its owner, and the garbage collector deletes it.',
    origin: 'k#125354',
    law: 'Mirrors',
    edits: [['uid !== owner.uid,', 'uid === "",']],
  },
  {
    id: 'annotations-stay',
    why: 'A change of the annotations alone does not reach the slices.',
    origin: 'k#98577',
    law: 'Mirrors',
    edits: [['semanticEqual(annotations, next.metadata.annotations) &&', 'annotations !== undefined &&']],
  },
  {
    id: 'own-labels-only',
    why: 'The slices lack the labels of their Endpoints.',
    origin: 'k#93442',
    law: 'Mirrors',
    edits: [['labels: { ...labels, [SLICE.service]', 'labels: { ...(labels && {}), [SLICE.service]']],
  },
  {
    id: 'copies-the-trigger-time',
    why: 'The time of the last change is copied into the slices, and measures of latency count it twice.',
    origin: 'k#98116',
    law: 'Mirrors',
    edits: [["  'endpoints.kubernetes.io/last-change-trigger-time',\n", '']],
  },
  {
    id: 'no-service-no-wait',
    why: 'Endpoints that exist before their Service are never mirrored.',
    origin: 'k#93496',
    law: 'Mirrors',
    edits: [['    onAdd: enqueueService,\n', '']],
  },
  {
    id: 'outlives-the-service',
    why: 'The slices stay when the Service is deleted.',
    origin: 'common',
    law: 'Mirrors',
    edits: [['    onDelete: (last) => enqueueService(lastKnown(last)),\n', '']],
  },
  {
    id: 'ignores-edits',
    why: 'A slice that a user edits or deletes stays wrong.',
    origin: 'k#85353',
    law: 'Mirrors',
    edits: [
      ['      enqueueSlice(old);\n      enqueueSlice(slice);\n', '      void [old, slice];\n'],
      ['    onDelete: (last) => enqueueSlice(lastKnown(last)),\n', ''],
    ],
  },
  {
    id: 'trusts-the-cache',
    why: 'The cache lacks the slices of the last sync, so they are created twice.',
    origin: 'k#99756',
    law: 'Never twice',
    edits: [
      [
        'const { items } = await client.list(endpointSlices, { namespace, labelSelector, signal });',
        'const items = slices.indexer.byIndex("source", key).filter(() => labelSelector !== namespace);',
      ],
    ],
  },
  {
    id: 'all-slices-of-the-service',
    why: 'The slices of users are deleted, because they belong to the same Service.',
    origin: 'common',
    law: 'Its own',
    edits: [[`.managedBy}=\${CONTROLLER_NAME}\``, `.managedBy}!=nobody\``]],
  },
  {
    id: 'deletes-first',
    why: 'The old slices are deleted before the new ones exist, and the Service has no address meanwhile.',
    origin: 'common',
    law: 'No gap',
    edits: [
      [
        '      try {\n        if (!source.metadata.deletionTimestamp) {',
        '      for (const slice of deletes) await remove(slice);\n      try {\n        if (!source.metadata.deletionTimestamp) {',
      ],
      ['    if (!reused) return true;\n', '    if (!reused || reused) return true;\n'],
    ],
  },
  {
    id: 'first-family-only',
    why: 'The IPv6 addresses are lost.',
    origin: 'common',
    law: 'Mirrors',
    edits: [["(['IPv4', 'IPv6'] as const)", "(['IPv4'] as const)"]],
  },
  {
    id: 'always-writes',
    why: 'Each sync writes each slice, although nothing has changed.',
    origin: 'found in this workbook',
    law: 'Quiet',
    edits: [
      ['if (!isSame(existing, next)) updates.push', 'if (!isSame(existing, next) || deletes) updates.push'],
    ],
  },
  {
    id: 'mirrors-skipped',
    why: 'Endpoints with the label skip-mirror are mirrored, and the slices of another program have a double.',
    origin: 'common',
    law: 'Mirrors',
    edits: [["labels[SKIP_MIRROR] === 'true' || ", '']],
  },
];
