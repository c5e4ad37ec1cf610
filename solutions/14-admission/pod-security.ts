import {
  type AdmissionAttributes,
  type AdmissionContext,
  type CheckedPod,
  controllersFirst,
  forbidden,
  formatLevelVersion,
  formatViolations,
  invalidPolicyLabel,
  isPolicyVersion,
  type LevelVersion,
  type Namespace,
  type Plugin,
  POD_SECURITY_LABEL,
  parseLevel,
  podSecurityLevels,
  podTemplateOf,
  violationsOf,
} from '#given/14-admission';
import { type core, errors, isNotFound, type labels, namespaces, type Pod, pods } from '#harness';

type Cause = Parameters<typeof errors.invalid>[2][number];

/** Upstream: kubernetes/pod-security-admission@v0.36.3 api/helpers.go Policy */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const strictness = (level: LevelVersion['level']): number => podSecurityLevels.indexOf(level);

/** Upstream: kubernetes/pod-security-admission@v0.36.3 api/helpers.go PolicyToEvaluate */
export function policyOf(given: labels.Labels = {}): {
  readonly policy: Policy;
  readonly causes: readonly Cause[];
} {
  const causes: Cause[] = [];
  const labelOf = (mode: string): string | undefined => given[POD_SECURITY_LABEL + mode];
  function read(mode: keyof Policy): LevelVersion {
    const [level, version] = [labelOf(mode), labelOf(`${mode}-version`)];
    const parsed = level === undefined ? 'privileged' : parseLevel(level);
    if (level !== undefined && !parsed) causes.push(invalidPolicyLabel(POD_SECURITY_LABEL + mode, level));
    const isKnown = version === undefined || isPolicyVersion(version);
    if (!isKnown) causes.push(invalidPolicyLabel(`${POD_SECURITY_LABEL}${mode}-version`, version));
    return {
      // A mistake must not open a namespace.
      level: parsed ?? (mode === 'enforce' ? 'restricted' : 'privileged'),
      version: isKnown ? (version ?? 'latest') : 'latest',
    };
  }
  const [enforce, audit] = [read('enforce'), read('audit')];
  let warn = read('warn');
  const isSet = labelOf('enforce') !== undefined && parseLevel(labelOf('enforce') ?? '') !== undefined;
  if (isSet && labelOf('warn') === undefined && enforce.level !== 'privileged') {
    warn = {
      level: enforce.level,
      version: labelOf('warn-version') === undefined ? enforce.version : warn.version,
    };
  }
  return { policy: { enforce, audit, warn }, causes };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/security/podsecurity/admission.go Plugin */
export function podSecurity(context: AdmissionContext): Plugin {
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      const { resource, subresource, object } = attributes;
      if (resource.group === '' && resource.plural === 'namespaces') {
        if (subresource === '') await validateNamespace(attributes, context);
        return;
      }
      const isPod = resource.group === '' && resource.plural === 'pods';
      if (isPod ? IGNORED.has(subresource) : subresource !== '') return;
      const pod = isPod ? (object as Pod) : podTemplateOf(resource, object);
      if (!pod) return;
      const namespace = await namespaceOf(attributes, context, isPod);
      if (!namespace) return;
      const { policy, causes } = policyOf(namespace.metadata.labels);
      if (causes.length > 0) {
        const reasons = causes.map(({ field, message }) => `${field}: ${message}`);
        const why = reasons.length > 1 ? `[${reasons.join(', ')}]` : reasons[0];
        attributes.annotate(`${POD_SECURITY_LABEL}error`, `Failed to parse policy: ${why}`);
      }
      const { oldObject, operation } = attributes;
      if (isPod && operation === 'UPDATE' && !isSignificant(pod.spec, (oldObject as Pod).spec)) return;
      evaluate(attributes, policy, pod, isPod);
    },
  };
}

/** Subresources of pods that cannot change a pod's containers. Upstream: ignoredPodSubresources */
const IGNORED = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);

async function namespaceOf(
  { namespace: name }: AdmissionAttributes,
  { cache, client }: AdmissionContext,
  isPod: boolean,
): Promise<Namespace | undefined> {
  try {
    return cache.get(namespaces, { name }) ?? (await client.get(namespaces, { name }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (isPod) throw errors.internal(`failed to lookup namespace "${name}"`);
    return undefined;
  }
}

/** Only images of a stored pod can change, and ephemeral containers can be added. Upstream: isSignificantPodUpdate */
function isSignificant(spec: core.PodSpec, old: core.PodSpec): boolean {
  const changed = (a: readonly core.Container[] = [], b: readonly core.Container[] = []): boolean =>
    a.length !== b.length || a.some(({ image }, i) => image !== b[i]?.image);
  const known = new Map((old.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  return (
    changed(spec.containers, old.containers) ||
    changed(spec.initContainers, old.initContainers) ||
    (spec.ephemeralContainers ?? []).some(({ name, image }) => !known.has(name) || known.get(name) !== image)
  );
}

/** Only pods are refused: a controller's template may still change before it becomes a pod. Upstream: EvaluatePod */
function evaluate(
  attributes: AdmissionAttributes,
  policy: Policy,
  pod: CheckedPod,
  isEnforced: boolean,
): void {
  const { enforce, audit, warn } = policy;
  const violating = (level: LevelVersion, verb: string): string | undefined => {
    const violations = violationsOf(level, pod);
    return violations.length > 0
      ? `${verb} PodSecurity "${formatLevelVersion(level)}": ${formatViolations(violations)}`
      : undefined;
  };
  if (isEnforced) attributes.annotate(`${POD_SECURITY_LABEL}enforce-policy`, formatLevelVersion(enforce));
  const refusal = isEnforced ? violating(enforce, 'violates') : undefined;
  const audited = violating(audit, 'would violate');
  if (audited) attributes.annotate(`${POD_SECURITY_LABEL}audit-violations`, audited);
  if (refusal) throw forbidden(attributes, refusal);
  const warning = violating(warn, 'would violate');
  if (warning) attributes.warn(warning);
}

/** Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go ValidateNamespace */
async function validateNamespace(
  attributes: AdmissionAttributes,
  { client }: AdmissionContext,
): Promise<void> {
  const { operation, resource, name, object, oldObject } = attributes;
  const { policy, causes } = policyOf(object?.metadata.labels);
  const old = operation === 'UPDATE' ? policyOf(oldObject?.metadata.labels) : undefined;
  const isOldError = old !== undefined && JSON.stringify(old.causes) === JSON.stringify(causes);
  if (causes.length > 0 && !isOldError) throw errors.invalid(resource, name, causes);
  if (!old) return;
  const [next, before] = [policy.enforce, old.policy.enforce];
  const isLooser = next.version === before.version && strictness(next.level) <= strictness(before.level);
  if (next.level === 'privileged' || isLooser) return;
  const { items } = await client.list(pods, { namespace: name });
  for (const warning of warningsAbout(name, next, controllersFirst(items))) attributes.warn(warning);
}

const PODS_MAX = 3_000;

/** Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go EvaluatePodsInNamespace */
function warningsAbout(namespace: string, enforce: LevelVersion, all: readonly Pod[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const pod of all.slice(0, PODS_MAX)) {
    const reasons = violationsOf(enforce, pod).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const reason = reasons.join(', ');
    byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name]);
  }
  const checked =
    all.length > PODS_MAX
      ? [
          `new PodSecurity enforce level only checked against the first ${PODS_MAX} of ${all.length} existing pods`,
        ]
      : [];
  if (byReason.size === 0) return checked;
  const level = formatLevelVersion(enforce);
  const existing = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`;
  const each = [...byReason].map(([reason, names]) => {
    const others = names.length - 1;
    const more = others > 0 ? ` (and ${others} other pod${others === 1 ? '' : 's'})` : '';
    return `${[...names].sort()[0]}${more}: ${reason}`;
  });
  return [...checked, existing, ...each.sort()];
}
