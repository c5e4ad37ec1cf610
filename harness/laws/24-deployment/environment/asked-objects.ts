import type { Deployment, New, ReplicaSet } from '../../../api/objects.ts';
import { NAMESPACE } from '../operations.ts';
import { REVISION } from '../oracle/truth.ts';
import type { Asked, Bystander } from '../scenario/index.ts';

type Template = Deployment['spec']['template'];

/** Returns the requested Deployment. */
export function deploymentOf({ name = 'web', image, ...spec }: Asked): New<Deployment> {
  const labels = { app: 'web' };
  return {
    metadata: { namespace: NAMESPACE, name },
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

/** The annotation that a user writes to a ReplicaSet. No Deployment has it, so the controller never copies it. */
export const REMARK = 'remark';

/** Another Deployment, as the controller of a ReplicaSet. */
export const ANOTHER_OWNER = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'another',
  uid: 'uid-of-another',
  controller: true,
  blockOwnerDeletion: true,
};

const REVISIONS: Partial<Record<Bystander, string>> = { eighth: '8', 'taken-second': '2' };

/** Returns a ReplicaSet that exists before the Deployment; some have its first template. */
export function bystanderOf(bystander: Bystander, { spec }: New<Deployment>): New<ReplicaSet> {
  const isTwin = bystander.endsWith('twin');
  const labels: Record<string, string> =
    bystander === 'stranger' ? { app: 'other' } : { app: 'web', of: bystander };
  const revision = REVISIONS[bystander];
  const annotations = revision === undefined ? {} : { annotations: { [REVISION]: revision } };
  const isTaken = bystander === 'taken' || bystander === 'taken-second';
  const template = isTwin
    ? { ...spec.template, metadata: { ...spec.template.metadata, labels: { app: 'web' } } }
    : { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.0' }] } };
  return {
    metadata: {
      namespace: NAMESPACE,
      name: `a-${bystander}`,
      labels,
      ...annotations,
      ...(isTaken ? { ownerReferences: [ANOTHER_OWNER] } : {}),
    },
    spec: {
      // An adopted ReplicaSet must be scaled down; others do not change.
      replicas:
        bystander === 'big-twin' ? 7 : isTwin || bystander === 'orphan' || bystander === 'taken' ? 1 : 0,
      selector: { matchLabels: isTwin ? { app: 'web' } : labels },
      template,
    },
  };
}

/**
 * Returns a ReplicaSet without a controller. If `dying`, it is not selected yet, and a finalizer holds it when it is deleted.
 */
export function orphanOf(name: string, dying: boolean): New<ReplicaSet> {
  const labels = { app: 'web', of: 'orphan' };
  return {
    metadata: {
      namespace: NAMESPACE,
      name,
      labels: dying ? { ...labels, app: 'not-yet' } : labels,
      ...(dying ? { finalizers: ['katas/stay'] } : {}),
    },
    spec: {
      replicas: dying ? 0 : 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.0' }] } },
    },
  };
}

/** Returns an equal template, or one with another image, with its fields in reverse order. */
export function retyped(
  template: Template,
  { image, empties = false }: { readonly image?: string; readonly empties?: boolean },
): Template {
  const [container] = template.spec?.containers ?? [];
  if (!container) return template;
  const { name } = container;
  const same = { image: image ?? container.image ?? '' };
  const isPlain = Object.keys(container)[0] === 'name';
  return isPlain
    ? {
        spec: { ...template.spec, containers: [{ ...same, ...(empties ? { env: [] } : {}), name }] },
        metadata: { labels: template.metadata?.labels ?? {} },
      }
    : {
        metadata: { labels: template.metadata?.labels ?? {} },
        spec: { ...template.spec, containers: [{ name, ...same }] },
      };
}
