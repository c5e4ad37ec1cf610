import { controllerRows } from './controller-rows.ts';
import { flowRows } from './flow-rows.ts';
import { objectRows } from './object-rows.ts';
import { projectRows } from './project-rows.ts';
import type { ApplyRow } from './row.ts';
import { workloadRows } from './workload-rows.ts';

/** The projects whose requests are kept in a file. Together they have most kinds. */
const RECORDED = [
  'argo-rollout',
  'cert-manager-issuer',
  'cluster-autoscaler',
  'descheduler',
  'flux',
  'keda',
  'metrics-server',
  'node-problem-detector',
  'pod-security-tenants',
  'redis',
  'velero',
  'web-app',
];

const isRecorded = ({ name }: ApplyRow): boolean => RECORDED.includes(name);

/** The rows whose requests are kept in a file: those of one rule of an apply each, and some projects. */
export const recordedRows: readonly ApplyRow[] = [
  ...workloadRows,
  ...controllerRows,
  ...objectRows,
  ...flowRows,
  ...projectRows.filter(isRecorded),
];

/** The rows whose requests are only compared beside a real kubectl. */
export const otherRows: readonly ApplyRow[] = projectRows.filter((row) => !isRecorded(row));
