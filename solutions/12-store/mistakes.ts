/**
 * Wrong stores, each made by one or two edits of the reference: real bugs of etcd and of the apiserver, and other likely
 * errors.
 */
import type { Mistake } from '#harness/testing';
import { cache } from './mistakes/cache.ts';
import { counter } from './mistakes/counter.ts';
import { leases } from './mistakes/leases.ts';
import { lists } from './mistakes/lists.ts';
import { log } from './mistakes/log.ts';
import { objects } from './mistakes/objects.ts';
import { past } from './mistakes/past.ts';
import { ranges } from './mistakes/ranges.ts';
import { transactions } from './mistakes/transactions.ts';
import { underWay } from './mistakes/under-way.ts';
import { updates } from './mistakes/updates.ts';
import { watches } from './mistakes/watches.ts';

/** The laws alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...counter,
  ...transactions,
  ...ranges,
  ...past,
  ...watches,
  ...log,
  ...objects,
  ...updates,
  ...lists,
  ...cache,
  ...leases,
  ...underWay,
];
