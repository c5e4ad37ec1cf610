import type { Mistake } from '#harness/testing';

/** AUTHOR: at least twelve wrong implementations that people or projects really shipped. Each level and each law kills one. */
export const mistakes: readonly Mistake[] = [
  {
    id: 'counts-from-one',
    why: 'A ConfigMap without data counts as one key.',
    origin: 'common',
    law: 'Level 1',
    edits: [['String(Object.keys(data).length)', 'String(Object.keys(data).length || 1)']],
  },
  {
    id: 'only-new-config-maps',
    why: 'The controller handles added ConfigMaps only, so that an update keeps the old number.',
    origin: 'common',
    law: 'Converges',
    edits: [['{ onAdd: enqueue, onUpdate: (_, current) => enqueue(current) }', '{ onAdd: enqueue }']],
  },
];
