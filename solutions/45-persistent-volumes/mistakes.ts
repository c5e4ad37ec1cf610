import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [];
