import { flowRows } from './flow-rows.ts';
import { objectRows } from './object-rows.ts';
import { projectRows } from './project-rows.ts';
import type { ApplyRow } from './row.ts';
import { workloadRows } from './workload-rows.ts';

/** The manifests whose subject is one rule of an apply. */
export const ruleRows: readonly ApplyRow[] = [...workloadRows, ...objectRows, ...flowRows];

/** All rows of the comparison. */
export const rows: readonly ApplyRow[] = [...ruleRows, ...projectRows];
