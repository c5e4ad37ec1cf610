import { configMaps } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import type { Session } from '../session.ts';
import { named } from './manifests.ts';

const cacher = from('kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch');
const convert = from(
  'kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cache_watcher.go cacheWatcher.convertToWatchEvent',
);
const initial = from(
  'kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.getWatchCacheResourceVersion',
);
const handler = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/get.go ListResource');
const options = from(
  'kubernetes/apimachinery@v0.36.3 pkg/apis/meta/internalversion/validation/validation.go validateWatchOptions',
);

/** Returns the version of the list of the ConfigMaps with the label `app`. */
async function current(api: Session): Promise<string> {
  return (await api.list(configMaps, { labelSelector: 'app' }).answers(200)).at('metadata.resourceVersion');
}

const labelled = (name: string, app = 'x') => named(name, { labels: { app } });

/** Watching objects. */
export const watches = area(
  'Watches',
  cacher('A watch from a version brings each later change', async (api) => {
    const resourceVersion = await current(api);
    await using events = await api.watch(configMaps, { resourceVersion, labelSelector: 'app' }).streams();
    await api.made(configMaps, labelled('a'));
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'v' } }).answers(200);
    await api.delete(configMaps, 'a').answers(200);
    await events.brings(
      { type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } } },
      { type: 'MODIFIED', object: { data: { k: 'v' } } },
      { type: 'DELETED', object: { metadata: { name: 'a' }, data: { k: 'v' } } },
    );
  }),
  cacher('A watch from a version repeats the changes since then', async (api) => {
    const resourceVersion = await current(api);
    await api.made(configMaps, labelled('a'));
    await api.delete(configMaps, 'a').answers(200);
    await using events = await api.watch(configMaps, { resourceVersion, labelSelector: 'app' }).streams();
    await events.brings({ type: 'ADDED' }, { type: 'DELETED' });
  }),
  cacher('A watch without a version begins with the existing objects', async (api) => {
    await api.made(configMaps, labelled('a'));
    await api.made(configMaps, labelled('b'));
    await using events = await api.watch(configMaps, { labelSelector: 'app' }).streams();
    await events.brings({ type: 'ADDED', object: labelled('a') }, { type: 'ADDED', object: labelled('b') });
  }),
  convert(
    'An object that leaves the selection is reported as deleted, with its last selected state',
    async (api) => {
      const resourceVersion = await current(api);
      await using events = await api.watch(configMaps, { resourceVersion, labelSelector: 'app=x' }).streams();
      await api.made(configMaps, labelled('a'));
      await api.patch(configMaps, 'a', 'merge', { metadata: { labels: { app: 'y' } } }).answers(200);
      await api.patch(configMaps, 'a', 'merge', { metadata: { labels: { app: 'x' } } }).answers(200);
      await events.brings(
        { type: 'ADDED', object: labelled('a') },
        { type: 'DELETED', object: labelled('a') },
        { type: 'ADDED', object: labelled('a') },
      );
    },
  ),
  convert('The event of a deletion has the resource version of the deletion', async (api) => {
    const resourceVersion = (await api.made(configMaps, labelled('a'))).at('metadata.resourceVersion');
    await using events = await api.watch(configMaps, { resourceVersion, labelSelector: 'app' }).streams();
    await api.delete(configMaps, 'a').answers(200);
    const next = await current(api);
    await events.brings({
      type: 'DELETED',
      object: { metadata: { resourceVersion: new RegExp(`^(?!${resourceVersion}$)\\d+$`) } },
    });
    api.expect('the version of the list', Number(next) > Number(resourceVersion), true);
  }),
  cacher('A field selector limits a watch to one object', async (api) => {
    const resourceVersion = await current(api);
    const query = { resourceVersion, fieldSelector: 'metadata.name=b' };
    await using events = await api.watch(configMaps, query).streams();
    await api.made(configMaps, named('a'));
    await api.made(configMaps, named('b'));
    await events.brings({ type: 'ADDED', object: named('b') });
  }),
  initial('A streaming list ends with a bookmark', async (api) => {
    await api.made(configMaps, labelled('a'));
    const query = {
      labelSelector: 'app',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    };
    await using events = await api.watch(configMaps, query).streams();
    await events.brings(
      { type: 'ADDED', object: labelled('a') },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          metadata: { resourceVersion: /^\d+$/, annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      },
    );
  }),
  options('sendInitialEvents without resourceVersionMatch is invalid', async (api) => {
    await api
      .watch(configMaps, { sendInitialEvents: true })
      .refused(
        422,
        /resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
      );
  }),
  handler('The server ends a watch after timeoutSeconds', async (api) => {
    const resourceVersion = await current(api);
    await using events = await api
      .watch(configMaps, { resourceVersion, timeoutSeconds: 2, labelSelector: 'app' })
      .streams();
    await events.ends();
  }),
  handler('A watch can bring tables', async (api) => {
    await api.made(configMaps, labelled('a'));
    const path = '/api/v1/namespaces/$namespace/configmaps';
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const query = { watch: true, labelSelector: 'app' };
    await using events = await api.raw('GET', path, { query, accept }).streams();
    await events.brings({
      type: 'ADDED',
      object: {
        kind: 'Table',
        rows: [{ cells: ['a', 0, /^\d+s$/], object: { kind: 'PartialObjectMetadata' } }],
      },
    });
  }),
);
