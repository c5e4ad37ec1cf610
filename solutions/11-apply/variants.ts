/** Correct applies with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'computes the object that should be there, and then the patch from the live object to it; none of the functions of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'reads-twice',
    why: 'reads the live object again before the first patch, so that the patch is as fresh as possible',
    edits: [['  let current = live;\n', '  let current = await requests.get().catch(() => live);\n']],
  },
];
