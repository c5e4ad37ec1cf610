import { configMaps, deployments, pods, services } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent } from '../expectation.ts';
import { named, pod, replicated, service } from './manifests.ts';

const merge = from('gopkg.in/evanphx/json-patch.v4@v4.13.0 merge.go MergePatch');
const json = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch');
const strategic = from(
  'kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go StrategicMergePatch',
);
const patch = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go PatchResource');

const idle = { schedulerName: 'nobody' };

/** Patching objects: JSON patches, merge patches and strategic merge patches. */
export const patches = area(
  'Patches',
  merge('A merge patch sets, keeps and removes fields', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { keep: '1', drop: '2' } });
    await api
      .patch(configMaps, 'a', 'merge', { data: { drop: null, add: '3' } })
      .answers(200, { data: { keep: '1', drop: absent, add: '3' } });
  }),
  merge('A merge patch replaces a whole list', async (api) => {
    await api.made(
      services,
      service('a', {
        ports: [
          { name: 'x', port: 80 },
          { name: 'y', port: 81 },
        ],
      }),
    );
    await api
      .patch(services, 'a', 'merge', { spec: { ports: [{ name: 'z', port: 82 }] } })
      .answers(200, { spec: { ports: [{ name: 'z', port: 82 }] } });
  }),
  strategic('A strategic merge patch merges containers by name', async (api) => {
    await api.made(deployments, replicated('web', { replicas: 0 }));
    const containers = [
      { name: 'main', image: 'busybox:1.36' },
      { name: 'side', image: 'nginx:1.25' },
    ];
    await api
      .patch(deployments, 'web', 'strategic', { spec: { template: { spec: { containers } } } })
      .answers(200, {
        spec: {
          template: { spec: { containers: [{ name: 'main', image: 'busybox:1.36' }, { name: 'side' }] } },
        },
      });
    const env = [{ name: 'A', value: '1' }];
    await api
      .patch(deployments, 'web', 'strategic', {
        spec: { template: { spec: { containers: [{ name: 'side', env }] } } },
      })
      .answers(200, {
        spec: {
          template: {
            spec: {
              containers: [
                { image: 'busybox:1.36', env: absent },
                { image: 'nginx:1.25', env },
              ],
            },
          },
        },
      });
  }),
  strategic('$patch: delete removes a container', async (api) => {
    const containers = [
      { name: 'main', image: 'busybox:1.36' },
      { name: 'side', image: 'nginx:1.25' },
    ];
    await api.made(deployments, replicated('web', { replicas: 0 }, { spec: { containers } }));
    const body = { spec: { template: { spec: { containers: [{ name: 'main', $patch: 'delete' }] } } } };
    await api
      .patch(deployments, 'web', 'strategic', body)
      .answers(200, { spec: { template: { spec: { containers: [{ name: 'side' }] } } } });
  }),
  strategic('$patch: replace replaces a map', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { k: 'v', l: 'w' } });
    await api
      .patch(configMaps, 'a', 'strategic', { data: { $patch: 'replace', m: 'x' } })
      .answers(200, { data: { k: absent, l: absent, m: 'x' } });
  }),
  strategic('$retainKeys drops the fields of another strategy', async (api) => {
    await api.made(deployments, replicated('web', { replicas: 0, strategy: { type: 'RollingUpdate' } }));
    await api
      .patch(deployments, 'web', 'strategic', {
        spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      })
      .answers(200, { spec: { strategy: { type: 'Recreate', rollingUpdate: absent } } });
  }),
  strategic('$deleteFromPrimitiveList removes finalizers', async (api) => {
    await api.made(configMaps, named('a', { finalizers: ['example.com/f', 'example.com/g'] }));
    await api
      .patch(configMaps, 'a', 'strategic', {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/f'] },
      })
      .answers(200, { metadata: { finalizers: ['example.com/g'] } });
    await api.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } }).answers(200);
  }),
  strategic('Ports of a Service are merged by their number', async (api) => {
    await api.made(
      services,
      service('a', {
        ports: [
          { name: 'x', port: 80 },
          { name: 'y', port: 81 },
        ],
      }),
    );
    await api
      .patch(services, 'a', 'strategic', { spec: { ports: [{ port: 80, targetPort: 8080 }] } })
      .answers(200, {
        spec: {
          ports: [
            { name: 'x', port: 80, targetPort: 8080 },
            { name: 'y', port: 81, targetPort: 81 },
          ],
        },
      });
  }),
  json('A JSON patch tests, replaces, removes, moves and copies', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { a: '1', b: '2', c: '3' } });
    await api
      .patch(configMaps, 'a', 'json', [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '9' },
        { op: 'remove', path: '/data/b' },
        { op: 'move', from: '/data/c', path: '/data/d' },
        { op: 'copy', from: '/data/d', path: '/data/e' },
      ])
      .answers(200, { data: { a: '9', b: absent, c: absent, d: '3', e: '3' } });
  }),
  json('A JSON patch whose test fails changes nothing', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { k: 'v' } });
    await api
      .patch(configMaps, 'a', 'json', [
        { op: 'replace', path: '/data/k', value: 'w' },
        { op: 'test', path: '/data/k', value: 'v' },
      ])
      .refused(422, 'the server rejected our request due to an error in our request', { reason: 'Invalid' });
    await api.get(configMaps, 'a').answers(200, { data: { k: 'v' } });
  }),
  json('A JSON patch that removes a missing value is rejected', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .patch(configMaps, 'a', 'json', [{ op: 'remove', path: '/data/k' }])
      .refused(422, 'the server rejected our request due to an error in our request');
  }),
  json('A JSON pointer escapes the slash of a key', async (api) => {
    await api.made(configMaps, named('a', { annotations: { 'example.com/k': 'v' } }));
    await api
      .patch(configMaps, 'a', 'json', [{ op: 'remove', path: '/metadata/annotations/example.com~1k' }])
      .answers(200, { metadata: { annotations: absent } });
  }),
  json('A JSON patch that is not a list is rejected', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .patch(configMaps, 'a', 'json', { op: 'remove', path: '/data' })
      .refused(400, /error decoding patch/, { reason: 'BadRequest' });
  }),
  patch('A patch of an object that does not exist is rejected', async (api) => {
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'v' } }).refused(404, 'configmaps "a" not found');
  }),
  patch('A patch with an old resource version conflicts', async (api) => {
    const resourceVersion = (await api.made(configMaps, named('a'))).at('metadata.resourceVersion');
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'v' } }).answers(200);
    await api
      .patch(configMaps, 'a', 'merge', { metadata: { resourceVersion }, data: { k: 'w' } })
      .refused(409, /^Operation cannot be fulfilled on configmaps "a": the object has been modified; /);
  }),
  patch('A patch cannot rename an object', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .patch(configMaps, 'a', 'merge', { metadata: { name: 'b' } })
      .refused(400, 'the name of the object (b) does not match the name on the URL (a)');
  }),
  patch('A patch of another media type is rejected', async (api) => {
    await api.made(configMaps, named('a'));
    const path = '/api/v1/namespaces/$namespace/configmaps/a';
    await api
      .raw('PATCH', path, { body: {}, contentType: 'application/json' })
      .refused(
        415,
        /the body of the request was in an unknown format - accepted media types include: .*application\/json-patch\+json/,
        {
          reason: 'UnsupportedMediaType',
        },
      );
  }),
  patch('A patched pod must still be valid', async (api) => {
    await api.made(pods, pod('a', { spec: idle }));
    await api
      .patch(pods, 'a', 'strategic', { spec: { containers: [{ name: 'main', image: ' ' }] } })
      .refused(
        422,
        /spec\.containers\[0\]\.image: Invalid value: " ": must not have leading or trailing whitespace/,
      );
  }),
);
