import type { KubeObject, ObjectKey } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { schemaOf } from '../../../apiserver/patch/index.ts';
import type { Storage } from '../../../apiserver/storage/storage.ts';
import type { Client } from '../../../contracts/client.ts';
import { annotationOf, LAST_APPLIED } from '../history.ts';
import { annotate } from '../oracle/encode.ts';
import { created, mergeMaps } from '../oracle/merge.ts';
import { originalOf } from '../oracle/original.ts';
import { type JsonMap, setField } from '../scenario/fields.ts';
import type { Act, ObjectPlan, Target } from '../scenario/index.ts';
import { kinds } from '../scenario/kinds.ts';
import { manifestOf, withListsReversed } from '../scenario/manifests.ts';

/** The other clients of the cluster. */
interface Environment {
  readonly storage: Storage;
  readonly widgets: Resource;
  /** Returns a client for an actor. */
  as(actor: string): Client;
}

/** The object of an act. */
export interface ActTarget {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** Returns the object that an act changes. */
export function targetOf(act: Exclude<Act, { act: 'lag' }>, widgets: Resource): ActTarget {
  const { kind, name, namespace = 'default' }: Target = 'object' in act ? act.object : act.target;
  const plan = kinds[kind];
  const named = kind === 'definition' ? 'gadgets.example.com' : name;
  const key = plan.namespaced ? { namespace, name: named } : { name: named };
  return { resource: plan.resource ?? widgets, key };
}

/** Performs an act. The server's refusals are ignored: the act then changes nothing. */
export async function perform(act: Exclude<Act, { act: 'lag' }>, to: Environment): Promise<void> {
  const { resource, key } = targetOf(act, to.widgets);
  const found = to.storage.get(resource, key);
  try {
    await performOn(act, to, resource, key, found);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'StatusError') throw error;
  }
}

async function performOn(
  act: Exclude<Act, { act: 'lag' }>,
  to: Environment,
  resource: Resource,
  key: ObjectKey,
  found: KubeObject | undefined,
): Promise<void> {
  const change = async (actor: string, edit: (object: JsonMap) => JsonMap | undefined): Promise<void> => {
    if (!found) return;
    const draft = structuredClone(found) as unknown as JsonMap;
    await to.as(actor).update(resource, (edit(draft) ?? draft) as never);
  };
  switch (act.act) {
    case 'edit': {
      const field = kinds[act.target.kind].fields[act.field];
      if (!field) return;
      const value = act.value === 0 ? undefined : field.values[(act.value - 1) % field.values.length];
      return change(field.by === 'others' ? 'controller' : 'editor', (object) => {
        setField(object, field.path, value);
        return undefined;
      });
    }
    case 'scale':
      if (found && resource.subresources.includes('scale')) {
        await to.as('autoscaler').updateScale(resource, key, { replicas: act.replicas });
      }
      return;
    case 'apply':
      return applyAs(act.object, to, resource, key, found);
    case 'server-side apply': {
      const { kind, fields } = kinds[act.target.kind];
      const field = fields[act.field];
      if (!field || act.value === 0) return;
      const { apiVersion } = kinds[act.target.kind];
      const body: JsonMap = { apiVersion, kind, metadata: { ...key } };
      setField(body, field.path, field.values[(act.value - 1) % field.values.length]);
      const options = { fieldManager: act.manager, force: true };
      await to.as(act.manager).patch(resource, key, { type: 'apply', body }, options);
      return;
    }
    case 'create':
      if (!found) await to.as('creator').create(resource, placed(act.object, key) as never);
      return;
    case 'report': {
      if (!found || !resource.subresources.includes('status')) return;
      const status = { conditions: [REPORTED] };
      const options = { fieldManager: 'kubectl-client-side-apply' };
      await to.as('tool').updateStatus(resource, { ...found, status } as never, options);
      return;
    }
    case 'delete':
      if (found) await to.as('cleaner').delete(resource, key);
      return;
    case 'replace':
      if (found) await to.as('cleaner').delete(resource, key);
      if (!to.storage.get(resource, key)) {
        await to.as('creator').create(resource, placed(act.object, key) as never);
      }
      return;
    case 'finalize':
      return change('controller', (object) => {
        (object.metadata as JsonMap).finalizers = [];
        return undefined;
      });
    case 'corrupt':
      return change('editor', (object) => {
        const metadata = object.metadata as JsonMap;
        metadata.annotations = { ...(metadata.annotations as JsonMap), [LAST_APPLIED]: act.text };
        return undefined;
      });
    case 'forget':
      return change('editor', (object) => {
        delete ((object.metadata as JsonMap).annotations as JsonMap | undefined)?.[LAST_APPLIED];
        return undefined;
      });
    case 'reorder':
      return change('editor', (object) => withListsReversed(object) as JsonMap);
  }
}

const REPORTED = {
  type: 'Reported',
  status: 'True',
  reason: 'Told',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

function placed(plan: ObjectPlan, key: ObjectKey): JsonMap {
  const manifest = manifestOf(plan);
  return created({ ...manifest, metadata: { ...(manifest.metadata as JsonMap), ...key } });
}

/** Another operator applies a manifest, as kubectl does, but with one update in place of a patch. */
async function applyAs(
  plan: ObjectPlan,
  to: Environment,
  resource: Resource,
  key: ObjectKey,
  found: KubeObject | undefined,
): Promise<void> {
  const manifest = manifestOf(plan);
  const modified = annotate({ ...manifest, metadata: { ...(manifest.metadata as JsonMap), ...key } });
  const client = to.as('colleague');
  if (!found) {
    await client.create(resource, created(modified) as never, { fieldManager: 'kubectl-client-side-apply' });
    return;
  }
  const seen = found as unknown as JsonMap;
  const original = originalOf(annotationOf(found));
  const strategic = kinds[plan.kind].resource !== undefined;
  const schema = strategic ? schemaOf(resource) : undefined;
  const merged = mergeMaps({ original, modified, seen, stored: seen }, { schema, eager: true, strategic });
  await client.update(resource, merged as never, { fieldManager: 'kubectl-client-side-apply' });
}
