/** Correct access control with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'one class, without the functions of the levels: it translates each role into lines of text once, and remembers them with the object',
    file: 'variants/free.ts',
    free: true,
    core: true,
  },
];
