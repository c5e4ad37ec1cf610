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
    id: 'core',
    why: 'leaves out the optional levels: lists keep their order, nothing is applied on the server, and nothing is pruned',
    core: true,
    edits: [
      ['= {\n  elementOrder,\n  retainedKeys,\n  applyOnServer,\n  prune,\n};', '= noOptionalSteps;'],
      [
        "import type { OptionalSteps } from '#given/11-apply';",
        "import { noOptionalSteps, type OptionalSteps } from '#given/11-apply';",
      ],
    ],
  },
];
