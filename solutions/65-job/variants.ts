import type { Variant } from '#harness/testing';

/** AUTHOR: at least two right implementations unlike the reference, one of them `free`: a file that exports the component alone. */
export const variants: readonly Variant[] = [
  {
    id: 'one-worker',
    why: 'One worker is slower than two, but also correct.',
    edits: [['workers: 2,', 'workers: 1,']],
  },
];
