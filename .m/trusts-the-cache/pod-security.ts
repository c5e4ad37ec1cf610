import {
  type CheckedPod,
  formatLevelVersion,
  formatViolations,
  invalidPolicyLabel,
  isPolicyVersion,
  type LevelVersion,
  POD_SECURITY_LABEL,
  type PodJudgement,
  type PodSecurityPolicy,
  parseLevel,
  violationsOf,
} from '#given/14-admission';
import type { errors, labels, Pod } from '#harness';

export type Cause = Parameters<typeof errors.invalid>[2][number];

/** Upstream: kubernetes/pod-security-admission@v0.36.3 api/helpers.go PolicyToEvaluate */
export function policyOf(given: labels.Labels = {}): {
  readonly policy: PodSecurityPolicy;
  readonly causes: readonly Cause[];
} {
  const causes: Cause[] = [];
  const valueAt = (name: string): string | undefined => given[POD_SECURITY_LABEL + name];
  function levelOf(mode: keyof PodSecurityPolicy): LevelVersion['level'] {
    const value = valueAt(mode);
    if (value === undefined) return 'privileged';
    const level = parseLevel(value);
    if (!level) causes.push(invalidPolicyLabel(POD_SECURITY_LABEL + mode, value));
    // A typing error must not open a namespace.
    return level ?? (mode === 'enforce' ? 'restricted' : 'privileged');
  }
  function versionOf(mode: keyof PodSecurityPolicy): string {
    const value = valueAt(`${mode}-version`);
    if (value === undefined || isPolicyVersion(value)) return value ?? 'latest';
    causes.push(invalidPolicyLabel(`${POD_SECURITY_LABEL}${mode}-version`, value));
    return 'latest';
  }
  const enforce = { level: levelOf('enforce'), version: versionOf('enforce') };
  const audit = { level: levelOf('audit'), version: versionOf('audit') };
  const warn = { level: levelOf('warn'), version: versionOf('warn') };
  const enforced = parseLevel(valueAt('enforce') ?? '');
  if (valueAt('warn') !== undefined || !enforced || enforced === 'privileged') {
    return { policy: { enforce, audit, warn }, causes };
  }
  const version = valueAt('warn-version') === undefined ? enforce.version : warn.version;
  return { policy: { enforce, audit, warn: { level: enforced, version } }, causes };
}

/** Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go EvaluatePod */
export function judgePod(
  { enforce, audit, warn }: PodSecurityPolicy,
  pod: CheckedPod,
  kind: 'pod' | 'template',
): PodJudgement {
  const violating = (verb: string, level: LevelVersion): string | undefined => {
    const violations = violationsOf(level, pod);
    if (violations.length === 0) return undefined;
    return `${verb} PodSecurity "${formatLevelVersion(level)}": ${formatViolations(violations)}`;
  };
  // The template of a controller may still change before it becomes a pod.
  const refusal = kind === 'pod' ? violating('violates', enforce) : undefined;
  const audited = violating('would violate', audit);
  const warning = refusal ? undefined : violating('would violate', warn);
  return { ...(refusal && { refusal }), ...(audited && { audit: audited }), ...(warning && { warning }) };
}

const PODS_MAX = 3_000;

/** Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go EvaluatePodsInNamespace */
export function warningsAbout(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly Pod[],
): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const pod of pods.slice(0, PODS_MAX)) {
    const reason = violationsOf(enforce, pod)
      .map((violation) => violation.reason)
      .join(', ');
    if (reason) byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name]);
  }
  const each = [...byReason].map(([reason, names]) => {
    const others = names.length - 1;
    const more = others > 0 ? ` (and ${others} other pod${others === 1 ? '' : 's'})` : '';
    return `${names.sort()[0]}${more}: ${reason}`;
  });
  const level = formatLevelVersion(enforce);
  return [
    ...(pods.length > PODS_MAX
      ? [
          `new PodSecurity enforce level only checked against the first ${PODS_MAX} of ${pods.length} existing pods`,
        ]
      : []),
    ...(each.length > 0
      ? [`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`]
      : []),
    ...each.sort(),
  ];
}
