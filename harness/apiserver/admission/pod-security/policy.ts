import type { Cause } from '../../../api/status.ts';
import { invalid } from '../../validation/field-error.ts';
import { baselineChecks } from './baseline.ts';
import type { Check, CheckedPod, Violation } from './check.ts';
import { restrictedChecks } from './restricted.ts';

/** The levels of the Pod Security Standards, the loosest first. */
export const podSecurityLevels = ['privileged', 'baseline', 'restricted'] as const;

export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** A level, and the version of Kubernetes whose rules count: `latest`, `v1.24`. */
export interface LevelVersion {
  readonly level: PodSecurityLevel;
  readonly version: string;
}

/** `restricted:latest` */
export const formatLevelVersion = ({ level, version }: LevelVersion): string => `${level}:${version}`;

export const POD_SECURITY_LABEL = 'pod-security.kubernetes.io/';

/** Reads the value of a label with a level. @returns undefined for an unknown level */
export const parseLevel = (text: string): PodSecurityLevel | undefined =>
  podSecurityLevels.find((level) => level === text);

/** Returns whether the value of a label with a version is valid. */
export const isPolicyVersion = (text: string): boolean => /^(?:latest|v1\.(?:\d|[1-9]\d*))$/.test(text);

/** Returns the error of a label: `metadata.labels[pod-security…]: Invalid value: "strict": must be one of …`. */
export function invalidPolicyLabel(key: string, value: string): Cause {
  const why = key.endsWith('-version')
    ? 'must be "latest" or "v1.x"'
    : `must be one of ${podSecurityLevels.join(', ')}`;
  return invalid(`metadata.labels[${key}]`, value, why);
}

/** The newest policy. */
const LATEST_MINOR = 36;

/**
 * Returns the violations of a level by a pod: first those of `baseline`, then those of `restricted`, each ordered by the
 * id of the check.
 *
 * Upstream: kubernetes/pod-security-admission@v0.36.3 policy/registry.go checkRegistry.EvaluatePod
 */
export function violationsOf({ level, version }: LevelVersion, pod: CheckedPod): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? LATEST_MINOR : Math.min(Number(version.slice(3)), LATEST_MINOR);
  const applies = ({ since }: Check): boolean => since <= minor;
  const added = level === 'restricted' ? restrictedChecks.filter(applies) : [];
  const overridden = new Set(added.map(({ overrides }) => overrides));
  const checks = [...baselineChecks.filter((check) => applies(check) && !overridden.has(check.id)), ...added];
  return checks.flatMap((check) => check.violation(pod, minor) ?? []);
}

/** Returns violations with their details: `privileged (container "c" must not …), hostPort (…)`. */
export const formatViolations = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail ? `${reason} (${detail})` : reason)).join(', ');
