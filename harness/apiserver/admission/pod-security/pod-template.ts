import type { KubeObject } from '../../../api/objects.ts';
import { groupResource, type Resource } from '../../../api/resource.ts';
import type { CheckedPod } from './check.ts';

/**
 * Returns the pod template of a controller's object; undefined if the resource has none.
 *
 * Upstream: kubernetes/pod-security-admission@v0.36.3 admission/admission.go DefaultPodSpecExtractor
 */
export function podTemplateOf(
  resource: Pick<Resource, 'group' | 'plural'>,
  object: KubeObject | undefined,
): CheckedPod | undefined {
  const path = TEMPLATES.get(groupResource(resource));
  let found: unknown = path ? object : undefined;
  for (const field of path ?? []) found = (found as Record<string, unknown> | undefined)?.[field];
  const template = found as { metadata?: CheckedPod['metadata']; spec?: CheckedPod['spec'] } | undefined;
  return template?.spec ? { metadata: template.metadata ?? {}, spec: template.spec } : undefined;
}

const IN_SPEC = ['spec', 'template'];
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['podtemplates', ['template']],
  ['replicationcontrollers', IN_SPEC],
  ['replicasets.apps', IN_SPEC],
  ['deployments.apps', IN_SPEC],
  ['statefulsets.apps', IN_SPEC],
  ['daemonsets.apps', IN_SPEC],
  ['jobs.batch', IN_SPEC],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);
