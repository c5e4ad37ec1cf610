import { cluster } from './cluster.ts';
import { objects } from './objects.ts';
import type { Group } from './row.ts';
import { workloads } from './workloads.ts';

/** The commands of docs/kubectl.md, in execution order. */
export const everyday: readonly Group[] = [...objects, ...workloads, ...cluster];
