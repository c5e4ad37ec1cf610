import type * as core from '#api/core/v1';
import type { Labels } from '../../../api/label-selector.ts';
import type { Namespace, Pod } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { namespaces, pods } from '../../../api/resource.ts';
import { type Cause, errors, isNotFound } from '../../../api/status.ts';
import type { AdmissionAttributes, AdmissionContext } from '../../../contracts/admission/index.ts';
import { forbidden, isAbout, type Plugin } from '../plugin.ts';
import type { CheckedPod } from './check.ts';
import { podTemplateOf } from './pod-template.ts';
import { formatLevelVersion, type LevelVersion, POD_SECURITY_LABEL, podSecurityLevels } from './policy.ts';

/** The levels of a namespace. Upstream: kubernetes/pod-security-admission@v0.36.3 api/helpers.go Policy */
export interface PodSecurityPolicy {
  /** Pods that violate it are refused. */
  readonly enforce: LevelVersion;
  /** Violations are recorded for the audit log. */
  readonly audit: LevelVersion;
  /** Violations are reported to the client. */
  readonly warn: LevelVersion;
}

/** The judgement on a pod, or on the template of one. */
export interface PodJudgement {
  /** `violates PodSecurity "restricted:latest": privileged (…)`. Only for pods. */
  readonly refusal?: string;
  /** `would violate PodSecurity …` */
  readonly warning?: string;
  /** `would violate PodSecurity …`, for the audit log. */
  readonly audit?: string;
}

/** The parts of PodSecurity that a kata builds. */
export interface PodSecurityParts {
  policyOf(labels: Labels | undefined): {
    readonly policy: PodSecurityPolicy;
    readonly causes: readonly Cause[];
  };
  judgePod(policy: PodSecurityPolicy, pod: CheckedPod, kind: 'pod' | 'template'): PodJudgement;
  warningsAbout(namespace: string, enforce: LevelVersion, pods: readonly Pod[]): readonly string[];
}

/**
 * The plugin PodSecurity, without exemptions.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/security/podsecurity/admission.go Plugin;
 * kubernetes/pod-security-admission@v0.36.3 admission/admission.go Admission
 */
export function podSecurity(context: AdmissionContext, parts: PodSecurityParts): Plugin {
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      if (isAbout(attributes, namespaces)) await validateNamespace(attributes, context, parts);
      else await validatePod(attributes, context, parts);
    },
  };
}

async function validatePod(
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  parts: PodSecurityParts,
): Promise<void> {
  const { resource, subresource, object, oldObject, operation } = attributes;
  const isPod = resource.group === '' && resource.plural === 'pods';
  if (isPod ? IGNORED.has(subresource) : subresource !== '') return;
  const pod = isPod ? (object as Pod) : podTemplateOf(resource, object);
  if (!pod) return;
  const labels = (await namespaceOf(attributes, context, isPod))?.metadata.labels ?? {};
  // Most namespaces have no policy.
  if (!Object.keys(labels).some((key) => key.startsWith(POD_SECURITY_LABEL))) return;
  const { policy, causes } = parts.policyOf(labels);
  if (causes.length > 0) annotate(attributes, 'error', `Failed to parse policy: ${formatCauses(causes)}`);
  if (isPod && operation === 'UPDATE' && !isSignificant(pod.spec, (oldObject as Pod).spec)) return;
  if (isPod) annotate(attributes, 'enforce-policy', formatLevelVersion(policy.enforce));
  const { refusal, audit, warning } = parts.judgePod(policy, pod, isPod ? 'pod' : 'template');
  if (audit) annotate(attributes, 'audit-violations', audit);
  if (refusal) throw forbidden(attributes, refusal);
  if (warning) attributes.warn(warning);
}

const annotate = ({ annotate: add }: AdmissionAttributes, key: string, value: string): void =>
  add(POD_SECURITY_LABEL + key, value);

function formatCauses(causes: readonly Cause[]): string {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
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

/** Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go ValidateNamespace */
async function validateNamespace(
  attributes: AdmissionAttributes,
  { client }: AdmissionContext,
  { policyOf, warningsAbout }: PodSecurityParts,
): Promise<void> {
  const { operation, resource, name, object, oldObject } = attributes;
  const labels = object?.metadata.labels ?? {};
  if (!Object.keys(labels).some((key) => key.startsWith(POD_SECURITY_LABEL))) return;
  const { policy, causes } = policyOf(labels);
  const old = operation === 'UPDATE' ? policyOf(oldObject?.metadata.labels) : undefined;
  // A namespace with an old mistake can still be updated.
  const isNewError = JSON.stringify(old?.causes) !== JSON.stringify(causes);
  if (causes.length > 0 && isNewError) throw errors.invalid(resource, name, causes);
  if (!old || !isStricter(policy.enforce, old.policy.enforce)) return;
  const { items } = await client.list(pods, { namespace: name });
  for (const warning of warningsAbout(name, policy.enforce, controllersFirst(items)))
    attributes.warn(warning);
}

function isStricter(next: LevelVersion, before: LevelVersion): boolean {
  const strictness = ({ level }: LevelVersion): number => podSecurityLevels.indexOf(level);
  if (next.level === 'privileged') return false;
  return next.version !== before.version || strictness(next) > strictness(before);
}

/** Returns the pods in the order of their check: first one pod of each controller. Upstream: prioritizePods */
function controllersFirst(all: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const others: Pod[] = [];
  const first = all.filter((pod) => {
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined) return true;
    if (!seen.has(uid)) return seen.add(uid);
    others.push(pod);
    return false;
  });
  return [...first, ...others];
}
