import { configMaps, deployments, pods, replicaSets } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, sized } from '../expectation.ts';
import type { Session } from '../session.ts';
import { named, replicated } from './manifests.ts';
import { podsOf } from './steps.ts';

const collect = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go GarbageCollector.attemptToDeleteItem',
);
const orphan = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go GarbageCollector.orphanDependents',
);
const foreground = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go GarbageCollector.processDeletingDependentsItem',
);
const invalid = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go GraphBuilder.reportInvalidNamespaceOwnerRef',
);

/** Makes an object, and returns the reference of its dependents. */
async function owner(api: Session, name: string): Promise<object> {
  const uid = (await api.made(configMaps, named(name))).at('metadata.uid');
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
}

const owned = (name: string, ownerReferences: readonly object[], metadata: object = {}) =>
  named(name, { ownerReferences, ...metadata });

const web = replicated('web', { replicas: 2 }, { spec: { schedulerName: 'nobody' } });
const ALL = { labelSelector: 'app=web' };

/** Deleting dependents: the garbage collector. */
export const garbage = area(
  'Garbage collector',
  collect('In the background, dependents are deleted after their owner', async (api) => {
    const reference = await owner(api, 'owner');
    await api.made(configMaps, owned('child', [reference]));
    await api.delete(configMaps, 'owner', { propagationPolicy: 'Background' }).answers(200);
    await api.get(configMaps, 'owner').refused(404, 'configmaps "owner" not found');
    await api.get(configMaps, 'child').goes();
  }),
  collect('Dependents of dependents are deleted, too', async (api) => {
    await api.made(deployments, web);
    await podsOf(api, 'app=web', 2);
    await api.delete(deployments, 'web', { propagationPolicy: 'Background' }).answers(200);
    await api.list(replicaSets, ALL).becomes({ items: [] });
    await podsOf(api, 'app=web', 0);
  }),
  orphan('Orphaned dependents stay, without the reference', async (api) => {
    await api.made(deployments, web);
    await podsOf(api, 'app=web', 2);
    await api.delete(deployments, 'web', { propagationPolicy: 'Orphan' }).answers(200);
    await api.get(deployments, 'web').goes();
    await api
      .list(replicaSets, ALL)
      .becomes({ items: [{ metadata: { ownerReferences: absent, deletionTimestamp: absent } }] });
    await api.list(pods, ALL).answers(200, { items: sized(2) });
  }),
  foreground('In the foreground, the owner waits for its dependents', async (api) => {
    const reference = await owner(api, 'owner');
    await api.made(
      configMaps,
      owned('child', [{ ...reference, blockOwnerDeletion: true }], { finalizers: ['example.com/f'] }),
    );
    await api
      .delete(configMaps, 'owner', { propagationPolicy: 'Foreground' })
      .answers(200, { metadata: { finalizers: ['foregroundDeletion'] } });
    await api.get(configMaps, 'child').becomes({ metadata: { deletionTimestamp: /./ } });
    await api.get(configMaps, 'owner').stays({ metadata: { finalizers: ['foregroundDeletion'] } }, 3);
    await api.patch(configMaps, 'child', 'merge', { metadata: { finalizers: null } }).answers(200);
    await api.get(configMaps, 'owner').goes();
  }),
  foreground('In the foreground, the owner waits only for dependents that block it', async (api) => {
    const reference = await owner(api, 'owner');
    await api.made(configMaps, owned('child', [reference], { finalizers: ['example.com/f'] }));
    await api.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' }).answers(200);
    await api.get(configMaps, 'owner').goes();
    await api.patch(configMaps, 'child', 'merge', { metadata: { finalizers: null } }).answers(200);
  }),
  collect('A dependent stays while another owner exists, without the dead reference', async (api) => {
    const first = await owner(api, 'first');
    const second = await owner(api, 'second');
    await api.made(configMaps, owned('child', [first, second]));
    await api.delete(configMaps, 'first').answers(200);
    await api.get(configMaps, 'child').becomes({ metadata: { ownerReferences: [{ name: 'second' }] } });
    await api.delete(configMaps, 'second').answers(200);
    await api.get(configMaps, 'child').goes();
  }),
  collect('An object whose owner never existed is deleted', async (api) => {
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'nobody',
      uid: '1ea7605c-001a-11ea-9a90-027feb72be7e',
    };
    await api.made(configMaps, owned('child', [reference]));
    await api.get(configMaps, 'child').goes();
  }),
  collect('An owner of the same name with another UID does not count', async (api) => {
    const reference = await owner(api, 'owner');
    await api.made(
      configMaps,
      owned('child', [{ ...reference, uid: '1ea7605c-001a-11ea-9a90-027feb72be7e' }]),
    );
    await api.get(configMaps, 'child').goes();
    await api.get(configMaps, 'owner').answers(200);
  }),
  collect(
    'An owner of a kind that does not exist counts as unknown, and its dependent stays',
    async (api) => {
      const reference = {
        apiVersion: 'parity.example.com/v1',
        kind: 'Nothing',
        name: 'x',
        uid: '1ea7605c-001a-11ea-9a90-027feb72be7e',
      };
      await api.made(configMaps, owned('child', [reference]));
      await api.get(configMaps, 'child').stays({ metadata: { deletionTimestamp: absent } }, 5);
    },
  ),
  invalid('An event reports an owner in another namespace', async (api) => {
    const uid = (
      await api.raw('GET', '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt').answers(200)
    ).at('metadata.uid');
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'kube-root-ca.crt', uid };
    await api.made(configMaps, owned('child', [reference]));
    await api.events('child').becomes({
      items: has({
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: new RegExp(
          `^ownerRef \\[v1/ConfigMap, namespace: ${api.namespace}, name: kube-root-ca\\.crt, uid: ${uid}\\] does not exist in namespace "${api.namespace}"$`,
        ),
      }),
    });
    await api.get(configMaps, 'child').goes();
  }),
);
