import { configMaps, deployments, pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { present } from '../expectation.ts';
import { deployment, named, pod } from './manifests.ts';

const finalizers = from(
  'kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go deletionFinalizersForGarbageCollection',
);
const meta = from('kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go ValidateNoNewFinalizers');
const remove = from('kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.Delete');
const options = from(
  'kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidateDeleteOptions',
);
const preconditions = from('kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go BeforeDelete');
const pod0 = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go podStrategy.CheckGracefulDelete',
);

/** Deleting objects. */
export const deletion = area(
  'Deletion',
  remove('Deleting a ConfigMap returns a Status with its UID', async (api) => {
    const uid = (await api.made(configMaps, named('a'))).at('metadata.uid');
    await api.delete(configMaps, 'a').answers(200, {
      kind: 'Status',
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid },
    });
    await api.get(configMaps, 'a').refused(404, 'configmaps "a" not found');
  }),
  remove('Deleting a pod returns the pod', async (api) => {
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
    await api.delete(pods, 'a').answers(200, { kind: 'Pod', metadata: { name: 'a' } });
  }),
  pod0('A pod without a node is deleted at once', async (api) => {
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody', terminationGracePeriodSeconds: 60 } }));
    await api.delete(pods, 'a').answers(200);
    await api.get(pods, 'a').refused(404, 'pods "a" not found');
  }),
  pod0('A pod on a node is marked for deletion with its grace period', async (api) => {
    const spec = { nodeName: api.unique('none'), terminationGracePeriodSeconds: 3_600 };
    await api.made(pods, pod('a', { spec }));
    await api
      .delete(pods, 'a')
      .answers(200, { metadata: { deletionTimestamp: present, deletionGracePeriodSeconds: 3_600 } });
    await api
      .delete(pods, 'a', { gracePeriodSeconds: 1_800 })
      .answers(200, { metadata: { deletionGracePeriodSeconds: 1_800 } });
    await api.delete(pods, 'a', { gracePeriodSeconds: 0 }).answers(200);
    await api.get(pods, 'a').refused(404, 'pods "a" not found');
  }),
  finalizers('An object with a finalizer is only marked for deletion', async (api) => {
    await api.made(configMaps, named('a', { finalizers: ['example.com/f'] }));
    await api.delete(configMaps, 'a').answers(200, {
      kind: 'ConfigMap',
      metadata: { deletionTimestamp: present, deletionGracePeriodSeconds: 0, finalizers: ['example.com/f'] },
    });
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'v' } }).answers(200, { data: { k: 'v' } });
    await api.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } }).answers(200);
    await api.get(configMaps, 'a').refused(404, 'configmaps "a" not found');
  }),
  meta('A deleted object gets no new finalizer', async (api) => {
    await api.made(configMaps, named('a', { finalizers: ['example.com/f'] }));
    await api.delete(configMaps, 'a').answers(200);
    await api
      .patch(configMaps, 'a', 'merge', { metadata: { finalizers: ['example.com/f', 'example.com/g'] } })
      .refused(
        422,
        /metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example\.com\/g"\}/,
      );
    await api.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } }).answers(200);
  }),
  from('kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go ValidateObjectMetaAccessorUpdate')(
    'The deletion time cannot be taken back',
    async (api) => {
      await api.made(configMaps, named('a', { finalizers: ['example.com/f'] }));
      const marked = (await api.delete(configMaps, 'a').answers(200)).at('metadata.deletionTimestamp');
      const patch = { metadata: { deletionTimestamp: null } };
      await api
        .patch(configMaps, 'a', 'merge', patch)
        .answers(200, { metadata: { deletionTimestamp: marked } });
      await api.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } }).answers(200);
    },
  ),
  preconditions('A delete with another UID conflicts', async (api) => {
    const uid = (await api.made(configMaps, named('a'))).at('metadata.uid');
    await api
      .delete(configMaps, 'a', { preconditions: { uid: 'other' } })
      .refused(
        409,
        `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      );
    await api.delete(configMaps, 'a', { preconditions: { uid } }).answers(200);
  }),
  preconditions('A delete with an old resource version conflicts', async (api) => {
    const resourceVersion = (await api.made(configMaps, named('a'))).at('metadata.resourceVersion');
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'v' } }).answers(200);
    await api
      .delete(configMaps, 'a', { preconditions: { resourceVersion } })
      .refused(
        409,
        /the ResourceVersion in the precondition \(\d+\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified/,
      );
  }),
  options('An unknown propagation policy is invalid', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .delete(configMaps, 'a', { propagationPolicy: 'Later' })
      .refused(
        422,
        /propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"/,
      );
  }),
  options('A propagation policy excludes orphanDependents', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .delete(configMaps, 'a', { propagationPolicy: 'Orphan', orphanDependents: true })
      .refused(422, /orphanDependents and deletionPropagation cannot be both set/);
  }),
  from('kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.DeleteCollection')(
    'Deleting a collection deletes the selected objects',
    async (api) => {
      for (const [name, app] of [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
      ] as const) {
        await api.made(configMaps, named(name, { labels: { app } }));
      }
      await api.deleteAll(configMaps, { labelSelector: 'app=x' }).answers(200);
      await api
        .list(configMaps, { labelSelector: 'app' })
        .answers(200, { items: [{ metadata: { name: 'c' } }] });
    },
  ),
  finalizers('Deleting in the foreground adds a finalizer', async (api) => {
    await api.made(deployments, deployment('web', { replicas: 0 }));
    await api
      .delete(deployments, 'web', { propagationPolicy: 'Foreground' })
      .answers(200, { metadata: { finalizers: ['foregroundDeletion'], deletionTimestamp: present } });
    await api.get(deployments, 'web').goes();
  }),
  remove('A deleted object and a new object of its name have different UIDs', async (api) => {
    const first = (await api.made(configMaps, named('a'))).at('metadata.uid');
    await api.delete(configMaps, 'a').answers(200);
    const second = (await api.made(configMaps, named('a'))).at('metadata.uid');
    api.expect('the UIDs', first === second, false);
  }),
);
