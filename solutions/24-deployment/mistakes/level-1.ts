import type { Mistake } from '#harness/testing';

/** Mistakes of Level 1 · One template, one ReplicaSet. */
export const level1: readonly Mistake[] = [
  {
    id: 'hash-follows-the-order-of-fields',
    why: 'The same template, with its fields written in another order, gets another hash and so another ReplicaSet.',
    origin: 'k#40415: an unstable hash gives one template two ReplicaSets',
    law: 'Level 1',
    edits: [['    .sort(([a], [b]) => (a < b ? -1 : 1))\n', '']],
  },
  {
    id: 'hash-forgets-collisions',
    why: 'After a collision the next try has the same name, and collides again.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'computeHash(template: PodTemplateSpec, collisionCount?: number): string {',
        'computeHash(template: PodTemplateSpec): string {\n  const collisionCount = undefined;',
      ],
    ],
  },
  {
    id: 'name-is-different-each-time',
    why: 'Who tries twice, because the cache does not show the first try yet, makes two.',
    origin: 'k#40415',
    law: 'Level 1',
    edits: [
      [
        'const hash = computeHash(spec.template, status.collisionCount);',
        'const hash = computeHash(spec.template, status.collisionCount) + metadata.resourceVersion;',
      ],
    ],
  },
  {
    id: 'compares-templates-with-the-hash',
    why: 'The template of a ReplicaSet has a label more than that of its Deployment, so none ever matches.',
    origin: 'common',
    law: 'Level 1',
    edits: [['  if (hash === undefined) return template;\n', '  if (hash !== others) return template;\n']],
  },
  {
    id: 'compares-templates-as-text',
    why: 'Whoever writes 1000m instead of 1 starts a roll-out of nothing new.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return semanticEqual(withoutHash(a), withoutHash(b));',
        'return canonical(withoutHash(a)) === canonical(withoutHash(b));',
      ],
    ],
  },
  {
    id: 'newest-match-is-new',
    why: 'Where two have the template, the one that was made last wins, and the one with the pods is drained.',
    origin: 'k#40415: of several matches upstream takes the oldest, always',
    law: 'Level 1',
    edits: [['all.toSorted(byAge).find((replicaSet) =>', 'all.toSorted(byAge).findLast((replicaSet) =>']],
  },
  {
    id: 'selector-without-the-hash',
    why: 'Every ReplicaSet of the Deployment selects the pods of all.',
    origin: 'common',
    law: 'Made to measure',
    edits: [
      [
        'matchLabels: { ...spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash },',
        'matchLabels: { ...spec.selector.matchLabels },',
      ],
    ],
  },
];
