/**
 * Address managers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that
 * are easy to take. Short names of threads are those of github.com: cnip is containernetworking/plugins.
 */
import type { Mistake } from '#harness/testing';
import { commands } from './mistakes/commands.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { ranges } from './mistakes/ranges.ts';
import { release } from './mistakes/release.ts';
import { store } from './mistakes/store.ts';

/** Whatever shows in a cluster dies of the laws and the end to end alone. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [...ranges, ...store, ...release, ...commands, ...optionalParts];
